// SPDX-License-Identifier: MIT
// Offset assignment: where every byte of the plan is stored. Scratch and arena are problems for
// arena/offset_solver.hpp; constants and states live for ever, one after another.
// pre: reuse_in_place; the buffers of scratch and arena have bytes and live ranges. post: every buffer in a region of
// the plan, every copy and every workspace has its offset, and the summary has the sizes of the regions.
// Called by make_plan.hpp.
#pragma once
#include <ahead/plan/arena/offset_solver.hpp>
#include <ahead/plan/arena/colocate_workspaces.hpp>
#include <ahead/plan/plan_in_progress.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The buffers of tasks [from, to) in a region, in the order in which they begin, and the workspaces of these tasks.
struct region_problem {
    fixed_buffer<arena_buffer> buffers;
    fixed_buffer<std::int32_t> owners; // by buffer: its number in the plan; -1 - t: the workspace of task t
    fixed_buffer<std::int32_t> number; // by number in the plan: number here, + 1; 0: not in the region
    std::int32_t count = 0;
    std::int64_t largest_workspace = 0;

    constexpr region_problem(const plan_in_progress& plan, region where, std::int32_t from, std::int32_t to)
        : buffers(std::int64_t{plan.g.header().used.values} + to - from), owners(buffers.size()),
          number(plan.g.header().used.values) {
        const auto* places = plan.buffers.places.data();
        const auto* all = plan.buffers.all.data();
        auto* number_of = number.data();
        const auto add = [&](const arena_buffer& it, std::int32_t owner) {
            owners[count] = owner;
            buffers[count++] = it;
        };
        for (auto t = from; t < to; ++t) {
            const auto& job = plan.tasks[t];
            const auto& results = plan.nodes[job.node.index].values;
            for (auto v = results.first; v < results.first + results.count; ++v)
                if (const auto b = places[v].buffer; all[b].where == where && number_of[b] == 0) {
                    add(all[b].run, b);
                    number_of[b] = count;
                }
            if (job.workspace_bytes == 0) continue;
            add({{t, t}, job.workspace_bytes, 0}, -1 - t);
            if (largest_workspace < job.workspace_bytes) largest_workspace = job.workspace_bytes;
        }
    }
    constexpr array_view<arena_buffer> all() { return buffers.all().first(static_cast<std::size_t>(count)); }
    /// By buffer: the stream whose workspace it is; -1: it is not a workspace.
    constexpr fixed_buffer<std::int32_t> streams_of_workspaces(const plan_in_progress& plan) const {
        fixed_buffer<std::int32_t> out(count);
        for (std::int32_t i = 0; i < count; ++i) out[i] = owners[i] < 0 ? plan.tasks[-1 - owners[i]].stream : -1;
        return out;
    }
    /// Writes the answer into the plan.
    constexpr void write(plan_in_progress& plan) const {
        auto* all = plan.buffers.all.data();
        for (std::int32_t i = 0; i < count; ++i)
            if (const auto owner = owners[i]; owner >= 0) all[owner].run.offset = buffers[i].offset;
            else plan.tasks[-1 - owner].workspace_offset = buffers[i].offset;
    }
};

constexpr void assign_scratch(plan_in_progress& plan) {
    auto& sum = plan.summary;
    region_problem problem(plan, region::scratch, 0, sum.prepare_tasks);
    sum.scratch_bytes = solve_offsets(problem.all(), plan.most).region;
    problem.write(plan);
}
constexpr void assign_arena(plan_in_progress& plan) {
    auto& sum = plan.summary;
    region_problem problem(plan, region::arena, sum.prepare_tasks, plan.task_count);
    const auto buffers = problem.all();
    if (plan.uses.is_streamed()) {
        auto apart = plan.uses.apart(buffers, problem.owners.data());
        const auto* places = plan.buffers.places.data();
        const auto* live = plan.live.data();
        const auto* number = problem.number.data();
        // A value that comes into a buffer later (a part, or a result in place) may start when fewer tasks are done
        // than at the start of the buffer's first value.
        for (std::int32_t v = 0; v < plan.g.header().used.values; ++v)
            if (const auto i = number[places[v].buffer] - 1; i >= 0 && buffers.data()[i].live.first < live[v].first)
                apart.begin_by(i, live[v].first);
        sum.peak_bytes =
            solve_offsets(buffers, apart, effort{static_cast<std::int64_t>(plan.most) / apart.streams}).region;
        workspace_settling(buffers, apart, problem.streams_of_workspaces(plan).data(), sum.peak_bytes).run();
    } else {
        sum.peak_bytes = solve_offsets(buffers, plan.most).region;
    }
    problem.write(plan);
    sum.largest_live_bytes = largest_live_set(buffers);
    sum.workspace_bytes = problem.largest_workspace;
}
/// Constants are the results of prepare, in the order of its tasks, then the parameters that are copied unchanged. Each
/// state is initialised from such a copy.
constexpr void assign_constants(plan_in_progress& plan) {
    auto& sum = plan.summary;
    auto* all = plan.buffers.all.data();
    for (std::int32_t t = 0; t < sum.prepare_tasks; ++t) {
        const auto& results = plan.nodes[plan.tasks[t].node.index].values;
        for (auto v = results.first; v < results.first + results.count; ++v) {
            if (all[v].where != region::constants) continue;
            all[v].run.offset = sum.constant_bytes;
            sum.constant_bytes += all[v].run.bytes;
        }
    }
    for (std::int32_t i = 0; i < sum.copies; ++i) {
        auto& copy = plan.copies[i];
        copy.offset = sum.constant_bytes;
        sum.constant_bytes += copy.bytes;
        if (all[copy.parameter.index].where != region::state) continue;
        all[copy.parameter.index].run.offset = sum.state_bytes;
        sum.state_bytes += copy.bytes;
    }
}

constexpr void assign_offsets(plan_in_progress& plan) {
    assign_scratch(plan);
    assign_arena(plan);
    assign_constants(plan);
    plan.has_offsets = true;
}

} // namespace ahead::detail
