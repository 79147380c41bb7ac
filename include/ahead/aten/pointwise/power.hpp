// SPDX-License-Identifier: MIT
// Powers and roots; functions of two operands: angles, logarithms and signs.
// Source: aten/src/ATen/native/Pow.h, UnaryOps.cpp, BinaryOps.cpp, cpu/BinaryOpsKernel.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// square(Tensor self): x * x; i64 for bools
struct square : takes_complex<unary<promotion::keep>> {
    static constexpr std::string_view name = "aten.square.default"sv;
    static constexpr bool infer(infer_context& c) {
        if (!unary::infer(c)) return false;
        auto out = c.result_type();
        if (out.type != dtype::b8) return true;
        out.type = dtype::i64;
        return c.result(out);
    }
    template <class T> static constexpr T meaning(T x) { return math::mul(x, x); }
};

/// sqrt(Tensor self): square root
struct sqrt : takes_complex<unary<promotion::to_real>> {
    static constexpr std::string_view name = "aten.sqrt.default"sv;
    static constexpr machine::steps steps{12, true};
    template <class T> static constexpr T meaning(T x) { return math::sqrt(x); }
};

/// reciprocal(Tensor self): 1 / x
struct reciprocal : takes_complex<unary<promotion::to_real>> {
    static constexpr std::string_view name = "aten.reciprocal.default"sv;
    static constexpr machine::steps steps{10, true};
    template <class T> static constexpr T meaning(T x) { return 1 / x; }
};

/// rsqrt(Tensor self): 1 / sqrt(x)
struct rsqrt : takes_complex<unary<promotion::to_real>> {
    static constexpr std::string_view name = "aten.rsqrt.default"sv;
    static constexpr machine::steps steps{22, true};
    template <class T> static constexpr T meaning(T x) { return 1 / math::sqrt(x); }
};

/// pow.Tensor_Tensor(Tensor self, Tensor exponent): integers by squaring
struct pow_tensor : takes_complex<pointwise<2, promotion::keep, domain::number>> {
    static constexpr std::string_view name = "aten.pow.Tensor_Tensor"sv;
    static constexpr machine::steps steps{100, true};
    static constexpr bool is_expensive = true;
    enum at : int { self, exponent };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("exponent", parameter_kind::tensor)};
    template <class T> static constexpr T meaning(T x, T y) {
        if constexpr (std::integral<T>) return math::integer_pow(x, y);
        else return math::pow(x, y);
    }
};

/// pow.Tensor_Scalar(Tensor self, Scalar exponent): a negative integer exponent of an integer tensor is refused
struct pow_tensor_scalar : pow_tensor {
    static constexpr std::string_view name = "aten.pow.Tensor_Scalar"sv;
    static constexpr machine::steps steps{1, true}; // a square
    enum at : int { self, exponent };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("exponent", parameter_kind::scalar)};
    static constexpr bool infer(infer_context& c) {
        if (!has_fractions(c.tensor(at::self).type) && c.at(at::exponent).kind == argument_kind::integer &&
            c.integer(at::exponent) < 0)
            return refuse_dtype(c, c.tensor(at::self).type, "floating point, for a negative exponent");
        return pow_tensor::infer(c);
    }
};

/// pow.Scalar(Scalar self, Tensor exponent)
struct pow_scalar : pow_tensor {
    static constexpr std::string_view name = "aten.pow.Scalar"sv;
    static constexpr machine::steps steps{100, true};
    static constexpr bool is_expensive = true;
    enum at : int { self, exponent };
    static constexpr parameter schema[] = {required("self", parameter_kind::scalar),
                                           required("exponent", parameter_kind::tensor)};
};

/// ldexp.Tensor(Tensor self, Tensor other): self * 2^other, in floating point
struct ldexp : takes_complex<pointwise<2, promotion::to_real>> {
    static constexpr std::string_view name = "aten.ldexp.Tensor"sv;
    static constexpr bool is_expensive = true;
    enum at : int { self, other };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("other", parameter_kind::tensor)};
    template <class T> static constexpr T meaning(T x, T y) {
        if constexpr (is_complex_number<T>) return x * math::pow(T(2), y);
        else return math::convert<T>(static_cast<double>(x) * math::exp2(static_cast<double>(y)));
    }
};

/// atan2(Tensor self, Tensor other): angle of the point (other, self)
struct atan2 : binary<promotion::to_real> {
    static constexpr std::string_view name = "aten.atan2.default"sv;
    static constexpr machine::steps steps{50, true};
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T x, T y) { return math::atan2(x, y); }
};

/// hypot(Tensor self, Tensor other): sqrt(self^2 + other^2)
struct hypot : binary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.hypot.default"sv;
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T x, T y) { return math::hypot(x, y); }
};

/// copysign.Tensor(Tensor self, Tensor other): |self| with the sign of other
struct copysign : binary<promotion::to_real> {
    static constexpr std::string_view name = "aten.copysign.Tensor"sv;
    template <class T> static constexpr T meaning(T x, T y) { return math::copysign(x, y); }
};

/// copysign.Scalar(Tensor self, Scalar other)
struct copysign_scalar : scalar_overload<copysign> {
    static constexpr std::string_view name = "aten.copysign.Scalar"sv;
};

/// xlogy.Tensor(Tensor self, Tensor other): self * log(other), 0 if self is 0
struct xlogy : binary<promotion::to_real> {
    static constexpr std::string_view name = "aten.xlogy.Tensor"sv;
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T x, T y) { return stepwise(unrounded{}, x, y); }
    template <class T> static constexpr T stepwise(auto rounded, T x, T y) {
        return math::isnan(y) ? y : x == 0 ? T{0} : x * rounded(math::log(y));
    }
};

/// logaddexp(Tensor self, Tensor other): log(e^self + e^other)
struct logaddexp : binary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.logaddexp.default"sv;
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T x, T y) {
        if (math::isinf(x) && x == y) return x;
        const T larger = x > y ? x : y;
        return larger + math::log1p(math::exp(-math::abs(x - y)));
    }
};

/// logaddexp2(Tensor self, Tensor other): log2(2^self + 2^other)
struct logaddexp2 : binary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.logaddexp2.default"sv;
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T x, T y) {
        if (math::isinf(x) && x == y) return x;
        const T larger = x > y ? x : y;
        return larger + math::log1p(math::exp2(-math::abs(x - y))) * T(1.44269504088896340736);
    }
};

/// heaviside(Tensor self, Tensor values): 0 below zero, 1 above, `values` at zero
struct heaviside : binary<promotion::keep> {
    enum at : int { self, values };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("values", parameter_kind::tensor)};
    static constexpr std::string_view name = "aten.heaviside.default"sv;
    template <class T> static constexpr T meaning(T x, T y) { return x == T{} ? y : static_cast<T>(T{} < x); }
};

using power_ops = op_list<square, sqrt, reciprocal, rsqrt, pow_tensor, pow_tensor_scalar, pow_scalar, ldexp, atan2,
                          hypot, copysign, copysign_scalar, xlogy, logaddexp, logaddexp2, heaviside>;
using in_place_power_ops =
    op_list<in_place<square>, in_place<sqrt>, in_place<reciprocal>, in_place<rsqrt>, in_place<pow_tensor_scalar>>;

} // namespace ahead::aten
