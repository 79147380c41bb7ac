// SPDX-License-Identifier: MIT
// What compiled_bounded adds to the program at the bound: how its tensors follow the symbol, how each of its calls is
// computed for fewer places, and how far apart these lie. Called by compiled_bounded.hpp, run_bounded.hpp.
// Invariant: plan, keys and constants are those of the program at the bound.
#pragma once
#include <ahead/program/bounded/bounded_rules.hpp>
#include <ahead/program/compiled.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Front's device graph, without its plan.
template <class Front, class Tools>
inline constexpr const auto& lowered_front =
    lowered_of<with_records<passed<functional<Front>, Tools>, Tools>, Tools>;

template <std::size_t Values, std::size_t Nodes> struct bounded_stage {
    std::array<bounded_value, Values> values{};
    std::array<bounded_call, Nodes> calls{}; // by node
    diagnosis error;
};

/// A weight, or a constant of the graph, is the same at each size.
constexpr bool check_constants(const size_pair& of, array_view<const bounded_value> values, diagnosis& d) {
    for (node_id id : of.full) {
        const auto& n = of.full[id];
        if (n.kind == node_kind::call || n.kind == node_kind::output) continue;
        if (n.kind == node_kind::placeholder && n.role == input_role::user) continue;
        if (values.data()[n.values.first].follows())
            return refuse_at(d, n, fault::size_changes_the_graph, "a constant of one type at each size",
                             print(of.full.value_of(id).type));
    }
    return true;
}

template <class Full, class Less, class Tools> constexpr auto bound_stage(std::int64_t most) {
    constexpr const auto& full = lowered_front<Full, Tools>.graph;
    constexpr const auto& less = lowered_front<Less, Tools>.graph;
    constexpr auto used = full.header.used;
    bounded_stage<static_cast<std::size_t>(used.values), static_cast<std::size_t>(used.nodes)> out;
    const size_pair both{full.view(), less.view(), most};
    out.error = lowered_front<Less, Tools>.error;
    if (!out.error.ok() || !check_same_calls(both, out.error)) return out;
    out.values = find_bounded_values<static_cast<std::size_t>(used.values)>(both);
    if (!check_constants(both, out.values, out.error)) return out;
    for (node_id id : both.full)
        if (both.full[id].kind == node_kind::call && out.error.ok())
            out.calls[static_cast<std::size_t>(id.index)] =
                rule_of_call({both, id, Tools::device_registry::table, out.values, out.error});
    return out;
}
/// Whether what the text says of sizes is linear, at the least size too.
template <class Full, class Less, class Least> constexpr diagnosis check_line(std::int64_t most, std::int64_t least) {
    diagnosis d = Less::error.ok() ? Least::error : Less::error;
    if (d.ok()) check_is_linear({Full::storage.view(), Less::storage.view(), most}, Least::storage.view(), least, d);
    return d;
}

/// The device graph at the bound, where the symbol is Size: tensors of fewer places, which lie as they do at the bound.
template <class Bounded, std::int64_t Size> constexpr auto piece_graph() {
    auto out = Bounded::program::lowered.graph;
    const graph_view less = Bounded::less.view();
    const auto edit = out.edit();
    const auto steps = Bounded::most - Size;
    for (std::int32_t v = 0; v < out.header.used.values; ++v) {
        auto& own = edit[value_id{v}].type;
        const auto& other = less[value_id{v}].type;
        for (int d = 0; d < own.rank; ++d)
            own.sizes.at[d] = own.size(d) - steps * (own.size(d) - other.size(d));
    }
    for (std::int32_t a = 0; a < out.header.used.arguments; ++a)
        if (auto& own = edit[argument_id{a}]; own.kind == argument_kind::integer)
            own.bits -= steps * (own.bits - less[argument_id{a}].bits);
    return out;
}
/// As lifted_call takes a program.
template <class Bounded, std::int64_t Size> struct piece_program {
    using program = typename Bounded::program;
    using device_registry = typename program::device_registry;
    using tools = typename program::tools;
    template <std::int64_t Block> using held_block = typename program::template held_block<Block>;
    static constexpr auto storage = piece_graph<Bounded, Size>();
    static constexpr graph_view lowered_graph() { return storage.view(); }
    static constexpr ahead::plan_view plan_view() { return program::plan_view(); }
};

} // namespace ahead::detail
