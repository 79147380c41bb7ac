// SPDX-License-Identifier: MIT
// The independent verifier of a plan. Knows nothing of how the plan was made: lifetimes are counted again from the
// graph, what a kernel takes and may overwrite is its own word (kernel_needs).
// Called by compile/compiled.hpp on every plan, and by tests on broken ones. No plan makes it read elsewhere, whatever
// its numbers are.
#pragma once
#include <ahead/ir/blocks.hpp>
#include <ahead/plan/verify/check_bytes.hpp>
#include <ahead/plan/verify/check_order.hpp>
#include <ahead/plan/verify/check_places.hpp>
#include <ahead/plan/verify/check_summary.hpp>
#include <ahead/plan/verify/check_tasks.hpp>

namespace AHEAD_NAMESPACE {

/// needs: by node. Refuses (plan_is_broken) a task that is missing, or listed twice, an operand read before it is
/// written or after it is overwritten, a result or workspace laid over bytes that somebody still reads, or over an
/// operand that the kernel does not allow it, workspaces smaller than kernels need, a concatenation without task whose
/// parts do not all lie in their slices, an input or a state written while its old value is still read, or not written,
/// constants or states that are not apart, parameters that a run reads and nobody copied, effects in another order than
/// the graph's, offsets outside their region, and misaligned ones; also whatever the plan says of itself and is not so.
/// Of a plan with several streams also whatever check_order refuses. A graph that holds blocks has no plan
/// (control_flow_is_not_run): a task's block would be planned by nobody.
constexpr bool check_plan(graph_view g, array_view<const kernel_needs> needs, plan_view plan, diagnosis& d,
                          const machine::device& on = machine::npu) {
    if (!check_has_no_blocks(g, d)) return false;
    detail::verifier_state trial{g, needs, plan, on, d};
    if (!detail::task_verifier(trial).run() || !detail::offset_verifier(trial).run()) return false;
    detail::byte_verifier bytes(trial);
    return bytes.run() && check_order(g, plan, d) &&
           detail::summary_verifier(trial).run(bytes.arena_end(), bytes.scratch_end());
}

} // namespace ahead
