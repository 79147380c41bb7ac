// SPDX-License-Identifier: MIT
// A user's pass that erases a node which another one reads.
// fault: node_is_in_use
// expect: node_is_in_use
// expect: aten.relu.default
// expect: 1 users, abs
// expect: in the pass drop
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2>> x) { return outputs(abs(relu(x))); });

struct drop {
    static constexpr std::string_view name = "drop";
    constexpr void operator()(graph_editor& g, const config&) const {
        const auto found = g.find_node("aten.relu.default");
#ifndef REJECT
        g.replace_all_uses_with(found, g.operand(found, 0));
#endif
        g.erase_node(found);
    }
};
using tools = toolchain<>::with_post_pass<drop{}>;
using program = compiled<net, tools>;
static_assert(program::plan.run_tasks > 0 || !program::accepted);
int main() {}
