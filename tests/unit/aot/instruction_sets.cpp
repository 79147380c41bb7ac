// Which of a program's tasks run where they are compiled for several levels of x86-64: the highest that a processor has; what is refused runs nothing.
// fault: processor_is_too_old
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "refusal.hpp"
#include "rendered.hpp"

#include <ahead/ahead.hpp>
#include <ahead/aot/chosen_set.hpp>
#include <ahead/aot/set_of_tasks.hpp>

using namespace ahead;
using namespace ahead::aot;
using namespace test;

namespace {

std::string said; // what was called

template <int Level> constexpr instruction_set tasks{
    [](std::int32_t begin, std::int32_t end, const std::byte* const*, const std::byte*, std::byte*, void*) {
        said += 'v' + std::to_string(Level) + ' ' + std::to_string(begin) + ' ' + std::to_string(end) + '\n';
        return true;
    },
    [](std::int32_t, std::int32_t, void*) { return std::int32_t{Level}; }};
constexpr level_row rows[] = {{1, &tasks<1>}, {3, &tasks<3>}, {99, &tasks<99>}};
constexpr level_row none[] = {{98, &tasks<98>}, {99, &tasks<99>}}; // of processors to come

constexpr int choose(int processor) {
    diagnosis d;
    const auto* row = choose_level(rows, processor, d);
    return row == nullptr ? -1 : row->level;
}
static_assert(choose(1) == 1 && choose(2) == 1 && choose(3) == 3 && choose(4) == 3 && choose(99) == 99 && choose(0) == -1);

constinit chosen_set some{rows}, others{none};

void highest() {
    const int processor = processor_level();
    check(processor >= build_level);
    diagnosis d;
    check(some.run(2, 5, {}, d) && d.ok());
    check_equal(said, 'v' + std::to_string(choose(processor)) + " 2 5\n");
    check(some.has(1) && some.use(1) && some.level() == 1 && !some.has(2) && !some.use(2) && !some.has(99) && !some.use(99) && some.level() == 1);
    runtime::address at;
    check_equal(some.address(0, 0, at, d), 1);
    said.clear();
    check(some.run(0, 1, {}, d));
    check_equal(said, "v1 0 1\n");
}

void lacks_all() {
    said.clear();
    diagnosis d;
    check(!others.run(0, 1, {}, d) && others.level() == 0 && !others.use(98));
    check(said.empty());
    check_fault(d, {fault::processor_is_too_old});
    check_equal(test::sentence(d), "processor is too old: expected a processor of x86-64-v98, v99, found x86-64-v" + std::to_string(processor_level()));
    runtime::address at;
    check(others.address(0, 0, at, d) == 0 && said.empty());
}

} // namespace

int main() {
    if (processor_level() > 0) highest(); // of x86-64
    lacks_all();
    return report();
}
