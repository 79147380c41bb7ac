// SPDX-License-Identifier: MIT
// Text with static size: fixed_string is a template argument, short_text a constexpr buffer for messages.
// Invariant: short_text never overflows; text that does not fit is cut and ends in "...".
#pragma once
#include <ahead/core/build.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace AHEAD_NAMESPACE::core {

template <std::size_t N> struct fixed_string {
    char chars[N]{};
    constexpr fixed_string(const char (&text)[N]) {
        for (std::size_t i = 0; i < N; ++i) chars[i] = text[i];
    }
    constexpr std::string_view view() const { return {chars, N - 1}; }
};

/// At most 127 characters, built by appending; usable in constant expressions on all three compilers, unlike
/// std::string.
struct short_text {
    std::array<char, 128> chars{};
    std::uint8_t length = 0;

    constexpr short_text() = default;
    constexpr short_text(std::string_view text) { *this << text; }
    constexpr short_text(const char* text) { *this << std::string_view(text); }
    constexpr std::string_view view() const { return {chars.data(), length}; }

    constexpr short_text& operator<<(std::string_view text) {
        constexpr std::size_t limit = 127;
        for (char c : text) {
            if (length == limit) {
                chars[limit - 1] = chars[limit - 2] = chars[limit - 3] = '.';
                break;
            }
            chars[length++] = c;
        }
        return *this;
    }
    constexpr short_text& operator<<(const char* text) { return *this << std::string_view(text); }
    constexpr short_text& operator<<(std::int64_t number) {
        char digits[20]{};
        int count = 0;
        const bool negative = number < 0;
        do {
            const auto digit = number % 10;
            digits[count++] = static_cast<char>('0' + (digit < 0 ? -digit : digit));
            number /= 10;
        } while (number != 0);
        if (negative) *this << "-";
        while (count > 0) *this << std::string_view(&digits[--count], 1);
        return *this;
    }
    constexpr short_text& operator<<(int number) { return *this << static_cast<std::int64_t>(number); }
    constexpr short_text& operator<<(std::size_t number) { return *this << static_cast<std::int64_t>(number); }
};

} // namespace ahead::core

namespace AHEAD_NAMESPACE {
using core::short_text;
} // namespace ahead
