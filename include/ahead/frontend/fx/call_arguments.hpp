// SPDX-License-Identifier: MIT
// Reads the arguments of a call in Python text, positional ones and keywords. Called by statement.hpp.
// Invariant: the result has every argument between the brackets, in order.
#pragma once
#include <ahead/frontend/fx/values.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Reads the arguments of a call, after its "(": positional ones, then keyword = value. Also reads ")".
constexpr bool read_call_arguments(fx_reader& r, node& n, node_id owner) {
    auto& c = r.c;
    c.skip_blanks();
    const auto measured = c.measure();
    if (measured.close == c.end) return r.malformed("a closing bracket");
    if (!r.reserve(measured.elements, n.arguments)) return false;
    for (std::int32_t i = 0; i < measured.elements; ++i) {
        if (i > 0 && !next_element(r)) return false;
        const auto id = n.arguments[i];
        if (c.is(name_char) && !c.is(digit_char)) {
            const auto from = c.at;
            const auto first = c.name();
            if (c.accept(" = ") ? !read_value(r, id, owner, first) : !read_word(r, id, owner, {}, first, from))
                return false;
        } else if (!read_value(r, id, owner)) return false;
    }
    return read_close(r, ')');
}

} // namespace ahead::detail
