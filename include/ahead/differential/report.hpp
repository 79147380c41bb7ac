// SPDX-License-Identifier: MIT
// The result of a differential run: made by compare_with_reference.hpp, printed by print/print_differential.hpp.
// Invariant: every task is either compared, or skipped with a reason; divergences are ordered: passes, tasks in
// execution order, results.
#pragma once
#include <ahead/core/build.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace AHEAD_NAMESPACE::differential {

/// The cause of a wrong tensor.
enum class differential_stage : std::uint8_t {
    passes,  // the graph after the passes returns other results than the graph before; tasks are compared with the
             // graph after
    tasks,   // a task computes something else than its ATen nodes
    results, // an output, or an input or state that the graph writes, was right when computed but wrong at the end of
             // the run
};

/// A tensor that differs from the reference's.
struct divergence {
    differential_stage stage = differential_stage::tasks;
    std::int32_t task = -1; // index in the plan; -1 if no task computed it
    std::string name;       // the ATen node
    std::string op;         // the ATen operator
    std::string device_op;  // the device operator that ran it
    std::string
        fused; // all ATen nodes that the task computes at once; `name` is the last one; any of them may be wrong
    std::int32_t line = 0;           // in the graph's text, or in the user's source; 0 if unknown
    std::string comment;             // the "File: ..." comment above the line, if any
    std::string type;                // "f32[2, 3]"
    std::int64_t wrong = 0;          // number of wrong elements
    std::vector<std::int64_t> index; // index of the first wrong element
    std::string expected, got;
    double max_difference = 0; // largest absolute difference; infinity if either element is NaN or infinite
};

struct skipped_task {
    std::int32_t task = 0;
    std::string name; // the node that the task helps to compute
    std::string device_op;
    std::string reason;
};

struct differential_report {
    std::int32_t tasks = 0; // tasks of prepare and of run
    std::int32_t compared = 0;
    double max_difference = 0; // over all compared tensors, divergent or not
    std::vector<skipped_task> skipped;
    std::vector<divergence> diverging;

    bool ok() const { return diverging.empty(); }
    /// The first divergence; null if there is none.
    const divergence* first() const { return diverging.empty() ? nullptr : &diverging.front(); }
};

} // namespace ahead::differential
