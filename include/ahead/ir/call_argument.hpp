// SPDX-License-Identifier: MIT
// The arguments of a new call: graph_editor::call("aten.add.Tensor", {x, 1, strings({"a", "b"})}).
// Invariant: an argument is a value; lists of strings and of nodes live until the end of the full expression.
// Used by pass/editor.hpp, legalize/composite/composite_call.hpp.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/ir/infer.hpp>
#include <initializer_list>

namespace AHEAD_NAMESPACE::ir {

/// A list of strings, or of nodes, as one argument of a new call: strings({"a", "b"}), nodes({a, b}).
struct list_argument {
    fixed_buffer<argument> elements;
};
constexpr list_argument strings(std::initializer_list<std::string_view> texts) {
    list_argument out{fixed_buffer<argument>(static_cast<std::int64_t>(texts.size()))};
    std::int32_t count = 0;
    for (auto text : texts) out.elements[count++] = {.kind = argument_kind::string, .text = text};
    return out;
}
constexpr list_argument nodes(std::initializer_list<node_id> list) {
    list_argument out{fixed_buffer<argument>(static_cast<std::int64_t>(list.size()))};
    std::int32_t count = 0;
    for (auto n : list) out.elements[count++] = argument::of(n);
    return out;
}

/// An argument of a new call: a node, a number, a dtype, a list of ints, strings or nodes, or None.
struct call_argument {
    argument value{};
    int_list list{};
    const list_argument* others = nullptr; // a list that is not of ints; lives as long as the call

    constexpr call_argument() = default; // None
    constexpr call_argument(node_id n, std::int32_t result = 0) : value(argument::of(n, result)) {}
    constexpr call_argument(int v) : value(argument::of(v)) {}
    constexpr call_argument(std::int64_t v) : value(argument::of(v)) {}
    constexpr call_argument(double v) : value(argument::of(v)) {}
    constexpr call_argument(bool v) : value(argument::of(v)) {}
    constexpr call_argument(dtype v) : value(argument::of(v)) {}
    constexpr call_argument(const int_list& v) : value{.kind = argument_kind::list}, list(v) {}
    constexpr call_argument(const list_argument& v) : value{.kind = argument_kind::list}, others(&v) {}
    constexpr call_argument(const argument& v) : value(v) {} // pre: not a list
};

/// Arguments in the form of the graph: the children of lists are ranges of `elements`.
struct flat_arguments {
    fixed_buffer<argument> given, elements;

    constexpr explicit flat_arguments(std::initializer_list<call_argument> arguments)
        : given(static_cast<std::int64_t>(arguments.size())), elements(count_elements(arguments)) {
        std::int32_t next = 0, used = 0;
        for (const auto& a : arguments) {
            auto& mine = given[next++];
            mine = a.value;
            if (mine.kind == argument_kind::list) mine.children = {used, a.list.size};
            if (a.others != nullptr) {
                mine.children = {used, static_cast<std::int32_t>(a.others->elements.size())};
                for (const auto& element : a.others->elements.all()) elements[used++] = element;
                continue;
            }
            for (auto element : a.list) elements[used++] = argument::of(element);
        }
    }

private:
    static constexpr std::int64_t count_elements(std::initializer_list<call_argument> arguments) {
        std::int64_t out = 0;
        for (const auto& a : arguments) out += a.others != nullptr ? a.others->elements.size() : a.list.size;
        return out;
    }
};

/// Inserts a typed call of `op` before `position`. Returns none(), with a diagnosis, if the schema or the type rule
/// refuses, or if an argument is a node that does not exist.
constexpr node_id make_call(graph g, op_table ops, op_id op, array_view<const argument> arguments,
                            array_view<const argument> elements, node_id position, std::string_view made_by,
                            diagnosis& d) {
    node n;
    n.op = op;
    n.from = g[position].from;
    n.from.made_by = made_by;
    n.target = ops[static_cast<std::size_t>(op.index)].name;
    n.name = {base_of(n.target), g.header().used.nodes};
    node_id id;
    if (!d.ok() || !reserve_arguments(g, static_cast<std::int32_t>(arguments.size()), n.arguments, d) ||
        !insert_node(g, n, position, id, d))
        return {};
    const auto is_there = [&](const argument& a) {
        return a.kind != argument_kind::node || a.node().exists() ||
               refuse_at(d, g[id], fault::node_is_missing, "a node as argument", "none: nothing was found");
    };
    auto next = n.arguments.first;
    for (auto a : arguments) {
        if (!is_there(a)) return {};
        const auto given = a.children;
        if (given.count > 0 && !reserve_arguments(g, given.count, a.children, d)) return {};
        for (std::int32_t k = 0; k < given.count; ++k) {
            const auto& element = elements[static_cast<std::size_t>(given.first + k)];
            if (!is_there(element)) return {};
            set_argument(g, a.children[k], element, id);
        }
        set_argument(g, {next++}, a, id);
    }
    return infer_node(g, ops, id, d) ? id : node_id{};
}

} // namespace ahead::ir

namespace AHEAD_NAMESPACE {
using ir::nodes, ir::strings;
} // namespace ahead
