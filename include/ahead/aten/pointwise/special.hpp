// SPDX-License-Identifier: MIT
// Special functions: sinc, Bessel's i0 and i1, inverses of error functions, zeta, the incomplete gamma functions,
// polygamma, mvlgamma, angle, gcd, lcm. Source: aten/src/ATen/native/UnaryOps.cpp, BinaryOps.cpp, Math.h.
#pragma once
#include <ahead/aten/pointwise/unary.hpp>
#include <ahead/core/math/bessel.hpp>
#include <ahead/core/math/error_inverse.hpp>
#include <ahead/core/math/special.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::aten {

/// sinc(Tensor self): sin(pi x) / (pi x), 1 at 0
struct sinc : complex_elementary {
    static constexpr std::string_view name = "aten.sinc.default"sv;
    template <class T> static constexpr T meaning(T x) {
        const T turned = T(math::pi) * x;
        return x == T{} ? T{1} : math::sin(turned) / turned;
    }
};

/// i0(Tensor self): modified Bessel function of order 0; NaN for infinities
struct i0 : elementary {
    static constexpr std::string_view name = "aten.i0.default"sv;
    template <class T> static constexpr T meaning(T x) { return math::convert<T>(math::i0(static_cast<double>(x))); }
};
/// special_i0(Tensor self): i0
struct special_i0 : i0 {
    static constexpr std::string_view name = "aten.special_i0.default"sv;
};

namespace detail {
/// F(double), rounded to the dtype.
template <auto F> struct in_double : elementary {
    template <class T> static constexpr T meaning(T x) { return math::convert<T>(F(static_cast<double>(x))); }
};
inline constexpr auto scaled_i0 = [](double x) { return math::i0(x, true); };
inline constexpr auto plain_i1 = [](double x) { return math::i1(x); };
inline constexpr auto scaled_i1 = [](double x) { return math::i1(x, true); };
} // namespace detail

/// special_i0e(Tensor self): i0 times e^-|x|
struct special_i0e : detail::in_double<detail::scaled_i0> {
    static constexpr std::string_view name = "aten.special_i0e.default"sv;
};
/// special_i1(Tensor self): modified Bessel function of order 1; NaN for infinities
struct special_i1 : detail::in_double<detail::plain_i1> {
    static constexpr std::string_view name = "aten.special_i1.default"sv;
};
/// special_i1e(Tensor self): i1 times e^-|x|
struct special_i1e : detail::in_double<detail::scaled_i1> {
    static constexpr std::string_view name = "aten.special_i1e.default"sv;
};

/// erfinv(Tensor self): the inverse of erf; NaN outside [-1, 1]
struct erfinv : detail::in_double<math::erfinv> {
    static constexpr std::string_view name = "aten.erfinv.default"sv;
};
/// special_erfcx(Tensor self): e^(x^2) erfc(x)
struct special_erfcx : detail::in_double<math::erfcx> {
    static constexpr std::string_view name = "aten.special_erfcx.default"sv;
};
/// special_ndtri(Tensor self): the inverse of the normal distribution function; NaN outside [0, 1]
struct special_ndtri : detail::in_double<math::ndtri> {
    static constexpr std::string_view name = "aten.special_ndtri.default"sv;
};
/// special_zeta(Tensor self, Tensor other): Hurwitz's zeta function, the sum of (other + k)^-self for k >= 0
struct special_zeta : binary<promotion::to_real> {
    static constexpr std::string_view name = "aten.special_zeta.default"sv;
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T s, T x) {
        return math::convert<T>(math::zeta_of_any(static_cast<double>(s), static_cast<double>(x)));
    }
};

/// special_entr(Tensor self): -self * log(self), 0 at 0, -inf for a negative number
struct special_entr : elementary {
    static constexpr std::string_view name = "aten.special_entr.default"sv;
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    template <class T> static constexpr T meaning(T x) { return stepwise(unrounded{}, x); }
    template <class T> static constexpr T stepwise(auto rounded, T x) {
        return math::isnan(x) ? x : x > 0 ? -x * rounded(math::log(x)) : x == 0 ? T{0} : math::convert<T>(-infinity);
    }
};
/// special_xlog1py(Tensor self, Tensor other): self * log(1 + other), 0 if self is 0
struct special_xlog1py : binary<promotion::to_real> {
    static constexpr std::string_view name = "aten.special_xlog1py.default"sv;
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T x, T y) { return stepwise(unrounded{}, x, y); }
    template <class T> static constexpr T stepwise(auto rounded, T x, T y) {
        return math::isnan(y) ? y : x == 0 ? T{0} : x * rounded(math::log1p(y));
    }
};

