// SPDX-License-Identifier: MIT
// A block copied into a graph of its own, in which form a branch or a loop body is compiled. The block's parameters
// become inputs, or weights where the call passes weights. Each result is written into an input (argument::writes):
// into the loop-carried parameter whose next value it is, or into an additional input that follows the parameters.
// Invariant: it computes what the block does. Called by compile/compiled_block.hpp and compile/inspect.hpp.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/ir/blocks.hpp>
#include <ahead/ir/edit.hpp>
#include <ahead/ir/mutated_weights.hpp>
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::pass {

/// The number of results of the block that are the next values of its first parameters (loop-carried values).
constexpr std::int32_t carried_by(graph_view g, block_id b, op_table ops) {
    const auto& call = g[holder_of(g, b)];
    const auto& effect = ops[static_cast<std::size_t>(call.op.index)].effect;
    if (effect.blocks_carry < 0) return 0;
    if (const auto& a = g.argument_of(call, effect.blocks_carry); a.kind != argument_kind::block || a.block() != b)
        return 0;
    return g.argument_of(call, effect.blocks_take).children.count;
}

/// Calls f(argument, is_weight) for each tensor that call `id` passes to its blocks, in parameter order. is_weight: no
/// run changes the tensor, so a kernel may prepare it. A loop-carried or sliced tensor differs in each round and is not
/// a weight. pre: the call's arguments are positional, as they are in every call with blocks
constexpr void for_each_given(graph_view g, node_id id, op_table ops, const mutated_weights& written, auto f) {
    const auto& effect = ops[static_cast<std::size_t>(g[id].op.index)].effect;
    for (std::int32_t i = effect.blocks_take; i < g[id].arguments.count; ++i) {
        const auto& list = g.argument_of(g[id], i).children;
        for (std::int32_t k = 0; k < list.count; ++k)
            f(g[list[k]], i == effect.blocks_keep && is_constant_weight(g, g[list[k]].node(), written));
    }
}

} // namespace ahead::pass
namespace AHEAD_NAMESPACE::detail {

/// Adds the pool space that the nodes of a block need, nested blocks included.
constexpr void add_room(graph_view in, capacity& room) {
    const auto count = [&](auto self, id_range<argument_id> range) -> void {
        room.arguments += range.count;
        for (auto i = range.first; i < range.first + range.count; ++i) self(self, in[argument_id{i}].children);
    };
    for (node_id id : in) {
        ++room.nodes;
        room.values += in[id].values.count;
        count(count, in[id].arguments);
        for (block_id b : blocks_of(in, in[id])) {
            ++room.nodes;
            add_room(in.inside(b), room);
        }
    }
}

class block_taker {
public:
    constexpr block_taker(graph_view from, graph to, diagnosis& d)
        : from_(from), d_(d), nodes_(from.header().used.nodes), values_(from.header().used.values) {
        to.header().has_streams = from.header().has_streams;
    }
    constexpr node_id copy_of(node_id id) const { return nodes_[id.index]; }
    /// Appends a copy of the node to `to`.
    constexpr bool take(node_id id, graph to) {
        const auto& n = from_[id];
        auto made = unlinked(n);
        made.annotation = {};
        auto& own = nodes_[id.index];
        if (!reserve_arguments(to, n.arguments.count, made.arguments, d_) || !append_node(to, made, own, d_) ||
            !reserve_values(to, own, n.values.count, d_))
            return false;
        for (std::int32_t k = 0; k < n.values.count; ++k) values_[n.values.first + k] = to[own].values[k];
        for (std::int32_t k = 0; k < n.values.count; ++k) {
            auto v = from_[n.values[k]];
            if (v.storage.exists()) v.storage = values_[v.storage.index];
            to[to[own].values[k]] = v;
        }
        return take_arguments(n.arguments, to[own].arguments, own, to);
    }
    constexpr bool take_all(graph_view in, graph to) {
        for (node_id id : in)
            if (!take(id, to)) return false;
        return true;
    }

private:
    graph_view from_;
    diagnosis& d_;
    fixed_buffer<node_id> nodes_;   // by node of `from`: its copy
    fixed_buffer<value_id> values_; // by value

