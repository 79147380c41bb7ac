// SPDX-License-Identifier: MIT
// Both sides of a rewrite rule as one graph, recorded from the lambda that writes them.
// Invariant: the operands are placeholders, none of which the right side alone reads.
#pragma once
#include <ahead/frontend/handles/trace.hpp>

namespace AHEAD_NAMESPACE {

/// An operand of a rewrite rule.
template <fixed_string Name> using any = input<Name, anything>;

/// Both sides of a rule.
struct equation {
    recorder* trace = nullptr;
    node_id left, right;
};
/// `left` becomes `right`.
constexpr equation rewrite(const handle<anything>& left, const handle<anything>& right) {
    return {left.trace, left.node, right.node};
}

namespace detail {

template <capacity Capacity> struct pattern_storage {
    graph_storage<Capacity> graph;
    node_id left, right;
};
template <class F, class List> struct pattern_of;
template <class F, class... P> struct pattern_of<F, parameter_list<P...>> {
    static_assert((is_pattern<P> && ...), "rule: the lambda's parameters are any<...>");
    static constexpr equation run(recorder& trace) { return std::apply(F{}, std::tuple<P...>{bind<P>(trace)...}); }
    static constexpr auto record() {
        constexpr capacity size = count_trace<pattern_of>();
        pattern_storage<size> out;
        std::array<node_names::slot, slots_for(size)> slots;
        node_names names(slots);
        recorder writer(out.graph.edit(), names);
        const auto sides = run(writer);
        out.left = sides.left;
        out.right = sides.right;
        return out;
    }
};
/// Whether `side` reads `operand`, itself included.
constexpr bool reads(graph_view g, node_id side, node_id operand) {
    if (side == operand) return true;
    bool found = false;
    for_each_operand(g, g[side].arguments, [&](const argument& a) { found = found || reads(g, a.node(), operand); });
    return found;
}
/// Whether the left side has every operand of the right.
constexpr bool binds_all(graph_view g, node_id left, node_id right) {
    for (node_id p : g)
        if (g[p].kind == node_kind::placeholder && reads(g, right, p) && !reads(g, left, p)) return false;
    return true;
}
template <class F> inline constexpr auto pattern = pattern_of<F, decltype(parameters_of(&F::operator()))>::record();

} // namespace detail

} // namespace ahead
