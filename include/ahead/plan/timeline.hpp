// SPDX-License-Identifier: MIT
// When each task of a run begins and ends on the simulated device. Made by npu/timing.hpp from the ticks of each task; printed by io/print_timeline.hpp.
// Invariant: on one stream no two tasks overlap, and none begins before the events that it waits for.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/plan/plan.hpp>

namespace AHEAD_NAMESPACE {

/// Of task number `task` of the plan, prepare's counted.
struct timeline_row {
    std::int32_t task = 0;
    std::int32_t stream = 0;
    target::ticks start, end;
    friend constexpr bool operator==(const timeline_row&, const timeline_row&) = default;
};

/// Who launches the tasks of a run.
enum class launching : std::uint8_t {
    once, // the host launches the graph: a replay, or a graph that the device runs as a whole
    each, // the host launches one task after the other and does not wait: none begins before it is launched
};

/// On each stream one task after the other; one behind a wait begins when the event has happened. ticks: of each run task, what stands between it and
/// the task before it included. rows: as many, in the order of launching.
constexpr void lay_out(plan_view plan, array_view<const target::ticks> ticks, const target::launch_cost& launch, launching by, timeline_row* rows) {
    fixed_buffer<target::ticks> idle(plan.summary.streams), happened(plan.summary.events); // when the stream is free; when the event has happened
    if (by == launching::once)
        for (auto& from : idle.all()) from = launch.graph;
    target::ticks launched;
    auto sync = plan.syncs.begin();
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        const auto t = plan.summary.prepare_tasks + static_cast<std::int32_t>(i);
        for (; sync != plan.syncs.end() && sync->before == t; ++sync) {
            if (sync->kind == sync_kind::record) happened[sync->event] = idle[sync->stream];
            else if (const auto seen = happened[sync->event] + launch.event; idle[sync->stream] < seen) idle[sync->stream] = seen;
        }
        auto& now = idle[plan.tasks.data()[t].stream];
        if (by == launching::each) launched += launch.host;
        if (now < launched) now = launched;
        rows[i] = {t, plan.tasks.data()[t].stream, now, now + ticks[i]};
        now = rows[i].end;
    }
}

/// When the last task ends; 0 without tasks.
constexpr target::ticks makespan_of(array_view<const timeline_row> rows) {
    target::ticks last;
    for (const auto& row : rows)
        if (last < row.end) last = row.end;
    return last;
}

} // namespace ahead
