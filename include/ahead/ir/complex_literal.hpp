// SPDX-License-Identifier: MIT
// The complex numbers of Python text, as repr prints them, (1+2j) and 2j, or as calls, complex(1.0, 2.0). An argument
// of this kind keeps its text; the value is parsed when it is needed.
// Called by the FX parser, by inference and by code that computes with such an argument.
#pragma once
#include <ahead/core/decimal.hpp>
#include <ahead/ir/node.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The characters of a number: digits and exponents, inf and nan.
constexpr bool is_in_number(char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-' || c == 'e' || c == 'i' || c == 'n' || c == 'f' ||
           c == 'a';
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// The length of the complex number at the beginning of `text`; 0 if it does not begin with one.
constexpr std::size_t length_of_complex(std::string_view text) {
    constexpr std::string_view called = "complex(";
    std::size_t i = 0;
    const auto skip = [&] {
        const auto from = i;
        while (i < text.size() && detail::is_in_number(text[i])) ++i;
        return i > from;
    };
    if (text.starts_with(called)) {
        i = called.size();
        if (!skip() || !text.substr(i).starts_with(", ")) return 0;
        i += 2;
        return skip() && text.substr(i).starts_with(")") ? i + 1 : 0;
    }
    const bool bracket = text.starts_with("(");
    i = bracket;
    if (!skip() || !text.substr(i).starts_with("j")) return 0;
    ++i;
    if (!bracket) return i < text.size() && (text[i] == '_' || (text[i] >= 'a' && text[i] <= 'z')) ? 0 : i;
    return text.substr(i).starts_with(")") ? i + 1 : 0;
}

/// Parses such a text to the bits of its two parts. False if a part is not a number.
constexpr bool read_complex(std::string_view text, std::int64_t& re, std::int64_t& im) {
    const auto read = [](std::string_view part, std::int64_t& bits) {
        return read_decimal(part.starts_with("+") ? part.substr(1) : part, bits);
    };
    if (text.starts_with("complex(")) {
        const auto comma = text.find(',');
        return read(text.substr(8, comma - 8), re) && read(text.substr(comma + 2, text.size() - comma - 3), im);
    }
    if (text.starts_with("(")) text = text.substr(1, text.size() - 2);
    text = text.substr(0, text.size() - 1); // j
    auto sign = text.size();
    while (--sign > 0)
        if ((text[sign] == '+' || text[sign] == '-') && text[sign - 1] != 'e') break;
    re = 0;
    return (sign == 0 || read(text.substr(0, sign), re)) && read(text.substr(sign), im);
}

/// pre: a is a complex number
constexpr complex128 complex_of(const argument& a) {
    std::int64_t re = 0, im = 0;
    read_complex(a.text, re, im);
    return {std::bit_cast<double>(re), std::bit_cast<double>(im)};
}

} // namespace ahead::ir
