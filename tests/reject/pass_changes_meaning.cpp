// SPDX-License-Identifier: MIT
// A user's rule that is no equation, in a toolchain that has its passes checked.
// fault: outputs_differ
// expect: outputs_differ
// expect: the elements of output 1
// expect: others, behind the pass turn
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, input<"y", f32<2, 3>> y) { return outputs(relu(x), x - y); });

struct tools : toolchain<> {
#ifdef REJECT
    static constexpr auto pre_pass = pass::pipeline<>{} | pass::rule<"turn">([](any<"a"> a, any<"b"> b) { return rewrite(a - b, b - a); });
#else
    static constexpr auto pre_pass = pass::pipeline<>{} | pass::rule<"turn">([](any<"a"> a, any<"b"> b) { return rewrite(a - b, neg(b - a)); });
#endif
    static constexpr config options{.check_passes = true};
};
using program = compiled<net, tools>;
static_assert(program::plan.run_tasks > 0 || !program::accepted);
int main() {}
