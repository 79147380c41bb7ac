// SPDX-License-Identifier: MIT
// A user's rule that is no equation, in a toolchain that has its passes checked.
// fault: outputs_differ
// expect: outputs_differ
// expect: the elements of output 1
// expect: others, behind the pass turn
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, input<"y", f32<2, 3>> y) { return outputs(relu(x), x - y); });

#ifdef REJECT
inline constexpr auto turn = pass::rule<"turn">([](any<"a"> a, any<"b"> b) { return rewrite(a - b, b - a); });
#else
inline constexpr auto turn = pass::rule<"turn">([](any<"a"> a, any<"b"> b) { return rewrite(a - b, neg(b - a)); });
#endif
inline constexpr config checked{.check_passes = true};
using tools = toolchain<>::with_options<checked>::with_pre_pass<turn>;
using program = compiled<net, tools>;
static_assert(program::plan.run_tasks > 0 || !program::accepted);
int main() {}
