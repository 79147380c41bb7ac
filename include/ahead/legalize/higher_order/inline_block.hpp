// SPDX-License-Identifier: MIT
// Moves the calls of a block in front of the call that holds it. Called by write_out.hpp, flex_attention.hpp.
// Invariant: afterwards the block's results refer to nodes outside the block; its parameters have no readers.
#pragma once
#include <ahead/ir/blocks.hpp>
#include <ahead/ir/edit.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Moves a node of `from` to `to`, before `position`, under a name that is unique in the text.
constexpr void move_into(graph from, graph to, node_id id, node_id position) {
    unlink_node(from, id);
    auto& n = to[id];
    n.name.number = id.index;
    n.previous = to[position].previous;
    n.next = position;
    (n.previous.exists() ? to[n.previous].next : to.first()) = id;
    to[position].previous = id;
}

/// given: the replacement of each parameter. first: set to the first call that was moved, if any. Refuses a wrong
/// number of parameters (block_parameters_differ).
constexpr bool inline_block(graph g, graph body, array_view<const node_id> given, node_id holder, node_id& first,
                            diagnosis& d) {
    std::size_t count = 0;
    for (node_id p : body) {
        if (g[p].kind != node_kind::placeholder) continue;
        if (count < given.size()) replace_all_uses(g, p, given[count]);
        ++count;
    }
    if (count != given.size())
        return refuse_at(d, g[holder], fault::block_parameters_differ, short_text() << given.size() << " parameters",
                         short_text() << count << " of " << print(g[body.own()].name).view());
    bool is_first = true;
    for (node_id inner = body.first(), next; inner.exists(); inner = next) {
        next = g[inner].next;
        if (g[inner].kind == node_kind::placeholder || g[inner].kind == node_kind::output) continue;
        if (is_first) first = inner;
        is_first = false;
        move_into(body, g, inner, holder);
    }
    return true;
}

} // namespace ahead::detail
