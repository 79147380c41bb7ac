// SPDX-License-Identifier: MIT
// A branch: read and typed, and not run.
// fault: control_flow_is_not_run
// expect: control_flow_is_not_run
// expect: higher_order.cond
// expect: at_line<5>
// expect: a call that holds true_graph_0
#include <ahead/ahead.hpp>

struct branched {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", p: "b8[]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (x,));  p = true_graph_0 = false_graph_0 = x = None
        getitem: "f32[3]" = cond[0];  cond = None
        return (getitem,)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[3]"):
            sin: "f32[3]" = torch.ops.aten.sin.default(x);  x = None
            return (sin,)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[3]"):
            cos: "f32[3]" = torch.ops.aten.cos.default(x);  x = None
            return (cos,)
)fx";
};
using branch = ahead::typed<ahead::fx<branched>>::node<"cond">;
static_assert(std::same_as<branch::op, ahead::aten::cond> && std::same_as<branch::result<>, ahead::f32<3>>);
#ifdef REJECT
static_assert(sizeof(ahead::compiled<ahead::fx<branched>>) > 0);
#endif
