// SPDX-License-Identifier: MIT
// A view whose strides do not allow it, made the reshape that copies instead, as TorchAir's view_to_reshape has it.
// Called where a graph is typed: frontend/fx/infer_printed.hpp, pass/editor.hpp.
// Invariant: the call alone changes, and is to be typed again.
#pragma once
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Whether it could be done: not where no reshape is registered. pre: a call of view or _unsafe_view
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
