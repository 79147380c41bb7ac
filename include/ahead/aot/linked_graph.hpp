// SPDX-License-Identifier: MIT
// A graph written in sources, which omit everything that can be derived from the rest: a node does not name its next
// node if that is the following one in the pool, never its previous node or its uses; arguments do not name the node
// that they belong to. Heads of blocks name their first and their last node. Called by sources that generate/ writes.
// Invariant: uses are listed in program order. pre: entries of the pool that are neither nodes of the graph nor heads
// of its blocks have no name
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/blocks.hpp>
#include <ahead/ir/edit.hpp>

namespace AHEAD_NAMESPACE::aot {

namespace detail {
constexpr void own_arguments(graph g, id_range<argument_id> all, node_id owner) {
    argument* arguments = g.argument_pool();
    for (auto i = all.first; i < all.first + all.count; ++i) {
        arguments[i].owner = owner;
        if (arguments[i].kind == argument_kind::node || arguments[i].kind == argument_kind::block)
            ahead::detail::link_use(g, {i});
        else if (arguments[i].children.count > 0) own_arguments(g, arguments[i].children, owner);
    }
}
} // namespace detail

/// The complete graph, with all links filled in.
template <class Storage> constexpr Storage linked(Storage said) {
    const graph g = said.edit();
    node* nodes = g.node_pool();
    const auto count = g.header().used.nodes;
    fixed_buffer<bool> is_last(count); // of the graph, or of a block
    if (g.last().exists()) is_last[g.last().index] = true;
    for (std::int32_t i = 0; i < count; ++i)
        if (nodes[i].kind == node_kind::block && nodes[i].previous.exists()) is_last[nodes[i].previous.index] = true;
    node_id following;
    for (auto i = count - 1; i >= 0; --i) {
        if (nodes[i].name.text.empty() || nodes[i].kind == node_kind::block) continue;
        if (!nodes[i].next.exists() && !is_last[i]) nodes[i].next = following;
        following = {i};
    }
    const auto link = [&](graph in) {
        node_id before;
        for (node_id id : in) {
            in[id].previous = before;
            detail::own_arguments(in, in[id].arguments, id);
            before = id;
        }
    };
    link(g);
    for (auto b = next_block(g); b.exists(); b = next_block(g, b)) link(g.inside(b));
    return said;
}

} // namespace ahead::aot
