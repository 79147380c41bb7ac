// SPDX-License-Identifier: MIT
// A mode made of a number.
// fault: mode_is_unknown
// expect: mode_is_unknown
// expect: max_autotune or reduce_overhead
// expect: mode 2
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });

#ifdef REJECT
inline constexpr config options{.mode = static_cast<mode>(2)};
#else
inline constexpr config options{.mode = mode::max_autotune};
#endif
using tools = toolchain<>::with_options<options>;
using program = compiled<net, tools>;
static_assert(program::plan.run_tasks > 0 || !program::accepted);
int main() {}
