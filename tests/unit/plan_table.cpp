// The plan as a table: a row per task, the sizes of the regions, and the inputs and weights that no task reads.
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/io/plan_table.hpp>

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

struct kept : toolchain<> {
    static constexpr config options{.eliminate_dead_code = false};
};

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

} // namespace

int main() {
    rows();
    unread();
    return report();
}