    constexpr bool take_arguments(id_range<argument_id> given, id_range<argument_id> made, node_id owner, graph to) {
        for (std::int32_t i = 0; i < given.count; ++i) {
            auto a = from_[given[i]];
            const auto children = a.children;
            if (a.kind == argument_kind::block) {
                block_id b;
                to[made[i]].owner = owner;
                if (!append_block(to, from_[a.block()], made[i], b, d_) ||
                    !take_all(from_.inside(a.block()), to.inside(b)))
                    return false;
                continue;
            }
            if (a.kind == argument_kind::node) a.bits = nodes_[static_cast<std::int32_t>(a.bits)].index;
            if (a.writes.exists()) a.writes = nodes_[a.writes.index];
            if (!reserve_arguments(to, children.count, a.children, d_)) return false;
            if (children.count == 0) a.children = {};
            set_argument(to, made[i], a, owner);
            if (!take_arguments(children, a.children, owner, to)) return false;
        }
        return true;
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::pass {

/// The capacity that block_graph needs.
constexpr capacity room_for_block(graph_view from, block_id b) {
    capacity room;
    ahead::detail::add_room(from.inside(b), room);
    const auto results = returned_by(from.inside(b)).count;
    return {room.nodes + results, room.arguments + results, room.values + results};
}
/// Refuses a block that draws random numbers (block_draws_numbers). pre: typed; `to` is empty and has room_for_block
constexpr bool block_graph(graph_view from, block_id b, op_table ops, graph to, diagnosis& d) {
    const auto in = from.inside(b);
    const auto holder = holder_of(from, b);
    to.header().limit = air::stream_map(from).of(holder).limit;
    for (node_id id : in)
        if (draws_numbers(in, id, ops))
            return refuse_at(d, in[id], fault::block_draws_numbers, "random numbers that the block is given",
                             in[id].target);
    const mutated_weights written(from);
    ahead::detail::block_taker taker(from, to, d);
    for (node_id id : in)
        if (from[id].kind == node_kind::placeholder && !taker.take(id, to)) return false;
    auto parameter = to.first();
    for_each_given(from, holder, ops, written, [&](const argument&, bool is_weight) {
        auto& n = to[parameter];
        n.role = is_weight ? input_role::parameter : input_role::user;
        if (is_weight) n.weight = n.name.text;
        parameter = n.next;
    });
    const auto returned = returned_by(in);
    const auto carried = carried_by(from, b, ops);
    const auto& effect = ops[static_cast<std::size_t>(from[holder].op.index)].effect;
    const bool gives_slices = effect.blocks_slice >= 0, is_branch = effect.blocks_carry < 0;
    fixed_buffer<node_id> ports(returned.count);
    parameter = to.first();
    for (std::int32_t k = 0; k < carried; ++k, parameter = to[parameter].next) ports[k] = parameter;
    for (std::int32_t k = carried; k < returned.count; ++k) {
        node n;
        n.kind = node_kind::placeholder;
        n.name = {"result", k + 1};
        n.target = "result";
        if (!append_node(to, n, ports[k], d) || !reserve_values(to, ports[k], 1, d)) return false;
        auto type = is_branch || gives_slices ? from.value_of(holder, k).type : from.value_of(from[returned[k]]).type;
        if (gives_slices) remove_dim(type, 0);
        type.offset = 0;
        to.value_of(ports[k]) = {value_kind::tensor, type, to[ports[k]].values[0]};
    }
    for (node_id id : in)
        if (from[id].kind != node_kind::placeholder && from[id].kind != node_kind::output && !taker.take(id, to))
            return false;
    node output = unlinked(from[in.last()]);
    node_id id;
    if (!reserve_arguments(to, returned.count, output.arguments, d) || !append_node(to, output, id, d)) return false;
    for (std::int32_t k = 0; k < returned.count; ++k) {
        auto a = from[returned[k]];
        a.bits = taker.copy_of(a.node()).index;
        a.writes = ports[k];
        set_argument(to, output.arguments[k], a, id);
    }
    return true;
}

} // namespace ahead::pass
