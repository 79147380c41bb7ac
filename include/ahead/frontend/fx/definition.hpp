// SPDX-License-Identifier: MIT
// Reads the first line of Python text, `def forward(self, x: "f32[2]"):`.
// Invariant: each parameter becomes one placeholder. Called by readable.hpp.
#pragma once
#include <ahead/frontend/fx/text/annotation_text.hpp>

namespace AHEAD_NAMESPACE::detail {

/// pre: at "def". post: after the ":" and its line. Every parameter but self becomes a placeholder.
constexpr bool read_definition(fx_reader& r) {
    auto& c = r.c;
    auto& style = r.style;
    if (!r.expect("def ")) return false;
    style.function = c.name();
    if (same_text(style.function, "__init__"))
        return r.fail(fault::text_is_not_a_graph, "what PyTorch prints of a traced or exported model",
                      "the source of a model");
    if (!r.expect("(")) return false;
    const auto signature = c.at;
    style.expanded_signature = c.peek() == '\n';
    c.skip_blanks();
    if (!c.starts_with("self") || (c.peek(4) != ',' && c.peek(4) != ')')) return r.malformed("'self'");
    c.at += 4;
    while (true) {
        r.about({});
        if (c.accept(',')) {
            // The comment belongs to the parameter before it: PyTorch's description of the input.
            c.skip_spaces();
            const auto comment = c.at;
            if (c.peek() == '#') {
                c.skip_to('\n');
                if (r.g.last().exists()) r.g[r.g.last()].from.comment = c.since(comment);
            }
            c.skip_blanks();
        }
        if (c.peek() == ')') break;
        if (c.done()) return r.malformed("the signature's closing bracket");
        node n;
        n.kind = node_kind::placeholder;
        n.from.line = c.line;
        const auto owner = r.next_id();
        n.name = {c.name(), 0};
        n.target = n.name.text;
        r.about(n.name.text);
        if (n.name.text.empty()) return r.malformed("a parameter");
        if (!read_annotation_text(r, n.annotation, true)) return false;
        if (c.accept(" = ") && (!r.reserve(1, n.arguments) || !read_value(r, n.arguments[0], owner))) return false;
        if (!r.append(n)) return false;
        c.skip_blanks();
        if (c.peek() != ',' && c.peek() != ')') return r.malformed("',' or ')'");
    }
    style.flat_signature = c.since(signature);
    ++c.at;
    if (c.accept(" -> ")) {
        const auto rest = c.rest_of_line(c.at);
        if (rest.size() < 2 || rest.back() != ':') return r.malformed("a type and ':'");
        style.return_annotation = rest.substr(0, rest.size() - 1);
    } else {
        if (!c.accept(':')) return r.malformed("':'");
        c.skip_spaces();
        if (!c.done() && c.peek() != '\n' && c.peek() != '#') return r.malformed("the end of the line");
    }
    c.next_line();
    return true;
}

} // namespace ahead::detail
