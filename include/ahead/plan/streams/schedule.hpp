// SPDX-License-Identifier: MIT
// Which task runs on which stream, and when: list scheduling, forwards and backwards in turn, each with what the last
// one found as its priorities.
// Called by plan/phase/assign_streams.hpp for programs that may use more than one stream.
// Invariant: a task starts after everything it needs has ended, and on one stream no two overlap. Never longer than
// what the first pass finds, and on several streams only where that is shorter than one task after the other on the
// main one, by as much as is asked for.
#pragma once
#include <ahead/core/effort.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/target/ticks.hpp>

namespace AHEAD_NAMESPACE {

/// The tasks, in an order in which each comes after those it needs.
struct schedule_problem {
    array_view<const target::ticks> ticks;     // by task
    array_view<const std::int32_t> first_need; // by task, where its needs begin; one more
    array_view<const std::int32_t> needs;      // tasks
    std::int32_t streams = 1;
    target::ticks
        event; // from the end of a task until one that waits for it on another stream may start; also from the start of
               // the run until the other streams may start, and from their end until that of the run
    std::int32_t least_gain_permille = 0; // of the time of one task after the other: what less saves is not spread
    effort most = effort::constant;       // decides how many passes there are
};

/// Whether streams that take until `makespan` save so many thousandths of the time of one task after the other.
constexpr bool saves(target::ticks work, target::ticks makespan, std::int32_t least_gain_permille) {
    return makespan < work && 1000 * (work - makespan) >= least_gain_permille * work;
}

struct scheduled_task {
    std::int32_t stream = 0;
    target::ticks start;
};

namespace detail {

/// Lists of tasks by task.
struct task_lists {
    const std::int32_t* first;
    const std::int32_t* items;
};

/// Which task comes first: the one that may start sooner, where that is asked, and of several the one with the largest
/// priority.
struct task_rank {
    const std::int64_t* priority;
    const std::int64_t* opens = nullptr; // null: nobody asks
    constexpr bool operator()(std::int32_t t, std::int32_t than) const {
        if (opens != nullptr && opens[t] != opens[than]) return opens[t] < opens[than];
        return priority[t] != priority[than] ? priority[t] > priority[than] : t < than;
    }
};
/// Tasks, the one that comes first on top.
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

/// One direction of the problem: backwards, what needs a task is what it needs.
struct list_scheduler {
    const schedule_problem& problem;
    task_lists before, after;
    std::int32_t count;
    fixed_buffer<std::int64_t> open;     // by stream and task: when what it needs allows it to start there
    fixed_buffer<std::int32_t> missing;  // by task: how many of its needs have not been placed; -1: it has been
    fixed_buffer<std::int64_t> idle;     // by stream: when it is free
    fixed_buffer<std::int32_t> room;     // of the heaps
    fixed_buffer<task_heap> early, late; // by stream: tasks that nothing is missing of and that may start when it is
                                         // free, by priority; or later, by when

    constexpr list_scheduler(const schedule_problem& all, task_lists needs, task_lists users)
        : problem(all), before(needs), after(users), count(static_cast<std::int32_t>(all.ticks.size())),
          open(std::int64_t{count} * all.streams), missing(count), idle(all.streams), room(2 * open.size()),
          early(all.streams), late(all.streams) {
        for (std::int32_t s = 0; s < all.streams; ++s) {
            early[s].at = room.data() + 2 * std::int64_t{s} * count;
            late[s].at = early[s].at + count;
        }
    }

    /// Places, again and again, the ready task that can start first; of several, or always, the one with the largest
    /// priority. Returns when the main stream sees that all have ended.
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
        for (std::int32_t placed = 0; placed < count; ++placed) {
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
                               idle[best_stream])) // of streams the one that waits least: mostly that of what it needs
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
    /// The task that would be placed next if there were this stream alone. Those that were placed are in the heaps
    /// until they come up.
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

} // namespace detail

/// out: as many as tasks. Returns when the main stream sees that the last task has ended. The first pass goes by the
/// longest way to the end.
constexpr target::ticks schedule_tasks(const schedule_problem& problem, scheduled_task* out) {
    const auto count = static_cast<std::int32_t>(problem.ticks.size());
    const detail::task_lists needs{problem.first_need.data(), problem.needs.data()};
    fixed_buffer<std::int32_t> first_user(count + 1), users(static_cast<std::int64_t>(problem.needs.size()));
    for (const auto need : problem.needs) ++first_user[need];
    for (std::int32_t t = 0, sum = 0; t <= count; ++t)
        first_user[t] = sum += t < count ? first_user[t] : 0; // where they end
    for (auto t = count; t-- > 0;)
        for (auto i = needs.first[t]; i < needs.first[t + 1]; ++i) users[--first_user[needs.items[i]]] = t;
    const detail::task_lists used{first_user.data(), users.data()};

    fixed_buffer<std::int64_t> priority(count);
    for (auto t = count; t-- > 0;) {
        for (auto i = used.first[t]; i < used.first[t + 1]; ++i)
            if (priority[t] < priority[used.items[i]]) priority[t] = priority[used.items[i]];
        priority[t] += problem.ticks.data()[t].count;
    }
    std::int64_t work = 0, longest = 0;
    for (std::int32_t t = 0; t < count; ++t) {
        work += problem.ticks.data()[t].count;
        if (longest < priority[t]) longest = priority[t];
    }
    const auto share = (work + problem.streams - 1) / problem.streams;
    const auto bound = longest > share ? longest : share;
    const auto pays = [&](std::int64_t makespan) { return saves({work}, {makespan}, problem.least_gain_permille); };
    detail::list_scheduler forwards(problem, needs, used), backwards(problem, used, needs);
    fixed_buffer<scheduled_task> made(count);
    std::int64_t least = -1;
    constexpr int settled = 4;                                     // passes after which priorities change no more
    const auto a_pass = 3 * std::int64_t{count} * problem.streams; // with what the heaps move
    const auto passes = 1 + static_cast<std::int64_t>(problem.most) / (a_pass > 0 ? a_pass : 1);
    std::uint64_t noise = 1;
    for (std::int64_t pass = 0; pass < passes && least != bound && pays(bound); ++pass) {
        const bool reversed = pass % 2 != 0;
        const auto makespan = (reversed ? backwards : forwards).run(priority.data(), pass % 4 >= 2, made.data());
        const bool better = least < 0 || makespan < least;
        if (better) least = makespan;
        for (std::int32_t t = 0; t < count; ++t) {
            const auto end = made[t].start.count + problem.ticks.data()[t].count;
            if (better) out[t] = reversed ? scheduled_task{made[t].stream, {makespan - end}} : made[t];
            priority[t] = end;
            if (pass < settled) continue;
            noise = noise * 6364136223846793005u + 1442695040888963407u;
            priority[t] += static_cast<std::int64_t>((noise >> 33) % static_cast<std::uint64_t>(2 * work / count + 1));
        }
    }
    if (least >= 0 && pays(least)) return {least};
    for (std::int64_t t = 0, start = 0; t < count; start += problem.ticks.data()[t++].count) out[t] = {0, {start}};
    return {work};
}

} // namespace ahead
