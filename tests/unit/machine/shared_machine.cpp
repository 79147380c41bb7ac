// Laws of a machine that the tasks of several streams share: no unit does more than it can.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "timed.hpp"

#include <ahead/machine/presets.hpp>
#include <ahead/machine/shared_machine.hpp>

#include <algorithm>
#include <array>
#include <random>

using namespace ahead;
using namespace test;
using machine::ticks;

namespace {

// Law: tasks of several streams share each unit. Two that each take 8 tenths of one last as long as their work at its peak; two that take a half, or another
// unit each, as long as one; of a third that half is left to, the rest comes when there is room again.
constexpr machine::demand using_unit(machine::unit u, std::int64_t alone, std::int64_t busy) {
    machine::demand out{ticks{alone}};
    out.of(u) = ticks{busy};
    return out;
}
constexpr bool streams_share_units() {
    using machine::unit;
    machine::shared_machine crowded(3), roomy(5);
    const auto first = crowded.run({}, using_unit(unit::cube, 1000, 800)), second = crowded.run({}, using_unit(unit::cube, 1000, 800));
    if (first != ticks{1000} || second != ticks{1750}) return false; // a quarter of it beside the first
    if (roomy.run({}, using_unit(unit::vector, 100, 50)) != ticks{100} || roomy.run({}, using_unit(unit::vector, 100, 50)) != ticks{100}) return false;
    if (roomy.run({}, using_unit(unit::memory, 70, 70)) != ticks{70} || roomy.run({60}, using_unit(unit::memory, 20, 20)) != ticks{90}) return false;
    roomy.forget_before({95});
    return roomy.run({95}, using_unit(unit::vector, 10, 10)) == ticks{110} && roomy.run({95}, {}) == ticks{95};
}
static_assert(streams_share_units());

/// Law: also of a machine that remembers few tasks, and forgets what is over.
bool work_is_never_done_early(std::int64_t remembered) {
    std::mt19937 random(3);
    for (unsigned round = 0; round < 50; ++round) {
        machine::shared_machine machine(remembered);
        std::array<ticks, 4> idle{};
        std::array<ticks, machine::units> work{};
        ticks end;
        for (const auto& task : random_demands(random, 300, 1 + round * 40)) {
            auto& mine = idle[random() % 4];
            const auto first = *std::min_element(idle.begin(), idle.end());
            if (machine.is_full()) machine.forget_before(first);
            const auto start = mine;
            mine = machine.run(start, task);
            if (mine - start < task.alone) return false;
            end = std::max(end, mine);
            for (int u = 0; u < machine::units; ++u) work[static_cast<std::size_t>(u)] += task.at_peak[u];
        }
        for (const auto busy : work)
            if (end < busy) return false;
    }
    return true;
}

// A machine of cores: each stream's tasks have one for themselves, and the memory behind them all is shared.
static_assert([] {
    auto on = machine::xeon_2core;
    on.cores = 2;
    const machine::work product{.cube = {1, 256, 256, 256}, .moved_bytes = 1000};
    const auto task = machine::demand_of(product, on, {1000, 1000}), far = machine::demand_of(product, on, {1 << 30, 1 << 30});
    machine::shared_machine machine(3);
    return machine.run({}, task) == task.alone && machine.run({}, task) == task.alone && machine.run({}, task) > task.alone &&
           task.of(machine::unit::memory) == ticks{} && far.of(machine::unit::memory) == machine::time_of(1000, 28496);
}());

} // namespace

int main() {
    check(streams_share_units());
    for (const std::int64_t remembered : {1, 3, 20, 300}) check(work_is_never_done_early(remembered));
    return report();
}
