// SPDX-License-Identifier: MIT
// erfcx(x) = e^(x^2) erfc(x), and the inverses of erf and of the normal distribution function, by Newton's method from
// a guess with an error below one hundredth. Called by aten/pointwise/special.hpp.
#pragma once
#include <ahead/core/math/arithmetic.hpp>
#include <ahead/core/math/elementary.hpp>

namespace AHEAD_NAMESPACE::math {

constexpr double erfcx(double x) {
    if (x < 25) return x < -26.7 ? detail::infinity : exp(x * x) * erfc(x);
    const double square = 1 / (2 * x * x); // the asymptotic series
    return (1 - square * (1 - 3 * square * (1 - 5 * square * (1 - 7 * square)))) / (x * 1.77245385090551602730);
}

namespace detail {

/// y >= 0 with erfc(y) = q, for q up to 1. Iterates on the logarithm, which is nearly a parabola.
constexpr double erfc_inverse(double q) {
    if (q == 0) return infinity;
    const double wanted = math::log(q), a = 0.147, both = wanted + math::log(2 - q); // after S. Winitzki
    const double middle = 2 / (pi * a) + both / 2, inner = math::sqrt(middle * middle - both / a) - middle;
    double y = inner > 0 ? math::sqrt(inner) : 0;
    for (int k = 0; k < 5; ++k) {
        const double scaled = erfcx(y);
        y += (math::log(scaled) - y * y - wanted) * scaled * 0.88622692545275801365; // sqrt(pi) / 2
    }
    return y;
}

} // namespace detail

/// NaN outside [-1, 1].
constexpr double erfinv(double x) {
    const double size = abs(x);
    if (!(size <= 1)) return std::numeric_limits<double>::quiet_NaN();
    if (size > 0.5) return copysign(detail::erfc_inverse(1 - size), x);
    double y = x * 0.88622692545275801365;
    for (int k = 0; k < 6; ++k) y -= (erf(y) - x) * exp(y * y) * 0.88622692545275801365;
    return y;
}

/// The argument at which the normal distribution function is p; NaN outside [0, 1].
constexpr double ndtri(double p) {
    if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
    constexpr double root = 1.41421356237309504880;
    if (p > 0.25 && p < 0.75) return root * erfinv(2 * p - 1);
    return p < 0.5 ? -root * detail::erfc_inverse(2 * p) : root * detail::erfc_inverse(2 - 2 * p);
}

} // namespace ahead::math
