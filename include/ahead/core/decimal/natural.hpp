// SPDX-License-Identifier: MIT
// Natural numbers of thousands of bits. Called by read_decimal.hpp, print_decimal.hpp.
// Invariant: exact; the caller must not produce a number that does not fit.
#pragma once
#include <ahead/core/build.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace AHEAD_NAMESPACE::detail {

/// A natural number below 2^3072, enough for any double's numerator and denominator.
struct natural {
    std::uint32_t limbs[96]{};
    int size = 0; // limbs in use; the highest is not 0

    constexpr natural() = default;
    constexpr explicit natural(std::uint64_t value) {
        for (; value != 0; value >>= 32) limbs[size++] = static_cast<std::uint32_t>(value);
    }
    constexpr std::uint32_t at(int i) const { return limbs[i]; }
    constexpr int bit_length() const { return size == 0 ? 0 : 32 * size - std::countl_zero(at(size - 1)); }
    constexpr void multiply_add(std::uint32_t factor, std::uint32_t carry_in) {
        std::uint64_t carry = carry_in;
        for (int i = 0; i < size; ++i) {
            carry += static_cast<std::uint64_t>(at(i)) * factor;
            limbs[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        if (carry != 0) limbs[size++] = static_cast<std::uint32_t>(carry);
    }
    constexpr void multiply_by_power_of_ten(int power) {
        for (; power >= 9; power -= 9) multiply_add(1'000'000'000, 0);
        for (; power > 0; --power) multiply_add(10, 0);
    }
    constexpr void shift_left(int bits) {
        if (size == 0 || bits == 0) return;
        const int whole = bits / 32;
        const int part = bits % 32;
        for (int i = size + whole; i >= 0; --i) {
            const std::uint64_t high = i - whole >= 0 && i - whole < size ? at(i - whole) : 0;
            const std::uint64_t low = i - whole - 1 >= 0 && i - whole - 1 < size ? at(i - whole - 1) : 0;
            limbs[i] = static_cast<std::uint32_t>((high << 32 | low) << part >> 32);
        }
        size += whole + 1;
        while (size > 0 && at(size - 1) == 0) --size;
    }
    constexpr bool below(const natural& other) const {
        if (size != other.size) return size < other.size;
        for (int i = size; i-- > 0;)
            if (at(i) != other.at(i)) return at(i) < other.at(i);
        return false;
    }
    constexpr void subtract(const natural& other) {
        std::int64_t borrow = 0;
        for (int i = 0; i < size; ++i) {
            borrow += static_cast<std::int64_t>(at(i)) - (i < other.size ? other.at(i) : 0);
            limbs[i] = static_cast<std::uint32_t>(borrow);
            borrow >>= 32;
        }
        while (size > 0 && at(size - 1) == 0) --size;
    }
};

struct quotient {
    std::uint64_t whole = 0;
    bool exact = true;
};
/// pre: the quotient is below 2^64.
constexpr quotient divide(natural numerator, natural denominator) {
    quotient q;
    denominator.shift_left(63);
    for (int step = 0; step < 64; ++step) {
        q.whole <<= 1;
        if (!numerator.below(denominator)) {
            numerator.subtract(denominator);
            q.whole |= 1;
        }
        numerator.shift_left(1);
    }
    q.exact = numerator.size == 0;
    return q;
}

} // namespace ahead::detail
