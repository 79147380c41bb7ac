// SPDX-License-Identifier: MIT
// Reductions to one value: sum, mean, prod, amax, amin, any, all, var, std, norms, logsumexp. The order of summation is
// free: sums are taken in double and rounded once. Source: aten/src/ATen/native/ReduceOps.cpp.
#pragma once
#include <ahead/aten/reduce/reduction.hpp>

namespace AHEAD_NAMESPACE::aten {

/// How a reduction starts, takes an element, and ends; in the accumulator type.
enum class fold : std::uint8_t { sum, mean, product, largest, smallest, any, all };

constexpr void evaluate_fold(auto& c, fold kind, int dim, int keepdim, no_dims empty = no_dims::are_all) {
    const auto& in_type = c.tensor(first_parameter);
    const auto dims = reduced_dims(c, dim, in_type.rank, empty);
    c.compute([&](auto as) {
        using T = decltype(as);
        using A = accumulator_t<T>;
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        const auto count = static_cast<A>(reduced_count(in_type, dims));
        for_each_reduced(in_type, dims, keepdim != no_parameter && c.boolean(keepdim),
                         [&](const int_list& at, auto walk) {
                             A total = kind == fold::product || kind == fold::all ? 1 : 0;
                             bool first = true;
                             walk([&](const int_list& i) {
                                 const auto x = static_cast<A>(in[i]);
                                 switch (kind) {
                                 case fold::sum:
                                 case fold::mean: total = math::add(total, x); break;
                                 case fold::product: total = math::mul(total, x); break;
                                 case fold::largest: total = first || x > total || math::isnan(x) ? x : total; break;
                                 case fold::smallest: total = first || x < total || math::isnan(x) ? x : total; break;
                                 case fold::any: total = total != 0 || x != 0; break;
                                 case fold::all: total = total != 0 && x != 0; break;
                                 }
                                 first = false;
                             });
                             out.put(at, math::convert<T>(kind == fold::mean ? total / count : total));
                         });
    });
}

/// The dtype of a sum: that of parameter `wanted`, if given, else i64 for integers and bool.
constexpr dtype sum_dtype(const infer_context& c, int wanted) {
    if (c.is_given(wanted)) return c.type(wanted);
    const auto type = c.tensor(first_parameter).type;
    return is_floating(type) ? type : dtype::i64;
}
/// Floating point only.
constexpr bool infer_real(infer_context& c, int dim, int keepdim, dtype type) {
    if (!is_floating(type)) return c.refuse(fault::dtype_is_unsupported, "floating point", facts_of(type).annotation);
    return infer_reduced(c, dim, keepdim, type);
}
constexpr bool infer_mean(infer_context& c, int dim, int keepdim, int wanted) {
    return infer_real(c, dim, keepdim, c.is_given(wanted) ? c.type(wanted) : c.tensor(first_parameter).type);
}

/// sum(Tensor self, *, ScalarType? dtype=None)
struct sum : schemas::self_dtype {
    static constexpr std::string_view name = "aten.sum.default";
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, no_parameter, no_parameter, sum_dtype(c, at::dtype));
    }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::sum, no_parameter, no_parameter); }
};
/// sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)
struct sum_dims : schemas::reduce_dims_dtype {
    static constexpr std::string_view name = "aten.sum.dim_IntList";
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, at::dim, at::keepdim, sum_dtype(c, at::dtype));
    }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::sum, at::dim, at::keepdim); }
};
/// mean(Tensor self, *, ScalarType? dtype=None): floating point only
struct mean : schemas::self_dtype {
    static constexpr std::string_view name = "aten.mean.default";
    static constexpr bool infer(infer_context& c) { return infer_mean(c, no_parameter, no_parameter, at::dtype); }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::mean, no_parameter, no_parameter); }
};
/// mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)
struct mean_dims : schemas::reduce_dims_dtype {
    static constexpr std::string_view name = "aten.mean.dim";
    static constexpr bool infer(infer_context& c) { return infer_mean(c, at::dim, at::keepdim, at::dtype); }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::mean, at::dim, at::keepdim); }
};
/// prod(Tensor self, *, ScalarType? dtype=None)
struct prod : schemas::self_dtype {
    static constexpr std::string_view name = "aten.prod.default";
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, no_parameter, no_parameter, sum_dtype(c, at::dtype));
    }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::product, no_parameter, no_parameter); }
};
/// prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None)
struct prod_dim : schemas::reduce_dim_dtype {
    static constexpr std::string_view name = "aten.prod.dim_int";
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, at::dim, at::keepdim, sum_dtype(c, at::dtype));
    }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::product, at::dim, at::keepdim); }
};

