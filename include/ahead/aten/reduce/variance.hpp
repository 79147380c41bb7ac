// SPDX-License-Identifier: MIT
// Variances and standard deviations; for complex numbers they are real sums over both parts. Two passes, in double.
// Source: aten/src/ATen/native/ReduceOps.cpp.
#pragma once
#include <ahead/aten/reduce/reduction.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Mean and variance of a range, computed in double in two passes.
struct moments {
    double mean = 0;
    double variance = 0; // sum of squares divided by count - correction
};

/// pre: in[i] converts to double.
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

namespace detail {

/// One part of complex numbers, in the form that moments_of reads.
template <class Elements> struct part_of_each {
    const Elements& in;
    double complex128::*part;
    constexpr double operator[](const int_list& i) const { return in[i].*part; }
};
template <class Elements> part_of_each(const Elements&, double complex128::*) -> part_of_each<Elements>; // for clang 16

/// The variance or its root, and optionally the mean as another result; over all dims if `dim` is no_parameter.
constexpr void evaluate_variance(auto& c, double correction, int dim, int keepdim, bool root, bool with_mean) {
    const auto& in_type = c.tensor(first_parameter);
    const auto dims = reduced_dims(c, dim, in_type.rank);
    const bool keep = keepdim != no_parameter && c.boolean(keepdim);
    if (is_complex(in_type.type)) {
        const auto in = c.input(first_parameter, complex128{});
        const auto count = reduced_count(in_type, dims);
        for_each_reduced(in_type, dims, keep, [&](const int_list& at, auto walk) {
            const auto re = moments_of(part_of_each{in, &complex128::re}, walk, count, correction),
                       im = moments_of(part_of_each{in, &complex128::im}, walk, count, correction);
            const double variance = re.variance + im.variance;
            c.output(0, double{}).put(at, root ? math::sqrt(variance) : variance);
            if (with_mean) c.output(1, complex128{}).put(at, complex128(re.mean, im.mean));
        });
        return;
    }
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        for_each_reduced(in_type, dims, keep, [&](const int_list& at, auto walk) {
            const auto m = moments_of(in, walk, reduced_count(in_type, dims), correction);
            out.put(at, math::convert<T>(root ? math::sqrt(m.variance) : m.variance));
            if (with_mean) c.output(1, as).put(at, math::convert<T>(m.mean));
        });
    });
}

/// The number in parameter `correction`; 1 if it is not given. For var.dim, whose parameter is `unbiased`: 1 or 0.
constexpr double correction_of(const auto& c, int correction) {
    if (c.at(correction).kind == argument_kind::boolean) return c.boolean(correction) ? 1 : 0;
    return c.is_given(correction) ? c.real(correction) : 1;
}

/// Checks that variances of the dtype exist; sets their dtype.
constexpr bool infer_spread(infer_context& c, dtype& type) {
    const auto& t = c.tensor(first_parameter);
    type = is_complex(t.type) ? part_of(t.type) : t.type;
    return is_floating(type) || c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
}
inline constexpr effects of_spread{.takes_complex = true};

/// For the operators with parameter `correction`.
constexpr void evaluate_variance(auto& c, bool root, bool with_mean) {
    using at = schemas::reduce_correction::at;
    evaluate_variance(c, correction_of(c, at::correction), at::dim, at::keepdim, root, with_mean);
}

} // namespace detail

/// var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False): correction defaults
/// to 1
struct var : schemas::reduce_correction {
    static constexpr std::string_view name = "aten.var.correction"sv;
    static constexpr effects effect = detail::of_spread;
    static constexpr bool infer(infer_context& c) {
        dtype type;
        return detail::infer_spread(c, type) && infer_reduced(c, at::dim, at::keepdim, type);
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_variance(c, false, false); }
};

/// std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False): the square root of
/// var.correction
struct std_correction : var {
    static constexpr std::string_view name = "aten.std.correction"sv;
    static constexpr void evaluate(auto& c) { detail::evaluate_variance(c, true, false); }
};

