// SPDX-License-Identifier: MIT
// A user's pass that returns a sum over the columns where the graph returns them all.
// fault: outputs_differ
// expect: outputs_differ
// expect: f32\[2, 3\]
// expect: f32\[3\]
// expect: in the pass fold
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(relu(x)); });

struct fold {
    static constexpr std::string_view name = "fold";
    constexpr void operator()(graph_editor& g, const config&) const {
        const auto found = g.find_node("aten.relu.default");
#ifdef REJECT
        const auto made = g.call("aten.sum.dim_IntList", {found, int_list{0}});
#else
        const auto made = g.call("aten.abs.default", {found});
#endif
        g.replace_all_uses_with(found, made, 0, made);
    }
};
using tools = toolchain<>::with_pre_pass<fold{} | pass::eliminate_dead_code>;
using program = compiled<net, tools>;
static_assert(program::plan.run_tasks > 0 || !program::accepted);
int main() {}
