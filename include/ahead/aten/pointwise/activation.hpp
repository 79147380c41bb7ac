// SPDX-License-Identifier: MIT
// Pointwise operators of one tensor: activations without attributes, signs and tests. Source:
// aten/src/ATen/native/Activation.cpp, UnaryOps.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// sigmoid(Tensor self): 1 / (1 + e^-x)
struct sigmoid : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.sigmoid.default";
    template <class T>
    static constexpr T meaning(T x) {
        return 1 / (1 + math::exp(-x));
    }
};

/// relu(Tensor self): max(x, 0); NaN stays
struct relu : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.relu.default";
    template <class T>
    static constexpr T meaning(T x) {
        return x < T{} ? T{} : x;
    }
};

/// sign(Tensor self): -1, 0 or 1; 0 for NaN
struct sign : unary<promotion::keep> {
    static constexpr std::string_view name = "aten.sign.default";
    template <class T>
    static constexpr T meaning(T x) {
        return static_cast<T>((T{} < x) - (x < T{}));
    }
};

/// sgn(Tensor self): sign(x), for real x
struct sgn : unary<promotion::keep> {
    static constexpr std::string_view name = "aten.sgn.default";
    template <class T>
    static constexpr T meaning(T x) {
        return static_cast<T>((T{} < x) - (x < T{}));
    }
};

/// silu(Tensor self): x * sigmoid(x)
struct silu : unary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.silu.default";
    template <class T>
    static constexpr T meaning(T x) {
        return x / (1 + math::exp(-x));
    }
};

/// mish(Tensor self): x * tanh(softplus(x))
struct mish : unary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.mish.default";
    template <class T>
    static constexpr T meaning(T x) {
        return x * math::tanh(math::log1p(math::exp(x)));
    }
};

/// selu(Tensor self): scaled elu with the constants of Klambauer et al., 2017
struct selu : unary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.selu.default";
    template <class T>
    static constexpr T meaning(T x) {
        return T(1.0507009873554804934193349852946) *
               (x > 0 ? x : T(1.6732632423543772848170429916717) * math::expm1(x));
    }
};

/// relu6(Tensor self): clamp to [0, 6]
struct relu6 : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.relu6.default";
    template <class T>
    static constexpr T meaning(T x) {
        return x < T{0} ? T{0} : x > T{6} ? T{6} : x;
    }
};

/// hardsigmoid(Tensor self): clamp(x + 3, 0, 6) / 6
struct hardsigmoid : unary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.hardsigmoid.default";
    template <class T>
    static constexpr T meaning(T x) {
        return (x + 3 < 0 ? T{0} : x + 3 > 6 ? T{6} : x + 3) / 6;
    }
};

/// hardswish(Tensor self): x * hardsigmoid(x)
struct hardswish : unary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.hardswish.default";
    template <class T>
    static constexpr T meaning(T x) {
        return x * (x + 3 < 0 ? T{0} : x + 3 > 6 ? T{6} : x + 3) / 6;
    }
};

/// isnan(Tensor self): whether x is NaN
struct isnan : unary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.isnan.default";
    template <class T>
    static constexpr bool meaning(T x) {
        return math::isnan(x);
    }
};

/// isinf(Tensor self): whether x is an infinity
struct isinf : unary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.isinf.default";
    template <class T>
    static constexpr bool meaning(T x) {
        return math::isinf(x);
    }
};

/// signbit(Tensor self): whether x is negative, -0 included
struct signbit : unary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.signbit.default";
    template <class T>
    static constexpr bool meaning(T x) {
        return math::signbit(x);
    }
};

/// logical_not(Tensor self): x == 0
struct logical_not : unary<promotion::to_bool> {
    static constexpr std::string_view name = "aten.logical_not.default";
    template <class T>
    static constexpr bool meaning(T x) {
        return x == T{};
    }
};

/// bitwise_not(Tensor self): ~x; not x for bool
struct bitwise_not : unary<promotion::keep, domain::whole> {
    static constexpr std::string_view name = "aten.bitwise_not.default";
    template <class T>
    static constexpr T meaning(T x) {
        if constexpr (std::same_as<T, bool>) return !x;
        else return static_cast<T>(~x);
    }
};

using activation_ops = op_list<sigmoid, relu, sign, sgn, silu, mish, selu, relu6, hardsigmoid, hardswish, isnan, isinf,
                               signbit, logical_not, bitwise_not>;
using in_place_activation_ops = op_list<in_place<relu>, in_place<sigmoid>, in_place<silu>, in_place<hardswish>,
                                        in_place<relu6>, in_place<hardsigmoid>>;

} // namespace ahead::aten