namespace detail {

/// Two results; the second one is the mean.
template <bool Root> struct variance_and_mean : schemas::reduce_correction {
    static constexpr effects effect = of_spread;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        dtype type;
        if (!infer_spread(c, type) || !check_dims(c, at::dim, t.rank)) return false;
        const auto sizes = sizes_without(t, reduced_dims(c, at::dim, t.rank), c.boolean(at::keepdim));
        return c.results(2) && c.set(0, tensor_of(type, sizes)) && c.set(1, tensor_of(t.type, sizes));
    }
    static constexpr void evaluate(auto& c) { evaluate_variance(c, Root, true); }
};

} // namespace detail

/// var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False): (var.correction,
/// mean)
struct var_mean : detail::variance_and_mean<false> {
    static constexpr std::string_view name = "aten.var_mean.correction"sv;
};

/// std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False): (std.correction,
/// mean)
struct std_mean : detail::variance_and_mean<true> {
    static constexpr std::string_view name = "aten.std_mean.correction"sv;
};

namespace schemas {
struct unbiased_dims {
    enum at : int { self, dim, unbiased, keepdim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::optional_int_list),
                                           defaulted("unbiased", parameter_kind::boolean, argument::of(true)),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
    static constexpr int dims = at::dim, keep = at::keepdim;
};
struct unbiased_all {
    enum at : int { self, unbiased };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("unbiased", parameter_kind::boolean, argument::of(true))};
    static constexpr int dims = no_parameter, keep = no_parameter;
};
} // namespace schemas

namespace detail {

/// The older overloads: correction is 1 if unbiased, else 0.
template <class Schema, bool Root, bool WithMean> struct unbiased_variance : Schema {
    static constexpr effects effect = of_spread;
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(Schema::self);
        dtype type;
        if (!infer_spread(c, type) || !check_dims(c, Schema::dims, t.rank)) return false;
        const bool keep = Schema::keep != no_parameter && c.boolean(Schema::keep);
        const auto sizes = sizes_without(t, reduced_dims(c, Schema::dims, t.rank), keep);
        return c.results(WithMean ? 2 : 1) && c.set(0, tensor_of(type, sizes)) &&
               (!WithMean || c.set(1, tensor_of(t.type, sizes)));
    }
    static constexpr void evaluate(auto& c) {
        evaluate_variance(c, correction_of(c, Schema::unbiased), Schema::dims, Schema::keep, Root, WithMean);
    }
};

} // namespace detail

/// var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False)
struct var_dim : detail::unbiased_variance<schemas::unbiased_dims, false, false> {
    static constexpr std::string_view name = "aten.var.dim"sv;
};
/// std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False)
struct std_dim : detail::unbiased_variance<schemas::unbiased_dims, true, false> {
    static constexpr std::string_view name = "aten.std.dim"sv;
};
/// var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False): (var.dim, mean)
struct var_mean_dim : detail::unbiased_variance<schemas::unbiased_dims, false, true> {
    static constexpr std::string_view name = "aten.var_mean.dim"sv;
};
/// std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False): (std.dim, mean)
struct std_mean_dim : detail::unbiased_variance<schemas::unbiased_dims, true, true> {
    static constexpr std::string_view name = "aten.std_mean.dim"sv;
};
/// var(Tensor self, bool unbiased=True)
struct var_all : detail::unbiased_variance<schemas::unbiased_all, false, false> {
    static constexpr std::string_view name = "aten.var.default"sv;
};
/// std(Tensor self, bool unbiased=True)
struct std_all : detail::unbiased_variance<schemas::unbiased_all, true, false> {
    static constexpr std::string_view name = "aten.std.default"sv;
};
/// var_mean(Tensor self, bool unbiased=True): (var, mean)
struct var_mean_all : detail::unbiased_variance<schemas::unbiased_all, false, true> {
    static constexpr std::string_view name = "aten.var_mean.default"sv;
};
/// std_mean(Tensor self, bool unbiased=True): (std, mean)
struct std_mean_all : detail::unbiased_variance<schemas::unbiased_all, true, true> {
    static constexpr std::string_view name = "aten.std_mean.default"sv;
};

using variance_ops = op_list<var, std_correction, var_mean, std_mean, var_dim, std_dim, var_mean_dim, std_mean_dim,
                             var_all, std_all, var_mean_all, std_mean_all>;

} // namespace ahead::aten
