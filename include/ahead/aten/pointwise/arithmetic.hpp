// SPDX-License-Identifier: MIT
// Pointwise arithmetic of two operands.
// Source: aten/src/ATen/native/BinaryOps.cpp, cpu/BinaryOpsKernel.cpp, Pow.h.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1): self + alpha * other; "or" for bool
struct add : scaled<>, schemas::with_alpha {
    static constexpr std::string_view name = "aten.add.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y, T alpha) {
        return math::add(x, math::mul(alpha, y));
    }
};

/// add.Scalar(Tensor self, Scalar other, Scalar alpha=1)
struct add_scalar : add {
    static constexpr std::string_view name = "aten.add.Scalar";
    static constexpr auto& schema = schemas::scalar_with_alpha::schema;
};

/// sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1): self - alpha * other
struct sub : scaled<domain::operands>, schemas::with_alpha {
    static constexpr std::string_view name = "aten.sub.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y, T alpha) {
        return math::sub(x, math::mul(alpha, y));
    }
};

/// sub.Scalar(Tensor self, Scalar other, Scalar alpha=1)
struct sub_scalar : sub {
    static constexpr std::string_view name = "aten.sub.Scalar";
    static constexpr auto& schema = schemas::scalar_with_alpha::schema;
};

/// rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1): other - alpha * self
struct rsub : second_first<scaled<domain::operands>>, schemas::with_alpha {
    static constexpr std::string_view name = "aten.rsub.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y, T alpha) {
        return math::sub(y, math::mul(alpha, x));
    }
};

/// rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1)
struct rsub_scalar : rsub {
    static constexpr std::string_view name = "aten.rsub.Scalar";
    static constexpr auto& schema = schemas::scalar_with_alpha::schema;
};

/// mul.Tensor(Tensor self, Tensor other): self * other; "and" for bool
struct mul : binary<promotion::keep> {
    static constexpr std::string_view name = "aten.mul.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return math::mul(x, y);
    }
};

/// mul.Scalar(Tensor self, Scalar other)
struct mul_scalar : scalar_overload<mul> {
    static constexpr std::string_view name = "aten.mul.Scalar";
};

/// div.Tensor(Tensor self, Tensor other): self / other, in floating point
struct div : binary<promotion::to_real> {
    static constexpr std::string_view name = "aten.div.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return x / y;
    }
};

/// div.Scalar(Tensor self, Scalar other)
struct div_scalar : scalar_overload<div> {
    static constexpr std::string_view name = "aten.div.Scalar";
};

/// The quotient rounded down.
template <class T>
constexpr T floor_quotient(T x, T y) {
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
    static constexpr std::string_view name = "aten.floor_divide.default";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return floor_quotient(x, y);
    }
};

inline constexpr std::string_view rounding_modes[] = {"trunc", "floor"}; // as numbers: 1, 2; None is 0

/// div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode): None: as div; "trunc": rounded towards zero;
/// "floor": rounded down
struct div_mode : pointwise<2, promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.div.Tensor_mode";
    enum at : int { self, other, rounding_mode };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor_or_scalar), required("other", parameter_kind::tensor_or_scalar),
        one_of(rounding_modes, required("rounding_mode", parameter_kind::optional_string))};
    static constexpr bool infer(infer_context& c) {
        return c.is_given(at::rounding_mode) ? pointwise<2, promotion::keep, domain::number>::infer(c)
                                             : pointwise<2, promotion::to_real>::infer(c);
    }
    template <class T>
    static constexpr T meaning(T x, T y, T mode) {
        if (mode == 2) return floor_quotient(x, y);
        if constexpr (std::floating_point<T>) return mode == 1 ? math::trunc(x / y) : x / y;
        else return y == 0 ? T{} : y == -1 ? math::neg(x) : static_cast<T>(x / y);
    }
};

/// div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode)
struct div_scalar_mode : div_mode {
    static constexpr std::string_view name = "aten.div.Scalar_mode";
    enum at : int { self, other, rounding_mode };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("other", parameter_kind::scalar),
        one_of(rounding_modes, required("rounding_mode", parameter_kind::optional_string))};
};

/// fmod.Tensor(Tensor self, Tensor other): remainder with the sign of self
struct fmod : binary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.fmod.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y) {
        if constexpr (std::floating_point<T>) return math::fmod(x, y);
        else return y == 0 || y == -1 ? T{} : static_cast<T>(x % y);
    }
};

/// fmod.Scalar(Tensor self, Scalar other)
struct fmod_scalar : scalar_overload<fmod> {
    static constexpr std::string_view name = "aten.fmod.Scalar";
};

/// remainder.Tensor(Tensor self, Tensor other): remainder with the sign of other
struct remainder : binary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.remainder.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y) {
        const T rest = [&] {
            if constexpr (std::floating_point<T>) return math::fmod(x, y);
            else return y == 0 || y == -1 ? T{} : static_cast<T>(x % y);
        }();
        return rest != 0 && (rest < 0) != (y < 0) ? static_cast<T>(rest + y) : rest;
    }
};

/// remainder.Scalar(Tensor self, Scalar other)
struct remainder_scalar : scalar_overload<remainder> {
    static constexpr std::string_view name = "aten.remainder.Scalar";
};

