// SPDX-License-Identifier: MIT
// Pointwise functions of one tensor: exponentials, logarithms, trigonometric and hyperbolic ones, erf, gamma.
// Source: aten/src/ATen/native/UnaryOps.cpp and cpu/UnaryOpsKernel.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// acos(Tensor self): arc cosine
struct acos : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.acos.default";
    template <class T> static constexpr T meaning(T x) { return math::acos(x); }
};

/// acosh(Tensor self): inverse hyperbolic cosine
struct acosh : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.acosh.default";
    template <class T> static constexpr T meaning(T x) { return math::acosh(x); }
};

/// asin(Tensor self): arc sine
struct asin : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.asin.default";
    template <class T> static constexpr T meaning(T x) { return math::asin(x); }
};

/// asinh(Tensor self): inverse hyperbolic sine
struct asinh : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.asinh.default";
    template <class T> static constexpr T meaning(T x) { return math::asinh(x); }
};

/// atan(Tensor self): arc tangent
struct atan : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.atan.default";
    template <class T> static constexpr T meaning(T x) { return math::atan(x); }
};

/// atanh(Tensor self): inverse hyperbolic tangent
struct atanh : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.atanh.default";
    template <class T> static constexpr T meaning(T x) { return math::atanh(x); }
};

/// cos(Tensor self): cosine
struct cos : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.cos.default";
    template <class T> static constexpr T meaning(T x) { return math::cos(x); }
};

/// cosh(Tensor self): hyperbolic cosine
struct cosh : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.cosh.default";
    template <class T> static constexpr T meaning(T x) { return math::cosh(x); }
};

/// erf(Tensor self): error function
struct erf : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.erf.default";
    template <class T> static constexpr T meaning(T x) { return math::erf(x); }
};

/// erfc(Tensor self): 1 - erf(x)
struct erfc : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.erfc.default";
    template <class T> static constexpr T meaning(T x) { return math::erfc(x); }
};

/// exp(Tensor self): e^x
struct exp : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.exp.default";
    template <class T> static constexpr T meaning(T x) { return math::exp(x); }
};

/// exp2(Tensor self): 2^x
struct exp2 : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.exp2.default";
    template <class T> static constexpr T meaning(T x) { return math::exp2(x); }
};

/// expm1(Tensor self): e^x - 1
struct expm1 : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.expm1.default";
    template <class T> static constexpr T meaning(T x) { return math::expm1(x); }
};

/// log(Tensor self): natural logarithm
struct log : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.log.default";
    template <class T> static constexpr T meaning(T x) { return math::log(x); }
};

/// log10(Tensor self): logarithm to base 10
struct log10 : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.log10.default";
    template <class T> static constexpr T meaning(T x) { return math::log10(x); }
};

/// log1p(Tensor self): log(1 + x)
struct log1p : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.log1p.default";
    template <class T> static constexpr T meaning(T x) { return math::log1p(x); }
};

/// log2(Tensor self): logarithm to base 2
struct log2 : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.log2.default";
    template <class T> static constexpr T meaning(T x) { return math::log2(x); }
};

/// sin(Tensor self): sine
struct sin : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.sin.default";
    template <class T> static constexpr T meaning(T x) { return math::sin(x); }
};

/// sinh(Tensor self): hyperbolic sine
struct sinh : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.sinh.default";
    template <class T> static constexpr T meaning(T x) { return math::sinh(x); }
};

/// tan(Tensor self): tangent
struct tan : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.tan.default";
    template <class T> static constexpr T meaning(T x) { return math::tan(x); }
};

/// tanh(Tensor self): hyperbolic tangent
struct tanh : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.tanh.default";
    template <class T> static constexpr T meaning(T x) { return math::tanh(x); }
};

/// lgamma(Tensor self): ln|gamma(x)|
struct lgamma : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.lgamma.default";
    template <class T> static constexpr T meaning(T x) {
        return math::convert<T>(math::lgamma(static_cast<double>(x)));
    }
};

/// digamma(Tensor self): derivative of lgamma
struct digamma : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.digamma.default";
    template <class T> static constexpr T meaning(T x) {
        return math::convert<T>(math::digamma(static_cast<double>(x)));
    }
};

using unary_ops = op_list<acos, acosh, asin, asinh, atan, atanh, cos, cosh, erf, erfc, exp, exp2, expm1, log, log10,
                          log1p, log2, sin, sinh, tan, tanh, lgamma, digamma>;
using in_place_unary_ops =
    op_list<in_place<exp>, in_place<tanh>, in_place<sin>, in_place<cos>, in_place<log>, in_place<erf>>;

} // namespace ahead::aten
