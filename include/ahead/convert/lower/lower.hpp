// SPDX-License-Identifier: MIT
// ATen graph -> device graph, call by call in program order: views first, then the operator's converter, then the AI
// CPU. Calls that can be computed together are fused afterwards, by passes of the device graph (pass/device/). Called
// by lower_graph.hpp.
#pragma once
#include <ahead/convert/convert.hpp>
#include <ahead/ir/check_dtypes.hpp>
#include <ahead/ir/mutated_weights.hpp>
#include <ahead/pass/config.hpp>

namespace AHEAD_NAMESPACE::detail {

constexpr bool is_view_of_another(graph_view g, const node& n) {
    for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
        if (const auto& own = g[value_id{v}]; own.kind != value_kind::tensor || own.storage.index == v) return false;
    return n.values.count > 0;
}

constexpr bool lower_placeholder(graph_view from, node_id id, const mutated_weights& written,
                                 convert::lowering_state& state, diagnosis& d) {
    const auto out = state.out;
    node copy = unlinked(from[id]);
    id_range<argument_id> values;
    if (is_literal(from[id])) { // its contents are copied
        values.count = from.argument_of(from[id], 0).children.count;
        if (!reserve_arguments(out, 1, copy.arguments, d) || !reserve_arguments(out, values.count, values, d))
            return false;
        out[copy.arguments[0]] = {.kind = argument_kind::list, .children = values};
        for (std::int32_t i = 0; i < values.count; ++i)
            out[values[i]] = from[from.argument_of(from[id], 0).children[i]];
    }
    node_id placed;
    if (!append_node(out, copy, placed, d) || !reserve_values(out, placed, 1, d)) return false;
    out.value_of(placed) = {value_kind::tensor, from.value_of(id).type, out[placed].values[0]};
    out[placed].constant = copy.role != input_role::user && !written.has(id);
    state.made[from[id].values.first] = {placed.index, 0};
    return true;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::convert {

/// Refuses all that converters refuse. blocks: the needs of the programs of its blocks.
/// pre: `from` is typed and functional. post: `out` computes the same outputs; its output node's arguments are tensors
/// in separate storages. `made` has an entry per ATen value.
constexpr bool lower(graph_view from, op_table ops, converter_table converters, graph out, op_table device_ops,
                     array_view<device_value> made, const config& options, array_view<const device::block_needs> blocks,
                     diagnosis& d) {
    const mutated_weights written(from);
    lowering_state state{out,
                         device_ops,
                         converters,
                         made.data(),
                         {converters, ops},
                         ops,
                         written,
                         blocks,
                         options.loop_bound,
                         fixed_buffer<std::int16_t>(static_cast<std::int64_t>(ops.size()))};
    if (!written.check_graph(from, d)) return false;
    bool rare_dtypes = false; // whether any was found so far
    const node* nodes = from.node_pool();
    bound_arguments bound;
    convert_context context(call_view(from, {}, bound, d), state, d);
    for (auto id = from.first(); id.index >= 0; id = nodes[id.index].next) {
        const auto& n = nodes[id.index];
        if (n.kind == node_kind::output) continue;
        rare_dtypes = rare_dtypes || makes_rare_dtype(from, n);
        const bool rare = rare_dtypes && has_rare_dtype(from, n);
        bool ok = !rare || check_dtypes(from, n, ops, d);
        if (ok && n.kind != node_kind::call) {
            ok = ahead::detail::lower_placeholder(from, id, written, state, d);
        } else if (ok) {
            bind_typed(from, id, ops.data()[n.op.index], bound);
            context.aten.rebind(id);
            if (ahead::detail::is_view_of_another(from, n)) {
                for (std::int32_t k = 0; ok && k < n.values.count; ++k) {
                    const auto owner = made[static_cast<std::size_t>(from[n.values[k]].storage.index)].as_argument();
                    auto type = from[n.values[k]].type;
                    type.offset += context.type_of(owner).offset - from[from[n.values[k]].storage].type.offset;
                    ok = context.bind_result(context.view(owner, type), k);
                }
            } else {
                const auto k = state.converter_of.of(n);
                const bool converts =
                    k >= 0 && (!rare || state.converters[static_cast<std::size_t>(k)].takes_any_dtype);
                ok = converts ? state.converters[static_cast<std::size_t>(k)].convert(context) && d.ok()
                              : context.emit_ai_cpu_call();
            }
        }
        if (!ok) {
            blame(d, n);
            return false;
        }
    }
    return true;
}

} // namespace ahead::convert
