// SPDX-License-Identifier: MIT
// Rounded quotients and remainders.
// Source: aten/src/ATen/native/BinaryOps.cpp, cpu/BinaryOpsKernel.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The quotient rounded down.
template <class T> constexpr T floor_quotient(T x, T y) {
    if constexpr (std::floating_point<T>) {
        if (y == 0) return x / y;
        const T rest = math::fmod(x, y);
        T quotient = (x - rest) / y;
        if (rest != 0 && (rest < 0) != (y < 0)) quotient -= 1;
        if (quotient == 0) return math::copysign(T{0}, x / y);
        const T whole = math::floor(quotient);
        return quotient - whole > T(0.5) ? whole + 1 : whole;
    } else {
        if (y == 0) return T{};
        if (y == -1) return math::neg(x);
        return static_cast<T>(x / y - (x % y != 0 && (x < 0) != (y < 0)));
    }
}

/// floor_divide(Tensor self, Tensor other): floor(self / other)
struct floor_divide : binary<promotion::keep, domain::number> {
    static constexpr auto numbers = rounded_numbers::none;
    static constexpr std::string_view name = "aten.floor_divide.default"sv;
    template <class T> static constexpr T meaning(T x, T y) { return floor_quotient(x, y); }
};

/// How a quotient is rounded: not at all, towards zero, down.
enum class rounding { none, trunc, floor };

/// div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode): None: div; "trunc": rounded towards zero;
/// "floor": rounded down
struct div_mode : pointwise<2, promotion::keep, domain::number> {
    static constexpr auto numbers = rounded_numbers::none;
    static constexpr std::string_view name = "aten.div.Tensor_mode"sv;
    enum at : int { self, other, rounding_mode };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor_or_scalar), required("other", parameter_kind::tensor_or_scalar),
        one_of<rounding>(required("rounding_mode", parameter_kind::optional_string))};
    static constexpr bool infer(infer_context& c) {
        return c.is_given(at::rounding_mode) ? pointwise<2, promotion::keep, domain::number>::infer(c)
                                             : pointwise<2, promotion::to_real>::infer(c);
    }
    template <class T> static constexpr T meaning(T x, T y, T mode) { return stepwise(unrounded{}, x, y, mode); }
    template <class T> static constexpr T stepwise(auto rounded, T x, T y, T mode) {
        if (as_word<rounding>(mode) == rounding::floor) return floor_quotient(x, y);
        if constexpr (std::floating_point<T>)
            return as_word<rounding>(mode) == rounding::trunc ? math::trunc(rounded(x / y)) : x / y;
        else return y == 0 ? T{} : y == -1 ? math::neg(x) : static_cast<T>(x / y);
    }
};

/// div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode)
struct div_scalar_mode : div_mode {
    static constexpr std::string_view name = "aten.div.Scalar_mode"sv;
    enum at : int { self, other, rounding_mode };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("other", parameter_kind::scalar),
        one_of<rounding>(required("rounding_mode", parameter_kind::optional_string))};
};

/// fmod.Tensor(Tensor self, Tensor other): remainder with the sign of self
struct fmod : binary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.fmod.Tensor"sv;
    template <class T> static constexpr T meaning(T x, T y) {
        if constexpr (std::floating_point<T>) return math::fmod(x, y);
        else return y == 0 || y == -1 ? T{} : static_cast<T>(x % y);
    }
};

/// fmod.Scalar(Tensor self, Scalar other)
struct fmod_scalar : scalar_overload<fmod> {
    static constexpr std::string_view name = "aten.fmod.Scalar"sv;
};

/// remainder.Tensor(Tensor self, Tensor other): remainder with the sign of other
struct remainder : binary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.remainder.Tensor"sv;
    template <class T> static constexpr T meaning(T x, T y) {
        const T rest = [&] {
            if constexpr (std::floating_point<T>) return math::fmod(x, y);
            else return y == 0 || y == -1 ? T{} : static_cast<T>(x % y);
        }();
        return rest != 0 && (rest < 0) != (y < 0) ? static_cast<T>(rest + y) : rest;
    }
};

/// remainder.Scalar(Tensor self, Scalar other)
struct remainder_scalar : scalar_overload<remainder> {
    static constexpr std::string_view name = "aten.remainder.Scalar"sv;
};

using division_ops = op_list<floor_divide, div_mode, div_scalar_mode, fmod, fmod_scalar, remainder, remainder_scalar>;

} // namespace ahead::aten
