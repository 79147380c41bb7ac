// SPDX-License-Identifier: MIT
// A toolchain whose options have a name that nobody reads.
// expect: a toolchain is an alias
// expect: not a struct that derives from it
// expect: <source>:
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });

#ifdef REJECT
struct tools : toolchain<> {
    static constexpr config option{.mode = mode::reduce_overhead};
};
#else
inline constexpr config options{.mode = mode::reduce_overhead};
using tools = toolchain<>::with_options<options>;
#endif
static_assert(compiled<net, tools>::plan.run_tasks > 0);
int main() {}
