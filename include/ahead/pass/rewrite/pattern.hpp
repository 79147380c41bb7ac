// SPDX-License-Identifier: MIT
// Both sides of a rewrite rule as one graph, recorded from the lambda that writes them.
// Invariant: the operands are placeholders, each of which the left side reads or `with` computes; the replaced tensors
// are calls, and results picked from calls.
#pragma once
#include <ahead/frontend/handles/trace.hpp>

namespace AHEAD_NAMESPACE::pass {

/// An operand of a rewrite rule.
template <fixed_string Name> using any = input<Name, anything>;

/// Both sides of a rule: left[k] is replaced by right[k].
template <std::size_t Size> struct equation {
    std::array<node_id, Size> left, right;
};
/// `left` becomes `right`; if left is a call of several results, right has as many.
constexpr equation<1> rewrite(const handle<anything>& left, const handle<anything>& right) {
    return {{left.node}, {right.node}};
}
/// Several at once: rewrite(tensors(pick<0>(norm), sum), tensors(pick<0>(fused), pick<2>(fused))).
template <class... Left, class... Right>
constexpr equation<sizeof...(Left)> rewrite(const tensors<Left...>& left, const tensors<Right...>& right) {
    static_assert(sizeof...(Left) == sizeof...(Right), "rewrite: both sides have as many tensors");
    equation<sizeof...(Left)> out;
    for (std::size_t k = 0; k < sizeof...(Left); ++k) {
        out.left[k] = left.handles[k].node;
        out.right[k] = right.handles[k].node;
    }
    return out;
}
/// Result K of a call that has several.
template <std::int64_t K> constexpr auto pick(const handle<anything>& of, call_site where = call_site::current()) {
    return call<aten::getitem>(where, of, integer<K>{});
}

} // namespace ahead::pass
namespace AHEAD_NAMESPACE::detail {

inline constexpr std::string_view getitem_name = aten::getitem::name;

template <capacity Capacity, std::size_t Size> struct pattern_storage {
    graph_storage<Capacity> graph;
    pass::equation<Size> sides;
};
template <class F, class List> struct pattern_of;
template <class F, class... P> struct pattern_of<F, parameter_list<P...>> {
    static_assert((is_pattern<P> && ...), "rule: the lambda's parameters are any<...>");
    static constexpr auto run(recorder& trace) { return std::apply(F{}, std::tuple<P...>{bind<P>(trace)...}); }
    static constexpr auto record() {
        constexpr capacity size = count_trace<pattern_of>();
        pattern_storage<size, std::tuple_size_v<decltype(decltype(run(std::declval<recorder&>()))::left)>> out;
        std::array<node_names::slot, slots_for(size)> slots;
        node_names names(slots);
        recorder writer(out.graph.edit(), names);
        out.sides = run(writer);
        return out;
    }
};
/// Whether `side` is or depends on `operand`.
constexpr bool reads(graph_view g, node_id side, node_id operand) {
    if (side == operand) return true;
    bool found = false;
    for_each_operand(g, g[side].arguments, [&](const argument& a) { found = found || reads(g, a.node(), operand); });
    return found;
}
constexpr bool reads(graph_view g, array_view<const node_id> sides, node_id operand) {
    bool found = false;
    for (node_id side : sides) found = found || reads(g, side, operand);
    return found;
}
constexpr bool is_pick(graph_view g, node_id p) { return g[p].kind == node_kind::call && g[p].target == getitem_name; }
/// The call that computes a tensor of the left side, looking through a pick.
constexpr node_id call_of(graph_view g, node_id left) {
    return is_pick(g, left) ? g.argument_of(g[left], 0).node() : left;
}
/// Whether the left side has every operand of the right except computed ones.
constexpr bool binds_all(graph_view g, array_view<const node_id> left, array_view<const node_id> right,
                         array_view<const std::string_view> computed) {
    for (node_id p : g) {
        if (g[p].kind != node_kind::placeholder || !reads(g, right, p) || reads(g, left, p)) continue;
        bool is_computed = false;
        for (auto name : computed) is_computed = is_computed || same_name(g[p].target, name);
        if (!is_computed) return false;
    }
    return true;
}
constexpr bool are_calls(graph_view g, array_view<const node_id> left) {
    for (node_id p : left)
        if (g[call_of(g, p)].kind != node_kind::call) return false;
    return true;
}
template <class F> inline constexpr auto pattern = pattern_of<F, decltype(parameters_of(&F::operator()))>::record();

} // namespace ahead::detail

namespace AHEAD_NAMESPACE {
using pass::any, pass::pick, pass::rewrite;
} // namespace ahead
