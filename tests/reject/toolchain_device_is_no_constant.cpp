// SPDX-License-Identifier: MIT
// A toolchain whose device is chosen while the program runs: a plan is made for one that is known.
// expect: with_device<...> takes a constexpr ahead::machine::device
// expect: <source>:
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });

#ifdef REJECT
inline machine::device chosen = machine::npu;
#else
inline constexpr machine::device chosen = machine::npu;
#endif
using tools = toolchain<>::with_device<chosen>;
static_assert(compiled<net, tools>::plan.run_tasks > 0 || !compiled<net, tools>::accepted);
int main() {}
