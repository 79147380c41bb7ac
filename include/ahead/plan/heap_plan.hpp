// SPDX-License-Identifier: MIT
// A plan whose pools are on the heap: the counterpart of plan_storage for graphs that are planned at run time.
// make_plan fills both in the same way.
// Invariant: the pools never change their size. Called by compile/inspect.hpp.
#pragma once
#include <ahead/plan/plan.hpp>
#include <vector>

namespace AHEAD_NAMESPACE::plan {

struct heap_plan {
    plan_summary summary;
    std::vector<task> tasks;
    std::vector<placement> placements;
    std::vector<constant_copy> copies;
    std::vector<sync> syncs;
    core::effort effort = core::effort::constant; // the one that make_plan used

    heap_plan() = default;
    /// Room for a graph of this capacity, and for `sync_room` syncs.
    explicit heap_plan(const capacity& used, std::int64_t sync_room = 0)
        : tasks(static_cast<std::size_t>(used.nodes)), placements(static_cast<std::size_t>(used.values)),
          copies(static_cast<std::size_t>(used.nodes)), syncs(static_cast<std::size_t>(sync_room)) {}

    /// Shows summary.syncs syncs, or all if there are fewer.
    plan_view view() const {
        const auto count = summary.syncs < 0 ? 0 : static_cast<std::size_t>(summary.syncs);
        return {summary, tasks, placements, copies, {syncs.data(), count < syncs.size() ? count : syncs.size()},
                effort};
    }
};

} // namespace ahead::plan
