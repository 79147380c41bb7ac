// SPDX-License-Identifier: MIT
// Trigonometric functions of doubles in constant expressions: reduction to a quarter turn, then a Taylor series.
// Invariant: within 4 ulp of the C library over the ranges tested by tests/unit/core/math.cpp. Called through
// elementary.hpp.
#pragma once
#include <ahead/core/math/series/exponential.hpp>

namespace AHEAD_NAMESPACE::math {

namespace detail {

/// sin(x + quarters * pi/2)
constexpr double sin_quarter(double x, std::int64_t quarters) {
    const double n = nearbyint(x / (pi / 2));
    const double r = ((x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
    const auto quadrant = (static_cast<std::int64_t>(n) + quarters) & 3;
    const double square = r * r;
    double sum = 0;
    if (quadrant & 1)
        for (int k = 22; k >= 0; k -= 2) sum = 1 - square * sum / ((k + 1) * (k + 2));
    else {
        for (int k = 21; k >= 1; k -= 2) sum = 1 - square * sum / ((k + 1) * (k + 2));
        sum *= r;
    }
    return quadrant >= 2 ? -sum : sum;
}
constexpr double atan(double x) {
    if (x < 0) return -atan(-x);
    if (x > 1) return pi / 2 - atan(1 / x);
    int doublings = 0;
    for (; x > 0.1; ++doublings) x = x / (1 + sqrt(1 + x * x));
    const double square = x * x;
    double sum = 0;
    for (int k = 25; k >= 1; k -= 2) sum = 1.0 / k - square * sum;
    return scale(x * sum, doublings);
}
constexpr double atan2(double y, double x) {
    if (x > 0) return atan(y / x);
    if (x < 0) return y < 0 || (y == 0 && std::bit_cast<std::int64_t>(y) < 0) ? atan(y / x) - pi : atan(y / x) + pi;
    return y > 0 ? pi / 2 : y < 0 ? -pi / 2 : y;
}

constexpr double sin(double x) { return sin_quarter(x, 0); }
constexpr double cos(double x) { return sin_quarter(x, 1); }
constexpr double tan(double x) { return sin(x) / cos(x); }
constexpr double asin(double x) { return atan2(x, sqrt((1 - x) * (1 + x))); }
constexpr double acos(double x) { return atan2(sqrt((1 - x) * (1 + x)), x); }

} // namespace detail

} // namespace ahead::math
