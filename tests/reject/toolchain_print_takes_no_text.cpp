// SPDX-License-Identifier: MIT
// A toolchain whose print takes something else than text: what the graph prints would go to stdout.
// expect: a toolchain may say where air.print writes: static void print.std::string_view piece
// expect: checked_toolchain<tools>
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });

struct tools : toolchain<> {
#ifdef REJECT
    static void print(int) {}
#else
    static void print(std::string_view) {}
#endif
};
static_assert(compiled<net, tools>::plan.run_tasks > 0 || !compiled<net, tools>::accepted);
int main() {}
