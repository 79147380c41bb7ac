// SPDX-License-Identifier: MIT
// Pointwise functions of one tensor: exponentials, logarithms, trigonometric and hyperbolic ones, erf, gamma.
// Source: aten/src/ATen/native/UnaryOps.cpp and cpu/UnaryOpsKernel.cpp.
#pragma once
#include <ahead/aten/pointwise/pointwise.hpp>
#include <ahead/ir/registry.hpp>
#include <source_location>

namespace AHEAD_NAMESPACE::aten {

struct tanh_backward; // gradients.hpp

/// A function of one tensor that is computed by a series or by the C library.
struct elementary : unary<promotion::to_real> {
    static constexpr bool is_expensive = true;
};

/// One that also supports complex numbers, on their principal branch.
using complex_elementary = takes_complex<elementary>;

/// acos(Tensor self): arc cosine
struct acos : complex_elementary {
    static constexpr std::string_view name = "aten.acos.default"sv;
    static constexpr machine::steps steps{36, true};
    template <class T> static constexpr T meaning(T x) { return math::acos(x); }
};

/// acosh(Tensor self): inverse hyperbolic cosine
struct acosh : complex_elementary {
    static constexpr std::string_view name = "aten.acosh.default"sv;
    template <class T> static constexpr T meaning(T x) { return math::acosh(x); }
};

/// asin(Tensor self): arc sine
struct asin : complex_elementary {
    static constexpr std::string_view name = "aten.asin.default"sv;
    static constexpr machine::steps steps{34, true};
    template <class T> static constexpr T meaning(T x) { return math::asin(x); }
};

/// asinh(Tensor self): inverse hyperbolic sine
struct asinh : complex_elementary {
    static constexpr std::string_view name = "aten.asinh.default"sv;
    template <class T> static constexpr T meaning(T x) { return math::asinh(x); }
};

/// atan(Tensor self): arc tangent
struct atan : complex_elementary {
    static constexpr std::string_view name = "aten.atan.default"sv;
    static constexpr machine::steps steps{36, true};
    template <class T> static constexpr T meaning(T x) { return math::atan(x); }
};

/// atanh(Tensor self): inverse hyperbolic tangent
struct atanh : complex_elementary {
    static constexpr std::string_view name = "aten.atanh.default"sv;
    template <class T> static constexpr T meaning(T x) { return math::atanh(x); }
};

/// cos(Tensor self): cosine
struct cos : complex_elementary {
    static constexpr std::string_view name = "aten.cos.default"sv;
    static constexpr machine::steps steps{45, true};
    template <class T> static constexpr T meaning(T x) { return math::cos(x); }
};

/// cosh(Tensor self): hyperbolic cosine
struct cosh : complex_elementary {
    static constexpr std::string_view name = "aten.cosh.default"sv;
    static constexpr machine::steps steps{34, true};
    template <class T> static constexpr T meaning(T x) { return math::cosh(x); }
};

/// erf(Tensor self): error function
struct erf : elementary {
    static constexpr std::string_view name = "aten.erf.default"sv;
    static constexpr machine::steps steps{28, true};
    template <class T> static constexpr T meaning(T x) { return math::erf(x); }
};

/// erfc(Tensor self): 1 - erf(x)
struct erfc : elementary {
    static constexpr std::string_view name = "aten.erfc.default"sv;
    template <class T> static constexpr T meaning(T x) { return math::erfc(x); }
};

/// exp(Tensor self): e^x
struct exp : complex_elementary {
    static constexpr std::string_view name = "aten.exp.default"sv;
    static constexpr machine::steps steps{machine::exp_steps, true};
    template <class T> static constexpr T meaning(T x) { return math::exp(x); }
    static constexpr auto derivative = [](const auto&, const auto& result, const auto& gradient) {
        return gradient * result;
    };
};

/// exp2(Tensor self): 2^x
struct exp2 : complex_elementary {
    static constexpr std::string_view name = "aten.exp2.default"sv;
    static constexpr machine::steps steps{22, true};
    template <class T> static constexpr T meaning(T x) { return math::exp2(x); }
};

/// expm1(Tensor self): e^x - 1
struct expm1 : complex_elementary {
    static constexpr std::string_view name = "aten.expm1.default"sv;
    static constexpr machine::steps steps{26, true};
    template <class T> static constexpr T meaning(T x) { return math::expm1(x); }
};

/// log(Tensor self): natural logarithm
struct log : complex_elementary {
    static constexpr std::string_view name = "aten.log.default"sv;
    static constexpr machine::steps steps{30, true};
    template <class T> static constexpr T meaning(T x) { return math::log(x); }
    static constexpr auto derivative = [](const auto& self, const auto&, const auto& gradient) {
        return gradient / self;
    };
};

/// log10(Tensor self): logarithm to base 10
struct log10 : complex_elementary {
    static constexpr std::string_view name = "aten.log10.default"sv;
    static constexpr machine::steps steps{32, true};
    template <class T> static constexpr T meaning(T x) { return math::log10(x); }
};

/// log1p(Tensor self): log(1 + x)
struct log1p : complex_elementary {
    static constexpr std::string_view name = "aten.log1p.default"sv;
    static constexpr machine::steps steps{55, true};
    template <class T> static constexpr T meaning(T x) { return math::log1p(x); }
};

/// log2(Tensor self): logarithm to base 2
struct log2 : complex_elementary {
    static constexpr std::string_view name = "aten.log2.default"sv;
    static constexpr machine::steps steps{30, true};
    template <class T> static constexpr T meaning(T x) { return math::log2(x); }
};

/// sin(Tensor self): sine
struct sin : complex_elementary {
    static constexpr std::string_view name = "aten.sin.default"sv;
    static constexpr machine::steps steps{45, true};
    template <class T> static constexpr T meaning(T x) { return math::sin(x); }
};

/// sinh(Tensor self): hyperbolic sine
struct sinh : complex_elementary {
    static constexpr std::string_view name = "aten.sinh.default"sv;
    static constexpr machine::steps steps{40, true};
    template <class T> static constexpr T meaning(T x) { return math::sinh(x); }
};

/// tan(Tensor self): tangent
struct tan : complex_elementary {
    static constexpr std::string_view name = "aten.tan.default"sv;
    static constexpr machine::steps steps{55, true};
    template <class T> static constexpr T meaning(T x) { return math::tan(x); }
};

/// tanh(Tensor self): hyperbolic tangent
struct tanh : complex_elementary {
    static constexpr std::string_view name = "aten.tanh.default"sv;
    static constexpr machine::steps steps{26, true};
    template <class T> static constexpr T meaning(T x) { return math::tanh(x); }
    static constexpr auto derivative = [](const auto&, const auto& result, const auto& gradient) {
        return call<tanh_backward>(std::source_location::current(), gradient, result);
    };
};

/// lgamma(Tensor self): ln|gamma(x)|
struct lgamma : elementary {
    static constexpr std::string_view name = "aten.lgamma.default"sv;
    template <class T> static constexpr T meaning(T x) {
        return math::convert<T>(math::lgamma(static_cast<double>(x)));
    }
};

/// digamma(Tensor self): derivative of lgamma
struct digamma : elementary {
    static constexpr std::string_view name = "aten.digamma.default"sv;
    template <class T> static constexpr T meaning(T x) {
        return math::convert<T>(math::digamma(static_cast<double>(x)));
    }
};

/// logit(Tensor self, float? eps=None): log(x / (1 - x)), the inverse of sigmoid; x is first clamped to [eps, 1 - eps]
/// if eps is given and not negative
struct logit : pointwise<1, promotion::to_real> {
    static constexpr auto numbers = rounded_numbers::all;
    static constexpr std::string_view name = "aten.logit.default"sv;
    static constexpr bool is_expensive = true;
    enum at : int { self, eps };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           defaulted("eps", parameter_kind::optional_real)};
    template <class T> static constexpr T absent(int) { return T{-1}; }
    template <class T> static constexpr T meaning(T x, T eps) { return stepwise(unrounded{}, x, eps); }
    template <class T> static constexpr T stepwise(auto rounded, T x, T eps) {
        if (eps >= 0) x = x < eps ? eps : x > rounded(1 - eps) ? rounded(1 - eps) : x;
        return math::log(rounded(x / rounded(1 - x)));
    }
};

using unary_ops = op_list<acos, acosh, asin, asinh, atan, atanh, cos, cosh, erf, erfc, exp, exp2, expm1, log, log10,
                          log1p, log2, sin, sinh, tan, tanh, lgamma, digamma, logit>;
using in_place_unary_ops =
    op_list<in_place<exp>, in_place<tanh>, in_place<sin>, in_place<cos>, in_place<log>, in_place<erf>>;

} // namespace ahead::aten
