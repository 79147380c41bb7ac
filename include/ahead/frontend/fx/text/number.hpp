// SPDX-License-Identifier: MIT
// Reads the numbers of FX text. Called by values.hpp.
// Invariant: an integer has 64 bits; a real number is the double nearest to its text, which is kept.
#pragma once
#include <ahead/core/decimal.hpp>
#include <ahead/frontend/fx/reader.hpp>
#include <ahead/ir/complex_literal.hpp>

namespace AHEAD_NAMESPACE::detail {

constexpr std::int64_t read_digits(fx_reader& r) {
    auto& c = r.c;
    std::int64_t value = 0;
    while (c.is(digit_char) && value < 1'000'000) value = value * 10 + (c.text[c.at++] - '0');
    return value;
}

/// Reads a complex number, if there is one at the cursor.
constexpr bool read_complex_number(fx_reader& r, argument_id id, node_id owner, std::string_view keyword) {
    auto& c = r.c;
    const auto rest = c.part(c.at, c.end);
    const auto text = rest.substr(0, length_of_complex(rest));
    std::int64_t re = 0, im = 0;
    if (text.empty() || !read_complex(text, re, im)) return r.malformed("a number");
    c.at += static_cast<std::int32_t>(text.size());
    return r.put(id, {.kind = argument_kind::complex, .text = text, .keyword = keyword}, owner);
}

constexpr bool read_number(fx_reader& r, argument_id id, node_id owner, std::string_view keyword) {
    auto& c = r.c;
    const auto from = c.at;
    const bool negative = c.peek() == '-';
    if (negative) ++c.at;
    const auto first = c.at;
    if (c.peek() == '0' && c.peek(1) >= '0' && c.peek(1) <= '9') return r.malformed("a number");
    std::uint64_t magnitude = 0;
    while (c.at < c.end && c.text[c.at] >= '0' && c.text[c.at] <= '9')
        magnitude = magnitude * 10 + static_cast<std::uint64_t>(c.text[c.at++] - '0');
    const char next = c.peek();
    if (next == 'j') {
        c.at = from;
        return read_complex_number(r, id, owner, keyword);
    }
    if (next != '.' && next != 'e' && next != 'i') {
        const std::uint64_t limit = (std::uint64_t{1} << 63) - (negative ? 0 : 1);
        if (c.at - first > 19 || magnitude > limit) {
            c.at = from;
            return r.malformed("an integer of 64 bits");
        }
        if (c.at == first || (negative && magnitude == 0)) {
            c.at = from;
            return r.malformed("a number");
        }
        const auto bits = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
        return r.put(id, {.kind = argument_kind::integer, .bits = bits, .keyword = keyword}, owner);
    }
    if (next == 'i') c.skip(name_char); // inf
    else c.skip(number_char);
    if (c.peek() == 'j') {
        c.at = from;
        return read_complex_number(r, id, owner, keyword);
    }
    argument a{.kind = argument_kind::real, .text = c.since(from), .keyword = keyword};
    if (!read_decimal(a.text, a.bits)) {
        c.at = from;
        return r.malformed("a number");
    }
    return r.put(id, a, owner);
}

} // namespace ahead::detail
