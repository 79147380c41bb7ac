// SPDX-License-Identifier: MIT
// Tensor elements that a text reads as numbers, item: "Sym(zuf0)". Called by host_numbers.hpp, bind_symbols.hpp.
#pragma once
#include <ahead/ir/graph.hpp>
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Whether the call reads the single element of a tensor as a number.
constexpr bool is_item(const node& n) {
    return n.kind == node_kind::call &&
           (same_name(n.target, "aten.item.default") || same_name(n.target, "aten._local_scalar_dense.default"));
}
constexpr bool has_items(graph_view g) {
    for (node_id id : g)
        if (is_item(g[id])) return true;
    return false;
}

} // namespace ahead::detail
