// SPDX-License-Identifier: MIT
// The contents of the arena of a run, with their offsets and times: one block for all values that share the same bytes,
// one for each workspace. Read from a plan and a timeline, simulated or measured; called by printers of traces and
// memory maps.
// Invariant: a block lives from the begin of the first task that writes any of it to the end of the last one that reads
// any of it; an output lives to the end of the run.
#pragma once
#include <ahead/core/heap_sort.hpp>
#include <ahead/plan/timeline.hpp>

namespace AHEAD_NAMESPACE::plan {

struct arena_block {
    value_id owner; // the value whose storage it is; none(): the workspace of first_task
    node_id node;   // the node that writes it first, whose name the block has
    std::int64_t offset = 0, bytes = 0;
    std::int32_t first_task = 0,
                 last_task = 0; // in the plan, prepare's counted; for outputs, last_task is the number of all tasks
    machine::ticks begin, end;
};

class arena_blocks {
public:
    /// rows: one for each run task, in the order of the plan.
    constexpr arena_blocks(graph_view g, plan_view plan, array_view<const timeline_row> rows)
        : plan_(plan), blocks_(std::int64_t{g.header().used.values} + plan.summary.run_tasks),
          owner_(g.header().used.values), by_owner_(g.header().used.values) {
        for (const auto& row : rows) {
            const auto& job = plan.tasks.data()[row.task];
            const auto& n = g[job.node];
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
                use(g[value_id{v}].storage, job.node, row);
            for_each_operand(g, n.arguments, [&](const argument& a) { use(g.value_of(a).storage, job.node, row); });
            if (job.workspace_bytes > 0)
                blocks_[count_++] = {{},        job.node, job.workspace_offset, job.workspace_bytes, row.task, row.task,
                                     row.start, row.end};
        }
        const timeline_row after{plan.summary.prepare_tasks + plan.summary.run_tasks, 0, makespan_of(rows),
                                 makespan_of(rows)};
        for_each_operand(g, g[g.last()].arguments,
                         [&](const argument& a) { use(g.value_of(a).storage, a.node(), after); });
    }

    constexpr array_view<const arena_block> all() const {
        return blocks_.all().first(static_cast<std::size_t>(count_));
    }
    /// f(when, bytes): the bytes of the blocks that live from then on, for each time at which a block begins or ends,
    /// in order. A block that ends at that time does not count.
    template <class F> constexpr void for_each_change(F f) const {
        struct change {
            machine::ticks when;
            std::int64_t bytes = 0;
        };
        fixed_buffer<change> changes(2 * std::int64_t{count_});
        for (std::int32_t k = 0; k < count_; ++k) {
            changes[2 * k] = {blocks_[k].begin, blocks_[k].bytes};
            changes[2 * k + 1] = {blocks_[k].end, -blocks_[k].bytes};
        }
        heap_sort(changes.data(), changes.size(), [](const change& a, const change& b) { return a.when < b.when; });
        std::int64_t bytes = 0;
        for (std::int64_t k = 0; k < changes.size(); ++k) {
            bytes += changes[k].bytes;
            if (k + 1 == changes.size() || changes[k].when < changes[k + 1].when) f(changes[k].when, bytes);
        }
    }

private:
    plan_view plan_;
    fixed_buffer<arena_block> blocks_;
    fixed_buffer<std::int32_t> owner_;    // by value: see owner_of, + 1; 0: not found yet
    fixed_buffer<std::int32_t> by_owner_; // by owner: its block, + 1; 0: none yet
    std::int32_t count_ = 0;

    /// The storage that owns the bytes in the end: follows operands taken over in place, and wholes of parts. Stores
    /// the result for all storages on the way, so that no step is taken twice.
    constexpr value_id owner_of(value_id storage) {
        const auto next = [&](value_id v) {
            const auto& p = plan_.placements.data()[v.index];
            return p.shares.exists() ? p.shares : p.part_of;
        };
        auto last = storage;
        while (owner_[last.index] == 0 && next(last).exists()) last = next(last);
        const auto owner = owner_[last.index] > 0 ? owner_[last.index] - 1 : last.index;
        for (auto v = storage; v != last; v = next(v)) owner_[v.index] = owner + 1;
        owner_[last.index] = owner + 1;
        return {owner};
    }
    constexpr void use(value_id storage, node_id by, const timeline_row& row) {
        if (plan_.placements.data()[storage.index].where != region::arena) return;
        const auto owner = owner_of(storage);
        const auto& p = plan_.placements.data()[owner.index];
        if (p.bytes == 0) return;
        auto& number = by_owner_[owner.index];
        if (number == 0) {
            blocks_[count_] = {owner, by, p.offset, p.bytes, row.task, row.task, row.start, row.end};
            number = ++count_;
        }
        auto& block = blocks_[number - 1];
        if (row.task < block.first_task) block.first_task = row.task;
        if (block.last_task < row.task) block.last_task = row.task;
        if (row.start < block.begin) block.begin = row.start;
        if (block.end < row.end) block.end = row.end;
    }
};

} // namespace ahead::plan
