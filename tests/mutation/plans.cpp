// SPDX-License-Identifier: MIT
// Plans of several streams: random device graphs, then plans with events taken away, buffers moved and tasks put on other streams. The verifier against a
// simulation that knows every path of records, waits and streams, and every byte.
#include <ahead/plan/check.hpp>

#include "../plan_simulation.hpp"
#include "../random_device_graph.hpp"
#include "../timed.hpp"

using namespace ahead;
using namespace ahead::rooms;
using test::check;
using test::plan_is_right;
using test::random_graph;
using test::size;

namespace {

using streamed_plan = plan_storage<size, 512>;

} // namespace

int main() {
    std::mt19937 random(2026);
    int injected = 0, caught = 0, shaken_plans = 0, agreed = 0, refused = 0, deleted = 0, delete_caught = 0, on_two = 0;
    for (int round = 0; round < 1200; ++round) {
        random_graph made(random);
        const auto demands = test::random_demands(random, 96);
        const launch_rules rules{round % 2 == 0 ? 2 : 4, demands, {}};
        streamed_plan plan;
        make_plan(made.g(), made.needs, plan, machine::npu, true, &rules);
        diagnosis d;
        check(check_plan(made.g(), made.needs, plan.view(), d), d.found.view());
        check(plan_is_right(made.g(), made.needs, plan.view()));
        const auto spread = makespan_of(test::timed(plan.view(), demands, {{}, {}, {}, {}}));
        machine::ticks work;
        for (const auto& task : test::demands_of_tasks(plan.view(), demands)) work += task.alone;
        check(plan.summary.streams > 1 ? spread < work : spread == work, "streams are taken where they pay");
        on_two += plan.summary.streams > 1;

        // Take away each record and each wait in turn.
        for (std::int32_t s = 0; s < plan.summary.syncs; ++s) {
            const auto wrong = test::without_sync(plan, s);
            diagnosis why;
            ++deleted;
            delete_caught += !check_plan(made.g(), made.needs, wrong.view(), why);
        }
        // Move each buffer onto each other one that may be alive at the same time.
        test::for_each_overlap(plan, [&](const auto& wrong) {
            diagnosis why;
            ++injected;
            caught += !check_plan(made.g(), made.needs, wrong.view(), why);
        });
        const auto arena = test::values_in_arena(plan);
        // Anything else: the verifier says what all paths and all bytes say.
        for (int i = 0; i < 11 && !arena.empty() && plan.summary.streams > 1; ++i) {
            auto shaken = plan;
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
            shaken = test::redescribed(made.g(), made.needs, shaken);
            diagnosis why;
            const bool accepted = check_plan(made.g(), made.needs, shaken.view(), why);
            const bool is_right = plan_is_right(made.g(), made.needs, shaken.view());
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
