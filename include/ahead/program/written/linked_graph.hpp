// SPDX-License-Identifier: MIT
// A graph that stands in sources, where only what cannot be told from the rest is written: its nodes say no next one
// where that is the following one of the pool, none before them, and nobody who uses them; arguments do not say whose
// they are. Called by sources that io/generate/ writes.
// Invariant: uses are listed in program order. pre: the graph holds no blocks; places of the pool that are not its
// nodes have no name
#pragma once
#include <ahead/ir/edit.hpp>

namespace AHEAD_NAMESPACE::written {

namespace detail {
constexpr void own_arguments(graph g, id_range<argument_id> all, node_id owner) {
    argument* arguments = g.argument_pool();
    for (auto i = all.first; i < all.first + all.count; ++i) {
        arguments[i].owner = owner;
        if (arguments[i].kind == argument_kind::node) ahead::detail::link_use(g, {i});
        else if (arguments[i].children.count > 0) own_arguments(g, arguments[i].children, owner);
    }
}
} // namespace detail

/// The graph, whole.
template <class Storage> constexpr Storage linked(Storage said) {
    const graph g = said.edit();
    node* nodes = g.node_pool();
    const auto last = g.last().index;
    node_id following;
    for (auto i = g.header().used.nodes - 1; i >= 0; --i) {
        if (nodes[i].name.text.empty()) continue;
        if (!nodes[i].next.exists() && i != last) nodes[i].next = following;
        following = {i};
    }
    node_id before;
    for (node_id id : g) {
        g[id].previous = before;
        detail::own_arguments(g, g[id].arguments, id);
        before = id;
    }
    return said;
}

} // namespace ahead::written
