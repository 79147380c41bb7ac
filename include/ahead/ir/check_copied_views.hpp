// SPDX-License-Identifier: MIT
// Some results that are views with another dtype in PyTorch are copies here (effects::copies_a_view): later writes to
// the operand do not reach the copy, and a write to the copy does not reach the operand. So such writes are refused.
// Called by the stages that execute writes: functionalise() and the reference.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::ir {

/// Refuses (in_place_needs_alias_analysis) a later write to a copied view or to its operand.
/// pre: g is typed
constexpr bool check_copied_views(graph_view g, op_table ops, diagnosis& d) {
    if (!has_in_place(g, ops)) return true;
    const op_row* rows = ops.data();
    fixed_buffer<bool> seen(static_cast<std::int64_t>(g.values().size())); // by storage: is or has a copied view
    for (node_id id : g) {
        const auto& n = g[id];
        if (!n.op.exists()) continue;
        if (rows[n.op.index].effect.copies_a_view) {
            const auto from = g.value_of(g.argument_of(n, first_parameter)).storage, to = g.value_of(id).storage;
            if (from != to) seen[from.index] = seen[to.index] = true;
        }
        const auto operand = written_operand(g, n, ops);
        if (operand < 0 || !seen[g.value_of(g.argument_of(n, operand)).storage.index]) continue;
        return refuse_at(d, n, fault::in_place_needs_alias_analysis,
                         "a write above real, imag, conj, view_as_real and view_as_complex, which copy",
                         print(g[g.argument_of(n, operand).node()].name));
    }
    return true;
}

} // namespace ahead::ir
