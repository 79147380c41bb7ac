// SPDX-License-Identifier: MIT
// The types of a printed graph. Inductor prints views that PyTorch copies where the strides do not allow them: such a
// view is a reshape, which says that it may copy. Called by fx.hpp, program/inspect_fx.hpp.
// Invariant: only of a graph that writes nothing, in which a copy is told from a view by nobody; elsewhere such a view
// is refused, as PyTorch does.
#pragma once
#include <ahead/aten/shape/view_to_reshape.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

/// The first call without a type; none where all have one.
constexpr node_id first_untyped(graph_view g) {
    for (node_id id : g)
        if (g[id].kind == node_kind::call && !g.is_typed(id)) return id;
    return {};
}

} // namespace detail

/// As infer_types.
constexpr bool infer_printed_types(graph g, op_table ops, diagnosis& d, node_id from = {}, node_id end = {}) {
    if (infer_types(g, ops, d, from, end)) return true;
    while (d.what == fault::view_needs_a_copy && !has_in_place(g, ops)) {
        const auto id = detail::first_untyped(g);
        if (!id.exists() || (g[id].target != "aten.view.default" && g[id].target != "aten._unsafe_view.default") ||
            !aten::make_reshape(g, ops, id))
            return false;
        d = {};
        if (infer_types(g, ops, d, id, end)) return true;
    }
    return false;
}

} // namespace ahead
