// SPDX-License-Identifier: MIT
// The planner against its verifier, and the verifier against a simulation of bytes: random device graphs, then plans broken on purpose.
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

int main() {
    std::mt19937 random(7);
    std::int64_t peak = 0, live = 0;
    int injected = 0, caught = 0, agreed = 0, moved = 0, broken = 0, in_place = 0;
    for (int round = 0; round < 1700; ++round) {
        random_graph made(random);
        plan_storage<size> plan;
        make_plan(made.g(), made.needs, plan);
        diagnosis d;
        check(check_plan(made.g(), made.needs, plan.view(), d), d.found.view());
        check(plan_is_right(made.g(), made.needs, plan.view()));
        check(plan.summary.largest_live_bytes <= plan.summary.peak_bytes);
        static_cast<void>(test::timed(plan.view(), test::random_demands(random, 96), machine::npu.launch));
        peak += plan.summary.peak_bytes;
        live += plan.summary.largest_live_bytes;

        if (plan.summary.run_tasks > 1) {
            auto twice = plan;
            const auto first = static_cast<std::size_t>(plan.summary.prepare_tasks);
            twice.tasks[first + 1] = twice.tasks[first];
            check(!check_plan(made.g(), made.needs, twice.view(), d) && d.expected.view() == "tasks that are listed once", d.expected.view());
        }
        // Move each buffer onto each other one that is alive at the same time: always caught.
        test::for_each_overlap(plan, [&](const auto& wrong) {
            diagnosis why;
            ++injected;
            caught += !check_plan(made.g(), made.needs, wrong.view(), why);
        });
        const auto arena = test::values_in_arena(plan);
        // Random offsets: the verifier says what the bytes say.
        for (int i = 0; i < 7 && !arena.empty(); ++i) {
            auto shaken = plan;
            auto& p = shaken.placements[static_cast<std::size_t>(arena[random() % arena.size()])];
            p.offset = static_cast<std::int64_t>(random() % 12) * 64;
            if (i % 2 == 0) shaken = test::redescribed(made.g(), made.needs, shaken);
            else shaken.summary.peak_bytes = test::redescribed(made.g(), made.needs, shaken).summary.peak_bytes;
            diagnosis why;
            const bool accepted = check_plan(made.g(), made.needs, shaken.view(), why);
            const bool survived = plan_is_right(made.g(), made.needs, shaken.view());
            ++moved;
            agreed += accepted == survived;
            broken += !survived;
        }
        // Each result of several where each operand of its task lies: the same.
        const auto g = made.g();
        for (std::int32_t t = plan.summary.prepare_tasks; t < plan.summary.prepare_tasks + plan.summary.run_tasks; ++t) {
            const auto& n = g[plan.tasks[static_cast<std::size_t>(t)].node];
            for (std::int32_t k = 0; n.values.count > 1 && k < n.values.count * n.arguments.count; ++k) {
                auto shaken = plan;
                const auto& operand = g.value_of(g.argument_of(n, k % n.arguments.count));
                shaken.placements[static_cast<std::size_t>(n.values.first + k / n.arguments.count)].offset =
                    shaken.placements[static_cast<std::size_t>(operand.storage.index)].offset;
                shaken = test::redescribed(made.g(), made.needs, shaken);
                bool survived = false;
                for (const bool says_so : {false, true}) { // that it shares the operand's bytes
                    if (says_so) shaken.placements[static_cast<std::size_t>(n.values.first + k / n.arguments.count)].shares = operand.storage;
                    diagnosis why;
                    const bool accepted = check_plan(made.g(), made.needs, shaken.view(), why);
                    survived = plan_is_right(made.g(), made.needs, shaken.view());
                    ++moved;
                    agreed += accepted == survived;
                    broken += !survived;
                }
                in_place += survived && k >= n.arguments.count;
            }
        }
    }
    std::cout << "results behind the first in another's place: " << in_place << '\n';
    std::cout << "peak over largest live set: " << static_cast<double>(peak) / static_cast<double>(live) << '\n';
    std::cout << "overlaps caught: " << caught << '/' << injected << '\n';
    std::cout << "verdicts equal to the byte simulation: " << agreed << '/' << moved << ", " << broken << " broken\n";
    check(injected > 1000 && caught == injected);
    check(moved > 10000 && agreed == moved && in_place > 100);
    check(peak * 100 <= live * 105);
    return test::report();
}
