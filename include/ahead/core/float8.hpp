// SPDX-License-Identifier: MIT
// The elements of f8 tensors: one byte, converted to and from float. f8_e4m3 has no infinity: the bit pattern above the
// largest number is NaN, and values that are too large become NaN.
// Source: c10/util/Float8_e4m3fn.h, c10/util/Float8_e5m2.h.
// Invariant: every number converts to float and back unchanged, NaN with its sign; conversion from float rounds to
// nearest, ties to even.
#pragma once
#include <ahead/core/float16.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The bits below the sign of the nearest number with a mantissa of `Mantissa` bits, without an upper limit. `size`:
/// the same bits of the float.
template <std::uint32_t Mantissa, std::uint32_t Bias> constexpr std::uint32_t float8_size(std::uint32_t size) {
    constexpr auto dropped = 23 - Mantissa, least = 128 - Bias; // exponents from `least` on are those of normal numbers
    const auto exponent = size >> 23;
    if (exponent >= least) {
        const auto rebiased = size - ((127 - Bias) << 23);
        return (rebiased + (1u << (dropped - 1)) - 1 + (rebiased >> dropped & 1u)) >> dropped;
    }
    const auto shift = dropped + least - exponent;
    if (shift > 24) return 0;
    const auto mantissa = (size & 0x7f'ffffu) | 0x80'0000u;
    const auto whole = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
    return whole + (rest > half || (rest == half && (whole & 1u) != 0) ? 1u : 0u);
}
/// The number with these bits below the sign. pre: neither infinity nor NaN
template <std::uint32_t Mantissa, std::uint32_t Bias> constexpr float float8_value(std::uint32_t size) {
    if (size >> Mantissa != 0) return std::bit_cast<float>((size << (23 - Mantissa)) + ((127 - Bias) << 23));
    return static_cast<float>(size) * std::bit_cast<float>((128 - Bias - Mantissa) << 23);
}
constexpr float with_sign(float size, bool negative) { return negative ? -size : size; }

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::core {

/// torch.float8_e4m3fn: 4 significant bits, from 2^-9 to 448; above 464 NaN.
struct float8_e4m3 {
    std::uint8_t bits = 0;

    constexpr float8_e4m3() = default;
    constexpr float8_e4m3(float v) {
        const auto all = std::bit_cast<std::uint32_t>(v), size = all & 0x7fff'ffffu;
        const auto magnitude = size >= 0x43f0'0000u ? 0x7fu : detail::float8_size<3, 7>(size); // 480 and above
        bits = static_cast<std::uint8_t>((all >> 24 & 0x80u) | magnitude);
    }
    constexpr operator float() const {
        const auto size = bits & 0x7fu;
        if (size == 0x7fu) return std::bit_cast<float>((bits & 0x80u) << 24 | 0x7ff0'0000u);
        return detail::with_sign(detail::float8_value<3, 7>(size), bits >= 0x80u);
    }
    static constexpr float8_e4m3 of_bits(std::uint8_t bits) {
        float8_e4m3 out;
        out.bits = bits;
        return out;
    }
};

/// torch.float8_e5m2: 3 significant bits, from 2^-16 to 57344; infinity from 61440 on. Conversion from float gives one
/// NaN per sign.
struct float8_e5m2 {
    std::uint8_t bits = 0;

    constexpr float8_e5m2() = default;
    constexpr float8_e5m2(float v) {
        const auto all = std::bit_cast<std::uint32_t>(v), size = all & 0x7fff'ffffu;
        const auto magnitude = size > 0x7f80'0000u    ? 0x7fu
                               : size >= 0x4780'0000u ? 0x7cu // 65536 and above
                                                      : detail::float8_size<2, 15>(size);
        bits = static_cast<std::uint8_t>((all >> 24 & 0x80u) | magnitude);
    }
    constexpr operator float() const {
        const auto size = bits & 0x7fu;
        if (size >= 0x7cu) return std::bit_cast<float>((bits & 0x80u) << 24 | 0x7f80'0000u | (size & 3u) << 21);
        return detail::with_sign(detail::float8_value<2, 15>(size), bits >= 0x80u);
    }
    static constexpr float8_e5m2 of_bits(std::uint8_t bits) {
        float8_e5m2 out;
        out.bits = bits;
        return out;
    }
};

template <> inline constexpr bool is_small_float<float8_e4m3> = true;
template <> inline constexpr bool is_small_float<float8_e5m2> = true;

} // namespace ahead::core

namespace AHEAD_NAMESPACE {
using core::float8_e4m3, core::float8_e5m2;
} // namespace ahead
