// SPDX-License-Identifier: MIT
// Reads the returned values of a text: the output node, with one argument. Called by the readers of the individual
// forms.
// Invariant: a tuple, a list and a single value keep their kind; PyTorch's comment on a result is kept with it.
#pragma once
#include <ahead/frontend/fx/values.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Reads one result per line, each with PyTorch's comment: `add,  # PlainAOTOutput(idx=0)`. The comment becomes the
/// argument's text.
constexpr bool read_described_elements(fx_reader& r, argument_id id, node_id owner) {
    auto& c = r.c;
    const bool tuple = c.accept('(');
    if (!tuple) ++c.at;
    const auto measured = c.measure();
    if (measured.close == c.end) return r.malformed("a closing bracket");
    argument all{.kind = tuple ? argument_kind::tuple : argument_kind::list};
    if (!r.reserve(measured.elements, all.children)) return false;
    for (std::int32_t i = 0; i < all.children.count; ++i) {
        c.skip_blanks();
        if (!read_value(r, all.children[i], owner)) return false;
        if (!r.expect(",")) return false;
        c.skip_spaces();
        if (c.peek() == '#') {
            const auto from = c.at;
            c.skip_to('\n');
            if (r.g[all.children[i]].text.empty()) r.g[all.children[i]].text = c.since(from);
        }
    }
    c.skip_blanks();
    return (c.accept(tuple ? ')' : ']') || r.malformed("the closing bracket of the results")) && r.put(id, all, owner);
}

constexpr node output_node() {
    node n;
    n.kind = node_kind::output;
    n.name.text = "output";
    n.target = "output";
    return n;
}

/// After "return ": reads the output node. Its one argument is the returned value: a tuple, a list or a single value,
/// as in FX.
constexpr bool read_results(fx_reader& r, std::int32_t line) {
    auto& c = r.c;
    r.about("output");
    node n = output_node();
    n.from.line = line;
    const auto owner = r.next_id();
    r.listing = false;
    if (!r.reserve(1, n.arguments)) return false;
    r.style.unflatten = c.accept("pytree.tree_unflatten(");
    r.style.expanded_return = (c.peek() == '(' || c.peek() == '[') && c.peek(1) == '\n';
    if (r.style.expanded_return ? !read_described_elements(r, n.arguments[0], owner)
                                : !read_value(r, n.arguments[0], owner))
        return false;
    if (r.g[n.arguments[0]].kind == argument_kind::word) return r.malformed("results, not a word");
    if (r.style.unflatten && !r.expect(", self._out_spec)")) return false;
    c.skip_spaces();
    if (c.accept('\n')) ++c.line;
    else if (!c.done()) return r.malformed("the end of the line");
    return r.append_unnamed(n);
}

/// For a text without return line: the graph returns nothing.
constexpr bool read_no_results(fx_reader& r) {
    auto& c = r.c;
    node n = output_node();
    n.from.line = c.line;
    const auto owner = r.next_id();
    if (!r.reserve(1, n.arguments)) return false;
    r.put(n.arguments[0], {.kind = argument_kind::tuple}, owner);
    r.style.returns = false;
    return r.append_unnamed(n);
}

} // namespace ahead::detail
