// SPDX-License-Identifier: MIT
// The numbers of a plan as rows of a table. Called by html_report.hpp.
#pragma once
#include <ahead/print/report/svg_memory_map.hpp>
#include <string_view>
#include <vector>

namespace AHEAD_NAMESPACE::detail {

/// One number of a plan, with its name.
struct summary_row {
    std::string_view name;
    std::int64_t number;
    bool is_bytes;
    std::string_view gloss;
};
inline std::vector<summary_row> summary_rows(const plan_summary& sum) {
    return {{"run_tasks", sum.run_tasks, false, "kernels called by a run"},
            {"ai_cpu_tasks", sum.ai_cpu_tasks, false, "of these, run by their meaning"},
            {"prepare_tasks", sum.prepare_tasks, false, "kernels called once, when weights are loaded"},
            {"inputs", sum.inputs, false, "tensors that a run takes"},
            {"parameters", sum.parameters, false, "weights and constants"},
            {"copies", sum.copies, false, "weights copied as they are"},
            {"inputs_written", sum.inputs_written, false, "inputs that a run changes"},
            {"inputs_written_in_place", sum.inputs_written_in_place, false, "of these, without a copy"},
            {"states", sum.states, false, "weights that a run changes"},
            {"states_written_in_place", sum.states_written_in_place, false, "of these, without a copy"},
            {"cats_removed", sum.cats_removed, false, "concatenations that are no tasks"},
            {"parts_in_place", sum.parts_in_place, false, "operands computed in their concatenation"},
            {"streams", sum.streams, false, "that tasks of a run are on"},
            {"cores", sum.cores, false, "that a task may have parts on"},
            {"events", sum.events, false, "that streams wait for"},
            {"syncs", sum.syncs, false, "records and waits"},
            {"peak_bytes", sum.peak_bytes, true, "the arena of a session"},
            {"largest_live_bytes", sum.largest_live_bytes, true, "the least that an arena needs in this order"},
            {"workspace_bytes", sum.workspace_bytes, true, "the largest workspace, part of the arena"},
            {"state_bytes", sum.state_bytes, true, "kept by a session from run to run"},
            {"constant_bytes", sum.constant_bytes, true, "prepared weights, shared by sessions"},
            {"scratch_bytes", sum.scratch_bytes, true, "needed while weights are prepared"}};
}
inline std::string_view print(region where) {
    constexpr std::string_view names[] = {"", "input", "weights", "state", "constants", "arena", "scratch"};
    static_assert(std::size(names) == static_cast<std::size_t>(region::scratch) + 1);
    return names[static_cast<std::size_t>(where)];
}

} // namespace ahead::detail
