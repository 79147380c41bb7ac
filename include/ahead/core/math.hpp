// SPDX-License-Identifier: MIT
// Maths for the meaning of operators: own series in constant expressions, where std's functions are not constexpr, and the C library's
// (through the compiler's builtins, so that <cmath> is not included) at run time.
// Invariant: both agree to 4 ulp of double over the ranges tests/unit/math.cpp walks; float goes through double in constant expressions.
// NaN and overflow laws hold at run time only. Called by `meaning` functions in aten/.
#pragma once
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace ahead::math {

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
    const double r = (x - n * 0x1.62e42fefa39efp-1) - n * 0x1.abc9e3b39803fp-56;
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

/// erf by its series up to 3; beyond, 1 - erfc by its continued fraction.
constexpr double erfc_fraction(double x) {
    double tail = 0;
    for (int k = 60; k >= 1; --k) tail = (k / 2.0) / (x + tail);
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
constexpr double erf(double x) { return x < 0 ? -erf(-x) : x < 2.5 ? erf_series(x) : 1 - erfc_fraction(x); }
constexpr double erfc(double x) { return x < 0 ? 2 - erfc(-x) : x < 2.5 ? 1 - erf_series(x) : x > 27 ? 0 : erfc_fraction(x); }

constexpr double tanh(double x) {
    if (x > 20) return 1;
    if (x < -20) return -1;
    const double e = expm1(2 * x);
    return e / (e + 2);
}
constexpr double fmod(double x, double y) {
    double a = x < 0 ? -x : x;
    const double b = y < 0 ? -y : y;
    while (a >= b) {
        double step = b;
        while (step <= a / 2) step *= 2;
        a -= step;
    }
    return x < 0 ? -a : a;
}
constexpr double pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
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
    if (x == 0) return y > 0 ? 0 : infinity;
    return exp(y * log(x));
}

template <class T> concept real = std::floating_point<T>;
constexpr double wide(auto x) { return static_cast<double>(x); }

} // namespace detail

template <class T> constexpr bool isnan(T x) { return x != x; }
template <class T> constexpr bool isinf(T x) {
    if constexpr (std::floating_point<T>) return x == std::numeric_limits<T>::infinity() || x == -std::numeric_limits<T>::infinity();
    else return false;
}
template <class T> constexpr bool signbit(T x) {
    if constexpr (std::same_as<T, float>) return std::bit_cast<std::int32_t>(x) < 0;
    else if constexpr (std::same_as<T, double>) return std::bit_cast<std::int64_t>(x) < 0;
    else return x < T{};
}

/// Two's complement arithmetic without overflow: integers wrap, bool is "or" and "and", floating point is itself.
template <class T> constexpr auto wrapping(T x) {
    if constexpr (std::same_as<T, bool> || std::floating_point<T>) return x;
    else return static_cast<std::make_unsigned_t<T>>(x);
}
template <class T> constexpr T add(T x, T y) { return static_cast<T>(wrapping(x) + wrapping(y)); }
template <class T> constexpr T sub(T x, T y) { return static_cast<T>(wrapping(x) - wrapping(y)); }
template <class T> constexpr T mul(T x, T y) { return static_cast<T>(wrapping(x) * wrapping(y)); }
template <class T> constexpr T neg(T x) {
    if constexpr (std::floating_point<T>) return -x;
    else return sub(T{}, x);
}
template <class T> constexpr T abs(T x) {
    if constexpr (std::floating_point<T>) return signbit(x) ? -x : x;
    else return x < T{} ? neg(x) : x;
}

/// A C cast that is defined for every value: integers wrap, NaN and what is out of range give the smallest integer, as x86 does.
template <class To, class From> constexpr To convert(From x) {
    if constexpr (std::same_as<To, bool>) return x != From{};
    else if constexpr (std::integral<To> && std::floating_point<From>) {
        const auto wide = static_cast<double>(x);
        if (!(wide > -9.3e18 && wide < 9.223372036854775e18)) return static_cast<To>(std::numeric_limits<std::int64_t>::min());
        if (wide < -9.223372036854775e18) return static_cast<To>(std::numeric_limits<std::int64_t>::min());
        return static_cast<To>(static_cast<std::int64_t>(wide));
    } else if constexpr (std::same_as<To, float> && std::same_as<From, double>) {
        if (std::is_constant_evaluated() && x == x && (x > 3.4028235677973366e38 || x < -3.4028235677973366e38))
            return x > 0 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
        return static_cast<float>(x);
    } else return static_cast<To>(x);
}

