// SPDX-License-Identifier: MIT
// Destinations of printed text: std::string at run time, text_buffer in constant expressions.
#pragma once
#include <ahead/core/build.hpp>
#include <array>
#include <cstddef>
#include <string_view>

namespace AHEAD_NAMESPACE::printers {

/// Text is appended, never read back.
template <class T>
concept text_sink = requires(T& sink, std::string_view text) { sink.append(text); };

/// Drops all text: for callers that need only a printer's sums.
struct no_text {
    constexpr void append(std::string_view) {}
};

/// At most Size characters; further ones are counted, not kept.
template <std::size_t Size> struct text_buffer {
    std::array<char, Size> chars{};
    std::size_t size = 0;
    std::size_t lost = 0;
    constexpr void append(std::string_view text) {
        for (char c : text) {
            if (size < Size) chars[size++] = c;
            else ++lost;
        }
    }
    constexpr std::string_view view() const { return {chars.data(), size}; }
};

} // namespace ahead::printers
