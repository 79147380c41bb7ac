// SPDX-License-Identifier: MIT
// Character classes, and text comparisons that are cheap to compile.
// Invariant: no locale; bytes above 127 are in no class. Called by lexer.hpp and the readers of FX text.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace AHEAD_NAMESPACE::detail {

enum char_class : std::uint8_t {
    name_char = 1,    // A-Z a-z 0-9 _
    digit_char = 2,   // 0-9
    dotted_char = 4,  // name characters and "."
    number_char = 8,  // characters of a number: digits . e + -
    nested_char = 16, // relevant to the search for a closing bracket: brackets, commas, quotes, #, ; and the line's end
    counted_char = 32, // relevant to counting a line: nested characters, ; = and the line's end
    operator_char = 64,
    deletion_char = 128, // characters of "a = b = None"
};

struct char_table {
    std::uint8_t classes[256]{};
    constexpr void add(std::string_view chars, int bits) {
        for (char c : chars)
            classes[static_cast<unsigned char>(c)] =
                static_cast<std::uint8_t>(classes[static_cast<unsigned char>(c)] | bits);
    }
};
inline constexpr auto char_classes = [] {
    char_table table;
    table.add("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789", name_char | dotted_char);
    table.add(".", dotted_char);
    table.add("0123456789", digit_char);
    table.add("0123456789.e+-", number_char);
    table.add("()[]{},'\"#", nested_char | counted_char);
    table.add(";\n", nested_char | counted_char);
    table.add("=", counted_char);
    table.add("+-*/%@&|^<>=!", operator_char);
    table.add("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789 =", deletion_char);
    return table;
}();

/// Whether the first `size` characters are the same. Costs nothing in constant evaluation if the text is a literal; g++
/// compares computed text character by character.
constexpr bool same_chars(const char* a, const char* b, std::size_t size) {
    if (std::is_constant_evaluated() && !__builtin_constant_p(__builtin_memcmp(a, b, size))) {
        for (std::size_t i = 0; i < size; ++i)
            if (a[i] != b[i]) return false;
        return true;
    }
    return __builtin_memcmp(a, b, size) == 0;
}
constexpr bool same_text(std::string_view a, std::string_view b) {
    return a.size() == b.size() && same_chars(a.data(), b.data(), a.size());
}
/// Literals are passed as arrays: to measure one as a string_view would cost a step per character in every constant
/// evaluation.
template <std::size_t Size> constexpr bool same_text(std::string_view a, const char (&b)[Size]) {
    return a.size() == Size - 1 && same_chars(a.data(), b, Size - 1);
}
template <std::size_t Size> constexpr bool starts_with(std::string_view text, const char (&start)[Size]) {
    return text.size() >= Size - 1 && same_chars(text.data(), start, Size - 1);
}

} // namespace ahead::detail
