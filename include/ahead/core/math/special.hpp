// SPDX-License-Identifier: MIT
// Special functions of doubles: incomplete gamma functions, zeta and polygamma; also the next representable number, and
// gcd.
// Invariant: the same formulas in constant expressions and at run time; PyTorch's results at the edges. Called by
// aten/pointwise/special.hpp.
#pragma once
#include <ahead/core/math/gamma.hpp>

namespace AHEAD_NAMESPACE::math {

namespace detail {

/// x^a e^-x / gamma(a), the common factor of both series.
constexpr double gamma_factor(double a, double x) { return exp(a * log(x) - x - lgamma(a)); }

/// The lower incomplete gamma function by its power series; for x up to a + 1.
constexpr double gamma_series(double a, double x) {
    double term = 1 / a, sum = term;
    for (double n = a + 1; term > sum * 1e-17; n += 1) sum += term *= x / n;
    return sum * gamma_factor(a, x);
}

/// The upper incomplete gamma function by its continued fraction (Lentz's method); for x above a + 1.
constexpr double gamma_fraction(double a, double x) {
    constexpr double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, value = d;
    for (double n = 1; n < 10'000; n += 1) {
        const double an = -n * (n - a);
        b += 2;
        d = an * d + b;
        c = b + an / c;
        if (abs(d) < tiny) d = tiny;
        if (abs(c) < tiny) c = tiny;
        d = 1 / d;
        const double change = c * d;
        value *= change;
        if (abs(change - 1) < 1e-16) break;
    }
    return value * gamma_factor(a, x);
}

/// The upper incomplete gamma function for a above 10^4, by Temme's uniform expansion; the next terms are below 1e-7 of
/// the result.
constexpr double gamma_asymptotic(double a, double x) {
    const double off = x / a - 1;
    const double half =
        abs(off) > 1e-3 ? off - log1p(off) : off * off * (0.5 - off * (1.0 / 3 - off * (0.25 - off / 5)));
    const double eta = copysign(sqrt(2 * half), off);
    const double first = -1.0 / 3 + eta / 12; // eta is small where exp does not vanish
    return erfc(eta * sqrt(a / 2)) / 2 + exp(-a * half) / sqrt(2 * pi * a) * first;
}

} // namespace detail

/// The regularised incomplete gamma function of a and x: the lower one, or 1 minus it. NaN for negative arguments, and
/// if both are 0 or both infinite.
constexpr double incomplete_gamma(double a, double x, bool upper) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (!(a >= 0) || !(x >= 0)) return nan;
    if (a == 0 || isinf(x)) return x == 0 || isinf(a) ? nan : upper ? 0 : 1;
    if (x == 0 || isinf(a)) return upper ? 1 : 0;
    const bool is_lower = a <= 1e4 && x <= a + 1;
    const double part = a > 1e4    ? detail::gamma_asymptotic(a, x)
                        : is_lower ? detail::gamma_series(a, x)
                                   : detail::gamma_fraction(a, x);
    return is_lower == upper ? 1 - part : part;
}

/// Hurwitz's zeta function for whole s above 1, by the Euler-Maclaurin formula. For negative x, where the function is
/// not defined, the sum of (x + k)^-s, infinite at whole numbers.
constexpr double zeta(double s, double x) {
    if (x != x) return x;
    if (x <= 0) {
        if (detail::floor(x) == x) return detail::infinity;
        const double part = -x - detail::floor(-x), sign = s / 2 == detail::floor(s / 2) ? 1 : -1;
        return sign * (zeta(s, part) - zeta(s, 1 - x)) + zeta(s, 1 - part);
    }
    double sum = 0;
    for (; x < 12; x += 1) sum += pow(x, -s);
    const double power = pow(x, -s);
    sum += power * x / (s - 1) + power / 2;
    // Bernoulli numbers over (2k)!
    constexpr double factors[] = {1.0 / 12,          -1.0 / 720,
                                  1.0 / 30240,       -1.0 / 1209600,
                                  1.0 / 47900160,    -691.0 / 1307674368000,
                                  1.0 / 74724249600, -3617.0 / 10670622842880000};
    double term = power * s / x, k = 1;
    for (const double factor : factors) {
        sum += factor * term;
        term *= (s + k) * (s + k + 1) / (x * x);
        k += 2;
    }
    return sum;
}

/// zeta for any s and x, as in PyTorch: NaN for s below 1, and for negative x unless s is whole.
constexpr double zeta_of_any(double s, double x) {
    if (s == 1) return detail::infinity;
    const bool whole = detail::floor(s) == s;
    if (!(s > 1) || (x < 0 && !whole && detail::floor(x) != x)) return std::numeric_limits<double>::quiet_NaN();
    return zeta(s, x);
}

/// The n-th derivative of digamma.
constexpr double polygamma(std::int64_t n, double x) {
    if (n == 0) return digamma(x);
    double factorial = 1;
    for (std::int64_t k = 2; k <= n && factorial < detail::infinity; ++k) factorial *= static_cast<double>(k);
    return (n % 2 == 0 ? -factorial : factorial) * zeta(static_cast<double>(n) + 1, x);
}

/// The next number after x towards y, in the type of x; NaN if either is NaN.
template <std::floating_point T> constexpr T nextafter(T x, T y) {
    using bits = std::conditional_t<std::same_as<T, float>, std::int32_t, std::int64_t>;
    if (isnan(x) || isnan(y)) return x + y;
    if (x == y) return y;
    if (x == 0) return copysign(std::numeric_limits<T>::denorm_min(), y);
    const auto own = std::bit_cast<bits>(x);
    return std::bit_cast<T>((x < y) == (x > 0) ? own + 1 : own - 1);
}

/// The greatest common divisor: not negative, except if it is the smallest integer; 0 for two zeros.
template <std::integral T> constexpr T gcd(T x, T y) {
    while (y != 0) {
        const T rest = y == -1 ? T{} : static_cast<T>(x % y);
        x = y;
        y = rest;
    }
    return abs(x);
}

} // namespace ahead::math
