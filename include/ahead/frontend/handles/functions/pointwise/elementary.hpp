// SPDX-License-Identifier: MIT
// Elementary functions on handles, for one tensor of any shape: the result has its sizes and, if it is floating point,
// its dtype. Integers and bools give f32.
// Invariant: outside its domain a function gives NaN and does not report an error.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// e^x.
template <class A> constexpr auto exp(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::exp>(where, x);
}
/// 2^x.
template <class A> constexpr auto exp2(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::exp2>(where, x);
}
/// e^x - 1, exact also near 0.
template <class A> constexpr auto expm1(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::expm1>(where, x);
}
/// The natural logarithm; -inf at 0, NaN below.
template <class A> constexpr auto log(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::log>(where, x);
}
/// The logarithm to base 2; -inf at 0, NaN below.
template <class A> constexpr auto log2(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::log2>(where, x);
}
/// The logarithm to base 10; -inf at 0, NaN below.
template <class A> constexpr auto log10(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::log10>(where, x);
}
/// log(1 + x), exact also near 0; -inf at -1, NaN below.
template <class A> constexpr auto log1p(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::log1p>(where, x);
}
/// The square root; NaN below 0.
template <class A> constexpr auto sqrt(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sqrt>(where, x);
}
/// 1 / sqrt(x); inf at 0, NaN below.
template <class A> constexpr auto rsqrt(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::rsqrt>(where, x);
}
/// 1 / x; inf or -inf at 0.
template <class A> constexpr auto reciprocal(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::reciprocal>(where, x);
}
/// The sine of an angle in radians.
template <class A> constexpr auto sin(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sin>(where, x);
}
/// The cosine of an angle in radians.
template <class A> constexpr auto cos(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::cos>(where, x);
}
/// The tangent of an angle in radians.
template <class A> constexpr auto tan(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::tan>(where, x);
}
/// The arc sine, in radians from -pi/2 to pi/2; NaN outside [-1, 1].
template <class A> constexpr auto asin(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::asin>(where, x);
}
/// The arc cosine, in radians from 0 to pi; NaN outside [-1, 1].
template <class A> constexpr auto acos(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::acos>(where, x);
}
/// The arc tangent, in radians from -pi/2 to pi/2.
template <class A> constexpr auto atan(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::atan>(where, x);
}
/// The hyperbolic sine.
template <class A> constexpr auto sinh(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sinh>(where, x);
}
/// The hyperbolic cosine.
template <class A> constexpr auto cosh(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::cosh>(where, x);
}
/// The hyperbolic tangent, between -1 and 1.
template <class A> constexpr auto tanh(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::tanh>(where, x);
}
/// The inverse of sinh.
template <class A> constexpr auto asinh(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::asinh>(where, x);
}
/// The inverse of cosh, not negative; NaN below 1.
template <class A> constexpr auto acosh(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::acosh>(where, x);
}
/// The inverse of tanh; NaN outside [-1, 1].
template <class A> constexpr auto atanh(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::atanh>(where, x);
}
/// The error function, between -1 and 1.
template <class A> constexpr auto erf(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::erf>(where, x);
}
/// 1 - erf(x), exact also where that is near 0.
template <class A> constexpr auto erfc(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::erfc>(where, x);
}
/// The logarithm of |gamma(x)|; inf at 0 and at negative integers.
template <class A> constexpr auto lgamma(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::lgamma>(where, x);
}
/// The derivative of lgamma; -inf at 0, NaN at negative integers.
template <class A> constexpr auto digamma(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::digamma>(where, x);
}
/// log(x / (1 - x)), the inverse of sigmoid; -inf at 0, inf at 1, NaN outside [0, 1].
template <class A> constexpr auto logit(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::logit>(where, x);
}
/// logit of x clamped to [eps, 1 - eps].
template <class A> constexpr auto logit(const handle<A>& x, double eps, call_site where = call_site::current()) {
    return call<aten::logit>(where, x, eps);
}
/// The derivative of digamma of order N; inf at 0 and at negative integers.
template <std::int64_t N, class A>
constexpr auto polygamma(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::polygamma>(where, integer<N>{}, x);
}
/// sin(pi x) / (pi x), 1 at 0.
template <class A> constexpr auto sinc(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sinc>(where, x);
}
/// The modified Bessel function of order 0.
template <class A> constexpr auto i0(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::i0>(where, x);
}
/// (mantissa, exponent in i32) with x = mantissa * 2^exponent: auto [m, e] = frexp(x). Floating point only.
template <class A> constexpr auto frexp(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::frexp>(where, x);
}

/// pi below 0, and 0 elsewhere; integers give f32. For complex numbers, from -pi to pi.
template <class A> constexpr auto angle(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::angle>(where, x);
}
/// Replaces NaN by a number, and inf and -inf by the largest and the smallest finite number.
template <class A>
constexpr auto nan_to_num(const handle<A>& x, double nan = 0, call_site where = call_site::current()) {
    return call<aten::nan_to_num>(where, x, nan);
}
/// The logarithm of the multivariate gamma function of P dims.
template <std::int64_t P, class A> constexpr auto mvlgamma(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::mvlgamma>(where, x, integer<P>{});
}

} // namespace ahead::ops
