// SPDX-License-Identifier: MIT
// Calls that give all elements of their operand in the same row-major order, with other sizes. Called by passes that
// look through such calls for the call that computes the elements.
#pragma once
#include <ahead/ir/graph.hpp>
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// The operand whose elements n has in the same row-major order; none if n is not such a call.
constexpr node_id reshaped_from(graph_view g, node_id n) {
    const auto& call = g[n];
    if (call.kind != node_kind::call || call.values.count != 1 || call.arguments.count == 0) return {};
    const auto& from = g.argument_of(call, 0);
    if (from.kind != argument_kind::node || element_count(g.value_of(from).type) != element_count(g.value_of(n).type))
        return {};
    for (std::string_view op : {"aten.view.default", "aten.expand.default", "aten.reshape.default",
                                "aten._unsafe_view.default", "aten.clone.default", "aten.unsqueeze.default",
                                "aten.squeeze.dims", "aten.squeeze.dim", "aten.flatten.using_ints"})
        if (same_name(call.target, op)) return from.node();
    return {};
}

} // namespace ahead::pass::detail
