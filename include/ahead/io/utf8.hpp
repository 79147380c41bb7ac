// SPDX-License-Identifier: MIT
// UTF-8 text: validation, character boundaries, and encoding of a code point.
// Invariant: never reads past the end of the text. Called by escaped_text.hpp and the readers of files.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace AHEAD_NAMESPACE::detail {

/// Number of bytes of the character at the start of the text; 0 if it is not a valid UTF-8 character (RFC 3629: no
/// overlong forms, no surrogates, nothing above U+10FFFF).
constexpr std::size_t character_size(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto first = byte(0);
    const std::size_t size = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    const bool too_long = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool no_character = (first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f);
    return too_long || no_character ? 0 : size;
}
/// Whether the text consists of valid characters only.
constexpr bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto size = character_size(text);
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

/// Appends a code point of at most U+10FFFF.
inline void append_utf8(std::string& out, std::uint32_t code) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0 | (code >> 6)), tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0 | (code >> 12)), tail(6), tail(0);
    } else {
        out += static_cast<char>(0xf0 | (code >> 18)), tail(12), tail(6), tail(0);
    }
}

} // namespace ahead::detail
