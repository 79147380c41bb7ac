// SPDX-License-Identifier: MIT
// Arithmetic that is defined for every value of every element type: integers wrap; bools use "or" and "and"; floating
// point, and so complex, arithmetic is the machine's.
// Invariant: no undefined behaviour, so a constant expression may meet any operands. Called by `meaning` functions.
#pragma once
#include <ahead/core/build.hpp>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace AHEAD_NAMESPACE::math {

template <class T> constexpr bool isnan(T x) { return x != x; }
template <class T> constexpr bool isinf(T x) {
    if constexpr (std::floating_point<T>)
        return x == std::numeric_limits<T>::infinity() || x == -std::numeric_limits<T>::infinity();
    else return false;
}
template <class T> constexpr bool signbit(T x) {
    if constexpr (std::same_as<T, float>) return std::bit_cast<std::int32_t>(x) < 0;
    else if constexpr (std::same_as<T, double>) return std::bit_cast<std::int64_t>(x) < 0;
    else return x < T{};
}

/// Two's complement arithmetic without overflow: integers are converted to unsigned; bool and floating point stay
/// unchanged.
template <class T> constexpr auto wrapping(T x) {
    if constexpr (std::same_as<T, bool> || !std::integral<T>) return x;
    else
        return static_cast<std::common_type_t<unsigned, std::make_unsigned_t<T>>>(
            x); // smaller types would be promoted to int
}
template <class T> constexpr T add(T x, T y) { return static_cast<T>(wrapping(x) + wrapping(y)); }
template <class T> constexpr T sub(T x, T y) { return static_cast<T>(wrapping(x) - wrapping(y)); }
template <class T> constexpr T mul(T x, T y) { return static_cast<T>(wrapping(x) * wrapping(y)); }
template <class T> constexpr T neg(T x) {
    if constexpr (!std::integral<T>) return -x;
    else return sub(T{}, x);
}
template <class T> constexpr T abs(T x) {
    if constexpr (std::floating_point<T>) return signbit(x) ? -x : x;
    else return x < T{} ? neg(x) : x;
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

} // namespace ahead::math
