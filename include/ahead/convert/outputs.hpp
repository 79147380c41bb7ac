// SPDX-License-Identifier: MIT
// The last step of lowering: the device graph's output node. What is returned straight from an input or from constants is copied,
// so that every output lies in the arena. Nested lists and tuples are flattened; None is dropped.
#pragma once
#include <ahead/convert/lower.hpp>

namespace ahead {

namespace detail {

template <class F> constexpr bool for_each_tensor(graph_view g, id_range<argument_id> range, F f) {
    for (std::int32_t i = 0; i < range.count; ++i) {
        const auto& a = g[range[i]];
        if (a.kind == argument_kind::node && !f(a)) return false;
        if (!for_each_tensor(g, a.children, f)) return false;
    }
    return true;
}

constexpr bool is_output_in_place(graph_view g, const argument& a, array_view<const bool> constant) {
    const auto storage = g.value_of(a).storage;
    if (constant[static_cast<std::size_t>(a.node().index)]) return false;
    for (node_id id : g) {
        if (g[id].kind == node_kind::call) break;
        if (g[id].values.first == storage.index) return false;
    }
    return true;
}

} // namespace detail

/// post: the last node of `out` is its output, one tensor argument per tensor that `from` returns.
constexpr bool lower_outputs(graph_view from, graph out, op_table device_ops, array_view<const device_value> made, array_view<const bool> constant,
                             diagnosis& d) {
    const auto& returned = from[from.last()];
    std::int32_t count = 0;
    if (!detail::for_each_tensor(from, returned.arguments, [&](const argument& a) {
            if (from[a.node()].values.count != 1 || from.value_of(a).kind != value_kind::tensor)
                return refuse(d, fault::result_is_not_a_tensor, "a tensor", print(from[a.node()].name));
            ++count;
            return true;
        })) {
        d.line = returned.from.line;
        d.op = "output";
        return false;
    }
    node n;
    n.kind = node_kind::output;
    n.name = {"output", 0};
    n.from = returned.from;
    node_id id;
    if (!reserve_arguments(out, count, n.arguments, d) || !append_node(out, n, id, d)) return false;
    std::int32_t k = 0;
    return detail::for_each_tensor(from, returned.arguments, [&](const argument& a) {
        auto value = made[static_cast<std::size_t>(from[a.node()].values[a.result].index)].as_argument();
        if (!detail::is_output_in_place(out, value, constant)) {
            node copy;
            copy.op = find_op(device_ops, "npu.copy");
            copy.target = "npu.copy";
            copy.name = from[a.node()].name;
            copy.from = returned.from;
            copy.from.made_by = "outputs";
            node_id copied;
            if (!insert_call(out, copy, array_view(&value, 1), id, copied, d) || !infer_node(out, device_ops, copied, d)) return false;
            value = argument::of(copied);
        }
        set_argument(out, out[id].arguments[k++], value, id);
        return true;
    });
}

} // namespace ahead
