// SPDX-License-Identifier: MIT
// Plans of several streams: random device graphs, then plans with events taken away, buffers moved and tasks put on other streams. The judge against a
// simulation that knows every path of records, waits and streams, and every byte.
#include <ahead/plan/check.hpp>

#include "../random_device_graph.hpp"

#include <map>

using namespace ahead;
using test::bytes_survive;
using test::check;
using test::random_graph;
using test::size;

namespace {

using streamed_plan = plan_storage<size, 512>;

/// Every point of a run and what must be over at each, by all paths: tasks [0, n), then syncs; the start and the end are points of the main stream.
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

/// Whether of any two tasks that meet at a byte, one of them writing, the one launched first is over when the other starts.
bool bytes_are_ordered(graph_view g, plan_view plan) {
    const every_path paths(plan);
    if (!paths.is_legal) return false;
    struct use {
        int task;
        bool writes;
    };
    std::vector<std::vector<use>> arena(1 << 14); // by alignment unit: offsets and sizes are multiples of it
    const auto note = [&](int t, std::int64_t offset, std::int64_t bytes, bool writes) {
        for (auto b = offset / 64; b < (offset + bytes) / 64; ++b) arena[static_cast<std::size_t>(b)].push_back({t, writes});
    };
    for (int t = 0; t < plan.summary.run_tasks; ++t) {
        const auto& job = plan.tasks[static_cast<std::size_t>(plan.summary.prepare_tasks + t)];
        const auto& n = g[job.node];
        for (std::int32_t i = 0; i < n.arguments.count; ++i)
            if (const auto& p = plan.placements[static_cast<std::size_t>(g.value_of(g.argument_of(n, i)).storage.index)]; p.where == region::arena)
                note(t, p.offset, p.bytes, false);
        const auto& p = plan.placements[static_cast<std::size_t>(n.values.first)];
        note(t, p.offset, p.bytes, true);
        note(t, job.workspace_offset, job.workspace_bytes, true);
    }
    for (const auto& uses : arena)
        for (std::size_t b = 0; b < uses.size(); ++b)
            for (std::size_t a = 0; a < b; ++a)
                if (uses[a].task != uses[b].task && (uses[a].writes || uses[b].writes) &&
                    !paths.before[static_cast<std::size_t>(uses[a].task)][static_cast<std::size_t>(uses[b].task)])
                    return false;
    return true;
}

std::vector<target::ticks> random_ticks(std::mt19937& random) {
    std::vector<target::ticks> out(96);
    for (auto& t : out) t = {static_cast<std::int64_t>(1 + random() % 20) * 1000};
    return out;
}

} // namespace

int main() {
    std::mt19937 random(2026);
    int injected = 0, caught = 0, shaken_plans = 0, agreed = 0, refused = 0, deleted = 0, delete_caught = 0, on_two = 0;
    for (int round = 0; round < 1200; ++round) {
        random_graph made(random);
        const auto ticks = random_ticks(random);
        const launch_rules rules{round % 2 == 0 ? 2 : 4, ticks, {}};
        streamed_plan plan;
        make_plan(made.g(), made.constants(), made.needs, plan, target::npu, true, &rules);
        diagnosis d;
        check(check_plan(made.g(), plan.view(), d), d.found.view());
        check(bytes_survive(made.g(), plan.view()) && bytes_are_ordered(made.g(), plan.view()));
        on_two += plan.summary.streams > 1;

        // Take away each record and each wait in turn.
        for (std::int32_t s = 0; s < plan.summary.syncs; ++s) {
            auto wrong = plan;
            for (auto k = s; k + 1 < plan.summary.syncs; ++k) wrong.syncs[static_cast<std::size_t>(k)] = wrong.syncs[static_cast<std::size_t>(k + 1)];
            --wrong.summary.syncs;
            diagnosis why;
            ++deleted;
            delete_caught += !check_plan(made.g(), wrong.view(), why);
        }
        // Move each buffer onto each other one that may be alive at the same time.
        std::vector<std::int32_t> arena;
        for (std::int32_t v = 0; v < made.g().header().used.values; ++v)
            if (plan.placements[static_cast<std::size_t>(v)].where == region::arena && made.g().values()[static_cast<std::size_t>(v)].storage.index == v) arena.push_back(v);
        for (auto a : arena)
            for (auto b : arena) {
                const auto& x = plan.placements[static_cast<std::size_t>(a)];
                const auto& y = plan.placements[static_cast<std::size_t>(b)];
                const bool both = x.first_task < y.last_task && y.first_task < x.last_task && x.first_task < x.last_task && y.first_task < y.last_task;
                if (a == b || !both || x.shares.exists() || y.shares.exists() || x.offset == y.offset) continue;
                auto wrong = plan;
                wrong.placements[static_cast<std::size_t>(a)].offset = y.offset;
                wrong.summary.peak_bytes = 1 << 16;
                diagnosis why;
                ++injected;
                caught += !check_plan(made.g(), wrong.view(), why);
            }
        // Anything else: the judge says what all paths and all bytes say.
        for (int i = 0; i < 11 && !arena.empty() && plan.summary.streams > 1; ++i) {
            auto shaken = plan;
            shaken.summary.peak_bytes = 1 << 16;
            auto& sync = shaken.syncs[random() % static_cast<unsigned>(plan.summary.syncs)];
            auto& task = shaken.tasks[static_cast<std::size_t>(plan.summary.prepare_tasks) + random() % static_cast<unsigned>(plan.summary.run_tasks)];
            switch (i % 4) {
            case 0: shaken.placements[static_cast<std::size_t>(arena[random() % arena.size()])].offset = static_cast<std::int64_t>(random() % 12) * 64; break;
            case 1: task.stream = static_cast<std::int32_t>(random() % static_cast<unsigned>(plan.summary.streams)); break;
            case 2: sync.stream = static_cast<std::int32_t>(random() % static_cast<unsigned>(plan.summary.streams)); break;
            default:
                sync.before += static_cast<std::int32_t>(random() % 3) - 1;
                for (auto k = plan.summary.syncs; k-- > 1;) // in the order of launching again: one is out of it
                    for (auto j = 1; j <= k; ++j)
                        if (auto* at = &shaken.syncs[static_cast<std::size_t>(j)]; at->before < at[-1].before) std::swap(at[0], at[-1]);
            }
            diagnosis why;
            const bool accepted = check_plan(made.g(), shaken.view(), why);
            const bool is_right = bytes_survive(made.g(), shaken.view()) && bytes_are_ordered(made.g(), shaken.view());
            ++shaken_plans;
            agreed += accepted == is_right;
            refused += !is_right;
        }
    }
    std::cout << "plans that use several streams: " << on_two << '\n';
    std::cout << "records and waits taken away, caught: " << delete_caught << '/' << deleted << '\n';
    std::cout << "overlaps caught: " << caught << '/' << injected << '\n';
    std::cout << "verdicts equal to the simulation: " << agreed << '/' << shaken_plans << ", " << refused << " of them refused\n";
    check(deleted > 3000 && delete_caught == deleted);
    check(injected > 1000 && caught == injected);
    check(shaken_plans > 10000 && agreed == shaken_plans && refused > 3000);
    return test::report();
}
