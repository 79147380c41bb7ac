// SPDX-License-Identifier: MIT
// Inserts the right side of a rule in place of a match.
// Invariant: the matched calls are erased, except those with other readers. Called by pass/rewrite.hpp.
#pragma once
#include <ahead/pass/editor.hpp>
#include <ahead/pass/rewrite/match.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// Writes an expression of a pattern into a graph, with each operand replaced by its bound argument.
class expansion {
public:
    /// By node of the pattern: `bound`, the argument of an operand, and `computed`, those that are not arguments of the
    /// graph.
    constexpr expansion(graph_view pattern, array_view<const argument* const> bound, graph_editor& g,
                        array_view<const computed_value> computed = {})
        : pattern_(pattern), bound_(bound), computed_(computed), g_(g), made_(pattern.header().used.nodes) {}

    constexpr bool make(node_id p, argument& out) {
        if (pattern_[p].kind == node_kind::placeholder) {
            out = *bound_[static_cast<std::size_t>(p.index)];
            out.keyword = {};
            return true;
        }
        if (!made_[p.index].exists()) {
            const auto& n = pattern_[p];
            argument given[most], elements[most];
            std::int32_t used = 0;
            if (n.arguments.count > most) return false;
            for (std::int32_t i = 0; i < n.arguments.count; ++i) {
                const auto& a = pattern_.argument_of(n, i);
                if (!make_argument(a, given[i])) return false;
                given[i].keyword = a.keyword;
                const bool is_operand = a.kind == argument_kind::node; // then a list is in the graph
                const auto list = given[i].children;
                if (list.count == 0) continue;
                if (used + list.count > most) return false;
                given[i].children = {used, list.count};
                for (std::int32_t k = 0; k < list.count; ++k, ++used) {
                    if (is_operand) elements[used] = element(a.node(), list[k], k);
                    else if (!make_argument(pattern_[list[k]], elements[used])) return false;
                }
            }
            made_[p.index] =
                g_.call(n.target, array_view<const argument>(given, static_cast<std::size_t>(n.arguments.count)),
                        array_view<const argument>(elements));
        }
        out = argument::of(made_[p.index]);
        return made_[p.index].exists();
    }

private:
    static constexpr std::int32_t most = 32; // arguments of one call, elements of lists included

    graph_view pattern_;
    array_view<const argument* const> bound_;
    array_view<const computed_value> computed_;
    graph_editor& g_;
    fixed_buffer<node_id> made_; // by node of the pattern

    /// Element k of the list bound to an operand; `in_graph`: its id, if it is in the graph.
    constexpr argument element(node_id p, argument_id in_graph, std::int32_t k) const {
        const auto at = static_cast<std::size_t>(p.index);
        const bool is_computed = !computed_.empty() && bound_[at] == &computed_[at].value;
        return is_computed ? argument::of(computed_[at].elements[k]) : g_.view()[in_graph];
    }
    constexpr bool make_argument(const argument& a, argument& out) {
        if (a.kind == argument_kind::node) return make(a.node(), out);
        out = a;
        return true;
    }
};

/// Replaces a match by the right side of the rule.
template <std::size_t Size>
constexpr void put_in_place(graph_view pattern, const match& found, const pass::equation<Size>& sides,
                            graph_editor& g) {
    g.inserting_before(found.place());
    expansion right(pattern, found.operands(), g, found.computed());
    argument now[Size];
    for (std::size_t k = 0; k < Size; ++k)
        if (found.found(sides.left[k]).exists() && (!right.make(sides.right[k], now[k]) || !g.ok())) return;
    for (std::size_t k = 0; k < Size; ++k)
        if (const auto n = found.found(sides.left[k]); n.exists() && !g.replace_node(n, now[k])) return;
    for (bool erased = true; erased;) { // calls that only these read
        erased = false;
        for (node_id p : pattern) {
            const auto n = found.found(p);
            if (!n.exists() || g[n].erased || g.use_count(n) > 0) continue;
            g.erase_node(n);
            erased = true;
        }
    }
}

} // namespace ahead::pass::detail
