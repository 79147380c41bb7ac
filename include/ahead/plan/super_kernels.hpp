// SPDX-License-Identifier: MIT
// Super kernels: which tasks of a plan are one launch, because the graph's scopes name the same super kernel for them.
// They follow from the graph and the launch order alone, so a plan does not state them. Used by the clock
// (compile/timing.hpp), by code that counts launches, by the check of strict scopes below, and by reports.
// Law: a task continues the launch of the task before it on its stream if both are kernels of the same super kernel and
// their stream has no record or wait in between; otherwise it begins another launch, as in TorchAir. Nothing else
// changes: the tasks run one after another, in the order that the verifier has seen.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/air/super_kernel_options.hpp>
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/device/blocks/block_ops.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/ir/op.hpp>
#include <ahead/plan/plan.hpp>

namespace AHEAD_NAMESPACE::plan {

/// Why a task of a super kernel is not part of the launch of the task before it.
enum class split_reason : std::uint8_t {
    no,                // it is part of it, is the first task of its super kernel, or is in none
    runs_on_ai_cpu,    // it has no kernel
    holds_blocks,      // branches and loops choose at run time
    prints,            // on the host
    is_behind_another, // the task before has no kernel, or is in another super kernel or in none
    is_elsewhere,      // the tasks of its super kernel before it are on other streams
    has_event_before,  // a record or a wait is between them
};
constexpr std::string_view print(split_reason why) {
    constexpr std::string_view names[] = {"",
                                          "runs on the AI CPU",
                                          "holds blocks",
                                          "prints",
                                          "follows another task",
                                          "is on another stream",
                                          "follows an event"};
    return names[static_cast<int>(why)];
}

/// The launches of a plan's run.
class super_kernels {
public:
    /// pre: the tasks are nodes of the graph, on streams of the plan, and the syncs are in launch order
    constexpr super_kernels(graph_view g, plan_view plan)
        : map_(g), first_(plan.summary.prepare_tasks), count_(plan.summary.run_tasks), launches_(count_),
          rows_(map_.super_kernels() == 0 ? 0 : count_) {
        if (map_.super_kernels() > 0) find(g, plan);
    }
    /// The super kernel and the cores that each node is given.
    constexpr const air::stream_map& places() const { return map_; }
    /// The number of super kernels that scopes name.
    constexpr std::int32_t count() const { return map_.super_kernels(); }
    constexpr std::string_view name(std::int32_t kernel) const { return map_.name_of_super_kernel(kernel); }
    /// The super kernel of run task i, counted from the first; 0: none.
    constexpr std::int32_t of(std::int32_t i) const { return rows_.size() == 0 ? 0 : rows_[i].kernel; }
    /// Whether run task i continues the launch of the task before it on its stream.
    constexpr bool continues(std::int32_t i) const { return rows_.size() > 0 && rows_[i].continues; }
    constexpr split_reason reason_for_split(std::int32_t i) const {
        return rows_.size() == 0 ? split_reason::no : rows_[i].why;
    }
    /// The number of launches of all run tasks.
    constexpr std::int32_t launches() const { return launches_; }
    constexpr std::int32_t tasks_of(std::int32_t kernel) const {
        std::int32_t out = 0;
        for (const auto& one : rows_.all()) out += one.kernel == kernel;
        return out;
    }
    constexpr std::int32_t launches_of(std::int32_t kernel) const {
        std::int32_t out = 0;
        for (const auto& one : rows_.all()) out += one.kernel == kernel && !one.continues;
        return out;
    }

private:
    struct row {
        std::int32_t kernel = 0;
        bool continues = false;
        split_reason why = split_reason::no;
    };
    air::stream_map map_;
    std::int32_t first_, count_, launches_;
    fixed_buffer<row> rows_; // by run task

