// SPDX-License-Identifier: MIT
// Edits a graph: append or insert nodes, set their arguments, redirect uses, erase. Used by frontends, converters and
// passes. A block is edited as a graph: positions are nodes of g.inside(b).
// Invariant: after every call the use lists are exact, so users_of and use_count cost nothing to read.
// A full pool is a fault (graph_exceeds_capacity), reported through the diagnosis; nothing is lost.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/graph.hpp>

namespace AHEAD_NAMESPACE::detail {

constexpr void link_use(graph g, argument_id id) {
    argument* arguments = g.argument_pool();
    auto& a = arguments[id.index];
    auto& used = g.node_pool()[a.bits];
    const auto last = used.last_use;
    a.previous_use = last;
    a.next_use = {};
    (used.use_count++ == 0 ? used.first_use : arguments[last.index].next_use) = id;
    used.last_use = id;
}
/// Writes an argument into an empty slot, in one assignment of the whole, which costs least in constant evaluation.
constexpr void place_argument(argument* arguments, node* nodes, argument_id id, argument& a) {
    if (a.kind == argument_kind::node) {
        auto& used = nodes[a.bits];
        const auto last = used.last_use;
        a.previous_use = last;
        a.next_use = {};
        (used.use_count++ == 0 ? used.first_use : arguments[last.index].next_use) = id;
        used.last_use = id;
    }
    arguments[id.index] = a;
}
constexpr void unlink_use(graph g, argument_id id) {
    argument* arguments = g.argument_pool();
    const auto& a = arguments[id.index];
    auto& used = g.node_pool()[a.bits];
    if (a.previous_use.index >= 0) arguments[a.previous_use.index].next_use = a.next_use;
    else used.first_use = a.next_use;
    if (a.next_use.index >= 0) arguments[a.next_use.index].previous_use = a.previous_use;
    else used.last_use = a.previous_use;
    --used.use_count;
}
/// Resets pool entries to their initial state. In constant evaluation they are in that state already.
template <class T> constexpr void make_new(T* pool, std::int32_t first, std::int32_t count) {
    if (std::is_constant_evaluated()) return;
    for (auto i = first; i < first + count; ++i) pool[i] = {};
}

/// Notes what result k of `from` was replaced by, so that it can be found after `from` is erased.
constexpr void set_replaced(graph g, node_id from, std::int32_t k, node_id to, std::int32_t result) {
    if (k >= g[from].values.count || result >= g[to].values.count) return;
    const auto of = g[from].values[k], by = g[to].values[result];
    if (g[of].kind == value_kind::unknown || g[by].kind == value_kind::unknown) return; // entries not written yet
    g[of].replaced_by = by;
    g[by].replaced_by = {}; // it is read now, so that no chain returns to where it began
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// Takes `count` consecutive arguments from the pool. They are None until set.
constexpr bool reserve_arguments(graph g, std::int32_t count, id_range<argument_id>& out, diagnosis& d) {
    auto& used = g.header().used.arguments;
    if (used + count > g.room().arguments)
        return refuse(d, fault::graph_exceeds_capacity, short_text() << g.room().arguments << " arguments", "more");
    out = {used, count};
    detail::make_new(g.argument_pool(), used, count);
    used += count;
    return true;
}

/// Sets one reserved argument. post: if it refers to a node, it is in that node's list of uses.
constexpr void set_argument(graph g, argument_id id, argument a, node_id owner) {
    argument* arguments = g.argument_pool();
    if (arguments[id.index].kind == argument_kind::node) detail::unlink_use(g, id);
    a.owner = owner;
    detail::place_argument(arguments, g.node_pool(), id, a);
}

/// Inserts a copy of `n` before `position`, or at the end if position is none. Set its arguments with
/// reserve_arguments/set_argument.
constexpr bool insert_node(graph g, node n, node_id position, node_id& out, diagnosis& d) {
    auto& header = g.header();
    const auto place = header.used.nodes;
    if (place == g.room().nodes)
        return refuse(d, fault::graph_exceeds_capacity, short_text() << g.room().nodes << " nodes", "more");
    out.index = place;
    header.used.nodes = place + 1;
    ++header.live_nodes;
    node* nodes = g.node_pool();
    auto& behind = position.index >= 0 ? nodes[position.index].previous : g.last();
    n.previous = behind;
    n.next = position;
    behind = out;
    nodes[place] = n;
    (n.previous.index >= 0 ? nodes[n.previous.index].next : g.first()) = out;
    return true;
}
constexpr bool append_node(graph g, const node& n, node_id& out, diagnosis& d) { return insert_node(g, n, {}, out, d); }

/// Gives the node `count` untyped results in the value pool.
constexpr bool reserve_values(graph g, node_id n, std::int64_t count, diagnosis& d) {
    auto& used = g.header().used.values;
    if (count > g.room().values - used)
        return refuse(d, fault::graph_exceeds_capacity, short_text() << g.room().values << " values", "more");
    auto& values = g.node_pool()[n.index].values;
    values.first = used;
    values.count = static_cast<std::int32_t>(count);
    detail::make_new(g.values().data(), values.first, values.count);
    used += values.count;
    return true;
}

/// A call with flat arguments, in one step: op, arguments, name. Used by converters, passes and the handles.
constexpr bool insert_call(graph g, node n, array_view<const argument> arguments, node_id position, node_id& out,
                           diagnosis& d) {
    n.kind = node_kind::call;
    if (!reserve_arguments(g, static_cast<std::int32_t>(arguments.size()), n.arguments, d) ||
        !insert_node(g, n, position, out, d))
        return false;
    for (std::int32_t i = 0; i < n.arguments.count; ++i)
        set_argument(g, n.arguments[i], arguments[static_cast<std::size_t>(i)], out);
    return true;
}

/// Redirects every argument that reads `from` to result `result` of `to`, or, if `from` has several results, to the
/// result of the same number. Arguments of the node `except` are not changed. No effect if `to` is `from`. O(uses).
constexpr void replace_all_uses(graph g, node_id from, node_id to, std::int32_t result = 0, node_id except = {}) {
    if (from == to) return;
    const bool one = g[from].values.count == 1;
    for (std::int32_t k = 0; k < g[from].values.count; ++k) detail::set_replaced(g, from, k, to, one ? result : k);
    for (auto id = g[from].first_use; id.exists();) {
        const auto next = g[id].next_use;
        if (!except.exists() || g[id].owner != except) {
            detail::unlink_use(g, id);
            g[id].bits = to.index;
            if (one) g[id].result = result;
            detail::link_use(g, id);
        }
        id = next;
    }
}

/// Redirects every argument that reads result k of `from` to result `result` of `to`, another node. O(uses).
constexpr void replace_uses_of_result(graph g, node_id from, std::int32_t k, node_id to, std::int32_t result) {
    detail::set_replaced(g, from, k, to, result);
    for (auto id = g[from].first_use; id.exists();) {
        const auto next = g[id].next_use;
        if (g[id].result == k) {
            detail::unlink_use(g, id);
            g[id].bits = to.index;
            g[id].result = result;
            detail::link_use(g, id);
        }
        id = next;
    }
}

/// Replaces `from` by the constant in every call that reads it; the values that the graph returns do not change.
constexpr void give_readers(graph g, node_id from, argument constant) {
    for (auto id = g[from].first_use; id.exists();) {
        const auto next = g[id].next_use;
        const auto reader = g[id].owner;
        constant.keyword = g[id].keyword;
        if (g[reader].kind == node_kind::call) set_argument(g, id, constant, reader);
        id = next;
    }
}

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::detail {

constexpr void unlink_node(graph g, node_id id) {
    node* nodes = g.node_pool();
    const auto& n = nodes[id.index];
    if (n.previous.index >= 0) nodes[n.previous.index].next = n.next;
    else g.first() = n.next;
    if (n.next.index >= 0) nodes[n.next.index].previous = n.previous;
    else g.last() = n.previous;
}
constexpr void release_block(graph g, block_id id);
constexpr void release_arguments(graph g, id_range<argument_id> range) {
    argument* arguments = g.argument_pool();
    for (auto i = range.first; i < range.first + range.count; ++i) {
        auto& a = arguments[i];
        if (a.kind == argument_kind::none) continue;
        if (a.kind == argument_kind::node) unlink_use(g, {i});
        else if (a.kind == argument_kind::block) release_block(g, a.block());
        a.kind = argument_kind::none;
        if (a.children.count == 0) continue;
        release_arguments(g, a.children);
        a.children.count = 0;
    }
}
/// Releases the contents of a block together with the call that held it.
constexpr void release_block(graph g, block_id id) {
    const auto in = g.inside(id);
    for (auto at = in.last(); at.exists(); at = in.last()) {
        release_arguments(in, in[at].arguments);
        unlink_node(in, at);
        in[at].erased = true;
        --in.header().live_nodes;
    }
    auto& head = g[id];
    head.first_use = head.last_use = {};
    head.use_count = 0;
    head.erased = true;
    --g.header().blocks;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// Moves the node before `position` in program order, or to the end if position is none. pre: id != position
constexpr void move_node(graph g, node_id id, node_id position) {
    detail::unlink_node(g, id);
    auto& behind = position.exists() ? g[position].previous : g.last();
    const auto previous = behind;
    g[id].previous = previous;
    g[id].next = position;
    behind = id;
    (previous.exists() ? g[previous].next : g.first()) = id;
}

/// Appends a new, empty block and stores it in argument `id` of a call, which was None; `head`: its name and target.
/// Append its nodes to g.inside(out).
constexpr bool append_block(graph g, const node& head, argument_id id, block_id& out, diagnosis& d) {
    auto& header = g.header();
    if (header.used.nodes == g.room().nodes)
        return refuse(d, fault::graph_exceeds_capacity, short_text() << g.room().nodes << " nodes", "more");
    out = {header.used.nodes++};
    ++header.blocks;
    auto& made = g[out] = unlinked(head);
    made.kind = node_kind::block;
    made.next = made.previous = {};
    g[id].kind = argument_kind::block;
    g[id].bits = out.index;
    detail::link_use(g, id);
    return true;
}

/// Removes a node, and the blocks that it holds. pre: it has no uses. Its pool entry is not reused (a tombstone).
constexpr void erase(graph g, node_id id) {
    auto& n = g[id];
    detail::release_arguments(g, n.arguments);
    detail::unlink_node(g, id);
    n.erased = true;
    --g.header().live_nodes;
}

} // namespace ahead::ir
