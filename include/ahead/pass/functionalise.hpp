// SPDX-License-Identifier: MIT
// In-place operators become functional ones: relu_(x) becomes relu(x), and later readers of x's bytes, through x or
// through another view, read the result. Where a reader sees more elements than were written, the writes are first
// scattered into the whole tensor (aten.as_strided_scatter) and the reader reads a view of that; in a graph with
// streams the scatter is inserted directly at the write. The graph also returns the last value of every input and
// weight that it wrote, marked with its target (argument::writes).
// Invariant: afterwards no node mutates a storage. pre: the graph is typed. Called first by compile/pipeline.hpp.
#pragma once
#include <ahead/ir/check_copied_views.hpp>
#include <ahead/pass/functionalise/functionaliser.hpp>

namespace AHEAD_NAMESPACE::pass {

/// The capacity that functionalise needs, where the graph writes.
constexpr capacity room_to_functionalise(graph_view g, op_table ops) {
    auto out = g.header().used;
    std::int32_t writes = 0;
    for (node_id id : g) writes += written_operand(g, g[id], ops) >= 0;
    if (writes == 0) return out;
    fixed_buffer<bool> written(out.values);
    for (node_id id : g)
        if (const auto operand = written_operand(g, g[id], ops); operand >= 0)
            written[g.value_of(g.argument_of(g[id], operand)).storage.index] = true;
    std::int32_t readers = 0;
    for (std::int32_t i = 0; i < g.header().used.arguments; ++i)
        if (const auto& a = g[argument_id{i}];
            a.kind == argument_kind::node && g.is_typed(a.node()) && written[g.value_of(a).storage.index])
            ++readers;
    const auto calls =
        readers + 4 * writes; // views of written tensors; scatters, conversions, expansions, strides
    const auto returned = g[g.last()].arguments;
    const auto children = returned.count == 1 ? g[returned[0]].children.count : 0;
    return {out.nodes + calls, out.arguments + calls * (5 + 2 * max_rank) + returned.count + children + writes + 1,
            out.values + calls};
}

/// Refuses the mutation of constants (constant_is_written), overlapping writes (in_place_needs_alias_analysis, as
/// infer_node does: types recorded by handles have not been through infer_node), writes that a view would see which is
/// a copy here (check_copied_views), and what the operators inserted for a write refuse, such as a write into a part of
/// an input that is not dense (view_needs_a_copy).
/// pre: the pools have room_to_functionalise.
constexpr bool functionalise(graph g, op_table ops, diagnosis& d) {
    for (node_id id : g)
        if (written_operand(g, g[id], ops) >= 0 && !infer_node(g, ops, id, d)) return false;
    return check_copied_views(g, ops, d) && ahead::detail::functionaliser(g, ops, d).run();
}

} // namespace ahead::pass
