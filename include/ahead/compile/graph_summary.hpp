// SPDX-License-Identifier: MIT
// The memory that a program needs from its user, in the terms of GE's CompiledGraphSummary. Program::summary is one.
// Invariant: the sizes are exact, and equal those that session and prepared_weights use when the caller provides the
// memory. Called by compiled.hpp and users.
#pragma once
#include <ahead/plan/plan.hpp>

namespace AHEAD_NAMESPACE::compile {

struct graph_summary {
    std::int64_t const_memory_bytes =
        0; // prepared weights: prepared_weights(weights, memory), session::set_const_memory_base
    std::int64_t feature_memory_bytes =
        0; // memory of a session: session(weights, memory), session::update_feature_memory_base
    std::int64_t fixed_feature_memory_bytes = 0; // its part, at the end, that persists from run to run: states
    std::int64_t workspace_bytes = 0;            // the largest workspace of a task, also part of it
    std::int64_t alignment = 0;                  // of both memories, in bytes
    bool is_feature_memory_refreshable = true;   // whether it may move between runs: always, with its states
    std::int32_t streams = 1;
    std::int32_t events = 0;
    friend constexpr bool operator==(const graph_summary&, const graph_summary&) = default;
};

constexpr graph_summary summarize(const plan_summary& plan, const machine::device& on) {
    return {.const_memory_bytes = plan.constant_bytes,
            .feature_memory_bytes = plan.peak_bytes + plan.state_bytes,
            .fixed_feature_memory_bytes = plan.state_bytes,
            .workspace_bytes = plan.workspace_bytes,
            .alignment = on.alignment,
            .streams = plan.streams,
            .events = plan.events};
}

} // namespace ahead::compile
