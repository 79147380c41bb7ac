// SPDX-License-Identifier: MIT
// Device graph -> plan, in phases over one value. The head of each phase's file says what the phase needs and what it
// establishes.
// Called by compile/plan_stages.hpp. The needs of a kernel (workspace, in-place) come as one `needs` per node.
#pragma once
#include <ahead/plan/phase/alias_outputs.hpp>
#include <ahead/plan/phase/assign_offsets.hpp>
#include <ahead/plan/phase/assign_streams.hpp>
#include <ahead/plan/phase/elide_concats.hpp>
#include <ahead/plan/phase/find_live_ranges.hpp>
#include <ahead/plan/phase/list_tasks.hpp>
#include <ahead/plan/phase/reuse_in_place.hpp>
#include <ahead/plan/phase/write_placements.hpp>

namespace AHEAD_NAMESPACE::detail {

/// after(name, plan): called after each phase but the last one, for print/print_phases.hpp.
template <class After> constexpr void run_phases(plan_in_progress& plan, placement* placements, After after) {
    list_tasks(plan); // the tasks, and the values that need memory
    after("list_tasks", plan);
    alias_outputs(plan); // inputs and states are written by the tasks that compute their new values
    after("alias_outputs", plan);
    elide_concats(plan); // operands of concatenations are computed in their slices
    after("elide_concats", plan);
    assign_streams(plan); // the tasks are in launch order from here on
    after("assign_streams", plan);
    find_live_ranges(plan); // when values and buffers are live
    after("find_live_ranges", plan);
    reuse_in_place(plan); // results take over the bytes of operands
    after("reuse_in_place", plan);
    assign_offsets(plan); // every buffer has its offset
    after("assign_offsets", plan);
    write_placements(plan, placements);
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::plan {

/// pre: g holds no blocks; lowering and check_plan refuse those.
/// remove_cats: concatenations are not copied where that can be avoided. rules: null for one stream. post: check_plan
/// accepts the result. Plan: plan_storage or heap_plan.
template <class Plan>
constexpr void make_plan(graph_view g, array_view<const device::kernel_needs> needs, Plan& plan,
                         const machine::device& on = machine::npu, bool remove_cats = true,
                         const launch_rules* rules = nullptr, effort most = effort::constant) {
    plan.effort = most;
    detail::plan_in_progress made{g,
                                  needs.data(),
                                  on,
                                  remove_cats,
                                  rules,
                                  most,
                                  plan.summary,
                                  plan.tasks.data(),
                                  plan.copies.data(),
                                  plan.syncs.data()};
    detail::run_phases(made, plan.placements.data(), [](std::string_view, const detail::plan_in_progress&) {});
}

} // namespace ahead::plan
