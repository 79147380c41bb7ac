// SPDX-License-Identifier: MIT
// Rounding, the remainder of a division and scaling by powers of two, of doubles in constant expressions.
// Invariant: exact; the rounding functions return infinity and NaN unchanged. Called by the other series, and through
// elementary.hpp.
#pragma once
#include <ahead/core/build.hpp>
#include <bit>
#include <cstdint>
#include <limits>

namespace AHEAD_NAMESPACE::math {

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double ln2 = 0.69314718055994530942;

namespace detail {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr double trunc(double x) {
    return x >= 4503599627370496.0 || x <= -4503599627370496.0 ? x : static_cast<double>(static_cast<std::int64_t>(x));
}
constexpr double floor(double x) {
    const double t = trunc(x);
    return t > x ? t - 1 : t;
}
/// Halves go to the even neighbour.
constexpr double nearbyint(double x) {
    const double low = floor(x);
    const double rest = x - low;
    if (rest < 0.5) return low;
    if (rest > 0.5) return low + 1;
    return floor(low / 2) * 2 == low ? low : low + 1;
}
constexpr double ceil(double x) { return -floor(-x); }
constexpr double fmod(double x, double y) {
    double a = x < 0 ? -x : x;
    const double b = y < 0 ? -y : y;
    if (!(a < infinity) || !(b > 0)) return std::numeric_limits<double>::quiet_NaN();
    if (a < b) return x;
    while (a >= b) {
        double step = b;
        while (step <= a / 2) step *= 2;
        a -= step;
    }
    return x < 0 ? -a : a;
}

/// 2^n for n in [-1022, 1023].
constexpr double power_of_two(int n) { return std::bit_cast<double>(static_cast<std::int64_t>(n + 1023) << 52); }
constexpr double scale(double x, int n) {
    for (; n > 1000; n -= 1000) x *= power_of_two(1000);
    for (; n < -1000; n += 1000) x *= power_of_two(-1000);
    return x * power_of_two(n);
}

} // namespace detail

} // namespace ahead::math
