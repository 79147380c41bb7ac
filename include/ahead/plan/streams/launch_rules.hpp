// SPDX-License-Identifier: MIT
// What a plan may do with streams: said by compile/plan_stages.hpp, asked by plan/phase/assign_streams.hpp.
// Invariant: with one stream, and a graph that says nothing of streams, nobody asks for the rest.
#pragma once
#include <ahead/core/array_view.hpp>
#include <ahead/machine/shared_machine.hpp>

namespace AHEAD_NAMESPACE {

/// What a plan may do with streams.
struct launch_rules {
    std::int32_t streams = 1; // over how many the tasks of a graph are spread that says nothing of streams
    array_view<const machine::demand> demands{}; // by node, of tasks; needed if streams > 1
    machine::ticks event{};                      // what it costs to wait for another stream
    std::int32_t least_gain_permille = 0;       // what several streams must save of the time of one
    bool orders_data =
        true; // what is read on another stream is waited for. False, and the user's waits are all there are
};

/// How many syncs so many tasks can have: records, and waits for each other stream.
constexpr std::int64_t sync_room(std::int64_t tasks, std::int64_t streams) {
    return streams <= 1 ? 0 : (tasks + 1) * streams;
}

} // namespace ahead
