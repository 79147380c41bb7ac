// SPDX-License-Identifier: MIT
// A fusion asked for where every operator is to be a task of its own.
// fault: option_has_no_effect
// expect: option_has_no_effect
// expect: fuse_pointwise
// expect: left out: one task per operator
// expect: given, with mode reduce_overhea
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });

#ifdef REJECT
inline constexpr config options{.mode = mode::reduce_overhead, .fuse_pointwise = true};
#else
inline constexpr config options{.mode = mode::reduce_overhead};
#endif
using tools = toolchain<>::with_options<options>;
using program = compiled<net, tools>;
static_assert(program::plan.run_tasks > 0 || !program::accepted);
int main() {}
