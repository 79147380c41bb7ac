// SPDX-License-Identifier: MIT
// The independent verifier of a plan. It does not depend on how the plan was made: lifetimes are recomputed from the
// graph, and the memory that a kernel needs and may overwrite comes from kernel_needs.
// Called by check_program.hpp on every plan, and by tests on broken ones. No plan makes it read out of bounds,
// whatever its numbers are.
#pragma once
#include <ahead/ir/blocks.hpp>
#include <ahead/plan/verify/check_bytes.hpp>
#include <ahead/plan/verify/check_order.hpp>
#include <ahead/plan/verify/check_places.hpp>
#include <ahead/plan/verify/check_summary.hpp>
#include <ahead/plan/verify/check_tasks.hpp>

namespace AHEAD_NAMESPACE::plan {

/// needs: by node. Refuses (plan_is_broken) a task that is missing or listed twice; an operand that is read before it
/// is written or after it is overwritten; a result or workspace that overlaps bytes that are still to be read, or an
/// operand that the kernel may not overwrite; workspaces smaller than kernels need; a concatenation without a task
/// whose parts are not all in their slices; an input or a state that is written while its old value is still to be
/// read, or not written; constants or states that overlap; parameters that a run reads without a copy; effects in
/// another order than the graph's; offsets that are misaligned or outside their region; and every other statement of
/// the plan about itself that is not true. For a plan with several streams, also whatever check_order refuses. A graph
/// that holds blocks has no plan (control_flow_is_not_run), because the tasks of its blocks would not be planned.
constexpr bool check_plan(graph_view g, array_view<const device::kernel_needs> needs, plan_view plan, diagnosis& d,
                          const machine::device& on = machine::npu) {
    if (!check_has_no_blocks(g, d)) return false;
    detail::verifier_state trial{g, needs, plan, on, d};
    if (!detail::task_verifier(trial).run() || !detail::offset_verifier(trial).run()) return false;
    detail::byte_verifier bytes(trial);
    return bytes.run() && check_order(g, plan, d) &&
           detail::summary_verifier(trial).run(bytes.arena_end(), bytes.scratch_end());
}

} // namespace ahead::plan

namespace AHEAD_NAMESPACE {
using plan::check_plan;
} // namespace ahead
