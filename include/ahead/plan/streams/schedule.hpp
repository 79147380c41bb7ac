// SPDX-License-Identifier: MIT
// Which task runs on which stream, and when: list scheduling, forwards and backwards in turn; each pass takes its
// priorities from the result of the pass before.
// Called by plan/phase/assign_streams.hpp for programs that may use more than one stream.
// Invariant: a task starts after everything that it needs has ended, and on one stream no two overlap. The result is
// never longer than that of the first pass, and it uses several streams only if that is shorter than one task after
// another on the main stream, by at least the required gain.
#pragma once
#include <ahead/plan/streams/list_scheduler.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Whether two tasks take equally long and have the same needs and the same users: they may be exchanged.
constexpr bool are_alike(const schedule_problem& problem, task_lists needs, task_lists users, std::int32_t t,
                         std::int32_t other) {
    const auto same = [&](task_lists lists) {
        const auto mine = lists.first[t], theirs = lists.first[other], size = lists.first[t + 1] - mine;
        bool ok = size == lists.first[other + 1] - theirs;
        for (std::int32_t i = 0; i < size && ok; ++i) ok = lists.items[mine + i] == lists.items[theirs + i];
        return ok;
    };
    return problem.ticks.data()[t].count == problem.ticks.data()[other].count && same(needs) && same(users);
}
/// Sorts consecutive tasks that are alike by their streams. So the parts of successive calls stay on the stream of the
/// tasks that compute most of their operands.
constexpr void order_alike(const schedule_problem& problem, task_lists needs, task_lists users, scheduled_task* out) {
    const auto count = static_cast<std::int32_t>(problem.ticks.size());
    for (std::int32_t last = 1; last < count; ++last)
        for (auto t = last; t > 0 && out[t].stream < out[t - 1].stream; --t) {
            if (!are_alike(problem, needs, users, t - 1, t)) break;
            const auto moved = out[t];
            out[t] = out[t - 1];
            out[t - 1] = moved;
        }
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::plan {

/// out: one entry per task. Returns when the main stream has seen the end of the last task. The first pass takes the
/// longest path to the end as the priority.
constexpr machine::ticks schedule_tasks(const schedule_problem& problem, scheduled_task* out) {
    const auto count = static_cast<std::int32_t>(problem.ticks.size());
    const detail::task_lists needs{problem.first_need.data(), problem.needs.data()};
    fixed_buffer<std::int32_t> first_user(count + 1), users(static_cast<std::int64_t>(problem.needs.size()));
    for (const auto need : problem.needs) ++first_user[need];
    for (std::int32_t t = 0, sum = 0; t <= count; ++t)
        first_user[t] = sum += t < count ? first_user[t] : 0; // where the lists end
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
    constexpr int settled = 4;                                     // passes after which priorities no longer change
    const auto a_pass = 3 * std::int64_t{count} * problem.streams; // including the moves in the heaps
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
    if (least >= 0 && pays(least)) {
        detail::order_alike(problem, needs, used, out);
        return {least};
    }
    for (std::int64_t t = 0, start = 0; t < count; start += problem.ticks.data()[t++].count) out[t] = {0, {start}};
    return {work};
}

} // namespace ahead::plan
