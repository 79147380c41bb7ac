// SPDX-License-Identifier: MIT
// Device graph -> plan: splits the tasks into prepare and run, finds lifetimes, takes over dead operands in place, places buffers.
// Called by npu/compiled.hpp. What a kernel needs (workspace, in-place) comes as one `needs` per node.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/graph.hpp>
#include <ahead/plan/place.hpp>
#include <ahead/plan/plan.hpp>

namespace ahead {

/// What the kernel of one node asks of the planner.
struct kernel_needs {
    bool is_task = false;           // views and placeholders are not
    std::int64_t workspace = 0;     // bytes
    std::uint8_t may_overwrite = 0; // bit i: result 0 may take the memory of argument i
};

/// post: check_plan accepts the result.
template <capacity Capacity>
constexpr void make_plan(graph_view g, std::span<const bool> constant, std::span<const kernel_needs> needs, plan_storage<Capacity>& plan) {
    auto& sum = plan.summary;
    auto at = [&](value_id v) -> placement& { return plan.placements[static_cast<std::size_t>(v.index)]; };
    const auto is_constant = [&](node_id n) { return constant[static_cast<std::size_t>(n.index)]; };
    const auto needs_of = [&](node_id n) -> const kernel_needs& { return needs[static_cast<std::size_t>(n.index)]; };

    // Ports, then tasks: prepare's first.
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.kind == node_kind::call || n.kind == node_kind::output) continue;
        auto& p = at(n.values[0]);
        p.where = is_constant(id) ? region::parameter : region::input;
        p.port = is_constant(id) ? sum.parameters++ : sum.inputs++;
        p.bytes = extent_of(g.value_of(id).type) * static_cast<std::int64_t>(bytes_of(g.value_of(id).type.type));
    }
    for (const bool preparing : {true, false})
        for (node_id id : g) {
            if (!needs_of(id).is_task || is_constant(id) != preparing) continue;
            auto& t = plan.tasks[static_cast<std::size_t>(sum.prepare_tasks + sum.run_tasks)];
            t = {id, 0, target::aligned(needs_of(id).workspace)};
            ++(preparing ? sum.prepare_tasks : sum.run_tasks);
        }
    const auto task_count = sum.prepare_tasks + sum.run_tasks;

    // Lifetimes of storages. A storage that run reads but prepare made is a constant.
    const auto read_by = [&](const argument& a, std::int32_t task_index, bool running) {
        auto& p = at(g.value_of(a).storage);
        p.last_task = task_index;
        if (!running) return;
        if (p.where == region::scratch) p.where = region::constants;
        if (p.where == region::parameter && p.last_task >= 0) {
            bool copied = false;
            for (std::int32_t i = 0; i < sum.copies; ++i)
                copied = copied || plan.copies[static_cast<std::size_t>(i)].parameter == g.value_of(a).storage;
            if (!copied) plan.copies[static_cast<std::size_t>(sum.copies++)] = {g.value_of(a).storage, 0, target::aligned(p.bytes)};
        }
    };
    const auto each_read = [&](const node& n, auto&& f) {
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = g.argument_of(n, i);
            if (a.kind == argument_kind::node) f(a, i);
            for (std::int32_t k = 0; k < a.children.count; ++k)
                if (g[a.children[k]].kind == argument_kind::node) f(g[a.children[k]], -1);
        }
    };
    for (std::int32_t t = 0; t < task_count; ++t) {
        const auto& n = g[plan.tasks[static_cast<std::size_t>(t)].node];
        const bool running = t >= sum.prepare_tasks;
        for (std::int32_t k = 0; k < n.values.count; ++k) {
            const auto& v = g[n.values[k]];
            const auto bytes = extent_of(v.type) * static_cast<std::int64_t>(bytes_of(v.type.type));
            auto& p = at(n.values[k]);
            p.where = running ? region::arena : region::scratch;
            p.bytes = target::aligned(bytes);
            p.first_task = p.last_task = t;
        }
        each_read(n, [&](const argument& a, std::int32_t) { read_by(a, t, running); });
    }
    each_read(g[g.last()], [&](const argument& a, std::int32_t) { read_by(a, task_count, true); });

    // In place: a result takes over an operand's bytes if this is their last use. Followed to the first owner, so chains share one buffer.
    const auto owner_of = [&](value_id v) {
        while (at(v).shares.exists()) v = at(v).shares;
        return v;
    };
    for (std::int32_t t = 0; t < task_count; ++t) {
        const auto& n = g[plan.tasks[static_cast<std::size_t>(t)].node];
        const auto may = needs_of(plan.tasks[static_cast<std::size_t>(t)].node).may_overwrite;
        if (may == 0 || n.values.count == 0) continue;
        each_read(n, [&](const argument& a, std::int32_t i) {
            auto& mine = at(n.values[0]);
            if (i < 0 || (may >> i & 1) == 0 || mine.shares.exists()) return;
            const auto operand = g.value_of(a).storage;
            const auto& theirs = at(operand);
            if (theirs.where != mine.where || theirs.last_task != t || theirs.bytes != mine.bytes || (mine.where != region::arena)) return;
            std::int32_t readings = 0; // x + x.t() must not write x while it still reads it
            each_read(n, [&](const argument& other, std::int32_t) { readings += g.value_of(other).storage == operand; });
            if (readings == 1) mine.shares = operand;
        });
    }

    // Intervals per region, in order of time; shared storages lengthen their owner's.
    std::vector<interval> intervals;
    std::vector<value_id> owners;
    const auto place_region = [&](region where, std::int32_t from, std::int32_t to) {
        intervals.clear();
        owners.clear();
        std::vector<std::int32_t> interval_of(plan.placements.size(), -1);
        std::int64_t most_workspace = 0;
        for (std::int32_t t = from; t < to; ++t) {
            auto& job = plan.tasks[static_cast<std::size_t>(t)];
            const auto& n = g[job.node];
            for (std::int32_t k = 0; k < n.values.count; ++k) {
                const auto v = n.values[k];
                if (at(v).where != where) continue;
                const auto owner = owner_of(v);
                auto& index = interval_of[static_cast<std::size_t>(owner.index)];
                if (index < 0) {
                    index = static_cast<std::int32_t>(intervals.size());
                    intervals.push_back({t, at(v).last_task, at(owner).bytes, 0});
                    owners.push_back(owner);
                }
                auto& last = intervals[static_cast<std::size_t>(index)].last;
                last = std::max(last, at(v).last_task);
            }
            if (job.workspace_bytes > 0 && where != region::constants) {
                intervals.push_back({t, t, job.workspace_bytes, 0});
                owners.push_back({-2 - t});
                most_workspace = std::max(most_workspace, job.workspace_bytes);
            }
        }
        const auto live = largest_live_set(intervals);
        const auto bytes = ahead::place(intervals);
        for (std::size_t i = 0; i < intervals.size(); ++i) {
            if (owners[i].exists()) at(owners[i]).offset = intervals[i].offset;
            else plan.tasks[static_cast<std::size_t>(-2 - owners[i].index)].workspace_offset = intervals[i].offset;
        }
        if (where == region::arena) {
            sum.largest_live_bytes = live;
            sum.workspace_bytes = most_workspace;
        }
        return bytes;
    };
    sum.scratch_bytes = place_region(region::scratch, 0, sum.prepare_tasks);
    sum.peak_bytes = place_region(region::arena, sum.prepare_tasks, task_count);
    for (auto& p : plan.placements)
        if (p.shares.exists()) p.offset = at(owner_of(p.shares)).offset;

    // Constants live for ever: one after the other, in task order, then the parameters copied as they are.
    for (std::int32_t t = 0; t < sum.prepare_tasks; ++t) {
        const auto& n = g[plan.tasks[static_cast<std::size_t>(t)].node];
        for (std::int32_t k = 0; k < n.values.count; ++k) {
            auto& p = at(n.values[k]);
            if (p.where != region::constants) continue;
            p.offset = sum.constant_bytes;
            sum.constant_bytes += p.bytes;
        }
    }
    for (std::int32_t i = 0; i < sum.copies; ++i) {
        auto& copy = plan.copies[static_cast<std::size_t>(i)];
        copy.offset = sum.constant_bytes;
        sum.constant_bytes += copy.bytes;
    }
}

} // namespace ahead
