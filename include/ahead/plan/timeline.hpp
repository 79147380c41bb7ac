// SPDX-License-Identifier: MIT
// When each task of a run begins and ends on the simulated device. Made by compile/timing.hpp from the ticks of each
// task; printed by print/print_timeline.hpp.
// Invariant: on one stream no two tasks overlap, and no task begins before the events that it waits for; streams share
// the machine, so that no run ends before least_makespan().
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/machine/shared_machine.hpp>
#include <ahead/plan/plan.hpp>

namespace AHEAD_NAMESPACE::plan {

/// The times of task number `task` of the plan; prepare's tasks are counted.
struct timeline_row {
    std::int32_t task = 0;
    std::int32_t stream = 0;
    machine::ticks start, end;
    friend constexpr bool operator==(const timeline_row&, const timeline_row&) = default;
};

/// How the tasks of a run are launched.
enum class launching : std::uint8_t {
    once, // the host launches the graph: a replay, or a graph that the device runs as a whole
    each, // the host launches one task after another and does not wait: no task begins before it is launched
};

} // namespace ahead::plan
namespace AHEAD_NAMESPACE::detail {

/// Lays out the tasks of each stream one after another, in launch order; a task after a wait begins when its stream has
/// seen the event. end_of(i, start): the end of run task i.
template <class EndOf>
constexpr void lay_out_tasks(plan_view plan, array_view<const machine::demand> tasks,
                             const machine::launch_cost& launch, launching by, EndOf end_of, timeline_row* rows) {
    const auto count = static_cast<std::int32_t>(tasks.size());
    fixed_buffer<machine::ticks> idle(plan.summary.streams),
        happened(plan.summary.events); // when the stream is free; when the event has happened
    if (by == launching::once)
        for (auto& from : idle.all()) from = launch.graph;
    machine::ticks launched;
    auto sync = plan.syncs.begin();
    for (std::int32_t i = 0; i < count; ++i) {
        const auto t = plan.summary.prepare_tasks + i;
        for (; sync != plan.syncs.end() && sync->before == t; ++sync) {
            if (sync->kind == sync_kind::record) happened[sync->event] = idle[sync->stream];
            else if (const auto seen = happened[sync->event] + launch.event; idle[sync->stream] < seen)
                idle[sync->stream] = seen;
        }
        auto& now = idle[plan.tasks.data()[t].stream];
        if (by == launching::each && !tasks.data()[i].continues) launched += launch.host;
        if (now < launched && !tasks.data()[i].continues) now = launched;
        rows[i] = {t, plan.tasks.data()[t].stream, now, end_of(i, now)};
        now = rows[i].end;
    }
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::plan {

/// tasks: the demand of each run task, including the delay after the task before it. rows: one per task, in launch
/// order. Streams share the machine: see machine/shared_machine.hpp.
constexpr void lay_out(plan_view plan, array_view<const machine::demand> tasks, const machine::launch_cost& launch,
                       launching by, timeline_row* rows) {
    const auto count = static_cast<std::int32_t>(tasks.size());
    const auto* all = tasks.data();
    if (plan.summary.streams <= 1)
        return detail::lay_out_tasks(
            plan, tasks, launch, by, [&](std::int32_t i, machine::ticks start) { return start + all[i].alone; }, rows);
    machine::shared_machine machine(count);
    detail::lay_out_tasks(
        plan, tasks, launch, by, [&](std::int32_t i, machine::ticks start) { return machine.run(start, all[i]); },
        rows);
}

/// When the last task ends; 0 without tasks.
constexpr machine::ticks makespan_of(array_view<const timeline_row> rows) {
    machine::ticks last;
    for (const auto& row : rows)
        if (last < row.end) last = row.end;
    return last;
}

/// A lower bound of the makespan, however the streams share the machine: the longest path through tasks, events and
/// launches with each task's duration `alone`, or, if longer, the work of all tasks at the peak of one unit.
constexpr machine::ticks least_makespan(plan_view plan, array_view<const machine::demand> tasks,
                                        const machine::launch_cost& launch, launching by) {
    const auto count = static_cast<std::int32_t>(tasks.size());
    if (count == 0) return {};
    fixed_buffer<timeline_row> rows(count);
    detail::lay_out_tasks(
        plan, tasks, launch, by, [&](std::int32_t i, machine::ticks start) { return start + tasks.data()[i].alone; },
        rows.data());
    auto least = makespan_of(rows.all());
    for (int u = 0; u < machine::units; ++u) {
        auto busy = by == launching::once ? launch.graph : launch.host;
        for (const auto& task : tasks) busy += task.at_peak[u];
        if (least < busy) least = busy;
    }
    return least;
}

/// Law: the rows are the plan's tasks, none takes less than alone, on one stream none overlap, and the makespan is at
/// least least_makespan().
constexpr bool keeps_to_the_machine(plan_view plan, array_view<const machine::demand> tasks,
                                    const machine::launch_cost& launch, launching by,
                                    array_view<const timeline_row> rows) {
    if (rows.size() != tasks.size()) return false;
    fixed_buffer<machine::ticks> idle(plan.summary.streams);
    auto row = rows.begin();
    for (const auto& task : tasks) {
        if (row->end - row->start < task.alone || row->start < idle[row->stream]) return false;
        idle[row->stream] = row->end;
        ++row;
    }
    return !(makespan_of(rows) < least_makespan(plan, tasks, launch, by));
}

} // namespace ahead::plan

namespace AHEAD_NAMESPACE {
using plan::least_makespan, plan::timeline_row;
} // namespace ahead
