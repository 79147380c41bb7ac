// SPDX-License-Identifier: MIT
// Maths for the meaning of operators: own series in constant expressions, where std's functions are not constexpr, and
// the C library's (through the compiler's builtins, so that <cmath> is not included) at run time.
// Invariant: both agree to 4 ulp of double over the ranges tests/unit/math.cpp walks; float goes through double in
// constant expressions. NaN and overflow laws hold at run time only. Called by `meaning` functions in aten/.
#pragma once
#include <ahead/core/float16.hpp>
#include <ahead/core/math_series.hpp>
#include <concepts>
#include <type_traits>

namespace AHEAD_NAMESPACE::math {

namespace detail {
constexpr double wide(auto x) { return static_cast<double>(x); }

} // namespace detail

template <class T>
constexpr bool isnan(T x) {
    return x != x;
}
template <class T>
constexpr bool isinf(T x) {
    if constexpr (std::floating_point<T>)
        return x == std::numeric_limits<T>::infinity() || x == -std::numeric_limits<T>::infinity();
    else return false;
}
template <class T>
constexpr bool signbit(T x) {
    if constexpr (std::same_as<T, float>) return std::bit_cast<std::int32_t>(x) < 0;
    else if constexpr (std::same_as<T, double>) return std::bit_cast<std::int64_t>(x) < 0;
    else return x < T{};
}

/// Two's complement arithmetic without overflow: integers wrap, bool is "or" and "and", floating point is itself.
template <class T>
constexpr auto wrapping(T x) {
    if constexpr (std::same_as<T, bool> || std::floating_point<T>) return x;
    else
        return static_cast<std::common_type_t<unsigned, std::make_unsigned_t<T>>>(
            x); // nothing smaller, which would be promoted to int
}
template <class T>
constexpr T add(T x, T y) {
    return static_cast<T>(wrapping(x) + wrapping(y));
}
template <class T>
constexpr T sub(T x, T y) {
    return static_cast<T>(wrapping(x) - wrapping(y));
}
template <class T>
constexpr T mul(T x, T y) {
    return static_cast<T>(wrapping(x) * wrapping(y));
}
template <class T>
constexpr T neg(T x) {
    if constexpr (std::floating_point<T>) return -x;
    else return sub(T{}, x);
}
template <class T>
constexpr T abs(T x) {
    if constexpr (std::floating_point<T>) return signbit(x) ? -x : x;
    else return x < T{} ? neg(x) : x;
}

/// A C cast that is defined for every value: integers wrap, NaN and what is out of range give the smallest integer, as
/// x86 does. What is smaller than i32 goes through i32, u32 through i64.
template <class To, class From>
constexpr To convert(From x) {
    if constexpr (is_half<From>) return convert<To>(static_cast<float>(x));
    else if constexpr (is_half<To>) return To(convert<float>(x));
    else if constexpr (std::same_as<To, bool>) return x != From{};
    else if constexpr (std::integral<To> && std::floating_point<From>) {
        const auto wide = static_cast<double>(x);
        if constexpr (std::same_as<To, std::uint64_t>)
            if (wide >= 9.223372036854775808e18 && wide < 1.8446744073709551616e19) return static_cast<To>(wide);
        using through =
            std::conditional_t<sizeof(To) < 4 || std::same_as<To, std::int32_t>, std::int32_t, std::int64_t>;
        constexpr double end =
            sizeof(through) == 4 ? 0x1p31 : 0x1p63; // -2^31 - 0.5 is in range still, -2^63 - 0.5 is no number
        const bool fits = wide < end && (wide >= -end || (sizeof(through) == 4 && wide > -end - 1));
        return static_cast<To>(fits ? static_cast<through>(wide) : std::numeric_limits<through>::min());
    } else if constexpr (std::same_as<To, float> && std::same_as<From, double>) {
        if (std::is_constant_evaluated() && x == x && (x > 3.4028235677973366e38 || x < -3.4028235677973366e38))
            return x > 0 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
        return static_cast<float>(x);
    } else return static_cast<To>(x);
}

template <class T>
constexpr T exp(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::exp(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_expf(x);
    else return convert<T>(__builtin_exp(detail::wide(x)));
}
template <class T>
constexpr T log(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::log(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_logf(x);
    else return convert<T>(__builtin_log(detail::wide(x)));
}
template <class T>
constexpr T log1p(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::log1p(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_log1pf(x);
    else return convert<T>(__builtin_log1p(detail::wide(x)));
}
template <class T>
constexpr T expm1(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::expm1(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_expm1f(x);
    else return convert<T>(__builtin_expm1(detail::wide(x)));
}
template <class T>
constexpr T sqrt(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::sqrt(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_sqrtf(x);
    else return convert<T>(__builtin_sqrt(detail::wide(x)));
}
template <class T>
constexpr T erf(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::erf(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_erff(x);
    else return convert<T>(__builtin_erf(detail::wide(x)));
}
template <class T>
constexpr T erfc(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::erfc(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_erfcf(x);
    else return convert<T>(__builtin_erfc(detail::wide(x)));
}
template <class T>
constexpr T tanh(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::tanh(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_tanhf(x);
    else return convert<T>(__builtin_tanh(detail::wide(x)));
}
template <class T>
constexpr T floor(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::floor(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_floorf(x);
    else return convert<T>(__builtin_floor(detail::wide(x)));
}
template <class T>
constexpr T trunc(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::trunc(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_truncf(x);
    else return convert<T>(__builtin_trunc(detail::wide(x)));
}
template <class T>
constexpr T nearbyint(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::nearbyint(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_nearbyintf(x);
    else return convert<T>(__builtin_nearbyint(detail::wide(x)));
}
template <class T>
constexpr T atan(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::atan(detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_atanf(x);
    else return convert<T>(__builtin_atan(detail::wide(x)));
}
template <class T>
constexpr T log2(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::log(detail::wide(x)) / ln2);
    if constexpr (std::same_as<T, float>) return __builtin_log2f(x);
    else return convert<T>(__builtin_log2(detail::wide(x)));
}
template <class T>
constexpr T log10(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::log(detail::wide(x)) / 2.30258509299404568402);
    if constexpr (std::same_as<T, float>) return __builtin_log10f(x);
    else return convert<T>(__builtin_log10(detail::wide(x)));
}
template <class T>
constexpr T exp2(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::exp(detail::wide(x) * ln2));
    if constexpr (std::same_as<T, float>) return __builtin_exp2f(x);
    else return convert<T>(__builtin_exp2(detail::wide(x)));
}
template <class T>
constexpr T sin(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::sin_quarter(detail::wide(x), 0));
    if constexpr (std::same_as<T, float>) return __builtin_sinf(x);
    else return convert<T>(__builtin_sin(detail::wide(x)));
}
template <class T>
constexpr T cos(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::sin_quarter(detail::wide(x), 1));
    if constexpr (std::same_as<T, float>) return __builtin_cosf(x);
    else return convert<T>(__builtin_cos(detail::wide(x)));
}
template <class T>
constexpr T tan(T x) {
    if (std::is_constant_evaluated())
        return convert<T>(detail::sin_quarter(detail::wide(x), 0) / detail::sin_quarter(detail::wide(x), 1));
    if constexpr (std::same_as<T, float>) return __builtin_tanf(x);
    else return convert<T>(__builtin_tan(detail::wide(x)));
}
template <class T>
constexpr T asin(T x) {
    if (std::is_constant_evaluated())
        return convert<T>(detail::atan2(detail::wide(x), detail::sqrt((1 - detail::wide(x)) * (1 + detail::wide(x)))));
    if constexpr (std::same_as<T, float>) return __builtin_asinf(x);
    else return convert<T>(__builtin_asin(detail::wide(x)));
}
template <class T>
constexpr T acos(T x) {
    if (std::is_constant_evaluated())
        return convert<T>(detail::atan2(detail::sqrt((1 - detail::wide(x)) * (1 + detail::wide(x))), detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_acosf(x);
    else return convert<T>(__builtin_acos(detail::wide(x)));
}
template <class T>
constexpr T sinh(T x) {
    if (std::is_constant_evaluated())
        return convert<T>(detail::expm1(detail::wide(x)) / 2 - detail::expm1(-detail::wide(x)) / 2);
    if constexpr (std::same_as<T, float>) return __builtin_sinhf(x);
    else return convert<T>(__builtin_sinh(detail::wide(x)));
}
template <class T>
constexpr T cosh(T x) {
    if (std::is_constant_evaluated())
        return convert<T>(detail::exp(detail::wide(x)) / 2 + detail::exp(-detail::wide(x)) / 2);
    if constexpr (std::same_as<T, float>) return __builtin_coshf(x);
    else return convert<T>(__builtin_cosh(detail::wide(x)));
}
template <class T>
constexpr T asinh(T x) {
    if (std::is_constant_evaluated())
        return convert<T>(
            detail::log1p(math::abs(detail::wide(x)) + detail::wide(x) * detail::wide(x) /
                                                           (1 + detail::sqrt(1 + detail::wide(x) * detail::wide(x)))) *
            (detail::wide(x) < 0 ? -1 : 1));
    if constexpr (std::same_as<T, float>) return __builtin_asinhf(x);
    else return convert<T>(__builtin_asinh(detail::wide(x)));
}
template <class T>
constexpr T acosh(T x) {
    if (std::is_constant_evaluated())
        return convert<T>(detail::log(detail::wide(x) + detail::sqrt((detail::wide(x) - 1) * (detail::wide(x) + 1))));
    if constexpr (std::same_as<T, float>) return __builtin_acoshf(x);
    else return convert<T>(__builtin_acosh(detail::wide(x)));
}
template <class T>
constexpr T atanh(T x) {
    if (std::is_constant_evaluated()) return convert<T>(detail::log1p(2 * detail::wide(x) / (1 - detail::wide(x))) / 2);
    if constexpr (std::same_as<T, float>) return __builtin_atanhf(x);
    else return convert<T>(__builtin_atanh(detail::wide(x)));
}
template <class T>
constexpr T ceil(T x) {
    if (std::is_constant_evaluated()) return convert<T>(-detail::floor(-detail::wide(x)));
    if constexpr (std::same_as<T, float>) return __builtin_ceilf(x);
    else return convert<T>(__builtin_ceil(detail::wide(x)));
}
template <class T>
constexpr T pow(T x, T y) {
    if (std::is_constant_evaluated()) return convert<T>(detail::pow(detail::wide(x), detail::wide(y)));
    if constexpr (std::same_as<T, float>) return __builtin_powf(x, y);
    else return convert<T>(__builtin_pow(detail::wide(x), detail::wide(y)));
}
template <class T>
constexpr T atan2(T x, T y) {
    if (std::is_constant_evaluated()) return convert<T>(detail::atan2(detail::wide(x), detail::wide(y)));
    if constexpr (std::same_as<T, float>) return __builtin_atan2f(x, y);
    else return convert<T>(__builtin_atan2(detail::wide(x), detail::wide(y)));
}
template <class T>
constexpr T fmod(T x, T y) {
    if (std::is_constant_evaluated()) return convert<T>(detail::fmod(detail::wide(x), detail::wide(y)));
    if constexpr (std::same_as<T, float>) return __builtin_fmodf(x, y);
    else return convert<T>(__builtin_fmod(detail::wide(x), detail::wide(y)));
}
template <class T>
constexpr T hypot(T x, T y) {
    if (std::is_constant_evaluated())
        return convert<T>(detail::sqrt(detail::wide(x) * detail::wide(x) + detail::wide(y) * detail::wide(y)));
    if constexpr (std::same_as<T, float>) return __builtin_hypotf(x, y);
    else return convert<T>(__builtin_hypot(detail::wide(x), detail::wide(y)));
}
template <class T>
constexpr T copysign(T x, T sign) {
    return signbit(x) == signbit(sign) ? x : -x;
}

/// Integer powers by squaring; a negative exponent gives 0 except for 1 and -1, as PyTorch defines it.
template <std::integral T>
constexpr T integer_pow(T base, T exponent) {
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
    const double series =
        (1.0 / 12 - inverse * (1.0 / 360 - inverse * (1.0 / 1260 - inverse * (1.0 / 1680 - inverse / 1188)))) / x;
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
           inverse * (1.0 / 12 -
                      inverse * (1.0 / 120 -
                                 inverse * (1.0 / 252 -
                                            inverse * (1.0 / 240 - inverse * (1.0 / 132 - inverse * 691 / 32760)))));
}

} // namespace ahead::math
