// SPDX-License-Identifier: MIT
// Variances and standard deviations. Two passes, in double. Source: aten/src/ATen/native/ReduceOps.cpp.
#pragma once
#include <ahead/aten/reduce/reduction.hpp>

namespace AHEAD_NAMESPACE::aten {

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

namespace detail {

/// The variance or its root, and the mean as another result.
constexpr void evaluate_variance(auto& c, double correction, int dim, int keepdim, bool root, bool with_mean) {
    const auto& in_type = c.tensor(first_parameter);
    const auto dims = reduced_dims(c, dim, in_type.rank);
    c.compute_real([&](auto as) {
        using T = decltype(as);
        const auto in = c.input(first_parameter, as);
        const auto out = c.output(0, as);
        for_each_reduced(in_type, dims, c.boolean(keepdim), [&](const int_list& at, auto walk) {
            const auto m = moments_of(in, walk, reduced_count(in_type, dims), correction);
            out.put(at, math::convert<T>(root ? math::sqrt(m.variance) : m.variance));
            if (with_mean) c.output(1, as).put(at, math::convert<T>(m.mean));
        });
    });
}

/// The number that parameter `correction` gives; 1 where it gives none. Of var.dim: 1 if unbiased.
constexpr double correction_of(const auto& c, int correction) {
    if (c.at(correction).kind == argument_kind::boolean) return c.boolean(correction) ? 1 : 0;
    return c.is_given(correction) ? c.real(correction) : 1;
}

/// Of the operators that take a correction.
constexpr void evaluate_variance(auto& c, bool root, bool with_mean) {
    using at = schemas::reduce_correction::at;
    evaluate_variance(c, correction_of(c, at::correction), at::dim, at::keepdim, root, with_mean);
}

} // namespace detail

/// var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False): correction is 1
/// unless given
struct var : schemas::reduce_correction {
    static constexpr std::string_view name = "aten.var.correction";
    static constexpr bool infer(infer_context& c) {
        if (!is_floating(c.tensor(at::self).type))
            return c.refuse(fault::dtype_is_unsupported, "floating point", print(c.tensor(at::self)));
        return infer_reduced(c, at::dim, at::keepdim, c.tensor(at::self).type);
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_variance(c, false, false); }
};

/// var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False): var.correction with 1 if unbiased, else 0
struct var_dim {
    static constexpr std::string_view name = "aten.var.dim";
    enum at : int { self, dim, unbiased, keepdim };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dim", parameter_kind::optional_int_list),
                                           defaulted("unbiased", parameter_kind::boolean, argument::of(true)),
                                           defaulted("keepdim", parameter_kind::boolean, argument::of(false))};
    static constexpr bool infer(infer_context& c) {
        if (!is_floating(c.tensor(at::self).type))
            return c.refuse(fault::dtype_is_unsupported, "floating point", print(c.tensor(at::self)));
        return infer_reduced(c, at::dim, at::keepdim, c.tensor(at::self).type);
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_variance(c, detail::correction_of(c, at::unbiased), at::dim, at::keepdim, false, false);
    }
};

/// std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False): the square root of
/// var.correction
struct std_correction : var {
    static constexpr std::string_view name = "aten.std.correction";
    static constexpr void evaluate(auto& c) { detail::evaluate_variance(c, true, false); }
};

namespace detail {

/// Of two results, the second one is the mean.
template <bool Root> struct variance_and_mean : schemas::reduce_correction {
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(at::self);
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (!check_dims(c, at::dim, t.rank)) return false;
        const auto out = tensor_of(t.type, sizes_without(t, reduced_dims(c, at::dim, t.rank), c.boolean(at::keepdim)));
        return c.results(2) && c.set(0, out) && c.set(1, out);
    }
    static constexpr void evaluate(auto& c) { evaluate_variance(c, Root, true); }
};

} // namespace detail

/// var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False): (var.correction,
/// mean)
struct var_mean : detail::variance_and_mean<false> {
    static constexpr std::string_view name = "aten.var_mean.correction";
};

/// std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False): (std.correction,
/// mean)
struct std_mean : detail::variance_and_mean<true> {
    static constexpr std::string_view name = "aten.std_mean.correction";
};

using variance_ops = op_list<var, var_dim, std_correction, var_mean, std_mean>;

} // namespace ahead::aten
