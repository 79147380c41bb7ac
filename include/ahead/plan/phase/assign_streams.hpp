// SPDX-License-Identifier: MIT
// Stream assignment: the stream of each task of the run, and the order in which the tasks are launched. If the graph
// says anything about streams, both follow the graph; else they follow schedule.hpp, if that pays on a machine that the
// streams share.
// pre: elide_concats; the run's tasks are in the order of the graph. post: the tasks are in launch order, each on its
// stream, the syncs are those that this needs, and plan.uses knows which tasks are done when a task starts. A plan of
// one stream is left unchanged if the graph says nothing of streams.
// Called by make_plan.hpp. Works with the tasks of the run alone, numbered from 0.
// Invariant: on streams that the graph names, tasks stay in the order of the graph.
#pragma once
#include <ahead/core/heap_sort.hpp>
#include <ahead/plan/plan_in_progress.hpp>
#include <ahead/plan/streams/schedule.hpp>
#include <ahead/plan/streams/task_edges.hpp>
#include <ahead/plan/timeline.hpp>

namespace AHEAD_NAMESPACE::detail {

class stream_assignment {
public:
    constexpr stream_assignment(plan_in_progress& plan, const launch_rules& rules)
        : plan_(plan), rules_(rules), tasks_(plan.tasks + plan.summary.prepare_tasks), count_(plan.summary.run_tasks),
          map_(plan.g), streams_(map_.has_stream_scopes() ? map_.streams() : rules.streams),
          edges_(plan.g, {tasks_, static_cast<std::size_t>(count_)}, plan.buffers, map_), by_launch_(count_) {}

    /// Puts the tasks in launch order. Returns the order of tasks that streams and syncs then enforce.
    constexpr stream_order run() {
        edges_.find(rules_.orders_data);
        for (std::int32_t t = 0; t < count_; ++t) {
            tasks_[t].stream = map_.of(tasks_[t].node).stream;
            by_launch_[t] = t;
        }
        if (map_.has_stream_scopes()) return synchronise();
        spread();
        auto order = synchronise();
        if (order_pays()) return order;
        gather();
        return synchronise();
    }

private:
    plan_in_progress& plan_;
    const launch_rules& rules_;
    task* tasks_; // the tasks of the run
    std::int32_t count_;
    air::stream_map map_;
    std::int32_t streams_;
    task_edges edges_;
    fixed_buffer<std::int32_t> by_launch_; // by task in launch order: its number in the order of the graph

    constexpr const machine::demand& demand_of(std::int32_t t) const {
        return rules_.demands.data()[tasks_[t].node.index];
    }
    /// Puts each task on the stream that schedule.hpp chooses, and the tasks in the order of their starts.
    constexpr void spread() {
        fixed_buffer<machine::ticks> ticks(count_);
        fixed_buffer<scheduled_task> made(count_);
        for (std::int32_t t = 0; t < count_; ++t) ticks[t] = demand_of(t).alone;
        schedule_tasks({ticks.all(), edges_.first_need().all(), edges_.needs().all(), streams_, rules_.event,
                        rules_.least_gain_permille, plan_.most},
                       made.data());
        heap_sort(by_launch_.data(), count_, [&](std::int32_t a, std::int32_t b) {
            return made[a].start != made[b].start ? made[a].start < made[b].start : a < b;
        });
        fixed_buffer<task> moved(count_);
        for (std::int32_t t = 0; t < count_; ++t) {
            moved[t] = tasks_[by_launch_[t]];
            moved[t].stream = made[by_launch_[t]].stream;
        }
        for (std::int32_t t = 0; t < count_; ++t) tasks_[t] = moved[t];
    }
    /// Whether the streams save the required time although they share the machine.
    constexpr bool order_pays() const {
        const auto& sum = plan_.summary;
        if (sum.streams <= 1) return true;
        fixed_buffer<machine::demand> demands(count_);
        fixed_buffer<timeline_row> rows(count_);
        machine::ticks work;
        for (std::int32_t t = 0; t < count_; ++t) work += (demands[t] = demand_of(t)).alone;
        const plan_view made{sum,
                             {plan_.tasks, static_cast<std::size_t>(plan_.task_count)},
                             {},
                             {},
                             {plan_.syncs, static_cast<std::size_t>(sum.syncs)}};
        lay_out(made, demands.all(), {{}, {}, {}, rules_.event}, launching::once, rows.data());
        machine::ticks joined; // when the main stream has seen the end of all tasks
        for (const auto& row : rows.all())
            if (const auto seen = row.stream == 0 ? row.end : row.end + rules_.event; joined < seen) joined = seen;
        return saves(work, joined, rules_.least_gain_permille);
    }
    /// Puts all tasks back on the main stream, in the order of the graph.
    constexpr void gather() {
        fixed_buffer<task> moved(count_);
        for (std::int32_t t = 0; t < count_; ++t) moved[by_launch_[t]] = tasks_[t];
        for (std::int32_t t = 0; t < count_; ++t) {
            tasks_[t] = moved[t];
            tasks_[t].stream = 0;
            by_launch_[t] = t;
        }
    }

    constexpr stream_order synchronise() {
        auto& sum = plan_.summary;
        fixed_buffer<std::int32_t> launched(count_);
        for (std::int32_t t = 0; t < count_; ++t) launched[by_launch_[t]] = t;
        stream_order order(count_, streams_);
        synchroniser events(order, count_);
        const auto *first_need = edges_.first_need().data(), *needs = edges_.needs().data();
        const auto* by_launch = by_launch_.data();
        sum.streams = 1;
        for (std::int32_t t = 0; t < count_; ++t) {
            for (auto i = first_need[by_launch[t]]; i < first_need[by_launch[t] + 1]; ++i)
                events.require(launched[needs[i]]);
            events.launch(tasks_[t].stream);
            if (sum.streams <= tasks_[t].stream) sum.streams = tasks_[t].stream + 1;
        }
        events.end();
        sum.syncs = events.write(sum.prepare_tasks, plan_.syncs, sum.events);
        return order;
    }
};

constexpr void assign_streams(plan_in_progress& plan) {
    if (plan.rules == nullptr || (plan.rules->streams <= 1 && !air::has_stream_scopes(plan.g))) return;
    plan.uses = stream_uses(stream_assignment(plan, *plan.rules).run(), plan.summary, plan.g.header().used.values);
}

} // namespace ahead::detail
