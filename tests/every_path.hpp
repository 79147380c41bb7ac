// The order of a run's tasks by every path of records, waits and streams: slow, and knowing nothing of the verifier. Plans with one event less, and with buffers
// on each other.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/plan/plan.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

/// What must be over when a task starts: tasks [0, n), then the syncs; the start and the end are points of the main stream.
struct every_path {
    std::vector<std::vector<char>> before; // before[a][b]: a is over when b starts
    bool is_legal = true;                  // every wait is met, every stream forked and joined

    explicit every_path(plan_view plan) {
        const auto first = plan.summary.prepare_tasks, tasks = plan.summary.run_tasks;
        const auto syncs = static_cast<int>(plan.syncs.size());
        const int points = tasks + syncs + 2, start = tasks + syncs, end = start + 1;
        before.assign(static_cast<std::size_t>(points), std::vector<char>(static_cast<std::size_t>(points), 0));
        const auto edge = [&](int a, int b) { before[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = 1; };
        std::vector<int> last(static_cast<std::size_t>(plan.summary.streams), -1);
        std::map<int, int> recorded;
        last[0] = start;
        const auto follow = [&](int stream, int point, bool may_begin) {
            auto& previous = last[static_cast<std::size_t>(stream)];
            if (previous < 0 && !may_begin) is_legal = false;
            if (previous >= 0) edge(previous, point);
            previous = point;
        };
        int s = 0;
        for (int t = 0; t <= tasks; ++t) {
            for (; s < syncs && plan.syncs[static_cast<std::size_t>(s)].before == first + t; ++s) {
                const auto& it = plan.syncs[static_cast<std::size_t>(s)];
                const bool waits = it.kind == sync_kind::wait;
                if (waits && recorded.count(it.event) == 0) is_legal = false;
                else if (waits) edge(recorded[it.event], tasks + s);
                else if (!recorded.emplace(it.event, tasks + s).second) is_legal = false;
                follow(it.stream, tasks + s, waits);
            }
            if (t < tasks) follow(plan.tasks[static_cast<std::size_t>(first + t)].stream, t, false);
        }
        is_legal = is_legal && s == syncs; // none out of the order of launching
        edge(last[0], end);
        for (std::size_t k = 0; k < before.size(); ++k)
            for (std::size_t a = 0; a < before.size(); ++a)
                if (before[a][k])
                    for (std::size_t b = 0; b < before.size(); ++b) before[a][b] = static_cast<char>(before[a][b] | before[k][b]);
        for (int t = 0; t < tasks; ++t) is_legal = is_legal && before[static_cast<std::size_t>(t)][static_cast<std::size_t>(end)];
    }
};

/// The plan without sync number `which`.
template <class Plan> Plan without_sync(const Plan& plan, std::int32_t which) {
    auto out = plan;
    const auto first = out.syncs.begin();
    std::copy(first + which + 1, first + out.summary.syncs, first + which);
    --out.summary.syncs;
    return out;
}
/// Whether two storages hold something at the same time, in the order of launching.
inline bool live_together(const placement& a, const placement& b) {
    return a.first_task < b.last_task && b.first_task < a.last_task && a.first_task < a.last_task && b.first_task < b.last_task;
}
/// The values with bytes of the arena.
template <class Plan> std::vector<std::int32_t> values_in_arena(const Plan& plan) {
    std::vector<std::int32_t> out;
    for (std::size_t v = 0; v < plan.placements.size(); ++v)
        if (plan.placements[v].where == region::arena && plan.placements[v].bytes > 0) out.push_back(static_cast<std::int32_t>(v));
    return out;
}
/// f of the plan with each buffer moved onto each other one that is alive at the same time, but for those that lie where others do anyhow.
template <class Plan, class F> void for_each_overlap(const Plan& plan, F f) {
    auto moved = plan;
    moved.summary.peak_bytes *= 2;
    const auto arena = values_in_arena(plan);
    const auto lies_alone = [](const placement& p) { return !p.shares.exists() && !p.part_of.exists(); };
    for (auto a : arena)
        for (auto b : arena) {
            auto& x = moved.placements[static_cast<std::size_t>(a)];
            const auto& y = plan.placements[static_cast<std::size_t>(b)];
            if (a == b || !live_together(x, y) || !lies_alone(x) || !lies_alone(y) || x.offset == y.offset) continue;
            x.offset = y.offset;
            f(moved);
            x.offset = plan.placements[static_cast<std::size_t>(a)].offset;
        }
}

} // namespace test