/// amax(Tensor self, int[1] dim=[], bool keepdim=False): NaN is largest
struct amax : schemas::reduce_dims {
    static constexpr std::string_view name = "aten.amax.default";
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, at::dim, at::keepdim, c.tensor(at::self).type, true);
    }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::largest, at::dim, at::keepdim); }
};
/// amin(Tensor self, int[1] dim=[], bool keepdim=False): NaN is smallest
struct amin : schemas::reduce_dims {
    static constexpr std::string_view name = "aten.amin.default";
    static constexpr bool infer(infer_context& c) { return amax::infer(c); }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::smallest, at::dim, at::keepdim); }
};
/// max(Tensor self): NaN is largest
struct max : schemas::only_self {
    static constexpr std::string_view name = "aten.max.default";
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, no_parameter, no_parameter, c.tensor(at::self).type, true);
    }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::largest, no_parameter, no_parameter); }
};
/// min(Tensor self): NaN is smallest
struct min : schemas::only_self {
    static constexpr std::string_view name = "aten.min.default";
    static constexpr bool infer(infer_context& c) { return max::infer(c); }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::smallest, no_parameter, no_parameter); }
};

/// Any or all of the elements; u8 gives u8, everything else bool.
template <class Parameters, fold Kind, no_dims Empty = no_dims::are_all>
struct truth : Parameters {
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
/// any(Tensor self)
struct any : truth<schemas::only_self, fold::any> {
    static constexpr std::string_view name = "aten.any.default";
};
/// any.dim(Tensor self, int dim, bool keepdim=False)
struct any_dim : truth<schemas::reduce_dim, fold::any> {
    static constexpr std::string_view name = "aten.any.dim";
};
/// any.dims(Tensor self, int[]? dim=None, bool keepdim=False): an empty list of dims reduces none
struct any_dims : truth<schemas::reduce_none_or_dims, fold::any, no_dims::are_none> {
    static constexpr std::string_view name = "aten.any.dims";
};
/// all(Tensor self)
struct all : truth<schemas::only_self, fold::all> {
    static constexpr std::string_view name = "aten.all.default";
};
/// all.dim(Tensor self, int dim, bool keepdim=False)
struct all_dim : truth<schemas::reduce_dim, fold::all> {
    static constexpr std::string_view name = "aten.all.dim";
};

/// Mean and variance of a range in double: two passes.
struct moments {
    double mean = 0;
    double variance = 0; // sum of squares divided by count - correction
};
constexpr moments moments_of(const auto& in, auto walk, std::int64_t count, double correction) {
    moments m;
    double total = 0;
    walk([&](const int_list& i) { total += static_cast<double>(in[i]); });
    m.mean = total / static_cast<double>(count);
    double squares = 0;
    walk([&](const int_list& i) {
        const double off = static_cast<double>(in[i]) - m.mean;
        squares += off * off;
    });
    const double freedom = static_cast<double>(count) - correction;
    m.variance = squares / (freedom > 0 ? freedom : 0);
    return m;
}

/// Of the operators that take a correction: the variance or its root, and the mean as another result.
constexpr void evaluate_variance(auto& c, bool root, bool with_mean) {
    using parameters = schemas::reduce_correction::at;
    const auto& in_type = c.tensor(parameters::self);
    const auto dims = reduced_dims(c, parameters::dim, in_type.rank);
    const double correction = c.is_given(parameters::correction) ? c.real(parameters::correction) : 1;
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        for_each_reduced(in_type, dims, c.boolean(parameters::keepdim), [&](const int_list& at, auto walk) {
            const auto m = moments_of(in, walk, reduced_count(in_type, dims), correction);
            out.put(at, math::convert<T>(root ? math::sqrt(m.variance) : m.variance));
            if (with_mean) c.output(1, as).put(at, math::convert<T>(m.mean));
        });
    });
}
/// var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False): correction is 1
/// unless given
struct var : schemas::reduce_correction {
    static constexpr std::string_view name = "aten.var.correction";
    static constexpr bool infer(infer_context& c) {
        if (!is_floating(c.tensor(at::self).type))
            return c.refuse(fault::dtype_is_unsupported, "floating point", print(c.tensor(at::self)));
        return infer_reduced(c, at::dim, at::keepdim, c.tensor(at::self).type);
    }
    static constexpr void evaluate(auto& c) { evaluate_variance(c, false, false); }
};
/// std.correction: the square root of var.correction
struct std_correction : var {
    static constexpr std::string_view name = "aten.std.correction";
    static constexpr void evaluate(auto& c) { evaluate_variance(c, true, false); }
};
/// var_mean.correction: var.correction and the mean
struct var_mean : schemas::reduce_correction {
    static constexpr std::string_view name = "aten.var_mean.correction";
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (!check_dims(c, at::dim, t.rank)) return false;
        const auto out = tensor_of(t.type, sizes_without(t, reduced_dims(c, at::dim, t.rank), c.boolean(at::keepdim)));
        return c.results(2) && c.set(0, out) && c.set(1, out);
    }
    static constexpr void evaluate(auto& c) { evaluate_variance(c, false, true); }
};

