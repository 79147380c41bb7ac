// SPDX-License-Identifier: MIT
// Reads the line that unpacks the inputs, `a, b, = fx_pytree.tree_flatten_spec(...)`, and the one that declares them.
// Invariant: each unpacked name becomes one placeholder; they replace those of the signature. Called by readable.hpp.
#pragma once
#include <ahead/frontend/fx/text/annotation_text.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Refuses a line of declarations that does not declare the inputs of the next line in their order.
constexpr bool misplaced_declaration(fx_reader& r, cursor at) {
    r.c = at;
    r.about({});
    return r.malformed("the declaration of an input that the next line unpacks");
}

/// `a, b, = fx_pytree.tree_flatten_spec(...)`: these names are the inputs, not the parameters of the signature. An
/// earlier line has their annotations, `a: "f32[2]"; b: "f32[3]"; `; `declarations` is at that line, or done() if there
/// is none.
constexpr bool read_unpacking(fx_reader& r, std::int32_t from, cursor declarations) {
    auto& c = r.c;
    const bool declared = !declarations.done();
    c.at = from;
    const auto given = r.g.header().used.nodes;
    if (!r.style.flatten.empty() || r.g.own().exists())
        return r.malformed("a statement with one result; the inputs are unpacked already");
    for (std::int32_t i = 0; i < given; ++i)
        if (r.g[node_id{i}].kind != node_kind::placeholder || r.g[node_id{i}].use_count > 0)
            return r.malformed("a statement with one result; inputs are unpacked in the first line");
    r.forget_all();
    while (c.is(name_char)) {
        node n;
        n.kind = node_kind::placeholder;
        n.name = {c.name(), 0};
        n.target = n.name.text;
        n.from.line = c.line;
        r.about(n.name.text);
        if (declared) {
            const auto here = c;
            c = declarations;
            if (same_text(c.name(), n.name.text)) {
                if (!read_annotation_text(r, n.annotation, false)) return false;
                if (n.annotation.empty()) return r.malformed("an annotation");
                if (!r.expect(";")) return false;
                c.skip_spaces();
                declarations = c;
            }
            c = here;
        }
        if (!r.append(n)) return false;
        if (!r.expect(",")) return false;
        c.skip_spaces();
    }
    if (!r.expect("= fx_pytree.tree_flatten_spec(")) return false;
    const auto flattened = c.at;
    const auto line = c.rest_of_line(c.at);
    constexpr std::string_view ending = ", self._in_spec)";
    if (line.size() < ending.size() || line.substr(line.size() - ending.size()) != ending)
        return r.malformed("', self._in_spec)'");
    r.style.flatten = c.part(flattened, flattened + static_cast<std::int32_t>(line.size() - ending.size()));
    r.style.declared = declared;
    return !declared || declarations.peek() == '\n' || misplaced_declaration(r, declarations);
}

} // namespace ahead::detail
