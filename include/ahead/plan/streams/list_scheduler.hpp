// SPDX-License-Identifier: MIT
// One pass of list scheduling: tasks in the order in which they can start, each on the stream where it starts first.
// Called by schedule.hpp, forwards and backwards, with different priorities each time.
// Invariant: a task starts after everything that it needs has ended, and on one stream no two overlap.
#pragma once
#include <ahead/plan/streams/schedule_problem.hpp>

namespace AHEAD_NAMESPACE::detail {

/// A list of tasks for each task.
struct task_lists {
    const std::int32_t* first;
    const std::int32_t* items;
};

/// Which task comes first: the one that may start sooner, if `opens` is given; of several, the one with the largest
/// priority, then the one with the lowest number.
struct task_rank {
    const std::int64_t* priority;
    const std::int64_t* opens = nullptr; // null: not compared
    constexpr bool operator()(std::int32_t t, std::int32_t than) const {
        if (opens != nullptr && opens[t] != opens[than]) return opens[t] < opens[than];
        return priority[t] != priority[than] ? priority[t] > priority[than] : t < than;
    }
};
/// A heap of tasks; the one that comes first is on top.
struct task_heap {
    std::int32_t* at = nullptr;
    std::int32_t count = 0;

    constexpr void push(std::int32_t task, const task_rank& before) {
        auto i = count++;
        for (; i > 0 && before(task, at[(i - 1) / 2]); i = (i - 1) / 2) at[i] = at[(i - 1) / 2];
        at[i] = task;
    }
    constexpr void pop(const task_rank& before) {
        const auto last = at[--count];
        std::int32_t i = 0;
        for (std::int32_t child = 1; child < count; i = child, child = 2 * i + 1) {
            if (child + 1 < count && before(at[child + 1], at[child])) ++child;
            if (!before(at[child], last)) break;
            at[i] = at[child];
        }
        at[i] = last;
    }
};

/// One direction of the problem: backwards, a task's users take the place of its needs.
struct list_scheduler {
    const schedule_problem& problem;
    task_lists before, after;
    std::int32_t count;
    fixed_buffer<std::int64_t> open;     // by stream and task: when its needs allow it to start there
    fixed_buffer<std::int32_t> missing;  // by task: how many of its needs have no stream yet; -1: it has one
    fixed_buffer<std::int64_t> idle;     // by stream: when it becomes free
    fixed_buffer<std::int32_t> room;     // for the heaps
    fixed_buffer<task_heap> early, late; // by stream: tasks that miss no need and may start when the stream is free, by
                                         // priority; or later, by start

    constexpr list_scheduler(const schedule_problem& all, task_lists needs, task_lists users)
        : problem(all), before(needs), after(users), count(static_cast<std::int32_t>(all.ticks.size())),
          open(std::int64_t{count} * all.streams), missing(count), idle(all.streams), room(2 * open.size()),
          early(all.streams), late(all.streams) {
        for (std::int32_t s = 0; s < all.streams; ++s) {
            early[s].at = room.data() + 2 * std::int64_t{s} * count;
            late[s].at = early[s].at + count;
        }
    }

    /// Repeatedly assigns the ready task that can start first; of several, or always if by_priority, the one with the
    /// largest priority. Returns when the main stream has seen the end of all tasks.
    constexpr std::int64_t run(const std::int64_t* priority, bool by_priority, scheduled_task* out) {
        const auto streams = problem.streams;
        const task_rank comes_first{priority};
        const auto is_ready = [&](std::int32_t t) {
            if (by_priority) early[0].push(t, comes_first);
            for (std::int32_t s = 0; s < streams && !by_priority; ++s)
                late[s].push(t, {priority, open.data() + std::int64_t{s} * count});
        };
        for (std::int64_t i = 0; i < open.size(); ++i) open[i] = 0;
        for (std::int32_t s = 0; s < streams; ++s) {
            idle[s] = s == 0 ? 0 : problem.event.count;
            early[s].count = late[s].count = 0;
        }
        for (std::int32_t t = 0; t < count; ++t)
            if ((missing[t] = before.first[t + 1] - before.first[t]) == 0) is_ready(t);
        std::int64_t makespan = 0;
        for (std::int32_t assigned = 0; assigned < count; ++assigned) {
            std::int32_t best = -1, best_stream = 0;
            std::int64_t best_start = 0;
            for (std::int32_t s = 0; s < streams; ++s) {
                auto t = early[0].count > 0 ? early[0].at[0] : -1;
                if (!by_priority) t = first_on(s, priority);
                const auto allowed = open[std::int64_t{s} * count + t];
                const auto start = allowed > idle[s] ? allowed : idle[s];
                if (best >= 0 &&
                    (start != best_start ? start > best_start
                     : t != best
                         ? !comes_first(t, best)
                         : idle[s] <=
                               idle[best_stream])) // of streams, the one that idles least: mostly that of its needs
                    continue;
                best = t;
                best_stream = s;
                best_start = start;
            }
            if (by_priority) early[0].pop(comes_first);
            missing[best] = -1;
            out[best] = {best_stream, {best_start}};
            const auto end = best_start + problem.ticks.data()[best].count;
            idle[best_stream] = end;
            if (const auto seen = best_stream == 0 ? end : end + problem.event.count; seen > makespan) makespan = seen;
            for (auto i = after.first[best]; i < after.first[best + 1]; ++i) {
                const auto next = after.items[i];
                for (std::int32_t s = 0; s < streams; ++s) {
                    const auto seen = s == best_stream ? end : end + problem.event.count;
                    if (auto& from = open[std::int64_t{s} * count + next]; from < seen) from = seen;
                }
                if (--missing[next] == 0) is_ready(next);
            }
        }
        return makespan;
    }

private:
    /// The task that would be assigned next if this were the only stream. Tasks that have a stream stay in the heaps
    /// until they reach the top.
    constexpr std::int32_t first_on(std::int32_t s, const std::int64_t* priority) {
        auto& now = early[s];
        auto& later = late[s];
        const task_rank comes_first{priority}, opens_first{priority, open.data() + std::int64_t{s} * count};
        for (; later.count > 0 && (missing[later.at[0]] < 0 || opens_first.opens[later.at[0]] <= idle[s]);
             later.pop(opens_first))
            if (missing[later.at[0]] == 0) now.push(later.at[0], comes_first);
        while (now.count > 0 && missing[now.at[0]] < 0) now.pop(comes_first);
        return now.count > 0 ? now.at[0] : later.at[0];
    }
};

} // namespace ahead::detail
