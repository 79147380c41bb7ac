// SPDX-License-Identifier: MIT
// Rewrites one call of a graph during typing, and inserts calls before it. Called by host_numbers.hpp.
// Invariant: readers of the call read its replacement afterwards; `first` is the first node that needs typing.
#pragma once
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::detail {

struct call_editor {
    graph g;
    op_table ops;
    diagnosis& d;
    node_id first{};

    /// The argument for a parameter, by position or name; none() if it is not given.
    constexpr argument_id find(node_id id, std::int32_t place, std::string_view name) const {
        for (std::int32_t i = 0; i < g[id].arguments.count; ++i) {
            const auto& a = g.argument_of(g[id], i);
            if (a.keyword.empty() ? i == place : a.keyword == name) return g[id].arguments[i];
        }
        return {};
    }
    constexpr const argument* given(node_id id, std::int32_t place, std::string_view name) const {
        const auto found = find(id, place, name);
        return found.exists() ? &g.argument_pool()[found.index] : nullptr;
    }
    static constexpr std::int64_t integer(const argument* a, std::int64_t otherwise) {
        return a != nullptr && a->kind == argument_kind::integer ? a->integer() : otherwise;
    }
    /// Changes the operator and keeps the arguments. False if no operator has this name.
    constexpr bool become(node_id id, std::string_view name) {
        const auto op = find_op(ops, name);
        if (!op.exists()) return false;
        g[id].op = op;
        g[id].target = ops[static_cast<std::size_t>(op.index)].name;
        return true;
    }
    /// Inserts a call before `before`; none() if the pools are full.
    constexpr node_id insert(node_id before, std::string_view name, array_view<const argument> arguments) {
        node n;
        n.name = {g[before].name.text, g.header().used.nodes};
        n.from = g[before].from;
        n.target = name;
        n.op = find_op(ops, name);
        node_id made;
        if (!n.op.exists() || !insert_call(g, n, arguments, before, made, d)) return {};
        if (first == before) first = made;
        return made;
    }
    /// Replaces the call's arguments. Its lists that are in `arguments` stay in place.
    constexpr bool give(node_id id, array_view<const argument> arguments) {
        id_range<argument_id> range;
        if (!reserve_arguments(g, static_cast<std::int32_t>(arguments.size()), range, d)) return false;
        for (const auto& kept : arguments)
            for (std::int32_t i = 0; i < g[id].arguments.count && kept.children.count > 0; ++i)
                if (auto& own = g[g[id].arguments[i]]; own.children.first == kept.children.first) own.children = {};
        release_arguments(g, g[id].arguments);
        g[id].arguments = range;
        for (std::int32_t i = 0; i < range.count; ++i)
            set_argument(g, range[i], arguments[static_cast<std::size_t>(i)], id);
        return true;
    }

    /// Replaces argument i by a node.
    constexpr void replace(node_id id, std::int32_t i, node_id by) {
        auto a = argument::of(by);
        a.keyword = g.argument_of(g[id], i).keyword;
        set_argument(g, g[id].arguments[i], a, id);
    }
    /// Creates a list of `count` arguments, which are None until they are set.
    constexpr bool list(std::int32_t count, argument& out) {
        out = {.kind = argument_kind::list};
        return reserve_arguments(g, count, out.children, d);
    }
    /// Creates a list of numbers.
    constexpr bool list(const int_list& numbers, argument& out) {
        if (!list(numbers.size, out)) return false;
        for (int i = 0; i < numbers.size; ++i) g[out.children[i]] = argument::of(numbers[i]);
        return true;
    }
    constexpr node_id cast(node_id before, const argument& a, dtype to) {
        auto type = argument::of(to);
        type.keyword = "dtype";
        const argument all[] = {argument::of(a.node(), a.result), type};
        return insert(before, "aten._to_copy.default", all);
    }
    /// Moves the call into a new node before `id`; `id` has no arguments afterwards.
    constexpr node_id move_in_front(node_id id) {
        node n;
        n.name = {g[id].name.text, g.header().used.nodes};
        n.from = g[id].from;
        n.target = g[id].target;
        n.op = g[id].op;
        n.kind = node_kind::call;
        node_id made;
        if (!insert_node(g, n, id, made, d)) return {};
        if (first == id) first = made;
        const auto own = g[made].arguments = g[id].arguments;
        for (std::int32_t i = 0; i < own.count; ++i) g[own[i]].owner = made;
        g[id].arguments = {};
        return made;
    }
};

} // namespace ahead::detail
