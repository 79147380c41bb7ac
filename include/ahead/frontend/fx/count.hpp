// SPDX-License-Identifier: MIT
// How large a graph can be at most, from one quick look at its text: what sizes the pools before the text is parsed.
// Invariant: read_fx never needs more nodes or arguments than this; values are enough unless a call has many results
// that no line uses.
// Called by fx<> and by whoever parses at run time.
#pragma once
#include <ahead/frontend/fx/lexer.hpp>
#include <ahead/ir/graph.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

/// What one line holds outside strings and comments.
struct fx_line_count {
    std::int32_t commas = 0;
    std::int32_t early_commas = 0; // before the first "=" and bracket
    std::int32_t brackets = 0;
    std::int32_t equals = 0;
    bool parentheses = false;
    bool getitem = false;
    std::int32_t index = 0; // of the getitem
};

constexpr std::int32_t leading_integer(cursor c) {
    std::int32_t value = 0;
    while (c.is(digit_char) && value < 100'000) value = value * 10 + (c.text[c.at++] - '0');
    return value;
}

/// post: at the line's end.
constexpr fx_line_count count_fx_line(cursor& c) {
    fx_line_count n;
    const bool listing = c.peek() == '%';
    while (true) {
        c.skip_other(counted_char);
        const char found = c.peek();
        if (found == '\n' || found == '\0') return n;
        if (found == ',') {
            ++n.commas;
            if (n.equals + n.brackets == 0) ++n.early_commas;
        } else if (found == '=') ++n.equals;
        else if (found == '(' || found == '{') {
            ++n.brackets;
            n.parentheses = true;
        } else if (found == '[') {
            ++n.brackets;
            if (listing) {
                n.getitem = n.getitem || c.starts_with("[target=operator.getitem]") ||
                            c.starts_with("[target=_operator.getitem]") ||
                            c.starts_with("[target=<built-in function getitem>]");
            } else {
                cursor inside = c;
                ++inside.at;
                n.index = leading_integer(inside);
            }
        } else if (!listing) {
            if (found == '#' || found == ';') {
                c.skip_to('\n');
                return n;
            }
            if (found == '\'' || found == '"') c.skip_string();
        }
        if (c.at < c.end && c.peek() != '\n') ++c.at;
    }
}

} // namespace detail

constexpr capacity count_fx(std::string_view text) {
    detail::cursor c{text.data(), static_cast<std::int32_t>(text.size()), 0, 1};
    capacity total{.nodes = 1, .arguments = 1, .values = 16}; // the output; results that no line uses
    std::int32_t largest_index = 8;
    bool returned = false, defined = false, picked = false;
    while (!c.done()) {
        c.skip_spaces();
        const char first = c.peek();
        if (first == '\n' || first == '#') {
            c.next_line();
            continue;
        }
        if (first == 'G' && c.starts_with("Graph signature")) break;
        returned = returned || (first == 'r' && c.starts_with("return"));
        const bool definition = first == 'd' && c.starts_with("def ");
        if (definition && defined) { // of a block, with an output of its own
            returned = false;
            ++total.nodes;
            ++total.arguments;
        }
        defined = defined || definition;
        const auto n = detail::count_fx_line(c);
        if (returned) total.arguments += n.commas + n.brackets + 1;
        else if (definition) {
            total.nodes += n.commas + 1;
            total.arguments += n.equals;
        } else if (first == '%') {
            total.nodes += 1;
            if (n.parentheses) total.arguments += n.commas + n.brackets > 5 ? n.commas + n.brackets - 4 : 1;
        } else {
            total.nodes += 1 + n.early_commas;
            total.arguments += n.commas + n.brackets > 2 || n.equals == 0 ? n.commas + n.brackets
                                                                          : 2; // without "=": the rest of a call
        }
        const bool picks = !returned && (n.getitem || (first != '%' && n.brackets > 0 && !n.parentheses));
        if (picks) {
            // Results 0 to 8 are allowed for by the getitem of result 0, or one that follows no other, which may be the
            // call's only one; one more by each other getitem.
            total.values += n.index == 0 || !picked ? 8 : 1;
            if (n.index > largest_index) {
                total.values += n.index - largest_index;
                largest_index = n.index;
            }
        }
        picked = picks;
        c.next_line();
    }
    total.values += total.nodes;
    return total;
}

} // namespace ahead
