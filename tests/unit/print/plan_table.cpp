// The plan as a table: a row per task, the sizes of the regions, and the inputs and weights that no task reads.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/print/plan_table.hpp>

#include <algorithm>

using namespace ahead;
using namespace test;

namespace {

template <class Program> std::string table_of() { return plan_table(Program::lowered_graph(), Program::plan_view()); }
std::string last_line(const std::string& table) { return table.substr(table.rfind('\n', table.size() - 2) + 1); }

// Read by a task: x through a view, y inside a list, w by prepare alone or by a run. Not read: a placeholder without users, and one whose only users
// nobody reads. An input that is returned is copied, and so read.
inline constexpr auto all_read = trace([](input<"x", f32<2, 3>> x, input<"y", f32<2, 3>> y, param<"w", f32<3, 4>> w, input<"z", f32<2>> z) {
    return outputs(mm(cat(x, y), w), permute<1, 0>(x), z);
});
inline constexpr auto some_unread = trace([](input<"x", f32<2, 3>> x, input<"y", f32<5>> y, param<"w", f32<3, 4>>, input<"z", f32<2>>) {
    static_cast<void>(exp(y));
    return outputs(exp(x));
});

inline constexpr config kept_options{.eliminate_dead_code = false};
using kept = toolchain<>::with_options<kept_options>;

void rows() {
    const auto table = table_of<compiled<all_read>>();
    check(table.starts_with("program  task              operator                  result                      bytes written\n"), table);
    const auto tasks = compiled<all_read>::plan.prepare_tasks + compiled<all_read>::plan.run_tasks;
    check(std::count(table.begin(), table.end(), '\n') == tasks + 2, table);
    check(last_line(table).starts_with("constants ") && table.find("not read") == table.npos, table);
}
void unread() {
    const auto table = table_of<compiled<some_unread>>();
    check_equal(last_line(table), "not read: y, weight w, z\n");
    // Nobody reads y because nobody reads what is made of it: without the pass that sees this, a task does.
    check_equal(last_line(table_of<compiled<some_unread, kept>>()), "not read: weight w, z\n");
    // They stay ports: a run takes three inputs.
    static_assert(compiled<some_unread>::plan.inputs == 3);
}

// A task in parts, on a device whose cores are apart: as many as the plan has cores, and that as many as the device has.
constexpr machine::device two_cores = [] {
    machine::device on;
    on.cores = 2;
    return on;
}();
void parts() {
    using program = compiled<all_read>;
    auto plan = program::planned;
    const auto is_accepted = [&](const machine::device& on, std::int32_t cores, std::int32_t in_parts) {
        plan.summary.cores = cores;
        plan.tasks[static_cast<std::size_t>(plan.summary.prepare_tasks)].parts = in_parts;
        diagnosis d;
        const bool accepted = check_plan(program::lowered_graph(), program::needs, plan.view(), d, on);
        check(accepted == d.ok() && (accepted || d.what == fault::plan_is_broken));
        return accepted;
    };
    check(plan.summary.cores == 1 && plan.tasks[0].parts == 1 && machine::offered_cores(machine::npu) == 1);
    check(is_accepted(machine::npu, 1, 1) && is_accepted(two_cores, 1, 1) && is_accepted(two_cores, 2, 1));
    check(!is_accepted(machine::npu, 2, 1) && !is_accepted(two_cores, 3, 1) && !is_accepted(two_cores, 0, 1));
    for (std::int32_t wrong : {-1, 0, 3}) check(!is_accepted(two_cores, 2, wrong));
    check(!is_accepted(two_cores, 1, 2) && is_accepted(two_cores, 2, 2));
    const auto table = plan_table(program::lowered_graph(), plan.view());
    check(table.find(" in 2 parts\n") != table.npos && table.find(", cores 2\n") != table.npos, table);
    check(table_of<program>().find("parts") == std::string::npos && table_of<program>().find(", cores 1\n") != std::string::npos);
}

} // namespace

int main() {
    parts();
    rows();
    unread();
    return report();
}
