// SPDX-License-Identifier: MIT
// Blocks: the branches and loop bodies that a call holds, one for each argument of kind block. What goes over a graph
// and all that it holds asks here.
// Invariant: a block reads its own nodes and its parameters alone; what it needs from outside is an operand of the call
// that holds it, as in torch.ops.higher_order.cond(pred, true_graph_0, false_graph_0, [x, y]). In the pool of blocks
// the outer ones stand before those in them (verify.hpp).
// Called by verification, inference, passes and printers. A graph without blocks costs one look.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/ir/graph.hpp>

namespace AHEAD_NAMESPACE {

constexpr bool has_blocks(graph_view g) { return g.header().used.blocks > 0; }
/// Whether it is the graph itself, or a call holds it.
constexpr bool is_held(graph_view g, block_id b) { return b.index == 0 || g[b].owner.exists(); }

/// f(block_id) of each block that the call holds, in the order of its arguments.
template <class F> constexpr void for_each_block_of(graph_view g, const node& n, F f) {
    for (std::int32_t i = 0; i < n.arguments.count; ++i)
        if (const auto& a = g.argument_of(n, i); a.kind == argument_kind::block) f(a.block());
}
constexpr bool holds_blocks(graph_view g, const node& n) {
    bool any = false;
    if (has_blocks(g)) for_each_block_of(g, n, [&](block_id) { any = true; });
    return any;
}

/// f(graph) of the whole graph, then of every block in it, outer ones first, until one gives false. pre: g is the whole
/// graph.
template <bool Mutable, class F> constexpr bool for_each_graph(basic_graph<Mutable> g, F f) {
    for (block_id b{0}; b.index <= g.header().used.blocks; ++b.index)
        if (is_held(g, b) && !f(g.inside(b))) return false;
    return true;
}

/// The block that n stands in; the graph itself is block 0. Walks to the head of n's chain, also of a broken one.
constexpr block_id block_of(graph_view g, node_id n) {
    for (auto left = g.header().used.nodes; left > 0 && g[n].previous.exists(); --left) n = g[n].previous;
    for (block_id b{0}; b.index <= g.header().used.blocks; ++b.index)
        if (is_held(g, b) && g[b].first == n) return b;
    return {};
}

/// Refuses (control_flow_is_not_run) a call that holds blocks.
constexpr bool check_holds_none(graph_view g, node_id n, diagnosis& d) {
    if (!holds_blocks(g, g[n])) return true;
    short_text found("a call that holds");
    for_each_block_of(g, g[n], [&](block_id b) { found << " " << print(g[b].name).view(); });
    blame(d, g[n]);
    return refuse(d, fault::control_flow_is_not_run, "no branches and loops: torch.where, a loop written out", found);
}
/// The same of the first one in a graph. Asked wherever a graph is about to be run, lowered or planned.
constexpr bool check_has_no_blocks(graph_view g, diagnosis& d) {
    if (has_blocks(g))
        for (node_id id : g)
            if (!check_holds_none(g, id, d)) return false;
    return true;
}

} // namespace ahead