/// pow.Tensor_Tensor(Tensor self, Tensor exponent): integers by squaring
struct pow_tensor : pointwise<2, promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.pow.Tensor_Tensor";
    enum at : int { self, exponent };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("exponent", parameter_kind::tensor)};
    template <class T>
    static constexpr T meaning(T x, T y) {
        if constexpr (std::floating_point<T>) return math::pow(x, y);
        else return math::integer_pow(x, y);
    }
};

/// pow.Tensor_Scalar(Tensor self, Scalar exponent): an integer tensor to a negative integer is refused
struct pow_tensor_scalar : pow_tensor {
    static constexpr std::string_view name = "aten.pow.Tensor_Scalar";
    enum at : int { self, exponent };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("exponent", parameter_kind::scalar)};
    static constexpr bool infer(infer_context& c) {
        if (!is_floating(c.tensor(at::self).type) && c.at(at::exponent).kind == argument_kind::integer &&
            c.integer(at::exponent) < 0)
            return refuse_dtype(c, c.tensor(at::self).type, "floating point, for a negative exponent");
        return pow_tensor::infer(c);
    }
};

/// pow.Scalar(Scalar self, Tensor exponent)
struct pow_scalar : row_major<pow_tensor> {
    static constexpr std::string_view name = "aten.pow.Scalar";
    enum at : int { self, exponent };
    static constexpr parameter schema[] = {required("self", parameter_kind::scalar),
                                           required("exponent", parameter_kind::tensor)};
};

/// atan2(Tensor self, Tensor other): angle of the point (other, self)
struct atan2 : binary<promotion::to_real> {
    static constexpr std::string_view name = "aten.atan2.default";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return math::atan2(x, y);
    }
};

/// hypot(Tensor self, Tensor other): sqrt(self^2 + other^2)
struct hypot : binary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.hypot.default";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return math::hypot(x, y);
    }
};

/// copysign.Tensor(Tensor self, Tensor other): |self| with the sign of other
struct copysign : binary<promotion::to_real> {
    static constexpr std::string_view name = "aten.copysign.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return math::copysign(x, y);
    }
};

/// copysign.Scalar(Tensor self, Scalar other)
struct copysign_scalar : scalar_overload<copysign> {
    static constexpr std::string_view name = "aten.copysign.Scalar";
};

/// xlogy.Tensor(Tensor self, Tensor other): self * log(other), 0 where self is 0
struct xlogy : binary<promotion::to_real> {
    static constexpr std::string_view name = "aten.xlogy.Tensor";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return math::isnan(y) ? y : x == 0 ? T{0} : x * math::log(y);
    }
};

/// logaddexp(Tensor self, Tensor other): log(e^self + e^other)
struct logaddexp : binary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.logaddexp.default";
    template <class T>
    static constexpr T meaning(T x, T y) {
        if (math::isinf(x) && x == y) return x;
        const T larger = x > y ? x : y;
        return larger + math::log1p(math::exp(-math::abs(x - y)));
    }
};

/// heaviside(Tensor self, Tensor values): 0 below zero, 1 above, `values` at zero
struct heaviside : binary<promotion::keep> {
    enum at : int { self, values };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("values", parameter_kind::tensor)};
    static constexpr std::string_view name = "aten.heaviside.default";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return x == T{} ? y : static_cast<T>(T{} < x);
    }
};

/// maximum(Tensor self, Tensor other): the larger; NaN if either is NaN
struct maximum : binary<promotion::keep> {
    static constexpr std::string_view name = "aten.maximum.default";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return math::isnan(x) || x > y ? x : y;
    }
};

/// minimum(Tensor self, Tensor other): the smaller; NaN if either is NaN
struct minimum : binary<promotion::keep> {
    static constexpr std::string_view name = "aten.minimum.default";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return math::isnan(x) || x < y ? x : y;
    }
};

/// fmax(Tensor self, Tensor other): the larger; NaN only if both are NaN
struct fmax : binary<promotion::keep> {
    static constexpr std::string_view name = "aten.fmax.default";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return math::isnan(y) || x > y ? x : y;
    }
};

/// fmin(Tensor self, Tensor other): the smaller; NaN only if both are NaN
struct fmin : binary<promotion::keep> {
    static constexpr std::string_view name = "aten.fmin.default";
    template <class T>
    static constexpr T meaning(T x, T y) {
        return math::isnan(y) || x < y ? x : y;
    }
};

using arithmetic_ops = op_list<add, add_scalar, sub, sub_scalar, rsub, rsub_scalar, mul, mul_scalar, div, div_scalar,
                               floor_divide, div_mode, div_scalar_mode, fmod, fmod_scalar, remainder, remainder_scalar,
                               pow_tensor, pow_tensor_scalar, pow_scalar, atan2, hypot, copysign, copysign_scalar,
                               xlogy, logaddexp, heaviside, maximum, minimum, fmax, fmin>;
using in_place_arithmetic_ops =
    op_list<in_place<add>, in_place<sub>, in_place<mul>, in_place<div>, in_place<pow_tensor_scalar>,
            in_place<add_scalar>, in_place<sub_scalar>, in_place<mul_scalar>, in_place<div_scalar>>;

} // namespace ahead::aten
