// SPDX-License-Identifier: MIT
// A plan: which tasks run in which order, and where every byte lies. Two programs: `prepare` fills the constant region
// from the weights, `run` computes outputs from inputs in the arena. Pure data; made by make_plan.hpp, verified by
// check.hpp, run by compile/.
// Invariant (proved by check.hpp): no task's bytes are overwritten before their last reader is done, and every number
// here follows from graph, needs and places.
#pragma once
#include <ahead/core/effort.hpp>
#include <ahead/ir/graph.hpp>
#include <ahead/machine/device.hpp>

namespace AHEAD_NAMESPACE {

enum class region : std::uint8_t {
    nowhere,
    input,     // the caller's tensor, `port` counts the user inputs; written where the graph mutates it
    parameter, // the weight file's tensor, `port` counts the parameters; prepare reads it, run never does
    state, // a parameter that the graph mutates: run reads and writes the session's own, which begins as a copy of the
           // weights' one
    constants, // written once by prepare
    arena,     // written by run
    scratch,   // written by prepare for prepare
};

/// Where the storage of a value lies. Filled in for placeholders and for what tasks compute, npu.assign included, which
/// writes where its port lies; all others are as made. New values of inputs and states that are computed in their place
/// lie at their port.
struct placement {
    region where = region::nowhere;
    std::int32_t port =
        0; // inputs, and parameters with states among them, are counted in the order of the graph; 0 elsewhere
    std::int64_t offset = 0; // bytes into the region: aligned, but for parts
    std::int64_t bytes = 0;  // of ports and parts, what the type takes; of others, that, aligned
    std::int32_t first_task =
        0; // the task that writes it; of a concatenation, the first one that writes a part of it; 0 for placeholders
    std::int32_t last_task = 0; // the last task that reads it, or what it is part of; the number of all tasks for
                                // outputs; first_task where nobody reads it
    value_id shares;            // the operand of the same task whose bytes it took over in place; none() if of none
    value_id
        part_of; // the concatenation of the run in whose bytes it lies, in its own slice of them, a woven one with the
                 // others' bytes in its gaps; none() if in none
    std::int32_t copy = -1; // parameters: which of the plan's copies run reads, or the state begins as; -1: none,
                            // because no run reads it
    friend constexpr bool operator==(const placement&, const placement&) = default;
};

struct task {
    node_id node;
    std::int64_t workspace_offset = 0; // bytes into the arena (or scratch); 0 where there is none
    std::int64_t workspace_bytes = 0;  // what the kernel needs, aligned
    std::int32_t stream = 0;           // 0 is the main one, on which a run begins and ends; prepare has no other
    std::int32_t parts = 1;            // that its kernel runs it in, each on a core of its own
    friend constexpr bool operator==(const task&, const task&) = default;
};

enum class sync_kind : std::uint8_t {
    record, // the event happens when all that was launched on the stream before is done
    wait,   // what is launched on the stream afterwards starts after the event
};

/// What is launched on a stream besides tasks, so that another one can wait for it. In the order of launching.
struct sync {
    sync_kind kind = sync_kind::record;
    std::int32_t event = 0; // recorded once, waited for any number of times
    std::int32_t stream = 0;
    std::int32_t before = 0; // the task before which it is launched; the number of all tasks: after the last one
    friend constexpr bool operator==(const sync&, const sync&) = default;
};

/// A parameter that `run` reads as it is, or that a state begins as: prepare copies it into the constant region.
struct constant_copy {
    value_id parameter;
    std::int64_t offset = 0; // aligned
    std::int64_t bytes = 0;  // of the parameter, aligned
    friend constexpr bool operator==(const constant_copy&, const constant_copy&) = default;
};

/// Sizes of the plan, and where its parts begin in `tasks`.
struct plan_summary {
    std::int32_t prepare_tasks = 0; // tasks [0, prepare_tasks) are prepare's
    std::int32_t run_tasks = 0;
    std::int32_t ai_cpu_tasks = 0; // those of the run that have no kernel: the AI CPU runs them, element by element
    std::int32_t copies = 0;
    std::int32_t inputs = 0;
    std::int32_t parameters = 0;
    std::int32_t inputs_written = 0; // how many of the caller's tensors a run mutates
    std::int32_t inputs_written_in_place =
        0;                   // those of them that are written by what computes their new value: no copy at the end
    std::int32_t states = 0; // parameters that a run mutates
    std::int32_t states_written_in_place = 0; // those of them that are written by what computes their new value
    std::int32_t cats_removed = 0;   // concatenations that are no tasks: what is joined was computed in its place
    std::int32_t parts_in_place = 0; // how much is joined that way, also by tasks that copy other parts
    std::int32_t streams = 1;        // that run's tasks are on: the last one's number, + 1
    std::int32_t cores = 1;          // of the device's, how many a task may have parts on
    std::int32_t events = 0;         // each is recorded once
    std::int32_t syncs = 0;
    std::int64_t peak_bytes = 0;         // the arena
    std::int64_t state_bytes = 0;        // what a session keeps from run to run, behind its arena
    std::int64_t constant_bytes = 0;     // the constant region
    std::int64_t scratch_bytes = 0;      // what prepare needs besides
    std::int64_t workspace_bytes = 0;    // the largest workspace, part of peak_bytes
    std::int64_t largest_live_bytes = 0; // lower bound of peak_bytes for this order of tasks
    friend constexpr bool operator==(const plan_summary&, const plan_summary&) = default;
};
/// The same as a plan shows it to users. Besides: an empty struct, whose static members a plan has as well.
template <class Besides> struct plan_summary_with : plan_summary, Besides {};

struct plan_view {
    const plan_summary& summary;
    array_view<const task> tasks;
    array_view<const placement> placements; // by value
    array_view<const constant_copy> copies;
    array_view<const sync> syncs; // as many as summary.syncs
    ahead::effort effort =
        ahead::effort::constant; // that it was made with: nothing follows from it, so nobody verifies it
};

/// f(record, wait) for each wait of the plan, by its event's record.
template <class F> constexpr void for_each_wait(plan_view plan, F f) {
    for (const auto& record : plan.syncs)
        for (const auto& wait : plan.syncs)
            if (record.kind == sync_kind::record && wait.kind == sync_kind::wait && record.event == wait.event)
                f(record, wait);
}

/// Syncs: room for them, 0 for a plan of one stream. Entries are written whole, as those of graph_storage.
template <capacity Capacity, std::size_t Syncs = 0> struct plan_storage {
    plan_summary summary;
    std::array<task, static_cast<std::size_t>(Capacity.nodes)> tasks{};
    std::array<placement, static_cast<std::size_t>(Capacity.values)> placements{};
    std::array<constant_copy, static_cast<std::size_t>(Capacity.nodes)> copies{};
    std::array<sync, Syncs> syncs{};
    ahead::effort effort = ahead::effort::constant; // of make_plan
    /// Of as many syncs as the summary says, and as there are.
    constexpr plan_view view() const {
        const auto count = summary.syncs < 0 ? 0 : static_cast<std::size_t>(summary.syncs);
        return {summary, tasks, placements, copies, {syncs.data(), count < Syncs ? count : Syncs}, effort};
    }
};

} // namespace ahead
