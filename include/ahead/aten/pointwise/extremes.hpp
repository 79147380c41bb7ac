// SPDX-License-Identifier: MIT
// Maximum and minimum of two operands, and clamping to limits.
// Source: aten/src/ATen/native/BinaryOps.cpp, TensorCompare.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// maximum(Tensor self, Tensor other): the larger; NaN if either is NaN
struct maximum : binary<promotion::keep> {
    static constexpr std::string_view name = "aten.maximum.default"sv;
    template <class T> static constexpr T meaning(T x, T y) { return math::isnan(x) || x > y ? x : y; }
};

/// minimum(Tensor self, Tensor other): the smaller; NaN if either is NaN
struct minimum : binary<promotion::keep> {
    static constexpr std::string_view name = "aten.minimum.default"sv;
    template <class T> static constexpr T meaning(T x, T y) { return math::isnan(x) || x < y ? x : y; }
};

/// fmax(Tensor self, Tensor other): the larger; NaN only if both are NaN
struct fmax : binary<promotion::keep> {
    static constexpr std::string_view name = "aten.fmax.default"sv;
    template <class T> static constexpr T meaning(T x, T y) { return math::isnan(y) || x > y ? x : y; }
};

/// fmin(Tensor self, Tensor other): the smaller; NaN only if both are NaN
struct fmin : binary<promotion::keep> {
    static constexpr std::string_view name = "aten.fmin.default"sv;
    template <class T> static constexpr T meaning(T x, T y) { return math::isnan(y) || x < y ? x : y; }
};

/// clamp(Tensor self, Scalar? min=None, Scalar? max=None): min(max(self, min), max); NaN in self or a bound propagates
struct clamp : pointwise<3, promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.clamp.default"sv;
    static constexpr machine::steps steps{2, true};
    enum at : int { self, min, max };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("min", parameter_kind::optional_scalar),
                                           defaulted("max", parameter_kind::optional_scalar)};
    static constexpr bool infer(infer_context& c) {
        if (!c.is_given(at::min) && !c.is_given(at::max))
            return c.refuse(fault::argument_is_missing, "min or max", "None");
        return pointwise<3, promotion::keep, domain::number>::infer(c);
    }
    template <class T> static constexpr T absent(int i) {
        using limits = std::numeric_limits<T>;
        if constexpr (std::floating_point<T>) return i == at::min ? -limits::infinity() : limits::infinity();
        else return i == at::min ? limits::lowest() : limits::max();
    }
    template <class T> static constexpr T meaning(T x, T low, T high) {
        if (math::isnan(low)) return low;
        if (math::isnan(high)) return high;
        const T raised = x < low ? low : x;
        return high < raised ? high : raised;
    }
};

/// clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None): also supports bools
struct clamp_tensor : pointwise<3, promotion::keep> {
    static constexpr std::string_view name = "aten.clamp.Tensor"sv;
    enum at : int { self, min, max };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("min", parameter_kind::optional_tensor),
                                           defaulted("max", parameter_kind::optional_tensor)};
    static constexpr bool infer(infer_context& c) {
        if (!c.is_given(at::min) && !c.is_given(at::max))
            return c.refuse(fault::argument_is_missing, "min or max", "None");
        return pointwise<3, promotion::keep>::infer(c);
    }
    template <class T> static constexpr T absent(int i) { return clamp::absent<T>(i); }
    template <class T> static constexpr T meaning(T x, T low, T high) {
        return math::isnan(x) ? x : clamp::meaning(x, low, high);
    }
};

/// clamp_min(Tensor self, Scalar min): max(self, min)
struct clamp_min : pointwise<2, promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.clamp_min.default"sv;
    enum at : int { self, min };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("min", parameter_kind::scalar)};
    template <class T> static constexpr T meaning(T x, T low) { return math::isnan(x) || x > low ? x : low; }
};

/// clamp_max(Tensor self, Scalar max): min(self, max)
struct clamp_max : pointwise<2, promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.clamp_max.default"sv;
    enum at : int { self, max };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("max", parameter_kind::scalar)};
    template <class T> static constexpr T meaning(T x, T high) { return math::isnan(x) || x < high ? x : high; }
};

/// clamp_min.Tensor(Tensor self, Tensor min): maximum
struct clamp_min_tensor : pointwise<2, promotion::keep> {
    static constexpr std::string_view name = "aten.clamp_min.Tensor"sv;
    enum at : int { self, min };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("min", parameter_kind::tensor)};
    template <class T> static constexpr T meaning(T x, T low) { return maximum::meaning(x, low); }
};

/// clamp_max.Tensor(Tensor self, Tensor max): minimum
struct clamp_max_tensor : pointwise<2, promotion::keep> {
    static constexpr std::string_view name = "aten.clamp_max.Tensor"sv;
    enum at : int { self, max };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("max", parameter_kind::tensor)};
    template <class T> static constexpr T meaning(T x, T high) { return minimum::meaning(x, high); }
};

using extreme_ops = op_list<maximum, minimum, fmax, fmin, clamp, clamp_tensor, clamp_min, clamp_max, clamp_min_tensor,
                            clamp_max_tensor>;
using in_place_extreme_ops = op_list<in_place<clamp>, in_place<clamp_min>, in_place<clamp_max>>;

} // namespace ahead::aten
