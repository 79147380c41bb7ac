// SPDX-License-Identifier: MIT
// Reductions to one value: sum, mean, prod, amax, amin, any, all, var, std, norms, logsumexp. The order of summation is
// free: sums are taken in double and rounded once. Source: aten/src/ATen/native/ReduceOps.cpp.
#pragma once
#include <ahead/aten/reduce/reduction.hpp>

namespace AHEAD_NAMESPACE::aten {

/// How a reduction starts, takes an element, and ends; in the accumulator type.
enum class fold : std::uint8_t { sum, mean, product, largest, smallest, any, all };

constexpr void evaluate_fold(auto& c, fold kind, int dim_at, int keep_at, no_dims empty = no_dims::are_all) {
    const auto& in_type = c.tensor(0);
    const auto dims = reduced_dims(c, dim_at, in_type.rank, empty);
    c.compute([&](auto as) {
        using T = decltype(as);
        using A = accumulator_t<T>;
        const auto in = c.input(0, as);
        const auto out = c.output(0, as);
        const auto count = static_cast<A>(reduced_count(in_type, dims));
        for_each_reduced(in_type, dims, keep_at >= 0 && c.boolean(keep_at), [&](const int_list& at, auto walk) {
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

/// The dtype of a sum: as given, else i64 for integers and bool.
constexpr dtype sum_dtype(const infer_context& c, int dtype_at) {
    if (c.is_given(dtype_at)) return c.type(dtype_at);
    return is_floating(c.tensor(0).type) ? c.tensor(0).type : dtype::i64;
}
/// Floating point only.
constexpr bool infer_real(infer_context& c, int dim_at, int keep_at, dtype type) {
    if (!is_floating(type)) return c.refuse(fault::dtype_is_unsupported, "floating point", facts_of(type).annotation);
    return infer_reduced(c, dim_at, keep_at, type);
}
constexpr bool infer_mean(infer_context& c, int dim_at, int keep_at, int dtype_at) {
    return infer_real(c, dim_at, keep_at, c.is_given(dtype_at) ? c.type(dtype_at) : c.tensor(0).type);
}

/// sum(Tensor self, *, ScalarType? dtype=None)
struct sum {
    static constexpr std::string_view name = "aten.sum.default";
    static constexpr auto& schema = schemas::self_dtype;
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, no_parameter, no_parameter, sum_dtype(c, 1));
    }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::sum, no_parameter, no_parameter); }
};
/// sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)
struct sum_dims {
    static constexpr std::string_view name = "aten.sum.dim_IntList";
    static constexpr auto& schema = schemas::reduce_dims_dtype;
    static constexpr bool infer(infer_context& c) { return infer_reduced(c, 1, 2, sum_dtype(c, 3)); }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::sum, 1, 2); }
};
/// mean(Tensor self, *, ScalarType? dtype=None): floating point only
struct mean {
    static constexpr std::string_view name = "aten.mean.default";
    static constexpr auto& schema = schemas::self_dtype;
    static constexpr bool infer(infer_context& c) { return infer_mean(c, no_parameter, no_parameter, 1); }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::mean, no_parameter, no_parameter); }
};
/// mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)
struct mean_dims {
    static constexpr std::string_view name = "aten.mean.dim";
    static constexpr auto& schema = schemas::reduce_dims_dtype;
    static constexpr bool infer(infer_context& c) { return infer_mean(c, 1, 2, 3); }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::mean, 1, 2); }
};
/// prod(Tensor self, *, ScalarType? dtype=None)
struct prod {
    static constexpr std::string_view name = "aten.prod.default";
    static constexpr auto& schema = schemas::self_dtype;
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, no_parameter, no_parameter, sum_dtype(c, 1));
    }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::product, no_parameter, no_parameter); }
};
/// prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None)
struct prod_dim {
    static constexpr std::string_view name = "aten.prod.dim_int";
    static constexpr auto& schema = schemas::reduce_dim_dtype;
    static constexpr bool infer(infer_context& c) { return infer_reduced(c, 1, 2, sum_dtype(c, 3)); }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::product, 1, 2); }
};

