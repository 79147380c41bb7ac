// SPDX-License-Identifier: MIT
// A toolchain whose options are one of a config's members alone.
// expect: a toolchain says: static constexpr config options; static constexpr target::device device
// expect: checked_toolchain<tools>
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });

struct tools : toolchain<> {
#ifdef REJECT
    static constexpr mode options = mode::reduce_overhead;
#else
    static constexpr config options{.mode = mode::reduce_overhead};
#endif
};
static_assert(compiled<net, tools>::plan.run_tasks > 0 || !compiled<net, tools>::accepted);
int main() {}
