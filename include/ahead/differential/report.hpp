// SPDX-License-Identifier: MIT
// What a differential run found, as a value: made by compare_with_reference.hpp, printed by print/print_differential.hpp.
// Invariant: every task is compared or skipped, with the reason; what diverges is in the order of passes, tasks as they
// ran, results.
#pragma once
#include <ahead/core/build.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace AHEAD_NAMESPACE {

/// What made a tensor other than it should be.
enum class differential_stage : std::uint8_t {
    passes,  // the graph behind them returns something else than the one before: the tasks are compared with the one
             // behind
    tasks,   // a task computes something else than the ATen nodes it stands for
    results, // an output, or an input or state that the graph writes, was right when it was computed, and is not at the
             // end
};

/// A tensor that is not what the reference computes.
struct divergence {
    differential_stage stage = differential_stage::tasks;
    std::int32_t task = -1; // of the plan, where one did it
    std::string name;       // the ATen node
    std::string op;         // the ATen operator
    std::string device_op;  // what ran it
    std::string
        fused; // all ATen nodes that the task computes at once, of which `name` is the last: any of them may be wrong
    std::int32_t line = 0;           // of the graph's text, or of the user's source; 0 where unknown
    std::string comment;             // "File: ..." above the line, where there was one
    std::string type;                // "f32[2, 3]"
    std::int64_t wrong = 0;          // how many elements are
    std::vector<std::int64_t> index; // of the first of them
    std::string expected, got;
    double max_difference = 0; // the largest absolute one; infinity where one of both is NaN, or infinite
};

struct skipped_task {
    std::int32_t task = 0;
    std::string name; // the node that the task works for
    std::string device_op;
    std::string reason;
};

struct differential_report {
    std::int32_t tasks = 0; // of prepare and of run
    std::int32_t compared = 0;
    double max_difference = 0; // of all that was compared, divergent or not
    std::vector<skipped_task> skipped;
    std::vector<divergence> diverging;

    bool ok() const { return diverging.empty(); }
    /// The first node that diverges; null if none does.
    const divergence* first() const { return diverging.empty() ? nullptr : &diverging.front(); }
};

} // namespace ahead