/// amax(Tensor self, int[1] dim=[], bool keepdim=False): NaN is largest
struct amax {
    static constexpr std::string_view name = "aten.amax.default";
    static constexpr auto& schema = schemas::reduce_dims;
    static constexpr bool infer(infer_context& c) { return infer_reduced(c, 1, 2, c.tensor(0).type, true); }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::largest, 1, 2); }
};
/// amin(Tensor self, int[1] dim=[], bool keepdim=False): NaN is smallest
struct amin {
    static constexpr std::string_view name = "aten.amin.default";
    static constexpr auto& schema = schemas::reduce_dims;
    static constexpr bool infer(infer_context& c) { return amax::infer(c); }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::smallest, 1, 2); }
};
/// max(Tensor self): NaN is largest
struct max {
    static constexpr std::string_view name = "aten.max.default";
    static constexpr auto& schema = schemas::only_self;
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, no_parameter, no_parameter, c.tensor(0).type, true);
    }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::largest, no_parameter, no_parameter); }
};
/// min(Tensor self): NaN is smallest
struct min {
    static constexpr std::string_view name = "aten.min.default";
    static constexpr auto& schema = schemas::only_self;
    static constexpr bool infer(infer_context& c) { return max::infer(c); }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, fold::smallest, no_parameter, no_parameter); }
};

/// Any or all of the elements; u8 gives u8, everything else bool.
template <fold Kind, int DimAt, no_dims Empty = no_dims::are_all>
struct truth {
    static constexpr bool infer(infer_context& c) {
        const auto type = c.tensor(0).type == dtype::u8 ? dtype::u8 : dtype::b8;
        return infer_reduced(c, DimAt, DimAt < 0 ? no_parameter : 2, type, false, Empty);
    }
    static constexpr void evaluate(auto& c) { evaluate_fold(c, Kind, DimAt, DimAt < 0 ? no_parameter : 2, Empty); }
};
/// any(Tensor self)
struct any : truth<fold::any, no_parameter> {
    static constexpr std::string_view name = "aten.any.default";
    static constexpr auto& schema = schemas::only_self;
};
/// any.dim(Tensor self, int dim, bool keepdim=False)
struct any_dim : truth<fold::any, 1> {
    static constexpr std::string_view name = "aten.any.dim";
    static constexpr auto& schema = schemas::reduce_dim;
};
/// any.dims(Tensor self, int[]? dim=None, bool keepdim=False): an empty list of dims reduces none
struct any_dims : truth<fold::any, 1, no_dims::are_none> {
    static constexpr std::string_view name = "aten.any.dims";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("dim", parameter_kind::optional_int_list),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
};
/// all(Tensor self)
struct all : truth<fold::all, no_parameter> {
    static constexpr std::string_view name = "aten.all.default";
    static constexpr auto& schema = schemas::only_self;
};
/// all.dim(Tensor self, int dim, bool keepdim=False)
struct all_dim : truth<fold::all, 1> {
    static constexpr std::string_view name = "aten.all.dim";
    static constexpr auto& schema = schemas::reduce_dim;
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

constexpr void evaluate_variance(auto& c, bool root, bool with_mean) {
    const auto& in_type = c.tensor(0);
    const auto dims = reduced_dims(c, 1, in_type.rank);
    const double correction = c.is_given(2) ? c.real(2) : 1;
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(0, as);
        const auto out = c.output(0, as);
        for_each_reduced(in_type, dims, c.boolean(3), [&](const int_list& at, auto walk) {
            const auto m = moments_of(in, walk, reduced_count(in_type, dims), correction);
            out.put(at, math::convert<T>(root ? math::sqrt(m.variance) : m.variance));
            if (with_mean) c.output(1, as).put(at, math::convert<T>(m.mean));
        });
    });
}
/// var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False): correction is 1
/// unless given
struct var {
    static constexpr std::string_view name = "aten.var.correction";
    static constexpr auto& schema = schemas::reduce_correction;
    static constexpr bool infer(infer_context& c) {
        if (!is_floating(c.tensor(0).type))
            return c.refuse(fault::dtype_is_unsupported, "floating point", print(c.tensor(0)));
        return infer_reduced(c, 1, 3, c.tensor(0).type);
    }
    static constexpr void evaluate(auto& c) { evaluate_variance(c, false, false); }
};
/// std.correction: the square root of var.correction
struct std_correction : var {
    static constexpr std::string_view name = "aten.std.correction";
    static constexpr void evaluate(auto& c) { evaluate_variance(c, true, false); }
};
/// var_mean.correction: var.correction and the mean
struct var_mean {
    static constexpr std::string_view name = "aten.var_mean.correction";
    static constexpr auto& schema = schemas::reduce_correction;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(0);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (!check_dims(c, 1, t.rank)) return false;
        const auto out = tensor_of(t.type, sizes_without(t, reduced_dims(c, 1, t.rank), c.boolean(3)));
        return c.results(2) && c.set(0, out) && c.set(1, out);
    }
    static constexpr void evaluate(auto& c) { evaluate_variance(c, false, true); }
};

