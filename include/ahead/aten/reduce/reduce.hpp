// SPDX-License-Identifier: MIT
// Reductions by folding: sum, mean, prod, amax, amin, aminmax, max, min, any, all, count_nonzero. The order of
// summation is unspecified: sums accumulate in double and are rounded once. Source: aten/src/ATen/native/ReduceOps.cpp.
#pragma once
#include <ahead/aten/reduce/reduction.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace detail {

/// The kind of a reduction: defines initial value, step and result, in the accumulator type.
enum class fold : std::uint8_t { sum, sum_of_numbers, mean, product, largest, smallest, any, all };

constexpr void evaluate_fold(auto& c, fold kind, int dim, int keepdim, no_dims empty = no_dims::are_all,
                             std::int32_t result = 0) {
    const auto& in_type = c.tensor(first_parameter);
    const auto dims = reduced_dims(c, dim, in_type.rank, empty);
    c.compute_any([&](auto as) {
        using T = decltype(as);
        using A = accumulator_t<T>;
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(result, as);
        const auto count = static_cast<A>(reduced_count(in_type, dims));
        for_each_reduced(in_type, dims, keepdim != no_parameter && c.boolean(keepdim),
                         [&](const int_list& at, auto walk) {
                             A total = kind == fold::product || kind == fold::all;
                             bool first = true;
                             walk([&](const int_list& i) {
                                 const auto x = static_cast<A>(in[i]);
                                 switch (kind) {
                                 case fold::sum:
                                 case fold::mean: total = math::add(total, x); break;
                                 case fold::sum_of_numbers:
                                     if (!math::isnan(x)) total = math::add(total, x);
                                     break;
                                 case fold::product: total = math::mul(total, x); break;
                                 case fold::any: total = total != A{} || x != A{}; break;
                                 case fold::all: total = total != A{} && x != A{}; break;
                                 case fold::largest:
                                 case fold::smallest:
                                     if constexpr (!is_complex_number<A>) {
                                         const bool further = kind == fold::largest ? x > total : x < total;
                                         if (first || further || math::isnan(x)) total = x;
                                     }
                                 }
                                 first = false;
                             });
                             out.put(at, math::convert<T>(kind == fold::mean ? total / count : total));
                         });
    });
}

/// The dtype of a sum: parameter `wanted`, if given, else i64 for integers and bool, else self's.
constexpr dtype sum_dtype(const infer_context& c, int wanted) {
    if (c.is_given(wanted)) return c.type(wanted);
    const auto type = c.tensor(first_parameter).type;
    return has_fractions(type) ? type : dtype::i64;
}
inline constexpr effects of_complex_too{.takes_complex = true};

} // namespace detail

/// Type rule for floating point only.
constexpr bool infer_real(infer_context& c, int dim, int keepdim, dtype type) {
    if (!is_floating(type)) return c.refuse(fault::dtype_is_unsupported, "floating point", facts_of(type).annotation);
    return infer_reduced(c, dim, keepdim, type);
}

/// Type rule for floating point and complex numbers.
constexpr bool infer_mean(infer_context& c, int dim, int keepdim, int wanted) {
    const auto type = c.is_given(wanted) ? c.type(wanted) : c.tensor(first_parameter).type;
    return is_complex(type) ? infer_reduced(c, dim, keepdim, type) : infer_real(c, dim, keepdim, type);
}

/// sum(Tensor self, *, ScalarType? dtype=None)
struct sum : schemas::self_dtype {
    static constexpr std::string_view name = "aten.sum.default"sv;
    static constexpr effects effect = detail::of_complex_too;
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, no_parameter, no_parameter, detail::sum_dtype(c, at::dtype));
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_fold(c, detail::fold::sum, no_parameter, no_parameter); }
};

/// sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)
struct sum_dims : schemas::reduce_dims_dtype {
    static constexpr std::string_view name = "aten.sum.dim_IntList"sv;
    static constexpr effects effect = detail::of_complex_too;
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, at::dim, at::keepdim, detail::sum_dtype(c, at::dtype));
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_fold(c, detail::fold::sum, at::dim, at::keepdim); }
};

/// nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None): NaN counts as 0
struct nansum {
    static constexpr std::string_view name = "aten.nansum.default"sv;
    static constexpr effects effect = detail::of_complex_too;
    enum at : int { self, dim, keepdim, dtype };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::optional_int_list),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false)),
                                           defaulted("dtype", parameter_kind::optional_dtype)};
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, at::dim, at::keepdim, detail::sum_dtype(c, at::dtype));
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_fold(c, detail::fold::sum_of_numbers, at::dim, at::keepdim);
    }
};

/// mean(Tensor self, *, ScalarType? dtype=None): floating point and complex numbers
struct mean : schemas::self_dtype {
    static constexpr std::string_view name = "aten.mean.default"sv;
    static constexpr effects effect = detail::of_complex_too;
    static constexpr bool infer(infer_context& c) { return infer_mean(c, no_parameter, no_parameter, at::dtype); }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_fold(c, detail::fold::mean, no_parameter, no_parameter);
    }
};

/// mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)
struct mean_dims : schemas::reduce_dims_dtype {
    static constexpr std::string_view name = "aten.mean.dim"sv;
    static constexpr effects effect = detail::of_complex_too;
    static constexpr bool infer(infer_context& c) { return infer_mean(c, at::dim, at::keepdim, at::dtype); }
    static constexpr void evaluate(auto& c) { detail::evaluate_fold(c, detail::fold::mean, at::dim, at::keepdim); }
};

/// prod(Tensor self, *, ScalarType? dtype=None)
struct prod : schemas::self_dtype {
    static constexpr std::string_view name = "aten.prod.default"sv;
    static constexpr effects effect = detail::of_complex_too;
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, no_parameter, no_parameter, detail::sum_dtype(c, at::dtype));
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_fold(c, detail::fold::product, no_parameter, no_parameter);
    }
};

/// prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None)
struct prod_dim : schemas::reduce_dim_dtype {
    static constexpr std::string_view name = "aten.prod.dim_int"sv;
    static constexpr effects effect = detail::of_complex_too;
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, at::dim, at::keepdim, detail::sum_dtype(c, at::dtype));
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_fold(c, detail::fold::product, at::dim, at::keepdim); }
};

/// amax(Tensor self, int[1] dim=[], bool keepdim=False): NaN is largest
struct amax : schemas::reduce_dims {
    static constexpr std::string_view name = "aten.amax.default"sv;
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, at::dim, at::keepdim, c.tensor(at::self).type, true);
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_fold(c, detail::fold::largest, at::dim, at::keepdim); }
};

/// amin(Tensor self, int[1] dim=[], bool keepdim=False): NaN is smallest
struct amin : schemas::reduce_dims {
    static constexpr std::string_view name = "aten.amin.default"sv;
    static constexpr bool infer(infer_context& c) { return amax::infer(c); }
    static constexpr void evaluate(auto& c) { detail::evaluate_fold(c, detail::fold::smallest, at::dim, at::keepdim); }
};

/// aminmax(Tensor self, *, int? dim=None, bool keepdim=False): (min, max) along dim, or of all; with NaN both are NaN
struct aminmax : schemas::reduce_optional_dim {
    static constexpr std::string_view name = "aten.aminmax.default"sv;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (!check_dims(c, at::dim, t.rank)) return false;
        const auto dims = reduced_dims(c, at::dim, t.rank);
        if (reduced_count(t, dims) == 0) return c.refuse(fault::window_does_not_fit, "at least one element", print(t));
        const auto out = tensor_of(t.type, sizes_without(t, dims, c.boolean(at::keepdim)));
        return c.results(2) && c.set(0, out) && c.set(1, out);
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_fold(c, detail::fold::smallest, at::dim, at::keepdim, no_dims::are_all, 0);
        detail::evaluate_fold(c, detail::fold::largest, at::dim, at::keepdim, no_dims::are_all, 1);
    }
};

