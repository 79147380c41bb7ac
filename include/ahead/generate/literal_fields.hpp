// SPDX-License-Identifier: MIT
// f(name, value, default) for each field of what a generated program states as literals: of the graph, its arguments,
// the passes' steps and the plan. Each is in its type's namespace, where argument-dependent lookup finds it.
#pragma once
#include <ahead/compile/pass_steps.hpp>
#include <ahead/core/fields.hpp>
#include <ahead/ir/blocks.hpp>
#include <ahead/plan/plan.hpp>

namespace AHEAD_NAMESPACE::ir {

AHEAD_FIELDS(argument, kind, result, bits, text, keyword, writes, children)
AHEAD_FIELDS(capacity, nodes, arguments, values)
AHEAD_FIELDS(core_limit, ai_cores, vector_cores)
AHEAD_FIELDS(graph_header, used, first, last, live_nodes, blocks, has_streams, on_eigen, limit)

} // namespace ahead::ir
namespace AHEAD_NAMESPACE::compile {

AHEAD_FIELDS(pass_step, name, before, after, changes)

} // namespace ahead::compile
namespace AHEAD_NAMESPACE::plan {

AHEAD_FIELDS(task, node, workspace_offset, workspace_bytes, stream, parts)
AHEAD_FIELDS(placement, where, port, offset, bytes, first_task, last_task, shares, part_of, copy)
AHEAD_FIELDS(constant_copy, parameter, offset, bytes)
AHEAD_FIELDS(sync, kind, event, stream, before)
AHEAD_FIELDS(plan_summary, prepare_tasks, run_tasks, ai_cpu_tasks, copies, inputs, parameters, inputs_written,
             inputs_written_in_place, states, states_written_in_place, cats_removed, parts_in_place, streams, cores,
             events, syncs, peak_bytes, state_bytes, constant_bytes, scratch_bytes, workspace_bytes, largest_live_bytes)

} // namespace ahead::plan