/// logsumexp(Tensor self, int[1] dim, bool keepdim=False): log(sum(e^self)), shifted by the largest element
struct logsumexp {
    static constexpr std::string_view name = "aten.logsumexp.default";
    static constexpr auto& schema = schemas::reduce_dims;
    static constexpr bool infer(infer_context& c) {
        return infer_reduced(c, 1, 2, is_floating(c.tensor(0).type) ? c.tensor(0).type : dtype::f32);
    }
    static constexpr void evaluate(auto& c) {
        const auto& in_type = c.tensor(0);
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto in = c.input(0, as);
            const auto out = c.output(0, as);
            for_each_reduced(
                in_type, reduced_dims(c, 1, in_type.rank), c.boolean(2), [&](const int_list& at, auto walk) {
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
constexpr void evaluate_norm(auto& c, double p, int dim_at, int keep_at) {
    const auto& in_type = c.tensor(0);
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(0, as);
        const auto out = c.output(0, as);
        for_each_reduced(in_type, reduced_dims(c, dim_at, in_type.rank), keep_at >= 0 && c.boolean(keep_at),
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
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("ord", parameter_kind::scalar, argument::of(2)),
                                           defaulted("dim", parameter_kind::optional_int_list),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false)),
                                           defaulted("dtype", parameter_kind::optional_dtype)};
    static constexpr bool infer(infer_context& c) { return infer_mean(c, 2, 3, 4); }
    static constexpr void evaluate(auto& c) { evaluate_norm(c, c.real(1), 2, 3); }
};
/// norm.Scalar(Tensor self, Scalar p=2)
struct norm_scalar {
    static constexpr std::string_view name = "aten.norm.Scalar";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("p", parameter_kind::scalar, argument::of(2))};
    static constexpr bool infer(infer_context& c) {
        return infer_real(c, no_parameter, no_parameter, c.tensor(0).type);
    }
    static constexpr void evaluate(auto& c) { evaluate_norm(c, c.real(1), no_parameter, no_parameter); }
};
/// norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False)
struct norm_dim {
    static constexpr std::string_view name = "aten.norm.ScalarOpt_dim";
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("p", parameter_kind::optional_scalar),
        required("dim", parameter_kind::int_list), defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) { return infer_real(c, 2, 3, c.tensor(0).type); }
    static constexpr void evaluate(auto& c) { evaluate_norm(c, c.is_given(1) ? c.real(1) : 2, 2, 3); }
};

using reduce_ops =
    op_list<sum, sum_dims, mean, mean_dims, prod, prod_dim, amax, amin, max, min, any, any_dim, any_dims, all, all_dim,
            var, std_correction, var_mean, logsumexp, linalg_vector_norm, norm_scalar, norm_dim>;

} // namespace ahead::aten
