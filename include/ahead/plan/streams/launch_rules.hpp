// SPDX-License-Identifier: MIT
// How a plan may use streams: set by compile/plan_stages.hpp, read by plan/phase/assign_streams.hpp.
// Invariant: with one stream, and a graph that says nothing of streams, the other rules are not read.
#pragma once
#include <ahead/core/array_view.hpp>
#include <ahead/machine/shared_machine.hpp>

namespace AHEAD_NAMESPACE::plan {

/// How a plan may use streams.
struct launch_rules {
    std::int32_t streams = 1;                    // how many the tasks may use if the graph says nothing of streams
    array_view<const machine::demand> demands{}; // by node, of tasks; needed if streams > 1
    machine::ticks event{};                      // the cost of a wait for another stream
    std::int32_t least_gain_permille = 0;        // what several streams must save, in thousandths of the time on one
    bool orders_data =
        true; // a task waits for operands that other streams compute. False: only the user's waits are made
};

/// The most syncs that `tasks` tasks can have: records, and waits for each other stream.
constexpr std::int64_t sync_room(std::int64_t tasks, std::int64_t streams) {
    return streams <= 1 ? 0 : (tasks + 1) * streams;
}

} // namespace ahead::plan
