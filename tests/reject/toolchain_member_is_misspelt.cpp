// SPDX-License-Identifier: MIT
// A toolchain whose options have a name that nobody reads.
// expect: a toolchain says options, device, pre_pass, post_pass and print
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });

struct tools : toolchain<> {
#ifdef REJECT
    static constexpr config option{.mode = mode::reduce_overhead};
#else
    static constexpr config options{.mode = mode::reduce_overhead};
#endif
};
static_assert(compiled<net, tools>::plan.run_tasks > 0);
int main() {}
