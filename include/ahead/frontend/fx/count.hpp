// SPDX-License-Identifier: MIT
// Upper bounds of a graph's size from one quick scan of its text; they size the pools before the text is parsed.
// Invariant: read_fx never needs more nodes or arguments than this; values are enough unless a call has many results
// that no line uses, or more than 10,000.
// Called by fx<> and by code that parses at run time.
#pragma once
#include <ahead/frontend/fx/text/lexer.hpp>
#include <ahead/ir/graph.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Counts of one line, outside strings and comments.
struct fx_line_count {
    std::int32_t commas = 0;
    std::int32_t early_commas = 0; // before the first "=" and bracket
    std::int32_t brackets = 0;
    std::int32_t equals = 0;
    bool parentheses = false;
    bool getitem = false;
    std::int32_t index = 0;   // of the getitem
    std::int32_t bracket = 0; // position of that bracket in the text
};

/// Whether the same name precedes both positions of the text.
constexpr bool same_name_before(const char* text, std::int32_t a, std::int32_t b) {
    while (--a >= 0 && --b >= 0 && text[a] == text[b])
        if (text[a] == ' ') return true;
    return false;
}

/// Reads an integer; 0 if it has more than four digits, so that a typing error in an index does not reserve much
/// memory.
constexpr std::int32_t leading_integer(cursor c) {
    std::int32_t value = 0;
    while (c.is(digit_char) && value < 10'000) value = value * 10 + (c.text[c.at++] - '0');
    return value < 10'000 ? value : 0;
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
                n.bracket = c.at;
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

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

constexpr capacity count_fx(std::string_view text) {
    detail::cursor c{text.data(), static_cast<std::int32_t>(text.size()), 0, 1};
    capacity total{.nodes = 1, .arguments = 1, .values = 16}; // the output; results that no line uses
    std::int32_t picked = 0, allowed = 0;                     // the last line's getitem; results counted for its call
    bool returned = false, defined = false, in_blocks = false;
    capacity before_blocks{};
    std::int32_t shared = 0, shared_in_blocks = 0; // calls that may share a class, which is read once per call
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
        if (first == 'i' && c.starts_with("invoke_subgraph")) ++(in_blocks ? shared_in_blocks : shared);
        if (definition && defined) { // of a block, which has an additional output
            if (!in_blocks) before_blocks = total;
            in_blocks = true;
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
        if (!returned && (n.getitem || (first != '%' && n.brackets > 0 && !n.parentheses))) {
            // Eight results are reserved for a call, by the first line that takes one of them, which may be the only
            // one, and more if a higher index is used.
            if (n.getitem || picked == 0 || !detail::same_name_before(c.text, picked, n.bracket)) {
                total.values += 8;
                allowed = 8;
            }
            if (n.index >= allowed) {
                total.values += n.index + 1 - allowed;
                allowed = n.index + 1;
            }
            picked = n.bracket;
        }
        c.next_line();
    }
    if (in_blocks && shared + shared_in_blocks > 1) {
        const auto copies = (shared > 1 ? shared : 1) * (1 + shared_in_blocks);
        const auto grow = [&](std::int32_t before, std::int32_t all) { return before + (all - before) * copies; };
        total = {grow(before_blocks.nodes, total.nodes), grow(before_blocks.arguments, total.arguments),
                 grow(before_blocks.values, total.values)};
    }
    total.values += total.nodes;
    return total;
}

} // namespace ahead::frontend
