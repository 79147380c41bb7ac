// SPDX-License-Identifier: MIT
// A toolchain whose print takes something else than text: what the graph prints would go to stdout.
// expect: with_print<f> takes a function, void f.std::string_view piece.
// expect: <source>:
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });

#ifdef REJECT
inline void write(int) {}
#else
inline void write(std::string_view) {}
#endif
using tools = toolchain<>::with_print<write>;
static_assert(compiled<net, tools>::plan.run_tasks > 0 || !compiled<net, tools>::accepted);
int main() {}
