// SPDX-License-Identifier: MIT
// A user's pass that makes a node read one below it.
// fault: graph_is_broken
// expect: graph_is_broken
// expect: aten.relu.default
// expect: "operands above it"
// expect: abs, in the pass turn_around
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2>> x) { return outputs(abs(relu(x))); });

struct turn_around {
    static constexpr std::string_view name = "turn_around";
    constexpr void operator()(graph_editor& g, const config&) const {
#ifdef REJECT
        g.replace_operand(g.find_node("aten.relu.default"), 0, g.find_node("aten.abs.default"));
#else
        g.replace_operand(g.find_node("aten.abs.default"), 0, g.find_node("aten.relu.default"));
#endif
    }
};
using tools = toolchain<>::with_post_pass<turn_around{}>;
using program = compiled<net, tools>;
static_assert(program::plan.run_tasks > 0 || !program::accepted);
int main() {}
