// SPDX-License-Identifier: MIT
// Exponentials, logarithms, powers, roots and hyperbolic functions of doubles in constant expressions: range reduction,
// then a Taylor series or Newton's iteration.
// Invariant: within 4 ulp of the C library over the ranges tested by tests/unit/core/math.cpp. Called through
// elementary.hpp.
#pragma once
#include <ahead/core/math/series/rounding.hpp>

namespace AHEAD_NAMESPACE::math {

namespace detail {

/// e^r - 1 for |r| <= ln2/2.
constexpr double expm1_series(double r) {
    double sum = 0;
    for (int k = 17; k >= 1; --k) sum = (sum + 1) * r / k;
    return sum;
}
constexpr double exp(double x) {
    if (x != x) return x;
    if (x > 709.78) return infinity;
    if (x < -745.14) return 0;
    const double n = nearbyint(x / ln2);
    const double r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
    return scale(1 + expm1_series(r), static_cast<int>(n));
}
constexpr double expm1(double x) { return x > -0.34 && x < 0.34 ? expm1_series(x) : exp(x) - 1; }

/// log((1 + s) / (1 - s)) = 2 (s + s^3/3 + ...)
constexpr double log_series(double s) {
    const double square = s * s;
    double sum = 0;
    for (int k = 41; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return 2 * s * sum;
}
constexpr double log(double x) {
    if (x != x || x == infinity) return x;
    if (x == 0) return -infinity;
    if (x < 0) return std::numeric_limits<double>::quiet_NaN();
    int n = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        n = -54;
    }
    n += static_cast<int>(std::bit_cast<std::int64_t>(x) >> 52) - 1023;
    double m = std::bit_cast<double>((std::bit_cast<std::int64_t>(x) & 0xfffffffffffff) | (std::int64_t{1023} << 52));
    if (m > 1.4142135623730951) {
        m /= 2;
        ++n;
    }
    return n * ln2 + log_series((m - 1) / (m + 1));
}
constexpr double log1p(double x) { return x > -0.25 && x < 0.25 ? log_series(x / (2 + x)) : log(1 + x); }

constexpr double sqrt(double x) {
    if (x != x || x == 0 || x == infinity) return x;
    if (x < 0) return std::numeric_limits<double>::quiet_NaN();
    double guess = std::bit_cast<double>((std::bit_cast<std::int64_t>(x) >> 1) + (std::int64_t{1023} << 51));
    for (int k = 0; k < 6; ++k) guess = (guess + x / guess) / 2;
    return guess;
}
constexpr double hypot(double x, double y) { return sqrt(x * x + y * y); }
constexpr double log2(double x) { return log(x) / ln2; }
constexpr double log10(double x) { return log(x) / 2.30258509299404568402; }
constexpr double exp2(double x) { return exp(x * ln2); }

constexpr double sinh(double x) { return expm1(x) / 2 - expm1(-x) / 2; }
constexpr double cosh(double x) { return exp(x) / 2 + exp(-x) / 2; }
constexpr double tanh(double x) {
    if (x > 20) return 1;
    if (x < -20) return -1;
    const double e = expm1(2 * x);
    return e / (e + 2);
}
constexpr double asinh(double x) { return log1p((x < 0 ? -x : x) + x * x / (1 + sqrt(1 + x * x))) * (x < 0 ? -1 : 1); }
constexpr double acosh(double x) { return log(x + sqrt((x - 1) * (x + 1))); }
constexpr double atanh(double x) { return log1p(2 * x / (1 - x)) / 2; }

/// False for fractions; whole numbers from 2^53 on are even.
constexpr bool is_odd(double x) {
    return trunc(x) == x && x < 0x1p53 && x > -0x1p53 && (static_cast<std::int64_t>(x) & 1) != 0;
}
constexpr double pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return x != x ? x : y;
    if (x == 0) {
        const double size = y > 0 ? 0 : infinity;
        return std::bit_cast<std::int64_t>(x) < 0 && is_odd(y) ? -size : size;
    }
    if (trunc(y) == y && y > -1024 && y < 1024) {
        auto n = static_cast<std::int64_t>(y < 0 ? -y : y);
        double power = 1;
        for (double base = x; n > 0; n >>= 1) {
            if (n & 1) power *= base;
            if (n > 1) base *= base;
        }
        return y < 0 ? 1 / power : power;
    }
    if (y == 0.5) return sqrt(x);
    if (x < 0 && trunc(y) == y) {
        const double size = x == -1 ? 1 : exp(y * log(-x));
        return is_odd(y) ? -size : size;
    }
    return exp(y * log(x));
}

} // namespace detail

} // namespace ahead::math
