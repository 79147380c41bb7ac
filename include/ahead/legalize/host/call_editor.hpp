// SPDX-License-Identifier: MIT
// One call of a graph that is being typed made another one, with calls in front of it. Called by host_numbers.hpp.
// Invariant: who reads the call reads what has its place afterwards; `first` is the first node that is to be typed.
#pragma once
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::detail {

struct call_editor {
    graph g;
    op_table ops;
    diagnosis& d;
    node_id first{};

    /// The argument for a parameter, by its place or name; none where it is not given.
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
    /// The call of another operator, with the arguments that it has. False where none has this name.
    constexpr bool become(node_id id, std::string_view name) {
        const auto op = find_op(ops, name);
        if (!op.exists()) return false;
        g[id].op = op;
        g[id].target = ops[static_cast<std::size_t>(op.index)].name;
        return true;
    }
    /// A call in front of `before`; none where the pools are full.
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
    /// These in place of its arguments; lists of its own that are among them stay as they are.
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

    /// Another value in an argument's place.
    constexpr void replace(node_id id, std::int32_t i, node_id by) {
        auto a = argument::of(by);
        a.keyword = g.argument_of(g[id], i).keyword;
        set_argument(g, g[id].arguments[i], a, id);
    }
    /// A list of so many arguments; they are none until they are set.
    constexpr bool list(std::int32_t count, argument& out) {
        out = {.kind = argument_kind::list};
        return reserve_arguments(g, count, out.children, d);
    }
    /// A list of numbers.
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
    /// The call as a node of its own in front of `id`, which has no arguments then.
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
