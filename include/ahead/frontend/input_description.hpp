// SPDX-License-Identifier: MIT
// Facts of a text's placeholders that the text does not state: names of weights, types, writes.
// Invariant: describe_inputs changes roles, weights, annotations and writes, and nothing else. Called by
// imported_graph.hpp, compile/inspect.hpp; generate/input_rows.hpp reads descriptions from a file.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::frontend {

/// Additional information from the user about one placeholder of a text.
struct input_description {
    std::string_view placeholder; // name in the definition, input, or in the body, input_1
    std::string_view weight{};    // the tensor's name in the weight file; empty for a user input
    std::string_view type{};      // as "f32[2, 3]"; empty if the text prints it
    std::string_view writes{};    // the returned value that is its new value; empty: none, or the one that the text's
                                  // signature names
};

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::detail {

// pre: as after reading, the node's name is a view of the text.
constexpr bool is_input(const node& n, std::string_view name) {
    return n.kind != node_kind::call && n.kind != node_kind::output &&
           (same_name(n.name.text, name) || (n.kind == node_kind::placeholder && same_name(n.target, name)));
}
/// The placeholder or attribute of this name, searched from `from` on and then from the beginning; none() if not found.
constexpr node_id find_input(graph_view g, node_id from, std::string_view name) {
    const node* nodes = g.node_pool();
    for (auto at = from.index; at >= 0; at = nodes[at].next.index)
        if (is_input(nodes[at], name)) return {at};
    for (auto at = g.first().index; at != from.index; at = nodes[at].next.index)
        if (is_input(nodes[at], name)) return {at};
    return {};
}

/// Marks the returned value of this name as the new value of an input. Refuses a name that is not returned.
constexpr bool mark_written(graph g, node_id input, std::string_view name, diagnosis& d) {
    const auto returned = returned_by(g);
    for (std::int32_t i = 0; i < returned.count; ++i) {
        auto& a = g[returned[i]];
        if (a.kind != argument_kind::node || a.writes.exists() || !same_name(g[a.node()].name.text, name)) continue;
        a.writes = input;
        return true;
    }
    d.name = g[input].name.text;
    return refuse(d, fault::name_is_undefined, "a value that the graph returns", name);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// Adds the user's descriptions to the graph, in one walk if they are in the order of its placeholders. Refuses
/// placeholders that the graph does not have, and values that it does not return.
constexpr bool describe_inputs(graph g, array_view<const input_description> inputs, diagnosis& d) {
    node_id next = g.first();
    for (const auto& input : inputs) {
        const auto id = detail::find_input(g, next, input.placeholder);
        if (!id.exists()) {
            d.name = input.placeholder;
            return refuse(d, fault::parameter_is_not_a_placeholder, "a placeholder of the graph", input.placeholder);
        }
        auto& n = g[id];
        if (!input.weight.empty()) {
            n.role = input_role::parameter;
            n.weight = input.weight;
        }
        if (!input.type.empty()) n.annotation = input.type;
        if (!input.writes.empty() && !detail::mark_written(g, id, input.writes, d)) return false;
        next = n.next;
    }
    return true;
}

} // namespace ahead::frontend

namespace AHEAD_NAMESPACE {
using frontend::input_description;
} // namespace ahead