/// logsumexp(Tensor self, int[1] dim, bool keepdim=False): log(sum(e^self)), shifted by the largest element
struct logsumexp : schemas::reduce_dims {
    static constexpr std::string_view name = "aten.logsumexp.default";
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, at::dim, at::keepdim,
                             is_floating(c.tensor(at::self).type) ? c.tensor(at::self).type : dtype::f32);
    }
    static constexpr void evaluate(auto& c) {
        const auto& in_type = c.tensor(at::self);
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto in = c.input(at::self, as);
            const auto out = c.output(0, as);
            for_each_reduced(
                in_type, reduced_dims(c, at::dim, in_type.rank), c.boolean(at::keepdim),
                [&](const int_list& at, auto walk) {
                    double largest = -math::detail::infinity;
                    walk([&](const int_list& i) {
                        const auto x = static_cast<double>(in[i]);
                        if (x > largest || math::isnan(x)) largest = x;
                    });
                    if (math::isinf(largest)) largest = 0;
                    double total = 0;
                    walk([&](const int_list& i) { total += math::exp(static_cast<double>(in[i]) - largest); });
                    out.put(at, math::convert<T>(math::log(total) + largest));
                });
        });
    }
};

/// The p-norm of a range: (sum |x|^p)^(1/p); the largest |x| for inf, the smallest for -inf, the count of non-zeros for
/// 0.
constexpr void evaluate_norm(auto& c, double p, int dim, int keepdim) {
    const auto& in_type = c.tensor(first_parameter);
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        for_each_reduced(in_type, reduced_dims(c, dim, in_type.rank), keepdim != no_parameter && c.boolean(keepdim),
                         [&](const int_list& at, auto walk) {
                             double total = 0;
                             bool first = true;
                             walk([&](const int_list& i) {
                                 const double x = math::abs(static_cast<double>(in[i]));
                                 if (math::isinf(p))
                                     total = first || math::isnan(x) || (p > 0 ? x > total : x < total) ? x : total;
                                 else total += p == 0 ? (x != 0) : p == 1 ? x : p == 2 ? x * x : math::pow(x, p);
                                 first = false;
                             });
                             if (p == 2) total = math::sqrt(total);
                             else if (p != 0 && p != 1 && !math::isinf(p)) total = math::pow(total, 1 / p);
                             out.put(at, math::convert<T>(total));
                         });
    });
}
/// linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)
struct linalg_vector_norm {
    static constexpr std::string_view name = "aten.linalg_vector_norm.default";
    enum at : int { self, ord, dim, keepdim, dtype };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("ord", parameter_kind::scalar, argument::of(2)),
                                           defaulted("dim", parameter_kind::optional_int_list),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false)),
                                           defaulted("dtype", parameter_kind::optional_dtype)};
    static constexpr bool infer(infer_context& c) { return infer_mean(c, at::dim, at::keepdim, at::dtype); }
    static constexpr void evaluate(auto& c) { evaluate_norm(c, c.real(at::ord), at::dim, at::keepdim); }
};
/// norm.Scalar(Tensor self, Scalar p=2)
struct norm_scalar {
    static constexpr std::string_view name = "aten.norm.Scalar";
    enum at : int { self, p };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("p", parameter_kind::scalar, argument::of(2))};
    static constexpr bool infer(infer_context& c) {
        return infer_real(c, no_parameter, no_parameter, c.tensor(at::self).type);
    }
    static constexpr void evaluate(auto& c) { evaluate_norm(c, c.real(at::p), no_parameter, no_parameter); }
};
/// norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False)
struct norm_dim {
    static constexpr std::string_view name = "aten.norm.ScalarOpt_dim";
    enum at : int { self, p, dim, keepdim };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("p", parameter_kind::optional_scalar),
        required("dim", parameter_kind::int_list), defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        return infer_real(c, at::dim, at::keepdim, c.tensor(at::self).type);
    }
    static constexpr void evaluate(auto& c) {
        evaluate_norm(c, c.is_given(at::p) ? c.real(at::p) : 2, at::dim, at::keepdim);
    }
};

using reduce_ops =
    op_list<sum, sum_dims, mean, mean_dims, prod, prod_dim, amax, amin, max, min, any, any_dim, any_dims, all, all_dim,
            var, std_correction, var_mean, logsumexp, linalg_vector_norm, norm_scalar, norm_dim>;

} // namespace ahead::aten
