// SPDX-License-Identifier: MIT
// The series behind math.hpp's functions in constant expressions, all in double: range reduction, then Taylor or a
// continued fraction. Not used at run time, but callable there, so that tests can compare them with the C library.
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
/// 2^n for n in [-1022, 1023].
constexpr double power_of_two(int n) { return std::bit_cast<double>(static_cast<std::int64_t>(n + 1023) << 52); }
constexpr double scale(double x, int n) {
    for (; n > 1000; n -= 1000) x *= power_of_two(1000);
    for (; n < -1000; n += 1000) x *= power_of_two(-1000);
    return x * power_of_two(n);
}

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

/// erf by its series up to 1.8; beyond, 1 - erfc by its continued fraction.
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

constexpr double tanh(double x) {
    if (x > 20) return 1;
    if (x < -20) return -1;
    const double e = expm1(2 * x);
    return e / (e + 2);
}
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
/// Of whole numbers; those from 2^53 on are even.
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
