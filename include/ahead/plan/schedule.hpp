// SPDX-License-Identifier: MIT
// Which task runs on which stream, and when: list scheduling, forwards and backwards in turn, each with what the last one found as its priorities.
// Called by plan/streams.hpp for programs that may use more than one stream.
// Invariant: a task starts after everything it needs has ended, and on one stream no two overlap. Never longer than what the first pass finds, and
// on several streams only where that is shorter than one task after the other on the main one, by as much as is asked for.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/target/ticks.hpp>

namespace AHEAD_NAMESPACE {

/// The tasks, in an order in which each comes after those it needs.
struct schedule_problem {
    array_view<const target::ticks> ticks;     // by task
    array_view<const std::int32_t> first_need; // by task, where its needs begin; one more
    array_view<const std::int32_t> needs;      // tasks
    std::int32_t streams = 1;
    target::ticks event; // from the end of a task until one that waits for it on another stream may start; also from the start of the run until the
                         // other streams may start, and from their end until that of the run
    std::int32_t least_gain_permille = 0; // of the time of one task after the other: what less saves is not spread
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

/// One direction of the problem: backwards, what needs a task is what it needs.
struct list_scheduler {
    const schedule_problem& problem;
    task_lists before, after;
    std::int32_t count;
    fixed_buffer<std::int64_t> open;   // by task and stream: when what it needs allows it to start there
    fixed_buffer<std::int32_t> missing; // by task: how many of its needs have not been placed
    fixed_buffer<std::int32_t> ready;  // tasks
    fixed_buffer<std::int64_t> idle;   // by stream: when it is free

    constexpr list_scheduler(const schedule_problem& all, task_lists needs, task_lists users)
        : problem(all), before(needs), after(users), count(static_cast<std::int32_t>(all.ticks.size())), open(std::int64_t{count} * all.streams),
          missing(count), ready(count), idle(all.streams) {}

    /// Places, again and again, the ready task that can start first; of several the one with the largest priority. Returns when the main stream sees that
    /// all have ended.
    constexpr std::int64_t run(const std::int64_t* priority, bool by_priority, scheduled_task* out) {
        const auto streams = problem.streams;
        for (std::int64_t i = 0; i < open.size(); ++i) open[i] = 0;
        for (std::int32_t s = 0; s < streams; ++s) idle[s] = s == 0 ? 0 : problem.event.count;
        std::int32_t readies = 0;
        for (std::int32_t t = 0; t < count; ++t)
            if ((missing[t] = before.first[t + 1] - before.first[t]) == 0) ready[readies++] = t;
        std::int64_t makespan = 0;
        while (readies > 0) {
            std::int32_t best = 0, best_stream = 0;
            std::int64_t best_start = -1;
            for (std::int32_t r = 0; r < readies; ++r) {
                const auto t = ready[r];
                for (std::int32_t s = 0; s < streams; ++s) {
                    const auto allowed = open[t * streams + s];
                    const auto start = allowed > idle[s] ? allowed : idle[s];
                    if (best_start >= 0) {
                        const auto than = ready[best];
                        if (by_priority && t != than ? !comes_first(t, than, priority)
                            : start != best_start    ? start > best_start
                            : t != than              ? !comes_first(t, than, priority)
                                                     : idle[s] <= idle[best_stream]) // of streams the one that waits least: mostly that of what it needs
                            continue;
                    }
                    best = r;
                    best_stream = s;
                    best_start = start;
                }
            }
            const auto t = ready[best];
            ready[best] = ready[--readies];
            out[t] = {best_stream, {best_start}};
            const auto end = best_start + problem.ticks.data()[t].count;
            idle[best_stream] = end;
            if (const auto seen = best_stream == 0 ? end : end + problem.event.count; seen > makespan) makespan = seen;
            for (auto i = after.first[t]; i < after.first[t + 1]; ++i) {
                const auto next = after.items[i];
                for (std::int32_t s = 0; s < streams; ++s) {
                    const auto seen = s == best_stream ? end : end + problem.event.count;
                    if (auto& from = open[next * streams + s]; from < seen) from = seen;
                }
                if (--missing[next] == 0) ready[readies++] = next;
            }
        }
        return makespan;
    }

private:
    static constexpr bool comes_first(std::int32_t t, std::int32_t than, const std::int64_t* priority) {
        return priority[t] != priority[than] ? priority[t] > priority[than] : t < than;
    }
};

} // namespace detail

/// out: as many as tasks. Returns when the main stream sees that the last task has ended. The first pass goes by the longest way to the end.
constexpr target::ticks schedule_tasks(const schedule_problem& problem, scheduled_task* out) {
    const auto count = static_cast<std::int32_t>(problem.ticks.size());
    const detail::task_lists needs{problem.first_need.data(), problem.needs.data()};
    fixed_buffer<std::int32_t> first_user(count + 1), users(static_cast<std::int64_t>(problem.needs.size()));
    for (const auto need : problem.needs) ++first_user[need];
    for (std::int32_t t = 0, sum = 0; t <= count; ++t) first_user[t] = sum += t < count ? first_user[t] : 0; // where they end
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
    constexpr int settled = 4;                                               // passes after which priorities change no more
    const int passes = count <= 16 ? 100 : count <= 64 ? 16 : count <= 256 ? settled : 1; // what clang's constant-evaluation budget has room for
    std::uint64_t noise = 1;
    for (int pass = 0; pass < passes && least != bound && pays(bound); ++pass) {
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
