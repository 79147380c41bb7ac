// Texts with blocks that several tests read.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace test {

// Two branches that differ, and in one of them two others.
inline constexpr std::string_view nested_branches = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", y: "f32[3]", p: "b8[]", q: "b8[]"):
        mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, y)
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [mul, y, q]);  p = true_graph_0 = false_graph_0 = mul = y = q = None
        getitem: "f32[3]" = cond[0]
        getitem_1: "f32[]" = cond[1];  cond = None
        add: "f32[3]" = torch.ops.aten.add.Tensor(getitem, getitem_1);  getitem = getitem_1 = None
        return (add, x)

    class true_graph_0(torch.nn.Module):
        def forward(self, x: "f32[3]", y: "f32[3]", q: "b8[]"):
            sin: "f32[3]" = torch.ops.aten.sin.default(x);  x = None
            true_graph_0 = self.true_graph_0
            false_graph_0 = self.false_graph_0
            cond = torch.ops.higher_order.cond(q, true_graph_0, false_graph_0, [sin, y]);  q = true_graph_0 = false_graph_0 = y = None
            getitem: "f32[]" = cond[0];  cond = None
            return (sin, getitem)

        class true_graph_0(torch.nn.Module):
            def forward(self, x: "f32[3]", y: "f32[3]"):
                sub: "f32[3]" = torch.ops.aten.sub.Tensor(x, y);  x = y = None
                sum_1: "f32[]" = torch.ops.aten.sum.default(sub);  sub = None
                return (sum_1,)

        class false_graph_0(torch.nn.Module):
            def forward(self, x: "f32[3]", y: "f32[3]"):
                sum_1: "f32[]" = torch.ops.aten.sum.default(y);  y = None
                return (sum_1,)

    class false_graph_0(torch.nn.Module):
        def forward(self, x: "f32[3]", y: "f32[3]", q: "b8[]"):
            cos: "f32[3]" = torch.ops.aten.cos.default(y)
            relu: "f32[3]" = torch.ops.aten.relu.default(x);  x = relu = None
            sum_1: "f32[]" = torch.ops.aten.sum.default(y);  y = None
            return (cos, sum_1)
)fx";

// x to the power of n + 1, by as many rounds as n.
inline constexpr std::string_view power_loop = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3]", n: "i64[]"):
        while_loop_cond_graph_0 = self.while_loop_cond_graph_0
        while_loop_body_graph_0 = self.while_loop_body_graph_0
        while_loop = torch.ops.higher_order.while_loop(while_loop_cond_graph_0, while_loop_body_graph_0, (n, x), (x,));  while_loop_cond_graph_0 = while_loop_body_graph_0 = n = x = None
        getitem: "f32[3]" = while_loop[1];  while_loop = None
        return (getitem,)

    class while_loop_cond_graph_0(torch.nn.Module):
        def forward(self, arg0_1: "i64[]", arg1_1: "f32[3]", arg2_1: "f32[3]"):
            gt: "b8[]" = torch.ops.aten.gt.Scalar(arg0_1, 0);  arg0_1 = None
            return gt

    class while_loop_body_graph_0(torch.nn.Module):
        def forward(self, arg0_1: "i64[]", arg1_1: "f32[3]", arg2_1: "f32[3]"):
            sub: "i64[]" = torch.ops.aten.sub.Tensor(arg0_1, 1);  arg0_1 = None
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(arg1_1, arg2_1);  arg1_1 = arg2_1 = None
            return (sub, mul)
)fx";

} // namespace test
