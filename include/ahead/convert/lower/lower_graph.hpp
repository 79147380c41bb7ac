// SPDX-License-Identifier: MIT
// The whole lowering, and the room that it takes: one call at a time, outputs, then passes of the device graph. Called
// by compile/graph_stages.hpp, compile/lowering_outcome.hpp and the printers.
#pragma once
#include <ahead/convert/lower/lower.hpp>
#include <ahead/convert/lower/outputs.hpp>
#include <ahead/pass/device/builtin.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Finds again which calls depend on weights and literals alone, after a user's passes have rewritten their operands,
/// or weights were cut. Returned values are copied from constants by the run.
constexpr void find_constants(graph g, op_table device_ops) {
    for (node_id id : g) {
        auto& n = g[id];
        if (n.kind != node_kind::call) continue;
        bool all = !device_ops[static_cast<std::size_t>(n.op.index)].effect.has_side_effect && !is_returned(g, id);
        for_each_operand(g, n.arguments, [&](const argument& a) { all = all && g[a.node()].constant; });
        n.constant = all;
    }
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::convert {

/// lower, lower_outputs, then passes of the device graph. blocks: the needs of the programs of its blocks
/// (compile/compiled_block.hpp). made: by value of `from`, which it has entries for, the device value that it becomes,
/// before the passes. All: the pipeline, of which Passes are those that may be on.
template <class Passes, class All = Passes>
constexpr bool lower_graph(graph_view from, op_table ops, converter_table converters, graph out, op_table device_ops,
                           const pass::setting& with, diagnosis& d, const Passes& passes,
                           array_view<const device::block_needs> blocks, array_view<device_value> made) {
    out.header().limit = within(with.options.limit(), from.header().limit);
    if (!lower(from, ops, converters, out, device_ops, made, with.options, blocks, d) ||
        !lower_outputs(from, out, device_ops, made, d) || !pass::run(passes, with, out, device_ops, d))
        return false;
    if (pass::has_others<All> || with.options.cores > 1) ahead::detail::find_constants(out, device_ops);
    return true;
}
/// The same without the map; the built-in passes if none are given.
template <class Passes = pass::device_passes<machine::npu>>
constexpr bool lower_graph(graph_view from, op_table ops, converter_table converters, graph out, op_table device_ops,
                           const pass::setting& with, diagnosis& d, const Passes& passes = {},
                           array_view<const device::block_needs> blocks = {}) {
    fixed_buffer<device_value> made(from.header().used.values);
    return lower_graph(from, ops, converters, out, device_ops, with, d, passes, blocks, made.all());
}

/// Room for the lowering of most graphs: of 73 graphs of trained models, one took more than 1.21, 2.34 and 1.22 times
/// the ATen graph's nodes, arguments and values; if every fourth call is a product, arguments are 3.14 times as many.
/// For other graphs it is doubled.
constexpr capacity usual_lowered_capacity(graph_view from) {
    const auto& used = from.header().used;
    return {used.nodes + used.nodes / 4 + 16, 13 * (used.arguments / 4) + 96, used.values + used.values / 4 + 16};
}
/// The whole lowering in separate room, which is doubled until it is enough. A converter that does not terminate is
/// refused with graph_exceeds_capacity after ten doublings. doubled: how often the initial room is doubled first.
template <class Passes = pass::device_passes<machine::npu>>
constexpr heap_storage lower_on_heap(graph_view from, op_table ops, converter_table converters, op_table device_ops,
                                     const pass::setting& with, diagnosis& d, const Passes& passes = {},
                                     array_view<const device::block_needs> blocks = {}, int doubled = 0) {
    auto room = usual_lowered_capacity(from);
    for (int times = 0;; ++times, room = {2 * room.nodes, 2 * room.arguments, 2 * room.values}) {
        if (times < doubled) continue;
        heap_storage out(room);
        diagnosis own;
        lower_graph(from, ops, converters, out.edit(), device_ops, with, own, passes, blocks);
        if (own.what != fault::graph_exceeds_capacity || times == 10) {
            if (d.ok()) d = own;
            return out;
        }
    }
}
/// The exact size of the device graph; if lowering refuses the graph, its size at that point.
template <class Passes = pass::device_passes<machine::npu>>
constexpr capacity lowered_capacity(graph_view from, op_table ops, converter_table converters, op_table device_ops,
                                    const pass::setting& with, const Passes& passes = {},
                                    array_view<const device::block_needs> blocks = {}, int doubled = 0) {
    diagnosis d;
    return lower_on_heap(from, ops, converters, device_ops, with, d, passes, blocks, doubled).header.used;
}

} // namespace ahead::convert
