// SPDX-License-Identifier: MIT
// Text in UTF-8: whether it is, where its characters end, and a code point as bytes.
// Invariant: nothing is read behind the text. Called by json.hpp and the readers of files.
#pragma once
#include <ahead/core/build.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace AHEAD_NAMESPACE::detail {

/// Whether the text is well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF (RFC 3629).
constexpr bool is_utf8(std::string_view text) {
    const auto byte_at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = byte_at(i++);
        if (lead < 0x80) continue;
        if (lead < 0xc2 || lead > 0xf4) return false;
        const auto lowest = lead == 0xe0 ? 0xa0u : lead == 0xf0 ? 0x90u : 0x80u;
        const auto highest = lead == 0xed ? 0x9fu : lead == 0xf4 ? 0x8fu : 0xbfu;
        if (byte_at(i) < lowest || byte_at(i) > highest) return false;
        ++i;
        for (int more = lead >= 0xf0 ? 2 : lead >= 0xe0 ? 1 : 0; more > 0; --more, ++i)
            if (byte_at(i) < 0x80 || byte_at(i) > 0xbf) return false;
    }
    return true;
}

/// How many bytes the character at `at` has. pre: is_utf8(text), and a character begins there
constexpr std::size_t character_at(std::string_view text, std::size_t at) {
    std::size_t bytes = 1;
    while (at + bytes < text.size() && (static_cast<unsigned char>(text[at + bytes]) & 0xc0) == 0x80) ++bytes;
    return bytes;
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
