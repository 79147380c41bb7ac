// A bound of the batch, of images: convolutions of every algorithm, what is fused with them, pools, and what is done with planes.
// SPDX-License-Identifier: MIT
#include "bounded_agreement.hpp"

#include <ahead/ahead.hpp>

using namespace ahead;
using namespace test;

namespace {

struct lenet {
    static constexpr char text[] = R"fx(def forward(self, p_w1: "f32[6, 1, 5, 5]", p_b1: "f32[6]", p_bn_w: "f32[6]", p_bn_b: "f32[6]", b_mean: "f32[6]", b_var: "f32[6]", p_w2: "f32[16, 6, 3, 3]", p_w3: "f32[20, 16, 1, 1]", p_w4: "f32[10, 320]", p_b4: "f32[10]", x: "f32[s0, 1, 16, 16]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
    conv2d: "f32[s0, 6, 16, 16]" = torch.ops.aten.convolution.default(x, p_w1, p_b1, [1, 1], [2, 2], [1, 1], False, [0, 0], 1)
    norm = torch.ops.aten._native_batch_norm_legit_no_training.default(conv2d, p_bn_w, p_bn_b, b_mean, b_var, 0.1, 1e-05)
    bn: "f32[s0, 6, 16, 16]" = norm[0]
    relu: "f32[s0, 6, 16, 16]" = torch.ops.aten.relu.default(bn)
    pool = torch.ops.aten.max_pool2d_with_indices.default(relu, [2, 2], [2, 2])
    getitem: "f32[s0, 6, 8, 8]" = pool[0]
    conv2d_1: "f32[s0, 16, 8, 8]" = torch.ops.aten.convolution.default(getitem, p_w2, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
    avg: "f32[s0, 16, 4, 4]" = torch.ops.aten.avg_pool2d.default(conv2d_1, [2, 2], [2, 2])
    conv2d_2: "f32[s0, 20, 4, 4]" = torch.ops.aten.convolution.default(avg, p_w3, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    sigmoid: "f32[s0, 20, 4, 4]" = torch.ops.aten.sigmoid.default(conv2d_2)
    view: "f32[s0, 320]" = torch.ops.aten.view.default(sigmoid, [sym_size_int, 320])
    t: "f32[320, 10]" = torch.ops.aten.t.default(p_w4)
    addmm: "f32[s0, 10]" = torch.ops.aten.addmm.default(p_b4, view, t)
    logs: "f32[s0, 10]" = torch.ops.aten._log_softmax.default(addmm, 1, False)
    return (logs,)
)fx";
    static constexpr fx_input inputs[] = {{"p_w1", "w1"}, {"p_b1", "b1"}, {"p_bn_w", "bn_w"}, {"p_bn_b", "bn_b"}, {"b_mean", "mean"}, {"b_var", "var"},
                                          {"p_w2", "w2"}, {"p_w3", "w3"}, {"p_w4", "w4"}, {"p_b4", "b4"}};
};
// Winograd's, depthwise, tiny maps, an image that is a row (squeeze and excite), a residual.
struct blocks {
    static constexpr char text[] = R"fx(def forward(self, p_w1: "f32[16, 16, 3, 3]", p_w2: "f32[16, 1, 3, 3]", p_w3: "f32[8, 16, 1, 1]", p_w4: "f32[16, 8, 1, 1]", p_w5: "f32[16, 16, 3, 3]", x: "f32[s0, 16, 12, 12]"):
    conv: "f32[s0, 16, 12, 12]" = torch.ops.aten.convolution.default(x, p_w1, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
    add: "f32[s0, 16, 12, 12]" = torch.ops.aten.add.Tensor(conv, x)
    relu: "f32[s0, 16, 12, 12]" = torch.ops.aten.relu.default(add)
    conv_1: "f32[s0, 16, 6, 6]" = torch.ops.aten.convolution.default(relu, p_w2, None, [2, 2], [1, 1], [1, 1], False, [0, 0], 16)
    mean: "f32[s0, 16, 1, 1]" = torch.ops.aten.mean.dim(conv_1, [2, 3], True)
    conv_2: "f32[s0, 8, 1, 1]" = torch.ops.aten.convolution.default(mean, p_w3, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    relu_1: "f32[s0, 8, 1, 1]" = torch.ops.aten.relu.default(conv_2)
    conv_3: "f32[s0, 16, 1, 1]" = torch.ops.aten.convolution.default(relu_1, p_w4, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    sigmoid: "f32[s0, 16, 1, 1]" = torch.ops.aten.sigmoid.default(conv_3)
    mul: "f32[s0, 16, 6, 6]" = torch.ops.aten.mul.Tensor(conv_1, sigmoid)
    pad: "f32[s0, 16, 7, 7]" = torch.ops.aten.constant_pad_nd.default(mul, [0, 1, 1, 0], 0.5)
    pool: "f32[s0, 16, 2, 2]" = torch.ops.aten.max_pool2d.default(pad, [3, 3], [3, 3])
    conv_4: "f32[s0, 16, 2, 2]" = torch.ops.aten.convolution.default(pool, p_w5, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
    up: "f32[s0, 16, 4, 4]" = torch.ops.aten.upsample_nearest2d.vec(conv_4, [4, 4], None)
    return (up, mul)
)fx";
    static constexpr fx_input inputs[] = {{"p_w1", "w1"}, {"p_w2", "w2"}, {"p_w3", "w3"}, {"p_w4", "w4"}, {"p_w5", "w5"}};
};

} // namespace

int main() {
    check_bounded<compiled_bounded<lenet, bound<"s0", 9>>, lenet>({1, 2, 5, 8, 9});
    check_bounded<compiled_bounded<blocks, bound<"s0", 8>>, blocks>({1, 3, 7, 8});
    return report();
}
