// SPDX-License-Identifier: MIT
// Elementary functions of complex numbers, in double, on the principal branches of C's <complex.h>; the sign of a zero
// selects the side of a branch cut.
// Invariant: the same formulas in constant expressions and at run time. Called by `meaning` functions; overload
// resolution prefers these to the templates of elementary.hpp. Source: W. Kahan, Branch Cuts for Complex Elementary
// Functions (1987).
#pragma once
#include <ahead/core/math/arithmetic.hpp>
#include <ahead/core/math/elementary.hpp>

namespace AHEAD_NAMESPACE::math {

constexpr bool isinf(complex128 x) { return isinf(x.re) || isinf(x.im); }

namespace detail {
/// i x, and x / i.
constexpr complex128 turned(complex128 x) { return {-x.im, x.re}; }
constexpr complex128 turned_back(complex128 x) { return {x.im, -x.re}; }
constexpr complex128 scaled(complex128 x, double by) { return {x.re * by, x.im * by}; }
/// log |x|, without loss of precision near 1.
constexpr double log_size(complex128 x) {
    const double size = math::hypot(x.re, x.im), re = math::abs(x.re), im = math::abs(x.im);
    if (!(size > 0.5 && size < 2)) return math::log(size);
    const double larger = re > im ? re : im, smaller = re > im ? im : re;
    return math::log1p((larger - 1) * (larger + 1) + smaller * smaller) / 2;
}
} // namespace detail

/// The absolute value; real for complex numbers.
constexpr double magnitude(complex128 x) { return hypot(x.re, x.im); }

constexpr complex128 exp(complex128 x) {
    const double size = exp(x.re);
    if (x.im == 0) return {size, x.im};
    if (size == 0) return {};
    return {size * cos(x.im), size * sin(x.im)};
}
constexpr complex128 exp2(complex128 x) { return exp(detail::scaled(x, ln2)); }
constexpr complex128 expm1(complex128 x) {
    const double half = sin(x.im / 2);
    return {expm1(x.re) * cos(x.im) - 2 * half * half, x.im == 0 ? x.im : exp(x.re) * sin(x.im)};
}

constexpr complex128 log(complex128 x) { return {detail::log_size(x), atan2(x.im, x.re)}; }
constexpr complex128 log2(complex128 x) { return detail::scaled(log(x), 1 / ln2); }
constexpr complex128 log10(complex128 x) { return detail::scaled(log(x), 0.43429448190325182765); }
constexpr complex128 log1p(complex128 x) {
    const complex128 sum(1 + x.re, x.im);
    const double off = x.re * (2 + x.re) + x.im * x.im;
    return {off > -0.5 && off < 3 ? log1p(off) / 2 : detail::log_size(sum), atan2(x.im, sum.re)};
}

constexpr complex128 sqrt(complex128 x) {
    if (x == complex128{}) return {0, x.im};
    if (isinf(x.im)) return {abs(x.im), x.im};
    const double root = sqrt((abs(x.re) + magnitude(x)) / 2);
    if (isinf(root)) return x.re > 0 ? complex128(root, copysign(0.0, x.im)) : complex128(0, copysign(root, x.im));
    return x.re >= 0 ? complex128(root, x.im / (2 * root)) : complex128(abs(x.im) / (2 * root), copysign(root, x.im));
}

constexpr complex128 sinh(complex128 x) {
    if (x.im == 0) return {sinh(x.re), x.im};
    if (x.re == 0) return {x.re, sin(x.im)};
    return {sinh(x.re) * cos(x.im), cosh(x.re) * sin(x.im)};
}
constexpr complex128 cosh(complex128 x) {
    if (x.im == 0 || x.re == 0) return {cosh(x.re) * cos(x.im), copysign(0.0, x.re) * copysign(1.0, x.im)};
    return {cosh(x.re) * cos(x.im), sinh(x.re) * sin(x.im)};
}
constexpr complex128 tanh(complex128 x) {
    if (abs(x.re) > 22) return {copysign(1.0, x.re), isinf(x.im) ? 0 : 4 * sin(x.im) * cos(x.im) * exp(-2 * abs(x.re))};
    if (x.re == 0) return {x.re, tan(x.im)};
    const double t = tan(x.im), beta = 1 + t * t, s = sinh(x.re), below = 1 + beta * s * s;
    return {beta * sqrt(1 + s * s) * s / below, t / below};
}
constexpr complex128 sin(complex128 x) { return detail::turned_back(sinh(detail::turned(x))); }
constexpr complex128 cos(complex128 x) { return cosh(detail::turned(x)); }
constexpr complex128 tan(complex128 x) { return detail::turned_back(tanh(detail::turned(x))); }

namespace detail {
/// The square roots of 1 - x and 1 + x, from which the inverse functions are computed.
struct roots_around_one {
    complex128 below, above;
};
constexpr roots_around_one roots_around(complex128 x) {
    return {math::sqrt(complex128(1 - x.re, -x.im)), math::sqrt(complex128(1 + x.re, x.im))};
}
} // namespace detail

constexpr complex128 asin(complex128 x) {
    if (isinf(x)) return {atan2(x.re, abs(x.im)), copysign(detail::infinity, x.im)};
    const auto [below, above] = detail::roots_around(x);
    return {atan2(x.re, (below * above).re), asinh((conjugate(below) * above).im)};
}
constexpr complex128 acos(complex128 x) {
    if (isinf(x)) return {atan2(abs(x.im), x.re), -copysign(detail::infinity, x.im)};
    const auto [below, above] = detail::roots_around(x);
    return {2 * atan2(below.re, above.re), asinh((conjugate(above) * below).im)};
}
constexpr complex128 acosh(complex128 x) {
    if (isinf(x)) return {detail::infinity, atan2(x.im, x.re)};
    const auto below = sqrt(complex128(x.re - 1, x.im)), above = sqrt(complex128(x.re + 1, x.im));
    return {asinh((conjugate(below) * above).re), 2 * atan2(below.im, above.re)};
}
constexpr complex128 atanh(complex128 x) {
    if (isinf(x)) return {copysign(0.0, x.re), copysign(pi / 2, x.im)};
    const double apart = (1 - x.re) * (1 - x.re) + x.im * x.im;
    return {log1p(4 * x.re / apart) / 4, atan2(2 * x.im, (1 - x.re) * (1 + x.re) - x.im * x.im) / 2};
}
constexpr complex128 asinh(complex128 x) { return detail::turned_back(asin(detail::turned(x))); }
constexpr complex128 atan(complex128 x) { return detail::turned_back(atanh(detail::turned(x))); }

/// Anything to the power 0 is 1.
constexpr complex128 pow(complex128 x, complex128 y) {
    if (y == complex128{}) return 1;
    if (x == complex128{} && y.im == 0 && y.re > 0) return {};
    if (y == complex128(1)) return x;
    if (y == complex128(2)) return x * x;
    return exp(y * log(x));
}

} // namespace ahead::math
