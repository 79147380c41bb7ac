// SPDX-License-Identifier: MIT
// Reads the body of Python text as print_readable(), gm.code and print(ExportedProgram) show it: statements, `return`.
// Invariant: comments and declarations create no nodes. Called by read_fx.
#pragma once
#include <ahead/frontend/fx/definition.hpp>
#include <ahead/frontend/fx/deletions.hpp>
#include <ahead/frontend/fx/results.hpp>
#include <ahead/frontend/fx/statement.hpp>
#include <ahead/frontend/fx/unpacking.hpp>

namespace AHEAD_NAMESPACE::detail {

/// pre: at the body's first line. post: after the return line.
constexpr bool read_body(fx_reader& r) {
    auto& c = r.c;
    const auto body = c;
    std::string_view comment;
    cursor declarations = c;
    declarations.at = c.end;
    fx_tail tail = fx_tail::nothing;
    bool first = true;
    while (true) {
        const auto line = c.at;
        c.skip_spaces();
        const char next = c.peek();
        if (!declarations.done() && next != '\n' && next != '#') {
            cursor unpacking = c;
            unpacking.name();
            if (unpacking.peek() != ',') return misplaced_declaration(r, declarations);
        }
        if (c.done()) {
            r.about({});
            r.style.tail = tail == fx_tail::deletions ? deletions_of(r) : tail;
            if (!deletes_all(r, body))
                return r.fail(fault::text_has_no_return, "a line 'return ...'", "the end of the text");
            return read_no_results(r);
        }
        if (next == '\n') {
            c.next_line();
            continue;
        }
        if (next == '#') {
            const auto from = c.at + (c.peek(1) == ' ' ? 2 : 1);
            c.next_line();
            const auto to = c.at > line && c.text[c.at - 1] == '\n' ? c.at - 1 : c.at;
            comment = c.part(from < to ? from : to, to);
            r.style.file_comments = true;
            continue;
        }
        if (first) r.style.body_indent = c.at - line;
        first = false;
        if (next == 'r' && c.accept("return ")) {
            if (!read_results(r, c.line)) return false;
            r.style.tail = tail == fx_tail::deletions ? deletions_of(r) : tail;
            return true;
        }
        node n;
        n.from.line = c.line;
        n.from.comment = comment;
        const auto from = c.at;
        n.name = {c.name(), 0};
        r.about(n.name.text);
        if (n.name.text.empty()) return r.malformed("a statement, 'name = ...', or 'return'");
        if (c.peek() == ',') {
            if (!read_unpacking(r, from, declarations)) return false;
            declarations.at = c.end;
            c.next_line();
            continue;
        }
        if (c.peek() == ':' && !read_annotation_text(r, n.annotation, false)) return false;
        if (c.peek() == ';' && !n.annotation.empty()) {
            declarations = c;
            declarations.at = from;
            c.next_line();
            continue;
        }
        if (!r.expect(" = ")) return false;
        bool no_node = false;
        if (!read_right_side(r, n, no_node)) return false;
        if (!(no_node || r.append(n)) || !read_tail(r, tail)) return false;
    }
}

} // namespace ahead::detail
