// SPDX-License-Identifier: MIT
// The first phase: the tasks, and the values that need memory.
// pre: nothing is known. post: the tasks are all that there are, prepare's and then the run's, in the graph's order.
// Each value that comes with the graph or that a task computes has a separate buffer, whose region, port and bytes are
// known; the result of an npu.assign has no place yet. States, and parameters that the run reads, have their copies.
// Called by make_plan.hpp.
#pragma once
#include <ahead/plan/plan_in_progress.hpp>

namespace AHEAD_NAMESPACE::detail {

constexpr void add_copy(plan_in_progress& plan, std::int32_t v, planned_buffer& of) {
    plan.copies[plan.summary.copies++] = {{v}, 0, plan.aligned(of.run.bytes)};
    of.copy = plan.summary.copies;
}
/// Inputs are the caller's; parameters are what prepare reads; weights that a run writes are states.
constexpr void add_port(plan_in_progress& plan, node_id id) {
    const auto& n = plan.g[id];
    auto& sum = plan.summary;
    auto& port = plan.buffers.all[n.values.first];
    const bool is_input = n.kind == node_kind::placeholder && n.role == input_role::user;
    port.where = plan.nodes[id.index].constant ? region::parameter : is_input ? region::input : region::state;
    port.port = is_input ? sum.inputs++ : sum.parameters++;
    port.run.bytes = plan.bytes_of_value(n.values.first);
    if (port.where != region::state) return;
    add_copy(plan, n.values.first, port);
    ++sum.states;
}
/// A result of prepare that the run reads is a constant; a parameter that the run reads is copied to the constants.
constexpr void keep_for_run(plan_in_progress& plan, node_id reader) {
    auto* buffers = plan.buffers.all.data();
    for (const auto v : plan.reads_of(reader))
        if (buffers[v].where == region::scratch) buffers[v].where = region::constants;
        else if (buffers[v].where == region::parameter && buffers[v].copy == 0) add_copy(plan, v, buffers[v]);
}
/// Sets the regions and sizes of the results of task t.
constexpr void add_results(plan_in_progress& plan, std::int32_t t) {
    const auto& results = plan.nodes[plan.tasks[t].node.index].values;
    auto* buffers = plan.buffers.all.data();
    for (auto v = results.first; v < results.first + results.count; ++v) {
        if (const auto port = plan.values[v].storage.index; port != v) { // npu.assign
            plan.summary.inputs_written += buffers[port].where == region::input;
            continue;
        }
        buffers[v].where = t < plan.summary.prepare_tasks ? region::scratch : region::arena;
        buffers[v].run.bytes = plan.aligned(plan.bytes_of_value(v));
    }
}

/// Appends the storages that these arguments read to plan.reads.
constexpr void list_reads(plan_in_progress& plan, id_range<argument_id> range, std::int32_t& count) {
    for (auto i = range.first; i < range.first + range.count; ++i) {
        const auto& a = plan.arguments[i];
        if (a.kind == argument_kind::node)
            plan.reads[count++] = plan.values[plan.nodes[a.bits].values.first + a.result].storage.index;
        else if (a.children.count > 0) list_reads(plan, a.children, count);
    }
}

constexpr void list_tasks(plan_in_progress& plan) {
    const auto& g = plan.g;
    auto& sum = plan.summary;
    const auto task_of = [&](node_id id) { return task{id, 0, plan.aligned(plan.needs[id.index].workspace)}; };
    sum.cores = 1; // no kernel runs in parts: each task keeps the one of a task{}
    std::int32_t reads = 0;
    for (node_id id : g) {
        const auto kind = g[id].kind;
        if (kind == node_kind::output || plan.needs[id.index].is_task) {
            const auto first = reads;
            list_reads(plan, g[id].arguments, reads);
            plan.range_of_reads[id.index] = {first, reads - first};
        }
        if (kind != node_kind::call && kind != node_kind::output) add_port(plan, id);
        else if (plan.needs[id.index].is_task && plan.nodes[id.index].constant)
            plan.tasks[sum.prepare_tasks++] = task_of(id);
    }
    plan.task_count = sum.prepare_tasks;
    for (node_id id : g) {
        if (!plan.needs[id.index].is_task || plan.nodes[id.index].constant) continue;
        plan.tasks[plan.task_count++] = task_of(id);
        sum.ai_cpu_tasks += plan.needs[id.index].on_ai_cpu;
    }
    sum.run_tasks = plan.task_count - sum.prepare_tasks;
    for (std::int32_t t = 0; t < plan.task_count; ++t) {
        add_results(plan, t);
        if (t >= sum.prepare_tasks) keep_for_run(plan, plan.tasks[t].node);
    }
    keep_for_run(plan, g.last());
}

} // namespace ahead::detail
