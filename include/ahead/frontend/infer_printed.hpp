// SPDX-License-Identifier: MIT
// Infers the types of a printed graph. Composite calls, which torch.export prints before it decomposes, are rewritten
// once their operands are typed. Inductor prints views that PyTorch copies if the strides do not allow them: such a
// view becomes a reshape, which may copy. Called by imported_graph.hpp, compile/inspect.hpp.
// Invariant: views become copies only in a graph without writes, where a copy and a view are indistinguishable;
// elsewhere such a view is refused, as in PyTorch.
#pragma once
#include <ahead/aten/shape/view_to_reshape.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/legalize/composite/write_out.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Rewrites the call that typing refused, if possible; `from`: the node where typing continues. The call is found by
/// the name in the diagnosis, because missing types do not identify it: a call without results has no type, and a
/// refused call may have one.
template <class Laws> constexpr bool make_typeable(graph g, op_table ops, diagnosis& d, node_id& from) {
    for (auto id = from.exists() ? from : g.first(); id.exists(); id = g[id].next) {
        if (g[id].kind != node_kind::call) continue;
        from = id;
        if (same_name(g[id].target, d.op.view()) && same_name(print(g[id].name).view(), d.name.view())) {
            if (d.what != fault::view_needs_a_copy) return Laws::write_out(g, ops, id, d, from);
            if (has_in_place(g, ops) ||
                (g[id].target != "aten.view.default" && g[id].target != "aten._unsafe_view.default") ||
                !aten::make_reshape(g, ops, id))
                return false;
            d = {};
            return true;
        }
        for (block_id b : blocks_of(g, g[id])) {
            auto inside = g.inside(b).first();
            if (make_typeable<Laws>(g.inside(b), ops, d, inside)) return true;
        }
    }
    return false;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::frontend {

/// As infer_types. pre: the pools have the capacity Laws::room
template <class Laws = detail::all_laws>
constexpr bool infer_printed_types(graph g, op_table ops, diagnosis& d, node_id from = {}, node_id end = {}) {
    while (!infer_types(g, ops, d, from, end))
        if (d.what == fault::annotation_differs_from_inference || !detail::make_typeable<Laws>(g, ops, d, from))
            return false;
    return true;
}

} // namespace ahead::frontend