/// max(Tensor self): NaN is largest
struct max : schemas::only_self {
    static constexpr std::string_view name = "aten.max.default"sv;
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, no_parameter, no_parameter, c.tensor(at::self).type, true);
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_fold(c, detail::fold::largest, no_parameter, no_parameter);
    }
};

/// min(Tensor self): NaN is smallest
struct min : schemas::only_self {
    static constexpr std::string_view name = "aten.min.default"sv;
    static constexpr bool infer(infer_context& c) { return max::infer(c); }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_fold(c, detail::fold::smallest, no_parameter, no_parameter);
    }
};

namespace detail {

/// any or all of the elements; the result is u8 for u8, else bool.
template <class Parameters, fold Kind, no_dims Empty = no_dims::are_all> struct truth : Parameters {
    static constexpr effects effect = of_complex_too;
    using at = typename Parameters::at;
    static constexpr bool infer(infer_context& c) {
        const auto type = c.tensor(at::self).type == dtype::u8 ? dtype::u8 : dtype::b8;
        if constexpr (requires { at::dim; }) return infer_reduced(c, at::dim, at::keepdim, type, false, Empty);
        else return infer_reduced(c, no_parameter, no_parameter, type);
    }
    static constexpr void evaluate(auto& c) {
        if constexpr (requires { at::dim; }) evaluate_fold(c, Kind, at::dim, at::keepdim, Empty);
        else evaluate_fold(c, Kind, no_parameter, no_parameter);
    }
};

} // namespace detail

/// any(Tensor self)
struct any : detail::truth<schemas::only_self, detail::fold::any> {
    static constexpr std::string_view name = "aten.any.default"sv;
};

/// any.dim(Tensor self, int dim, bool keepdim=False)
struct any_dim : detail::truth<schemas::reduce_dim, detail::fold::any> {
    static constexpr std::string_view name = "aten.any.dim"sv;
};

/// any.dims(Tensor self, int[]? dim=None, bool keepdim=False): an empty list of dims reduces none
struct any_dims : detail::truth<schemas::reduce_none_or_dims, detail::fold::any, no_dims::are_none> {
    static constexpr std::string_view name = "aten.any.dims"sv;
};

/// all(Tensor self)
struct all : detail::truth<schemas::only_self, detail::fold::all> {
    static constexpr std::string_view name = "aten.all.default"sv;
};

/// all.dim(Tensor self, int dim, bool keepdim=False)
struct all_dim : detail::truth<schemas::reduce_dim, detail::fold::all> {
    static constexpr std::string_view name = "aten.all.dim"sv;
};

/// count_nonzero.dim_IntList(Tensor self, int[] dim): in i64
struct count_nonzero_dims {
    static constexpr std::string_view name = "aten.count_nonzero.dim_IntList"sv;
    static constexpr effects effect = detail::of_complex_too;
    enum at : int { self, dim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) { return infer_reduced(c, at::dim, no_parameter, dtype::i64); }
    static constexpr void evaluate(auto& c) {
        const auto& t = c.tensor(at::self);
        c.compute(is_complex(t.type) ? dtype::b8 : t.type, [&](auto as) {
            const auto in = c.input(at::self, as);
            for_each_reduced(t, reduced_dims(c, at::dim, t.rank), false, [&](const int_list& at, auto walk) {
                std::int64_t count = 0;
                walk([&](const int_list& i) { count += in[i] != decltype(as){}; });
                c.output(0, std::int64_t{}).put(at, count);
            });
        });
    }
};
/// count_nonzero(Tensor self, int? dim=None)
struct count_nonzero : count_nonzero_dims {
    static constexpr std::string_view name = "aten.count_nonzero.default"sv;
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::optional_integer)};
};

using reduce_ops = op_list<count_nonzero_dims, count_nonzero, nansum, sum, sum_dims, mean, mean_dims, prod, prod_dim,
                           amax, amin, aminmax, max, min, any, any_dim, any_dims, all, all_dim>;

} // namespace ahead::aten
