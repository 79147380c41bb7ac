// SPDX-License-Identifier: MIT
// The elements of f16 and bf16 tensors: two bytes, converted to and from float, in which arithmetic is done. C++20 has
// no such types.
// Source: IEEE 754-2019 (binary16); bfloat16 is the upper half of a binary32.
// Invariant: every value converts to float and back unchanged, NaN with its payload included; conversion from float
// rounds to nearest, ties to even.
#pragma once
#include <ahead/core/build.hpp>
#include <bit>
#include <cstdint>

namespace AHEAD_NAMESPACE::detail {

constexpr std::uint16_t float16_bits(float v) {
    const auto bits = std::bit_cast<std::uint32_t>(v);
    const auto sign = bits >> 16 & 0x8000u, size = bits & 0x7fff'ffffu;
    if (size > 0x7f80'0000u) { // NaN, which must not become infinity
        const auto payload = size >> 13 & 0x3ffu;
        return static_cast<std::uint16_t>(sign | 0x7c00u | (payload != 0 ? payload : 0x200u));
    }
    if (size >= 0x477f'f000u) return static_cast<std::uint16_t>(sign | 0x7c00u); // 65520 and above
    const auto exponent = size >> 23;
    if (exponent >= 113) { // 2^-14 or more
        const auto rebiased = size - (112u << 23);
        return static_cast<std::uint16_t>(sign | (rebiased + 0xfffu + (rebiased >> 13 & 1u)) >> 13);
    }
    if (exponent < 102) return static_cast<std::uint16_t>(sign);                    // below 2^-25
    const auto mantissa = (size & 0x7f'ffffu) | 0x80'0000u, shift = 126 - exponent; // counts of 2^-24
    const auto whole = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
    return static_cast<std::uint16_t>(sign | (whole + (rest > half || (rest == half && (whole & 1u) != 0) ? 1u : 0u)));
}
constexpr float float16_value(std::uint16_t bits) {
    const auto sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16, exponent = bits >> 10 & 0x1fu,
               mantissa = bits & 0x3ffu;
    if (exponent == 0) {
        const auto size = static_cast<float>(mantissa) * 0x1p-24f;
        return sign != 0 ? -size : size;
    }
    return std::bit_cast<float>(sign | (exponent == 31 ? 0x7f80'0000u : (exponent + 112) << 23) | mantissa << 13);
}
constexpr std::uint16_t bfloat16_bits(float v) {
    const auto bits = std::bit_cast<std::uint32_t>(v);
    if ((bits & 0x7fff'ffffu) > 0x7f80'0000u)
        return static_cast<std::uint16_t>(bits >> 16 | ((bits >> 16 & 0x7fu) != 0 ? 0u : 0x40u));
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::core {

/// torch.float16, half: 11 bits, from 2^-24 to 65504.
struct float16 {
    std::uint16_t bits = 0;

    constexpr float16() = default;
    constexpr float16(float v) : bits(detail::float16_bits(v)) {}
    constexpr operator float() const { return detail::float16_value(bits); }
    static constexpr float16 of_bits(std::uint16_t bits) {
        float16 out;
        out.bits = bits;
        return out;
    }
};

/// torch.bfloat16: 8 bits, the range of float.
struct bfloat16 {
    std::uint16_t bits = 0;

    constexpr bfloat16() = default;
    constexpr bfloat16(float v) : bits(detail::bfloat16_bits(v)) {}
    constexpr operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
    static constexpr bfloat16 of_bits(std::uint16_t bits) {
        bfloat16 out;
        out.bits = bits;
        return out;
    }
};

/// Whether T is one of these types, or of core/float8.hpp: converted to float for arithmetic.
template <class T> inline constexpr bool is_small_float = false;
template <> inline constexpr bool is_small_float<float16> = true;
template <> inline constexpr bool is_small_float<bfloat16> = true;

} // namespace ahead::core

namespace AHEAD_NAMESPACE {
using core::bfloat16, core::float16;
} // namespace ahead
