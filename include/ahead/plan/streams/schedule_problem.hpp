// SPDX-License-Identifier: MIT
// Stream assignment as a problem of its own: tasks that take some time, after others, on some streams; and what an
// answer says of each.
// Stated by plan/phase/assign_streams.hpp, solved by schedule.hpp.
// Invariant: a task needs earlier ones alone.
#pragma once
#include <ahead/core/effort.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/machine/ticks.hpp>

namespace AHEAD_NAMESPACE {

/// The tasks, in an order in which each comes after those it needs.
struct schedule_problem {
    array_view<const machine::ticks> ticks;     // by task
    array_view<const std::int32_t> first_need; // by task, where its needs begin; one more
    array_view<const std::int32_t> needs;      // tasks
    std::int32_t streams = 1;
    machine::ticks
        event; // from the end of a task until one that waits for it on another stream may start; also from the start of
               // the run until the other streams may start, and from their end until that of the run
    std::int32_t least_gain_permille = 0; // of the time of one task after the other: what less saves is not spread
    effort most = effort::constant;       // decides how many passes there are
};

/// Whether streams that take until `makespan` save so many thousandths of the time of one task after the other.
constexpr bool saves(machine::ticks work, machine::ticks makespan, std::int32_t least_gain_permille) {
    return makespan < work && 1000 * (work - makespan) >= least_gain_permille * work;
}

struct scheduled_task {
    std::int32_t stream = 0;
    machine::ticks start;
};

} // namespace ahead
