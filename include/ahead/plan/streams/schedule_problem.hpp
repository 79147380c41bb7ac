// SPDX-License-Identifier: MIT
// Stream assignment as a separate problem: tasks with durations, the tasks that each needs, and a number of streams;
// and the answer for each task.
// Stated by plan/phase/assign_streams.hpp, solved by schedule.hpp.
// Invariant: a task needs only earlier ones.
#pragma once
#include <ahead/core/effort.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/machine/ticks.hpp>

namespace AHEAD_NAMESPACE::plan {

/// The tasks, in an order in which each comes after those that it needs.
struct schedule_problem {
    array_view<const machine::ticks> ticks;     // by task
    array_view<const std::int32_t> first_need; // by task: where its needs begin; one entry more
    array_view<const std::int32_t> needs;      // tasks
    std::int32_t streams = 1;
    machine::ticks
        event; // from the end of a task until a task that waits for it on another stream may start; also from the start
               // of the run until the other streams may start, and from their end until the end of the run
    std::int32_t least_gain_permille = 0; // of the time of one task after another: if less is saved, one stream is used
    effort most = effort::constant;       // determines the number of passes
};

/// Whether `makespan` is less than `work`, the time on one stream, by at least least_gain_permille thousandths of it.
constexpr bool saves(machine::ticks work, machine::ticks makespan, std::int32_t least_gain_permille) {
    return makespan < work && 1000 * (work - makespan) >= least_gain_permille * work;
}

struct scheduled_task {
    std::int32_t stream = 0;
    machine::ticks start;
};

} // namespace ahead::plan