/// angle(Tensor self): for complex numbers in [-pi, pi], real; for real ones 0, or pi if negative; bools and integers
/// give f32
struct angle : gives_real<unary<promotion::to_real>> {
    static constexpr std::string_view name = "aten.angle.default"sv;
    template <class T> static constexpr T meaning(T x) {
        if constexpr (is_complex_number<T>) return math::atan2(x.im, x.re);
        else return math::isnan(x) ? x : x < 0 ? T(math::pi) : T{};
    }
};

/// gcd(Tensor self, Tensor other): the greatest common divisor of integers, at least 0
struct gcd : binary<promotion::keep, domain::integers> {
    static constexpr std::string_view name = "aten.gcd.default"sv;
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T x, T y) { return math::gcd(x, y); }
};

/// lcm(Tensor self, Tensor other): the least common multiple of integers, at least 0
struct lcm : binary<promotion::keep, domain::integers> {
    static constexpr std::string_view name = "aten.lcm.default"sv;
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T x, T y) {
        const T divisor = math::gcd(x, y);
        return divisor == 0 ? T{} : math::abs(math::mul(static_cast<T>(x / divisor), y));
    }
};

/// igamma(Tensor self, Tensor other): the regularised lower incomplete gamma function for a = self and x = other
struct igamma : binary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.igamma.default"sv;
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T a, T x) {
        return math::convert<T>(math::incomplete_gamma(static_cast<double>(a), static_cast<double>(x), false));
    }
};
/// igammac(Tensor self, Tensor other): 1 - igamma
struct igammac : binary<promotion::keep, domain::real> {
    static constexpr std::string_view name = "aten.igammac.default"sv;
    static constexpr bool is_expensive = true;
    template <class T> static constexpr T meaning(T a, T x) {
        return math::convert<T>(math::incomplete_gamma(static_cast<double>(a), static_cast<double>(x), true));
    }
};

/// polygamma(int n, Tensor self): the n-th derivative of digamma, n >= 0; infinite at the poles, where PyTorch's
/// trigamma is a large number
struct polygamma : pointwise<2, promotion::to_real> {
    static constexpr std::string_view name = "aten.polygamma.default"sv;
    static constexpr bool is_expensive = true;
    enum at : int { n, self };
    static constexpr parameter schema[] = {required("n", parameter_kind::integer),
                                           required("self", parameter_kind::tensor)};
    static constexpr bool infer(infer_context& c) {
        if (c.integer(at::n) < 0)
            return c.refuse(fault::argument_has_wrong_kind, "n from 0", short_text() << c.integer(at::n));
        return pointwise<2, promotion::to_real>::infer(c);
    }
    template <class T> static constexpr T meaning(T n, T x) {
        return math::convert<T>(math::polygamma(static_cast<std::int64_t>(n), static_cast<double>(x)));
    }
};

/// mvlgamma(Tensor self, int p): p (p - 1) ln(pi) / 4 + the sum of lgamma(x - k / 2) for k from 0 to p - 1. PyTorch
/// throws for elements <= (p - 1) / 2; here they give the sum with lgamma's values.
struct mvlgamma : pointwise<1, promotion::to_real> {
    static constexpr std::string_view name = "aten.mvlgamma.default"sv;
    static constexpr bool is_expensive = true;
    enum at : int { self, p };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("p", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        if (c.integer(at::p) < 1 || c.integer(at::p) > 1'000'000)
            return c.refuse(fault::argument_has_wrong_kind, "p from 1 to 1000000", short_text() << c.integer(at::p));
        return pointwise<1, promotion::to_real>::infer(c);
    }
    template <class T> static constexpr T meaning(T x, T p) {
        double sum = static_cast<double>(p * (p - 1)) * 0.28618247146235004; // ln(pi) / 4
        for (T k = 0; k < p; k += 1) sum += math::lgamma(static_cast<double>(x) - static_cast<double>(k) / 2);
        return math::convert<T>(sum);
    }
};

using special_ops =
    op_list<sinc, i0, special_i0, special_i0e, special_i1, special_i1e, erfinv, special_erfcx, special_ndtri,
            special_zeta, special_entr, special_xlog1py, angle, gcd, lcm, igamma, igammac, polygamma, mvlgamma>;

} // namespace ahead::aten
