// SPDX-License-Identifier: MIT
// A plan on its way through the phases of make_plan.hpp: the request, and what is known of the plan so far. Each phase
// is a function of this value, in phase/; print/print_phases.hpp prints it between any two of them.
// Invariant: consistent between phases. Tasks are numbered by their current order, and what is not known yet is 0.
#pragma once
#include <ahead/device/kernel_needs.hpp>
#include <ahead/ir/graph.hpp>
#include <ahead/plan/buffers.hpp>
#include <ahead/plan/streams/launch_rules.hpp>
#include <ahead/plan/streams/stream_uses.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Pools by pointer, because calls dominate the cost of constant evaluation.
struct plan_in_progress {
    // The request.
    graph_view g;
    const device::kernel_needs* needs; // by node
    const machine::device& on;
    bool remove_cats;
    const launch_rules* rules; // null: one stream
    effort most;
    // The results so far.
    plan_summary& summary;
    task* tasks; // prepare's first
    constant_copy* copies;
    sync* syncs;
    std::int32_t task_count = 0;
    bool has_live_ranges = false, has_offsets = false; // whether these are known
    buffer_table buffers{g.header().used.values};
    fixed_buffer<live_range> live{g.header().used.values}; // by value
    stream_uses uses{};                                    // of the run, if there are several streams
    fixed_buffer<std::int32_t> reads{g.header().used.arguments};
    fixed_buffer<id_range<value_id>> range_of_reads{g.header().used.nodes}; // by node: its range of `reads`
    // The graph's pools.
    const node* nodes = g.nodes().data();
    const argument* arguments = g.arguments().data();
    const value* values = g.values().data();

    constexpr std::int64_t aligned(std::int64_t bytes) const { return machine::aligned(bytes, on); }
    constexpr std::int64_t bytes_of_value(std::int32_t v) const {
        const auto& type = values[v].type;
        return bytes_of(type.type, extent_of(type));
    }
    /// The storages that a task or the output reads, as indices of values, in the order of its operands; a storage that
    /// is read several times is listed each time.
    constexpr array_view<const std::int32_t> reads_of(node_id id) const {
        const auto& own = range_of_reads.data()[id.index];
        return {reads.data() + own.first, static_cast<std::size_t>(own.count)};
    }
    /// How often the node reads the storage.
    constexpr std::int32_t readings(node_id id, std::int32_t storage) const {
        std::int32_t count = 0;
        for (const auto read : reads_of(id)) count += read == storage;
        return count;
    }
    /// Whether result v of the node may take the place of argument i, according to kernel_needs.
    constexpr bool may_overwrite(node_id id, std::int32_t v, std::int32_t i) const {
        const auto& asked = needs[id.index];
        const auto& a = arguments[nodes[id.index].arguments.first + i];
        if (i >= 16 || (asked.may_overwrite >> i & 1) == 0 || a.kind != argument_kind::node) return false;
        return asked.each_may_overwrite ? values[v].type == g.value_of(a).type : v == nodes[id.index].values.first;
    }
    /// How often the node reads the storage through arguments that result v may overwrite. v may take the storage's
    /// place if the node reads its bytes in no other way: x * x, but not x + x.t(), may write x.
    constexpr std::int32_t overwritable(node_id id, std::int32_t v, std::int32_t storage) const {
        const auto& n = g[id];
        std::int32_t count = 0;
        for (std::int32_t i = 0; i < n.arguments.count && i < 16; ++i)
            count += may_overwrite(id, v, i) && g.value_of(g.argument_of(n, i)).storage.index == storage;
        return count;
    }
    /// Removes the tasks that are done elsewhere (by task; empty: none are). The others keep their order.
    constexpr void drop_tasks(const fixed_buffer<bool>& is_done_elsewhere) {
        if (is_done_elsewhere.size() == 0) return;
        std::int32_t kept = 0;
        for (std::int32_t t = 0; t < task_count; ++t)
            if (!is_done_elsewhere[t]) tasks[kept++] = tasks[t];
            else summary.ai_cpu_tasks -= needs[tasks[t].node.index].on_ai_cpu;
        for (auto t = kept; t < task_count; ++t) tasks[t] = {};
        task_count = kept;
        summary.run_tasks = kept - summary.prepare_tasks;
    }
    /// Marks task t as done elsewhere. pre: it is not dropped yet.
    constexpr void leave_out(fixed_buffer<bool>& is_done_elsewhere, std::int32_t t) const {
        if (is_done_elsewhere.size() == 0) is_done_elsewhere = fixed_buffer<bool>(task_count);
        is_done_elsewhere[t] = true;
    }
};

} // namespace ahead::detail
