// SPDX-License-Identifier: MIT
// A toolchain whose options are one of a config's members alone.
// expect: with_options<...> takes a constexpr ahead::config
// expect: <source>:
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });

#ifdef REJECT
inline config options{.mode = mode::reduce_overhead};
#else
inline constexpr config options{.mode = mode::reduce_overhead};
#endif
using tools = toolchain<>::with_options<options>;
static_assert(compiled<net, tools>::plan.run_tasks > 0 || !compiled<net, tools>::accepted);
int main() {}