template <class T> constexpr T exp(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::exp(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_expf(x);
    else return convert<T>(__builtin_exp(detail::wide(x)));
}
template <class T> constexpr T log(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::log(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_logf(x);
    else return convert<T>(__builtin_log(detail::wide(x)));
}
template <class T> constexpr T log1p(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::log1p(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_log1pf(x);
    else return convert<T>(__builtin_log1p(detail::wide(x)));
}
template <class T> constexpr T expm1(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::expm1(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_expm1f(x);
    else return convert<T>(__builtin_expm1(detail::wide(x)));
}
template <class T> constexpr T sqrt(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::sqrt(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_sqrtf(x);
    else return convert<T>(__builtin_sqrt(detail::wide(x)));
}
template <class T> constexpr T erf(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::erf(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_erff(x);
    else return convert<T>(__builtin_erf(detail::wide(x)));
}
template <class T> constexpr T erfc(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::erfc(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_erfcf(x);
    else return convert<T>(__builtin_erfc(detail::wide(x)));
}
template <class T> constexpr T tanh(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::tanh(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_tanhf(x);
    else return convert<T>(__builtin_tanh(detail::wide(x)));
}
template <class T> constexpr T floor(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::floor(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_floorf(x);
    else return convert<T>(__builtin_floor(detail::wide(x)));
}
template <class T> constexpr T trunc(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::trunc(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_truncf(x);
    else return convert<T>(__builtin_trunc(detail::wide(x)));
}
template <class T> constexpr T nearbyint(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::nearbyint(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_nearbyintf(x);
    else return convert<T>(__builtin_nearbyint(detail::wide(x)));
}
template <class T> constexpr T atan(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::atan(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_atanf(x);
    else return convert<T>(__builtin_atan(detail::wide(x)));
}
template <class T> constexpr T log2(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::log(detail::wide(x)) / ln2);
    if constexpr (std::same_as<T, float>) return __builtin_log2f(x);
    else return convert<T>(__builtin_log2(detail::wide(x)));
}
template <class T> constexpr T log10(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::log(detail::wide(x)) / 2.30258509299404568402);
    if constexpr (std::same_as<T, float>) return __builtin_log10f(x);
    else return convert<T>(__builtin_log10(detail::wide(x)));
}
template <class T> constexpr T exp2(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::exp(detail::wide(x) * ln2));
    if constexpr (std::same_as<T, float>) return __builtin_exp2f(x);
    else return convert<T>(__builtin_exp2(detail::wide(x)));
}
template <class T> constexpr T sin(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::sin_quarter(detail::wide(x), 0));
    if constexpr (std::same_as<T, float>) return __builtin_sinf(x);
    else return convert<T>(__builtin_sin(detail::wide(x)));
}
template <class T> constexpr T cos(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::sin_quarter(detail::wide(x), 1));
    if constexpr (std::same_as<T, float>) return __builtin_cosf(x);
    else return convert<T>(__builtin_cos(detail::wide(x)));
}
template <class T> constexpr T tan(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::sin_quarter(detail::wide(x), 0) / detail::sin_quarter(detail::wide(x), 1));
    if constexpr (std::same_as<T, float>) return __builtin_tanf(x);
    else return convert<T>(__builtin_tan(detail::wide(x)));
}
template <class T> constexpr T asin(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::atan2(detail::wide(x), detail::sqrt((1 - detail::wide(x)) * (1 + detail::wide(x)))));
    if constexpr (std::same_as<T, float>) return __builtin_asinf(x);
    else return convert<T>(__builtin_asin(detail::wide(x)));
}
template <class T> constexpr T acos(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::atan2(detail::sqrt((1 - detail::wide(x)) * (1 + detail::wide(x))), detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_acosf(x);
    else return convert<T>(__builtin_acos(detail::wide(x)));
}
template <class T> constexpr T sinh(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::expm1(detail::wide(x)) / 2 - detail::expm1(-detail::wide(x)) / 2);
    if constexpr (std::same_as<T, float>) return __builtin_sinhf(x);
    else return convert<T>(__builtin_sinh(detail::wide(x)));
}
template <class T> constexpr T cosh(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::exp(detail::wide(x)) / 2 + detail::exp(-detail::wide(x)) / 2);
    if constexpr (std::same_as<T, float>) return __builtin_coshf(x);
    else return convert<T>(__builtin_cosh(detail::wide(x)));
}
template <class T> constexpr T asinh(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::log1p(math::abs(detail::wide(x)) + detail::wide(x) * detail::wide(x) / (1 + detail::sqrt(1 + detail::wide(x) * detail::wide(x)))) * (detail::wide(x) < 0 ? -1 : 1));
    if constexpr (std::same_as<T, float>) return __builtin_asinhf(x);
    else return convert<T>(__builtin_asinh(detail::wide(x)));
}
template <class T> constexpr T acosh(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::log(detail::wide(x) + detail::sqrt((detail::wide(x) - 1) * (detail::wide(x) + 1))));
    if constexpr (std::same_as<T, float>) return __builtin_acoshf(x);
    else return convert<T>(__builtin_acosh(detail::wide(x)));
}
template <class T> constexpr T atanh(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::log1p(2 * detail::wide(x) / (1 - detail::wide(x))) / 2);
    if constexpr (std::same_as<T, float>) return __builtin_atanhf(x);
    else return convert<T>(__builtin_atanh(detail::wide(x)));
}
template <class T> constexpr T ceil(T x) {
    if (std::is_constant_evaluated()) return convert<T>(-detail::floor(-detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_ceilf(x);
    else return convert<T>(__builtin_ceil(detail::wide(x)));
}
template <class T> constexpr T pow(T x, T y) {
    if (std::is_constant_evaluated()) return convert<T>(detail::pow(detail::wide(x), detail::wide(y)));
    if constexpr (std::same_as<T, float>) return __builtin_powf(x, y);
    else return convert<T>(__builtin_pow(detail::wide(x), detail::wide(y)));
}
template <class T> constexpr T atan2(T x, T y) {
    if (std::is_constant_evaluated()) return convert<T>(detail::atan2(detail::wide(x), detail::wide(y)));
    if constexpr (std::same_as<T, float>) return __builtin_atan2f(x, y);
    else return convert<T>(__builtin_atan2(detail::wide(x), detail::wide(y)));
}
template <class T> constexpr T fmod(T x, T y) {
    if (std::is_constant_evaluated()) return convert<T>(detail::fmod(detail::wide(x), detail::wide(y)));
    if constexpr (std::same_as<T, float>) return __builtin_fmodf(x, y);
    else return convert<T>(__builtin_fmod(detail::wide(x), detail::wide(y)));
}
template <class T> constexpr T hypot(T x, T y) {
    if (std::is_constant_evaluated()) return convert<T>(detail::sqrt(detail::wide(x) * detail::wide(x) + detail::wide(y) * detail::wide(y)));
    if constexpr (std::same_as<T, float>) return __builtin_hypotf(x, y);
    else return convert<T>(__builtin_hypot(detail::wide(x), detail::wide(y)));
}
template <class T> constexpr T copysign(T x, T sign) { return signbit(x) == signbit(sign) ? x : -x; }

/// Integer powers by squaring; a negative exponent gives 0 except for 1 and -1, as PyTorch defines it.
template <std::integral T> constexpr T integer_pow(T base, T exponent) {
    if constexpr (std::same_as<T, bool>) return base || !exponent;
    else {
        if (exponent < 0) return base == 1 ? T{1} : base == -1 ? (exponent % 2 == 0 ? T{1} : T{-1}) : T{0};
        T power = 1;
        for (; exponent > 0; exponent = static_cast<T>(exponent >> 1)) {
            if (exponent & 1) power = mul(power, base);
            base = mul(base, base);
        }
        return power;
    }
}

/// ln|gamma(x)| by Stirling's series, shifted above 10; below 1/2 by reflection.
constexpr double lgamma(double x) {
    if (x != x) return x;
    if (isinf(x) || (x <= 0 && detail::floor(x) == x)) return detail::infinity;
    if (x < 0.5) return log(pi / abs(sin(pi * (x - detail::floor(x))))) - lgamma(1 - x);
    double shift = 1;
    for (; x < 10; x += 1) shift *= x;
    const double inverse = 1 / (x * x);
    const double series = (1.0 / 12 - inverse * (1.0 / 360 - inverse * (1.0 / 1260 - inverse * (1.0 / 1680 - inverse / 1188)))) / x;
    return (x - 0.5) * log(x) - x + 0.91893853320467274178 + series - log(shift);
}

/// The derivative of ln gamma; -inf at 0 (inf at -0) and NaN at negative integers, as PyTorch defines it.
constexpr double digamma(double x) {
    if (x == 0) return signbit(x) ? detail::infinity : -detail::infinity;
    if (x < 0) {
        if (detail::floor(x) == x) return std::numeric_limits<double>::quiet_NaN();
        return digamma(1 - x) - pi / tan(pi * (x - detail::trunc(x)));
    }
    double sum = 0;
    for (; x < 10; x += 1) sum -= 1 / x;
    const double inverse = 1 / (x * x);
    return sum + log(x) - 0.5 / x -
           inverse * (1.0 / 12 - inverse * (1.0 / 120 - inverse * (1.0 / 252 - inverse * (1.0 / 240 - inverse * (1.0 / 132 - inverse * 691 / 32760)))));
}

} // namespace ahead::math
