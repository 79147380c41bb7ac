// A symbol with a bound: one program for all sizes up to it, each as the reference of the text at that size, whatever lies behind the places that are given.
// SPDX-License-Identifier: MIT
#include "../bounded_agreement.hpp"
#include "../check_fault.hpp"

#include <ahead/ahead.hpp>

using namespace ahead;
using namespace test;

namespace {

// A batch through linear layers, with all kinds of what follows a product, and rows by themselves.
struct mlp {
    static constexpr char text[] = R"fx(def forward(self, p_w1: "f32[24, 16]", p_b1: "f32[24]", p_w2: "f32[24, 10]", p_w3: "f32[10, 2]", p_g: "f32[10]", x: "f32[s0, 16]", z: "f32[s0, 10]", k: "f32[10]"):
    t: "f32[16, 24]" = torch.ops.aten.t.default(p_w1)
    addmm: "f32[s0, 24]" = torch.ops.aten.addmm.default(p_b1, x, t)
    relu: "f32[s0, 24]" = torch.ops.aten.relu.default(addmm)
    mm: "f32[s0, 10]" = torch.ops.aten.mm.default(relu, p_w2)
    add: "f32[s0, 10]" = torch.ops.aten.add.Tensor(mm, z)
    native_layer_norm = torch.ops.aten.native_layer_norm.default(add, [10], p_g, None, 1e-05)
    getitem: "f32[s0, 10]" = native_layer_norm[0]
    mul: "f32[s0, 10]" = torch.ops.aten.mul.Tensor(getitem, k)
    gelu: "f32[s0, 10]" = torch.ops.aten.gelu.default(mul)
    mm_1: "f32[s0, 2]" = torch.ops.aten.mm.default(gelu, p_w3)
    softmax: "f32[s0, 10]" = torch.ops.aten._softmax.default(gelu, -1, False)
    tanh: "f32[s0, 2]" = torch.ops.aten.tanh.default(mm_1)
    return (softmax, tanh, gelu)
)fx";
    static constexpr fx_input inputs[] = {{"p_w1", "w1"}, {"p_b1", "b1"}, {"p_w2", "w2"}, {"p_w3", "w3"}, {"p_g", "g"}};
};

} // namespace

int main() {
    check_bounded<compiled_bounded<mlp, bound<"s0", 33>>, mlp>({1, 2, 3, 7, 16, 17, 31, 32, 33});
    return report();
}
