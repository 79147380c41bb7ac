// Plans on the simulated clock, which keeps to the machine whatever the plan.
// SPDX-License-Identifier: MIT
#pragma once
#include "harness.hpp"

#include <ahead/plan/timeline.hpp>

#include <random>
#include <vector>

namespace test {

/// What each run task takes. demands: by node.
inline std::vector<ahead::machine::demand> demands_of_tasks(ahead::plan::plan_view plan, ahead::core::array_view<const ahead::machine::demand> demands) {
    std::vector<ahead::machine::demand> out;
    for (std::int32_t i = 0; i < plan.summary.run_tasks; ++i)
        out.push_back(demands.data()[plan.tasks.data()[plan.summary.prepare_tasks + i].node.index]);
    return out;
}

/// When each runs: law: no task takes less than alone, and nothing is over before the machine can have done it, whoever launches.
inline std::vector<ahead::plan::timeline_row> timed(ahead::plan::plan_view plan, ahead::core::array_view<const ahead::machine::demand> demands, const ahead::machine::launch_cost& launch) {
    const auto tasks = demands_of_tasks(plan, demands);
    std::vector<ahead::plan::timeline_row> rows(tasks.size());
    for (const auto by : {ahead::plan::launching::each, ahead::plan::launching::once}) {
        ahead::plan::lay_out(plan, tasks, launch, by, rows.data());
        check(ahead::plan::keeps_to_the_machine(plan, tasks, launch, by, rows), "the clock keeps to the machine");
    }
    return rows;
}

/// So many tasks of up to so many nanoseconds, each of which keeps some units busy for some of that.
inline std::vector<ahead::machine::demand> random_demands(std::mt19937& random, std::size_t count, unsigned longest = 20) {
    std::vector<ahead::machine::demand> out(count);
    for (auto& task : out) {
        task.alone = {static_cast<std::int64_t>(1 + random() % longest) * 1000};
        for (auto& busy : task.at_peak)
            if (random() % 3 == 0) busy = {static_cast<std::int64_t>(random() % 1001) * task.alone.count / 1000 / static_cast<std::int64_t>(1 + random() % 4)};
    }
    return out;
}

} // namespace test
