// SPDX-License-Identifier: MIT
// Plans of graphs with branches in branches, loops and scans, and of every block in them, with any one of their numbers changed: what the simulation of bytes finds
// harmful the verifier refuses, and nothing else.
#include "../branches.hpp"
#include "../plan_execution.hpp"
#include "../plan_mutations.hpp"

#include <ahead/core/error.hpp>

using namespace ahead;
using namespace ahead::rooms;
using test::check;

namespace {

int plans = 0;

void change(test::plan_mutations& changes, const compile::inspected_graph& made, std::mt19937& random) {
    ++plans;
    changes.run(made.lowered_graph(), made.needs, made.planned, random, 2);
    for (const auto& block : made.blocks) change(changes, block, random);
}

} // namespace

int main() {
    std::mt19937 random(9);
    test::plan_mutations changes;
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        auto options = test::meaning_tools::options;
        options.streams = 1 + static_cast<std::int32_t>(seed % 2);
        const test::branched_graph graph(seed); // its text must outlive what is made of it
        const auto made = inspect_fx<test::meaning_tools>(graph.text(), options);
        if (check(made.error.ok(), render(made.error))) change(changes, made, random);
    }
    std::cout << plans << " plans\n";
    changes.report(0);
    check(plans > 60);
    return test::report();
}
