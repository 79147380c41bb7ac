// SPDX-License-Identifier: MIT
// The data that compiled_bounded adds to the program at the bound: how its tensors follow the symbol, how each call is
// computed for fewer places, and the distance between places. Called by compiled_bounded.hpp, run_bounded.hpp.
// Invariant: plan, keys and constants are those of the program at the bound.
#pragma once
#include <ahead/compile/compiled.hpp>
#include <ahead/dynamic/bounded/bounded_rules.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Front's device graph, without a plan.
template <class Front, class Tools>
inline constexpr const auto& lowered_front = lowered_of<optimized<Front, Tools>, Tools>;

template <capacity Capacity> struct bounded_stage {
    std::array<std::int32_t, static_cast<std::size_t>(Capacity.nodes)> node_in_less{}; // as size_pair
    std::array<std::int32_t, static_cast<std::size_t>(Capacity.arguments)> argument_in_less{};
    std::array<bounded_value, static_cast<std::size_t>(Capacity.arguments)> given{}; // by argument
    std::array<bounded_value, static_cast<std::size_t>(Capacity.values)> made{};     // by value, of nodes except views
    std::array<bounded_call, static_cast<std::size_t>(Capacity.nodes)> calls{};      // by node
    diagnosis error;
};

/// Refuses values that change with the size but are not inputs of a run: weights, constants of the graph.
constexpr bool check_constant(const call_at_sizes& c) {
    const auto& n = c.own();
    if (n.kind == node_kind::placeholder && n.role == input_role::user) return true;
    if (!c.has_equal_numbers()) return false;
    return !c.result().follows() || refuse_at(c.d, n, fault::size_changes_the_graph,
                                              "a constant of one type at each size", print(c.result_type()));
}

template <class Full, class Less, class Tools> constexpr auto bound_stage(std::int64_t most) {
    constexpr const auto& full = lowered_front<Full, Tools>.graph;
    constexpr const auto& less = lowered_front<Less, Tools>.graph;
    bounded_stage<full.header.used> out;
    const size_pair both{full.view(), less.view(), most, out.node_in_less.data(), out.argument_in_less.data()};
    out.error = lowered_front<Less, Tools>.error;
    if (!out.error.ok() || !size_matcher(both, out.node_in_less.data(), out.argument_in_less.data(), out.error).match())
        return out;
    std::array<std::int32_t, static_cast<std::size_t>(less.header.used.values)> stands_for{}; // index in full, + 1
    for (node_id id : both.full) {
        const auto& n = both.full[id];
        if (device::is_view(n)) continue;
        const call_at_sizes call{both, id, Tools::device_registry::table, out.error};
        for (std::int32_t k = 0; k < n.values.count; ++k)
            out.made[static_cast<std::size_t>(n.values.first + k)] = call.result(k);
        for_each_operand(both.full, n.arguments, [&](const argument& a) {
            out.given[static_cast<std::size_t>(&a - both.full.argument_pool())] = call.given(a);
            const auto &own = both.full.value_of(a), &other = both.less.value_of(both.in_less(a));
            auto& first = stands_for[static_cast<std::size_t>(&other - both.less.values().data())];
            const auto here = static_cast<std::int32_t>(&own - both.full.values().data()) + 1;
            if (first == 0) first = here;
            if (!(both.full[value_id{first - 1}].type == own.type))
                refuse_at(out.error, n, fault::size_changes_the_graph, "the same views at each size", print(own.type));
        });
        if (!out.error.ok()) return out;
        if (n.kind == node_kind::call || n.kind == node_kind::output)
            out.calls[static_cast<std::size_t>(id.index)] = rule_of_call<typename Tools::operators::device_ops>(call);
        else check_constant(call);
        if (!out.error.ok()) return out;
    }
    return out;
}
/// Whether the text's sizes are linear in the symbol, down to the least size.
template <class Full, class Less, class Least> constexpr diagnosis check_line(std::int64_t most, std::int64_t least) {
    diagnosis d = Less::error.ok() ? Least::error : Less::error;
    if (d.ok()) check_is_linear({Full::storage.view(), Less::storage.view(), most}, Least::storage.view(), least, d);
    return d;
}

/// The device graph where the symbol is Size: tensors of fewer places, with the strides that they have at the bound.
template <class Bounded, std::int64_t Size> constexpr auto piece_graph() {
    auto out = Bounded::less;
    const graph_view full = Bounded::program::lowered_graph();
    const auto edit = out.edit();
    const auto steps = Bounded::most - Size;
    const auto shrink = [&](value& own, const value& at_bound) {
        const auto less = own.type;
        own.type = at_bound.type;
        for (int d = 0; d < own.type.rank; ++d)
            own.type.sizes.at[d] = own.type.size(d) - steps * (own.type.size(d) - less.size(d));
    };
    fixed_buffer<bool> is_done(out.header.used.values);
    const auto shrink_once = [&](std::int32_t v, const value& at_bound) {
        if (is_done[v]) return;
        is_done[v] = true;
        shrink(edit[value_id{v}], at_bound);
    };
    for (node_id id : full) {
        const auto& n = full[id];
        if (device::is_view(n)) continue;
        const auto other = Bounded::made.node_in_less[static_cast<std::size_t>(id.index)];
        for (std::int32_t k = 0; k < n.values.count; ++k)
            shrink_once(edit[node_id{other}].values.first + k, full.value_of(id, k));
        const auto take = [&](const argument& a, const auto& self) -> void {
            auto& own =
                edit[argument_id{Bounded::made.argument_in_less[static_cast<std::size_t>(&a - full.argument_pool())]}];
            if (a.kind == argument_kind::integer) own.bits = a.bits - steps * (a.bits - own.bits);
            if (a.kind == argument_kind::node)
                shrink_once(edit[own.node()].values.first + own.result, full.value_of(a));
            for (std::int32_t k = 0; k < a.children.count; ++k) self(full[a.children[k]], self);
        };
        for (std::int32_t i = 0; i < n.arguments.count; ++i) take(full.argument_of(n, i), take);
    }
    return out;
}
/// The tasks of the plan, as nodes of `less`.
template <class Bounded> constexpr auto tasks_in_less() {
    auto out = Bounded::program::planned.tasks;
    for (auto& task : out)
        if (task.node.exists()) task.node = {Bounded::made.node_in_less[static_cast<std::size_t>(task.node.index)]};
    return out;
}
template <class Bounded> inline constexpr auto tasks_of_pieces = tasks_in_less<Bounded>();

/// A program in the form that kernel_call takes.
template <class Bounded, std::int64_t Size> struct piece_program {
    using program = typename Bounded::program;
    using device_registry = typename program::device_registry;
    using tools = typename program::tools;
    template <std::int64_t Block> using compiled_block = typename program::template compiled_block<Block>;
    static constexpr auto storage = piece_graph<Bounded, Size>();
    static constexpr graph_view lowered_graph() { return storage.view(); }
    static constexpr plan::plan_view plan_view() {
        auto out = program::plan_view();
        out.tasks = tasks_of_pieces<Bounded>;
        return out;
    }
};

} // namespace ahead::detail
