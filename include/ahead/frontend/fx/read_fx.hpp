// SPDX-License-Identifier: MIT
// Parses a printout of PyTorch into a graph: print(gm.graph), print_readable(), gm.code, print(ExportedProgram).
// Invariant: accepted text prints back unchanged (print_fx), except for blanks, comments and guards; a refusal names
// its line.
// Called by fx<> at compile time and by programs that read graphs at run time. No heap. Names and texts of the graph
// are views of `text`.
#pragma once
#include <ahead/frontend/fx/blocks.hpp>
#include <ahead/frontend/fx/count.hpp>
#include <ahead/frontend/fx/listing.hpp>
#include <ahead/frontend/fx/signature.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Moves to the line where the graph starts, and determines the form. Only comments, log titles and class lines may
/// come before it.
constexpr bool find_start(fx_reader& r) {
    auto& c = r.c;
    auto& style = r.style;
    bool seen_class = false;
    bool seen_text = false;
    while (!c.done()) {
        const auto line = c.at;
        c.skip_spaces();
        const char first = c.peek();
        if (first == 'E' && c.starts_with("ExportedProgram:")) style.form = fx_form::exported;
        else if (first == 'd' && c.starts_with("def ")) {
            style.preamble = c.part(0, line);
            style.def_indent = c.at - line;
            style.body_indent = style.def_indent + 4;
            return true;
        } else if (first != '\n' && first != '#') {
            const auto text = c.rest_of_line(c.at);
            constexpr std::string_view start = "graph():";
            if (text.size() >= start.size() && text.substr(text.size() - start.size()) == start &&
                !starts_with(text, "return ")) {
                style.form = fx_form::listing;
                style.preamble = c.part(0, line);
                style.prefix = text.substr(0, text.size() - start.size());
                return true;
            }
            const bool is_class = first == 'c' && c.starts_with("class ");
            // A model printed before its code, or a title: these lines are kept unchanged. A log prefix on every line
            // is not.
            const auto class_inside = text.find(" class ");
            const auto def_inside = text.find(" def ");
            if (!is_class && (class_inside != text.npos || def_inside != text.npos))
                return r.fail(fault::text_is_not_a_graph, "'class', 'def' or 'graph():' at the start of a line",
                              r.here());
            if (seen_class && !is_class) return r.malformed("'def' after the class line");
            if (first == '%' || starts_with(text, "return ") || text.find(" = ") != text.npos)
                return r.fail(fault::text_is_not_a_graph, "'graph():' or 'def forward(...):' before this line",
                              r.here());
            seen_class = seen_class || is_class;
            seen_text = true;
        }
        c.next_line();
    }
    if (style.form == fx_form::exported || seen_class)
        return r.fail(fault::text_has_no_return, "'def forward(...):' and the lines up to its return",
                      "the end of the text");
    c.line = 1;
    c.at = 0;
    for (c.skip_spaces(); seen_text && c.peek() == '\n'; c.skip_spaces())
        c.next_line(); // to the first line with content
    return r.fail(fault::text_is_not_a_graph, "'graph():', 'ExportedProgram:', 'class ...:' or 'def forward(...):'",
                  seen_text ? r.here() : short_text("an empty text"));
}

/// After the results: only blank lines and comments are allowed.
constexpr bool read_end(fx_reader& r) {
    auto& c = r.c;
    r.about({});
    while (true) {
        c.skip_spaces();
        if (c.done()) return true;
        if (c.peek() != '\n' && c.peek() != '#') return r.malformed("the end of the text after its results");
        c.next_line();
    }
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// Reads `text` into `g`, which must be empty; count_fx gives the required pool sizes. Operators that `ops` lacks stay
/// none(): typing refuses them. post (true): the last node is the output, whose one argument is the returned value: a
/// tuple, a list or a single value. post (false): `d` has the line, operator, name and what was expected.
constexpr bool read_fx(std::string_view text, op_table ops, graph g, fx_style& style, diagnosis& d) {
    style = {};
    detail::fx_reader r(text, ops, g, style, d);
    if (!detail::find_start(r)) return false;
    if (style.form == fx_form::listing) {
        if (!detail::read_listing(r) || !detail::read_end(r)) return false;
    } else {
        if (!detail::read_definition(r) || !detail::read_body(r) || !detail::read_blocks(r, 0)) return false;
        if (style.form == fx_form::exported ? !detail::signature_reader(r).read() : !detail::read_end(r)) return false;
    }
    r.finish();
    return true;
}

} // namespace ahead::frontend
