// SPDX-License-Identifier: MIT
// Pointwise operators of one tensor without attributes. Source: aten/src/ATen/native/UnaryOps.cpp and
// cpu/UnaryOpsKernel.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// acos(Tensor self): arc cosine
struct acos : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.acos.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::acos(x);
    }
};

/// acosh(Tensor self): inverse hyperbolic cosine
struct acosh : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.acosh.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::acosh(x);
    }
};

/// asin(Tensor self): arc sine
struct asin : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.asin.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::asin(x);
    }
};

/// asinh(Tensor self): inverse hyperbolic sine
struct asinh : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.asinh.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::asinh(x);
    }
};

/// atan(Tensor self): arc tangent
struct atan : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.atan.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::atan(x);
    }
};

/// atanh(Tensor self): inverse hyperbolic tangent
struct atanh : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.atanh.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::atanh(x);
    }
};

/// cos(Tensor self): cosine
struct cos : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.cos.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::cos(x);
    }
};

/// cosh(Tensor self): hyperbolic cosine
struct cosh : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.cosh.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::cosh(x);
    }
};

/// erf(Tensor self): error function
struct erf : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.erf.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::erf(x);
    }
};

/// erfc(Tensor self): 1 - erf(x)
struct erfc : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.erfc.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::erfc(x);
    }
};

/// exp(Tensor self): e^x
struct exp : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.exp.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::exp(x);
    }
};

/// exp2(Tensor self): 2^x
struct exp2 : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.exp2.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::exp2(x);
    }
};

/// expm1(Tensor self): e^x - 1
struct expm1 : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.expm1.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::expm1(x);
    }
};

/// log(Tensor self): natural logarithm
struct log : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.log.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::log(x);
    }
};

/// log10(Tensor self): logarithm to base 10
struct log10 : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.log10.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::log10(x);
    }
};

/// log1p(Tensor self): log(1 + x)
struct log1p : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.log1p.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::log1p(x);
    }
};

/// log2(Tensor self): logarithm to base 2
struct log2 : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.log2.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::log2(x);
    }
};

/// sin(Tensor self): sine
struct sin : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.sin.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::sin(x);
    }
};

/// sinh(Tensor self): hyperbolic sine
struct sinh : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.sinh.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::sinh(x);
    }
};

/// sqrt(Tensor self): square root
struct sqrt : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.sqrt.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::sqrt(x);
    }
};

/// tan(Tensor self): tangent
struct tan : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.tan.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::tan(x);
    }
};

/// tanh(Tensor self): hyperbolic tangent
struct tanh : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.tanh.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::tanh(x);
    }
};

/// lgamma(Tensor self): ln|gamma(x)|
struct lgamma : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.lgamma.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::convert<T>(math::lgamma(static_cast<double>(x)));
    }
};

/// digamma(Tensor self): derivative of lgamma
struct digamma : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.digamma.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::convert<T>(math::digamma(static_cast<double>(x)));
    }
};

/// reciprocal(Tensor self): 1 / x
struct reciprocal : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.reciprocal.default";
    template <class T>
    static constexpr T meaning(T x) {
        return 1 / x;
    }
};

/// rsqrt(Tensor self): 1 / sqrt(x)
struct rsqrt : unary<promotion::to_real> {
    static constexpr std::string_view name = "aten.rsqrt.default";
    template <class T>
    static constexpr T meaning(T x) {
        return 1 / math::sqrt(x);
    }
};

/// abs(Tensor self): absolute value; the smallest integer is its own
struct abs : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.abs.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::abs(x);
    }
};

/// ceil(Tensor self): smallest integer not below x
struct ceil : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.ceil.default";
    template <class T>
    static constexpr T meaning(T x) {
        if constexpr (std::floating_point<T>) return math::ceil(x);
        else return x;
    }
};

/// floor(Tensor self): largest integer not above x
struct floor : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.floor.default";
    template <class T>
    static constexpr T meaning(T x) {
        if constexpr (std::floating_point<T>) return math::floor(x);
        else return x;
    }
};

/// trunc(Tensor self): integer part
struct trunc : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.trunc.default";
    template <class T>
    static constexpr T meaning(T x) {
        if constexpr (std::floating_point<T>) return math::trunc(x);
        else return x;
    }
};

/// round(Tensor self): nearest integer, halves to even
struct round : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.round.default";
    template <class T>
    static constexpr T meaning(T x) {
        if constexpr (std::floating_point<T>) return math::nearbyint(x);
        else return x;
    }
};

/// frac(Tensor self): x - trunc(x)
struct frac : unary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.frac.default";
    template <class T>
    static constexpr T meaning(T x) {
        return x - math::trunc(x);
    }
};

/// neg(Tensor self): -x
struct neg : unary<promotion::keep, domain::operands> {
    static constexpr std::string_view name = "aten.neg.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::neg(x);
    }
};

/// positive(Tensor self): x
struct positive : unary<promotion::keep, domain::operands> {
    static constexpr std::string_view name = "aten.positive.default";
    template <class T>
    static constexpr T meaning(T x) {
        return x;
    }
};

/// square(Tensor self): x * x; bool is refused where PyTorch gives i64
struct square : unary<promotion::keep, domain::number> {
    static constexpr std::string_view name = "aten.square.default";
    template <class T>
    static constexpr T meaning(T x) {
        return math::mul(x, x);
    }
};

using unary_ops = op_list<acos, acosh, asin, asinh, atan, atanh, cos, cosh, erf, erfc, exp, exp2, expm1, log, log10,
                          log1p, log2, sin, sinh, sqrt, tan, tanh, lgamma, digamma, reciprocal, rsqrt, abs, ceil, floor,
                          trunc, round, frac, neg, positive, square>;
using in_place_unary_ops =
    op_list<in_place<exp>, in_place<neg>, in_place<sqrt>, in_place<tanh>, in_place<abs>, in_place<floor>,
            in_place<ceil>, in_place<round>, in_place<reciprocal>, in_place<rsqrt>, in_place<square>, in_place<sin>,
            in_place<cos>, in_place<log>, in_place<erf>>;

} // namespace ahead::aten
