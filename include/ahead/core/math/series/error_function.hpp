// SPDX-License-Identifier: MIT
// erf and erfc of doubles in constant expressions.
// Invariant: within 4 ulp of the C library over the ranges tested by tests/unit/core/math.cpp. Called through
// elementary.hpp.
#pragma once
#include <ahead/core/math/series/exponential.hpp>

namespace AHEAD_NAMESPACE::math {

namespace detail {

/// erf uses its series up to 1.8; above, 1 - erfc with this continued fraction.
constexpr double erfc_fraction(double x) {
    double tail = 0;
    for (int k = 120; k >= 1; --k) tail = (k / 2.0) / (x + tail);
    return exp(-x * x) / ((x + tail) * 1.7724538509055160273);
}
constexpr double erf_series(double x) {
    double term = x;
    double sum = x;
    for (int k = 1; k < 80; ++k) {
        term *= -x * x / k;
        sum += term / (2 * k + 1);
    }
    return 2 / 1.7724538509055160273 * sum;
}
constexpr double erf(double x) { return x < 0 ? -erf(-x) : x < 1.8 ? erf_series(x) : 1 - erfc_fraction(x); }
constexpr double erfc(double x) {
    return x < 0 ? 2 - erfc(-x) : x < 1.8 ? 1 - erf_series(x) : x > 27 ? 0 : erfc_fraction(x);
}

} // namespace detail

} // namespace ahead::math
