// SPDX-License-Identifier: MIT
// A toolchain whose device is chosen while the program runs: a plan is made for one that is known.
// expect: a toolchain says: static constexpr config options; static constexpr target::device device
// expect: checked_toolchain<tools>
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });

struct tools : toolchain<> {
#ifdef REJECT
    static inline target::device device = target::npu;
#else
    static constexpr target::device device = target::npu;
#endif
};
static_assert(compiled<net, tools>::plan.run_tasks > 0 || !compiled<net, tools>::accepted);
int main() {}
