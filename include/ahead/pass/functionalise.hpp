// SPDX-License-Identifier: MIT
// In-place operators become functional ones: relu_(x) becomes relu(x), and what read x afterwards reads the result. Only where alias
// analysis shows that nobody reads the old bytes by another name later; else the operator is refused, because renaming alone would be wrong.
// Invariant: afterwards no node mutates a storage. pre: the graph is typed. Called first by npu/compiled.hpp.
#pragma once
#include <ahead/ir/infer.hpp>

namespace ahead {

/// Whether any call of the graph writes into an operand.
constexpr bool has_in_place(graph_view g, op_table ops) {
    for (node_id id : g)
        if (g[id].kind == node_kind::call && g[id].op.exists() && ops[static_cast<std::size_t>(g[id].op.index)].effect.mutates >= 0) return true;
    return false;
}

namespace detail {

/// "aten.relu.default" for "aten.relu_.default".
constexpr op_id functional_form(op_table ops, std::string_view name) {
    const auto dot = name.rfind('.');
    if (dot == name.npos || dot == 0 || name[dot - 1] != '_') return {};
    short_text spelled;
    spelled << name.substr(0, dot - 1) << name.substr(dot);
    return find_op(ops, spelled.view());
}

} // namespace detail

/// Refuses (in_place_needs_alias_analysis) the mutation of inputs and parameters, and of tensors that a view made earlier still reads.
constexpr bool functionalise(graph g, op_table ops, diagnosis& d) {
    for (node_id id : g) {
        auto& n = g[id];
        if (n.kind != node_kind::call) continue;
        const auto mutated = ops[static_cast<std::size_t>(n.op.index)].effect.mutates;
        if (mutated < 0) continue;
        const auto refuse_here = [&](std::string_view expected, short_text found) {
            d.line = n.from.line;
            d.op = n.target;
            d.name = print(n.name);
            return refuse(d, fault::in_place_needs_alias_analysis, expected, found);
        };
        const auto functional = detail::functional_form(ops, n.target);
        if (!functional.exists()) return refuse_here("an operator with a functional form", n.target);
        const auto& self = g.argument_of(n, mutated);
        const auto self_node = self.node();
        const auto storage = g.value_of(self).storage;
        if (is_external(g, storage)) return refuse_here("a tensor made by the graph", print(g[self_node].name));
        if (g.value_of(self).type != g[storage].type) return refuse_here("the whole tensor", short_text("a view: ") << print(g[self_node].name).view());
        // Later readers of the storage: by `self` itself they get the result; by any other name they are refused.
        for (node_id later = n.next; later.exists(); later = g[later].next) {
            for (std::int32_t i = 0; i < g[later].arguments.count; ++i) {
                const auto check = [&](const argument& a) {
                    if (a.kind != argument_kind::node || !g.is_typed(a.node()) || a.result >= g[a.node()].values.count) return true;
                    const bool same = g.value_of(a).storage == storage;
                    if (!same || a.node() == self_node || a.node() == id) return true;
                    for (node_id made = n.next; made.exists(); made = g[made].next)
                        if (made == a.node()) return true; // a view of the result, taken after the mutation
                    return refuse_here("no later reader of the old bytes", print(g[a.node()].name));
                };
                const auto& a = g.argument_of(g[later], i);
                if (!check(a)) return false;
                for (std::int32_t k = 0; k < a.children.count; ++k)
                    if (!check(g[a.children[k]])) return false;
            }
        }
        // Redirect the uses of self behind this node.
        for (argument_id use = g[self_node].first_use; use.exists();) {
            const auto next = g[use].next_use;
            bool behind = false;
            for (node_id later = n.next; later.exists() && !behind; later = g[later].next) behind = later == g[use].owner;
            if (behind) {
                auto moved = g[use];
                moved.bits = id.index;
                moved.result = 0;
                set_argument(g, use, moved, moved.owner);
            }
            use = next;
        }
        n.op = functional;
        n.target = ops[static_cast<std::size_t>(functional.index)].name;
        n.from.made_by = "functionalise";
    }
    return infer_types(g, ops, d);
}

} // namespace ahead
