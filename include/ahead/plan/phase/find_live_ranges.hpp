// SPDX-License-Identifier: MIT
// When every value and buffer is live, in launch order.
// pre: elide_concats, assign_streams; the tasks and their order are final. post: the live range of each value goes from
// the task that writes it to the last one that reads it or what it is part of; that of a concatenation begins with its
// first part. The live range of each buffer covers those of all values in it, and if there are several streams,
// plan.uses has all uses of it.
// Called by make_plan.hpp.
#pragma once
#include <ahead/plan/plan_in_progress.hpp>

namespace AHEAD_NAMESPACE::detail {

/// A part lives as long as its whole, and a whole begins with its first part. In `parts`, a whole's parts come before
/// their own parts: the forward pass visits wholes first, the backward pass visits parts first.
constexpr void join_live_ranges(plan_in_progress& plan) {
    auto* live = plan.live.data();
    const auto* parts = plan.buffers.parts.data();
    const auto* places = plan.buffers.places.data();
    for (auto i = plan.buffers.part_count; i-- > 0;)
        if (auto& whole = live[places[parts[i]].with]; live[parts[i]].first < whole.first)
            whole.first = live[parts[i]].first;
    for (std::int32_t i = 0; i < plan.buffers.part_count; ++i)
        if (const auto& whole = live[places[parts[i]].with]; live[parts[i]].last < whole.last)
            live[parts[i]].last = whole.last;
}

constexpr void find_live_ranges(plan_in_progress& plan) {
    const auto values = plan.g.header().used.values;
    const bool on_streams = plan.uses.is_streamed();
    auto& buffers = plan.buffers;
    auto* live = plan.live.data();
    const auto* places = buffers.places.data();
    for (std::int32_t i = 0; i < buffers.part_count; ++i) // until its parts are known
        live[places[buffers.parts[i]].with].first = plan.task_count;
    for (std::int32_t t = 0; t <= plan.task_count; ++t) { // the last one is the output, which has no results
        const auto id = t < plan.task_count ? plan.tasks[t].node : plan.g.last();
        const auto& n = plan.nodes[id.index];
        const bool is_streamed = on_streams && t >= plan.summary.prepare_tasks && t < plan.task_count;
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
            live[v] = {t, t};
            if (is_streamed) plan.uses.add(places[v].buffer, t);
        }
        for (const auto v : plan.reads_of(id)) {
            live[v].last = t;
            if (is_streamed) plan.uses.add(places[v].buffer, t);
        }
    }
    join_live_ranges(plan);
    auto* all = buffers.all.data();
    for (std::int32_t v = 0; v < values; ++v) all[v].run.live = live[v];
    for (std::int32_t i = 0; i < buffers.part_count; ++i) { // no part begins before its whole
        const auto part = buffers.parts[i];
        if (auto& last = all[places[part].buffer].run.live.last; last < live[part].last) last = live[part].last;
    }
    plan.has_live_ranges = true;
}

} // namespace ahead::detail
