// The order of a run's tasks by every path of records, waits and streams, and what each of their bytes holds: slow, and knowing nothing of the judge.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/plan/plan.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace test {

using namespace ahead;

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
        for (int t = 0, s = 0; t <= tasks; ++t) {
            for (; s < syncs && plan.syncs[static_cast<std::size_t>(s)].before == first + t; ++s) {
                const auto& it = plan.syncs[static_cast<std::size_t>(s)];
                const bool waits = it.kind == sync_kind::wait;
                if (waits && recorded.count(it.event) == 0) is_legal = false;
                else if (waits) edge(recorded[it.event], tasks + s);
                else recorded[it.event] = tasks + s;
                follow(it.stream, tasks + s, waits);
            }
            if (t < tasks) follow(plan.tasks[static_cast<std::size_t>(first + t)].stream, t, false);
        }
        edge(last[0], end);
        for (std::size_t k = 0; k < before.size(); ++k)
            for (std::size_t a = 0; a < before.size(); ++a)
                if (before[a][k])
                    for (std::size_t b = 0; b < before.size(); ++b) before[a][b] = static_cast<char>(before[a][b] | before[k][b]);
        for (int t = 0; t < tasks; ++t) is_legal = is_legal && before[static_cast<std::size_t>(t)][static_cast<std::size_t>(end)];
    }
};

/// One task's reading or writing of a storage, or of its workspace.
struct byte_use {
    int task = 0;
    bool writes = false;
    std::int32_t value = -1; // the storage; -1: a workspace
    std::int64_t begin = 0, end = 0;
};
/// All that the run's tasks do in the arena, in the order of launching, and what the caller reads at last. Of a concatenation that is no task the parts
/// are read, where it is.
inline std::vector<byte_use> uses_of_arena(graph_view g, plan_view plan) {
    std::vector<byte_use> out;
    std::vector<char> is_made(static_cast<std::size_t>(g.header().used.values), 0);
    const auto tasks = plan.summary.run_tasks;
    for (int t = 0; t < tasks; ++t) {
        const auto& n = g[plan.tasks[static_cast<std::size_t>(plan.summary.prepare_tasks + t)].node];
        for (std::int32_t k = 0; k < n.values.count; ++k) is_made[static_cast<std::size_t>(n.values.first + k)] = 1;
    }
    const auto use = [&](int t, std::int32_t storage, bool writes, std::int64_t offset) {
        out.push_back({t, writes, storage, offset, offset + plan.placements[static_cast<std::size_t>(storage)].bytes});
    };
    const auto read = [&](auto&& self, int t, std::int32_t storage, std::int64_t offset) -> void {
        const auto& p = plan.placements[static_cast<std::size_t>(storage)];
        if (p.where != region::arena) return;
        if (is_made[static_cast<std::size_t>(storage)]) return use(t, storage, false, offset);
        for (node_id id : g) {
            const auto& n = g[id];
            if (n.kind != node_kind::call || n.values.first != storage) continue;
            for (std::int32_t k = 0; k < g.argument_of(n, 0).children.count; ++k) {
                const auto part = g.value_of(g[g.argument_of(n, 0).children[k]]).storage.index;
                self(self, t, part, offset);
                offset += plan.placements[static_cast<std::size_t>(part)].bytes;
            }
        }
    };
    const auto read_value = [&](int t, const argument& a) {
        const auto storage = g.value_of(a).storage.index;
        read(read, t, storage, plan.placements[static_cast<std::size_t>(storage)].offset);
    };
    const auto read_all = [&](int t, const node& n) { for_each_operand(g, n, [&](const argument& a) { read_value(t, a); }); };
    for (int t = 0; t < tasks; ++t) {
        const auto& job = plan.tasks[static_cast<std::size_t>(plan.summary.prepare_tasks + t)];
        read_all(t, g[job.node]);
        if (job.workspace_bytes > 0) out.push_back({t, true, -1, job.workspace_offset, job.workspace_offset + job.workspace_bytes});
        for (std::int32_t k = 0; k < g[job.node].values.count; ++k)
            if (const auto& p = plan.placements[static_cast<std::size_t>(g[job.node].values.first + k)]; p.where == region::arena)
                use(t, g[job.node].values.first + k, true, p.offset);
    }
    read_all(tasks, g[g.last()]);
    return out;
}

/// Whether a result is computed in the place of what the byte held: of that storage, or of a concatenation of which it is a part.
inline bool takes_over(plan_view plan, const byte_use& result, std::int32_t held) {
    if (result.value < 0) return false;
    const auto& p = plan.placements[static_cast<std::size_t>(result.value)];
    if (!p.shares.exists() || plan.placements[static_cast<std::size_t>(p.shares.index)].offset != p.offset) return false;
    while (held >= 0 && held != p.shares.index) held = plan.placements[static_cast<std::size_t>(held)].part_of.index;
    return held == p.shares.index;
}

/// Whether every byte that is read holds what was written for the reader, in the order of launching and in every other that the events allow.
inline bool bytes_are_right(graph_view g, plan_view plan) {
    const every_path paths(plan);
    if (!paths.is_legal) return false;
    const auto uses = uses_of_arena(g, plan);
    std::vector<std::int64_t> cuts; // between two of them all bytes fare alike
    for (const auto& u : uses) cuts.insert(cuts.end(), {u.begin, u.end});
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<std::vector<const byte_use*>> bytes(cuts.size());
    for (const auto& u : uses)
        for (auto at = std::lower_bound(cuts.begin(), cuts.end(), u.begin); *at != u.end; ++at)
            bytes[static_cast<std::size_t>(at - cuts.begin())].push_back(&u);
    for (const auto& here : bytes) {
        std::int32_t holds = -2; // nothing yet
        int written_by = -1;
        for (std::size_t b = 0; b < here.size(); ++b) {
            const auto& later = *here[b];
            if (later.writes && written_by == later.task) return false; // two of its results, or one and its workspace
            if (later.writes && b > 0 && here[b - 1]->task == later.task && !takes_over(plan, later, holds)) return false; // it reads what it writes over
            if (!later.writes && later.value != holds) return false;
            if (later.writes) {
                holds = later.value;
                written_by = later.task;
            }
            for (std::size_t a = 0; a < b && later.task < plan.summary.run_tasks; ++a)
                if (here[a]->task != later.task && (here[a]->writes || later.writes) &&
                    !paths.before[static_cast<std::size_t>(here[a]->task)][static_cast<std::size_t>(later.task)])
                    return false;
        }
    }
    return true;
}

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