    static constexpr split_reason why_no_kernel(const node& n) {
        if (!is_of_device(n.target))
            return n.values.count == 0 ? split_reason::prints : split_reason::runs_on_ai_cpu;
        return device::runs_blocks(n) ? split_reason::holds_blocks : split_reason::no;
    }
    constexpr void find(graph_view g, plan_view plan) {
        struct stream_state {
            std::int32_t before = -1; // its last task
            bool has_event = false;   // an event was recorded or waited for after it
        };
        fixed_buffer<stream_state> streams(plan.summary.streams);
        fixed_buffer<bool> begun(count() + 1); // by super kernel: whether it has tasks
        auto sync = plan.syncs.begin();
        for (std::int32_t i = 0; i < count_; ++i) {
            const auto& t = plan.tasks.data()[first_ + i];
            for (; sync != plan.syncs.end() && sync->before <= first_ + i; ++sync)
                streams[sync->stream].has_event = true;
            auto& mine = rows_[i];
            const auto [before, has_event] = streams[t.stream];
            mine.kernel = map_.of(t.node).super_kernel;
            if (mine.kernel > 0) {
                mine.why = why_no_kernel(g[t.node]);
                if (mine.why == split_reason::no && begun[mine.kernel]) {
                    const bool follows = before >= 0 && rows_[before].kernel == mine.kernel;
                    if (before < 0 || (!follows && !has_one_on(plan, t.stream, mine.kernel, i)))
                        mine.why = split_reason::is_elsewhere;
                    else if (!follows ||
                             why_no_kernel(g[plan.tasks.data()[first_ + before].node]) != split_reason::no)
                        mine.why = split_reason::is_behind_another;
                    else if (has_event) mine.why = split_reason::has_event_before;
                    mine.continues = mine.why == split_reason::no;
                }
                begun[mine.kernel] = true;
                launches_ -= mine.continues;
            }
            streams[t.stream] = {i, false};
        }
    }
    /// Whether a run task before `before` is on the stream and in the super kernel.
    constexpr bool has_one_on(plan_view plan, std::int32_t stream, std::int32_t kernel, std::int32_t before) const {
        for (std::int32_t i = 0; i < before; ++i)
            if (rows_[i].kernel == kernel && plan.tasks.data()[first_ + i].stream == stream) return true;
        return false;
    }
};

/// The number of launches of a run whose tasks the host launches one by one: one for each task, except that tasks that
/// continue a launch of their super kernel need none.
constexpr std::int32_t launches_of(graph_view g, plan_view plan) {
    return g.header().has_streams ? super_kernels(g, plan).launches() : plan.summary.run_tasks;
}

/// Refuses (super_kernel_is_apart) a super kernel that is not a single launch of kernels, if the options of a scope
/// with its name say strict-scope-check=abort.
constexpr bool check_super_kernels(graph_view g, plan_view plan, diagnosis& d) {
    if (!g.header().has_streams) return true;
    const super_kernels all(g, plan);
    for (node_id id : g) {
        std::string_view name, options;
        if (all.count() == 0 || air::stream_word_of(g[id]) != air::stream_word::scope_enter ||
            !detail::find_in_scope(g, g[id], air::super_kernel_key, name) || name.empty() ||
            !detail::find_in_scope(g, g[id], air::super_kernel_options_key, options) ||
            air::super_kernel_option(options, "strict-scope-check") != "abort")
            continue;
        for (std::int32_t i = 0; i < plan.summary.run_tasks; ++i)
            if (all.reason_for_split(i) != split_reason::no && same_name(all.name(all.of(i)), name))
                return refuse_at(d, g[plan.tasks.data()[plan.summary.prepare_tasks + i].node],
                                 fault::super_kernel_is_apart,
                                 short_text("one launch of kernels for super kernel '") << name << "'",
                                 short_text("a task that ") << print(all.reason_for_split(i)));
    }
    return true;
}

} // namespace ahead::plan

namespace AHEAD_NAMESPACE {
using plan::print;
} // namespace ahead
