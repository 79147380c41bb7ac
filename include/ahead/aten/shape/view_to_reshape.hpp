// SPDX-License-Identifier: MIT
// Turns a view whose strides do not allow it into a reshape that copies, like TorchAir's view_to_reshape.
// Called during type inference: frontend/infer_printed.hpp, pass/editor.hpp.
// Invariant: only the call changes; the caller must infer its type again.
#pragma once
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Makes the call a reshape; false if reshape is not registered. pre: a call of view or _unsafe_view
constexpr bool make_reshape(graph g, op_table ops, node_id view) {
    const auto reshape = find_op(ops, "aten.reshape.default");
    if (!reshape.exists()) return false;
    g[view].op = reshape;
    g[view].target = ops.data()[reshape.index].name;
    for (std::int32_t i = 0; i < g[view].arguments.count; ++i)
        if (auto& name = g.argument_of(g[view], i).keyword; same_name(name, "size")) name = "shape";
    return true;
}

} // namespace ahead::aten
