// SPDX-License-Identifier: MIT
// When each task of a run begins and ends on the simulated device. Pure data and the two ways to run a plan: the host launches the graph once, or
// every task by itself. Made by npu/timing.hpp from the ticks of each task; printed by io/print_timeline.hpp.
// Invariant: rows are in order of start; on one stream no two overlap.
#pragma once
#include <ahead/plan/plan.hpp>

namespace ahead {

/// Of task number `task` of the plan, prepare's counted.
struct timeline_row {
    std::int32_t task = 0;
    std::int32_t stream = 0;
    target::ticks start, end;
    friend constexpr bool operator==(const timeline_row&, const timeline_row&) = default;
};

/// The tasks back to back on stream 0, after one launch of the graph: a replay, or a graph that the device runs as a whole.
/// ticks: of each run task, what stands between it and the task before it included. rows: as many.
constexpr void lay_out_launched_once(array_view<const target::ticks> ticks, std::int32_t first_task, const target::launch_cost& launch,
                                     timeline_row* rows) {
    auto now = launch.graph;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        rows[i] = {first_task + static_cast<std::int32_t>(i), 0, now, now + ticks[i]};
        now = rows[i].end;
    }
}

/// The host launches one task after the other and does not wait: a task begins when it is launched and the one before is done.
constexpr void lay_out_launched_each(array_view<const target::ticks> ticks, std::int32_t first_task, const target::launch_cost& launch,
                                     timeline_row* rows) {
    target::ticks launched, now;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        launched += launch.host;
        if (now < launched) now = launched;
        rows[i] = {first_task + static_cast<std::int32_t>(i), 0, now, now + ticks[i]};
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
