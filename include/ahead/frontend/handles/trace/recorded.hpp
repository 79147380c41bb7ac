// SPDX-License-Identifier: MIT
// The graph that a trace records: the first run counts, the second fills pools of exactly that size.
// Invariant: both runs make the same calls. Called by trace.hpp.
#pragma once
#include <ahead/aten/aten.hpp>
#include <ahead/frontend/handles/trace/refusals.hpp>
#include <ahead/ir/blame.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The indices of aten::registry's rows in another registry.
template <class Registry, class From = aten::registry>
inline constexpr auto rows_in = [] {
    std::array<op_id, From::size> rows{};
    for (std::size_t place = 0; place < rows.size(); ++place)
        rows[place] = find_op(Registry::table, From::table[place].name);
    return rows;
}();

// The lambda is run twice: the first run counts, the second fills pools of that size. Both are functions, see fx.hpp.
template <class Signature> constexpr capacity count_trace() {
    recorder counter;
    Signature::run(counter);
    return counter.counted();
}
template <class Signature, class Registry, capacity Capacity> constexpr auto record_trace() {
    graph_storage<Capacity> out;
    std::array<node_names::slot, slots_for(Capacity)> slots;
    node_names names(slots);
    recorder writer(out.edit(), names);
    Signature::run(writer);
    if constexpr (!std::same_as<Registry, aten::registry>) {
        std::string_view last;
        op_id row;
        for (auto& n : out.nodes) {
            if (n.kind != node_kind::call) continue;
            if (n.op.exists()) {
                n.op = rows_in<Registry>[static_cast<std::size_t>(n.op.index)];
            } else {
                if (n.target != last) row = find_op(Registry::table, last = n.target);
                n.op = row;
            }
        }
    }
    return out;
}
/// Refuses the first call of an operator that the registry does not have.
constexpr diagnosis check_trace(graph_view g) {
    diagnosis d;
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.kind != node_kind::call || n.op.exists()) continue;
        refuse_at(d, n, fault::operator_is_unknown, "an operator of the registry given to trace", n.target);
        break;
    }
    return d;
}
template <class Signature, class Registry> struct filled_trace {
    using refusal = nothing_to_report;
    static constexpr ir::capacity capacity = count_trace<Signature>();
    static constexpr graph_storage<capacity> storage = record_trace<Signature, Registry, capacity>();
    static constexpr diagnosis error = check_trace(storage.view());
};

} // namespace ahead::detail
