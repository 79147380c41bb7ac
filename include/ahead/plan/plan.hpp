// SPDX-License-Identifier: MIT
// A plan: which tasks run in which order, and where every byte is stored. Two programs: `prepare` fills the constant
// region from the weights, `run` computes outputs from inputs in the arena. Pure data; made by make_plan.hpp, verified
// by check.hpp, run by runtime/.
// Invariant (proved by check.hpp): no task's bytes are overwritten before their last reader is done, and every number
// here follows from graph, needs and places.
#pragma once
#include <ahead/core/effort.hpp>
#include <ahead/ir/graph.hpp>
#include <ahead/machine/device.hpp>

namespace AHEAD_NAMESPACE::plan {

enum class region : std::uint8_t {
    nowhere,
    input,     // the caller's tensor; `port` counts the user inputs; written if the graph mutates it
    parameter, // a tensor of the weight file; `port` counts the parameters; prepare reads it, run never does
    state, // a parameter that the graph mutates: run reads and writes the session's copy, which is initialised from the
           // weight
    constants, // written once by prepare
    arena,     // written by run
    scratch,   // written and read by prepare
};

/// Where the storage of a value is. Filled in for placeholders, for results of tasks, and for concatenations without a
/// task; the result of an npu.assign that is a task is at its port. All other placements keep their defaults. New
/// values of inputs and states that are computed in place are at their port.
struct placement {
    region where = region::nowhere;
    std::int32_t port =
        0; // inputs, and parameters including states, are numbered in the order of the graph; 0 in other regions
    std::int64_t offset = 0; // bytes into the region: aligned, except for parts
    std::int64_t bytes = 0;  // the size of the type; aligned, except for ports and parts
    std::int32_t first_task =
        0; // the task that writes it; of a concatenation, the first one that writes a part of it; 0 for placeholders
    std::int32_t last_task = 0; // the last task that reads it, or what it is part of; the number of all tasks for
                                // outputs; first_task if no task reads it
    value_id shares;            // the operand of the same task whose bytes it takes over in place; none() if none
    value_id
        part_of; // the concatenation of the run whose bytes it aliases, at its slice; interleaved with other parts if a
                 // dim before the concatenated one is larger than 1; none() if none
    std::int32_t copy = -1; // parameters: which of the plan's copies run reads, or the state is initialised from; -1:
                            // none, because no run reads it
    friend constexpr bool operator==(const placement&, const placement&) = default;
};

struct task {
    node_id node;
    std::int64_t workspace_offset = 0; // bytes into the arena (or scratch); 0 if there is none
    std::int64_t workspace_bytes = 0;  // the size that the kernel needs, aligned
    std::int32_t stream = 0;           // 0 is the main stream, on which a run begins and ends; prepare uses no other
    std::int32_t parts = 1;            // the number of parts that its kernel runs in, each on a separate core
    friend constexpr bool operator==(const task&, const task&) = default;
};

enum class sync_kind : std::uint8_t {
    record, // the event happens when everything launched on the stream before is done
    wait,   // everything launched on the stream afterwards starts after the event
};

/// Launched on a stream in addition to tasks, so that another stream can wait for it. In launch order.
struct sync {
    sync_kind kind = sync_kind::record;
    std::int32_t event = 0; // recorded once, waited for any number of times
    std::int32_t stream = 0;
    std::int32_t before = 0; // the task before which it is launched; the number of all tasks: after the last one
    friend constexpr bool operator==(const sync&, const sync&) = default;
};

/// A parameter that `run` reads unchanged, or that initialises a state: prepare copies it into the constant region.
struct constant_copy {
    value_id parameter;
    std::int64_t offset = 0; // aligned
    std::int64_t bytes = 0;  // of the parameter, aligned
    friend constexpr bool operator==(const constant_copy&, const constant_copy&) = default;
};

/// Sizes of the plan, and the ranges of its programs in `tasks`.
struct plan_summary {
    std::int32_t prepare_tasks = 0; // tasks [0, prepare_tasks) are prepare's
    std::int32_t run_tasks = 0;
    std::int32_t ai_cpu_tasks = 0; // those of the run without a kernel: the AI CPU runs them, element by element
    std::int32_t copies = 0;
    std::int32_t inputs = 0;
    std::int32_t parameters = 0;
    std::int32_t inputs_written = 0; // the number of the caller's tensors that a run mutates
    std::int32_t inputs_written_in_place =
        0;                   // those of them that the task that computes the new value writes: no copy at the end
    std::int32_t states = 0; // parameters that a run mutates
    std::int32_t states_written_in_place = 0; // those of them that are written by the task that computes the new value
    std::int32_t cats_removed = 0;            // concatenations without a task: operands are computed in their slices
    std::int32_t parts_in_place = 0; // operands computed in their slices, also if a task copies the other operands
    std::int32_t streams = 1;        // the number of streams that `run` uses: its highest one, + 1
    std::int32_t cores = 1;          // the number of the device's cores that a task may have parts on
    std::int32_t events = 0;         // each is recorded once
    std::int32_t syncs = 0;
    std::int64_t peak_bytes = 0;         // the arena
    std::int64_t state_bytes = 0;        // memory that a session keeps from run to run, after its arena
    std::int64_t constant_bytes = 0;     // the constant region
    std::int64_t scratch_bytes = 0;      // additional memory of prepare
    std::int64_t workspace_bytes = 0;    // the largest workspace, part of peak_bytes
    std::int64_t largest_live_bytes = 0; // lower bound of peak_bytes for this order of tasks
    friend constexpr bool operator==(const plan_summary&, const plan_summary&) = default;
};
/// The summary as a plan shows it to users, with the static members of an empty struct added.
template <class Besides> struct plan_summary_with : plan_summary, Besides {};

struct plan_view {
    const plan_summary& summary;
    array_view<const task> tasks;
    array_view<const placement> placements; // by value
    array_view<const constant_copy> copies;
    array_view<const sync> syncs; // as many as summary.syncs
    core::effort effort =
        core::effort::constant; // the one that make_plan used; not verified: nothing in the plan follows from it
};

/// f(record, wait) for each wait of the plan and the record of its event.
template <class F> constexpr void for_each_wait(plan_view plan, F f) {
    for (const auto& record : plan.syncs)
        for (const auto& wait : plan.syncs)
            if (record.kind == sync_kind::record && wait.kind == sync_kind::wait && record.event == wait.event)
                f(record, wait);
}

/// Syncs: room for syncs, 0 for a plan of one stream. Each entry is written as a whole, as in graph_storage.
template <capacity Capacity, std::size_t Syncs = 0> struct plan_storage {
    plan_summary summary;
    std::array<task, static_cast<std::size_t>(Capacity.nodes)> tasks{};
    std::array<placement, static_cast<std::size_t>(Capacity.values)> placements{};
    std::array<constant_copy, static_cast<std::size_t>(Capacity.nodes)> copies{};
    std::array<sync, Syncs> syncs{};
    core::effort effort = core::effort::constant; // the one that make_plan used
    /// Shows summary.syncs syncs, or all if there are fewer.
    constexpr plan_view view() const {
        const auto count = summary.syncs < 0 ? 0 : static_cast<std::size_t>(summary.syncs);
        return {summary, tasks, placements, copies, {syncs.data(), count < Syncs ? count : Syncs}, effort};
    }
};

} // namespace ahead::plan

namespace AHEAD_NAMESPACE {
using plan::task;
} // namespace ahead
