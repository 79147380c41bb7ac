// SPDX-License-Identifier: MIT
// A plan whose pools are on the heap: plan_storage for graphs that are planned at run time. make_plan fills it as it
// fills the other.
// Invariant: the pools never change their size. Called by compile/inspect_fx.hpp.
#pragma once
#include <ahead/plan/plan.hpp>
#include <vector>

namespace AHEAD_NAMESPACE {

struct heap_plan {
    plan_summary summary;
    std::vector<task> tasks;
    std::vector<placement> placements;
    std::vector<constant_copy> copies;
    std::vector<sync> syncs;
    ahead::effort effort = ahead::effort::constant; // of make_plan

    heap_plan() = default;
    /// Room for a graph that uses so much, and for so many syncs.
    explicit heap_plan(const capacity& used, std::int64_t sync_room = 0)
        : tasks(static_cast<std::size_t>(used.nodes)), placements(static_cast<std::size_t>(used.values)),
          copies(static_cast<std::size_t>(used.nodes)), syncs(static_cast<std::size_t>(sync_room)) {}

    /// Of as many syncs as the summary says, and as there are.
    plan_view view() const {
        const auto count = summary.syncs < 0 ? 0 : static_cast<std::size_t>(summary.syncs);
        return {summary, tasks, placements, copies, {syncs.data(), count < syncs.size() ? count : syncs.size()},
                effort};
    }
};

} // namespace ahead
