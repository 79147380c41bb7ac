// SPDX-License-Identifier: MIT
// A rule that puts a sum over the rows where the graph has them all.
// fault: rewrite_changes_type
// expect: rewrite_changes_type
// expect: f32\[2, 3\]
// expect: f32\[3\]
// expect: in the pass fold
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });

#ifdef REJECT
inline constexpr auto fold = pass::rule<"fold">([](any<"a"> a) { return rewrite(relu(a), sum<0>(a)); });
#else
inline constexpr auto fold = pass::rule<"fold">([](any<"a"> a) { return rewrite(relu(a), abs(a)); });
#endif
using tools = toolchain<>::with_pre_pass<fold | pass::eliminate_dead_code>;
using program = compiled<net, tools>;
static_assert(program::plan.run_tasks > 0 || !program::accepted);
int main() {}
