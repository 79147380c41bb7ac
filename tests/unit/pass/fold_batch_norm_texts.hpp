// Texts with batch norms, and what fold_batch_norm makes of each: one listing each, and they mean the same.
// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace test::batch_norm_texts {

using namespace ahead;
using namespace ahead::rooms;

// Random variances are above -1: eps = 1.5 keeps the roots real.
inline constexpr std::string_view normalised = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[1, 3, 5, 5]", p_w: "f32[4, 3, 3, 3]", p_b: "f32[4]", p_gamma: "f32[4]", p_beta: "f32[4]", p_mean: "f32[4]", p_var: "f32[4]"):
        convolution: "f32[1, 4, 3, 3]" = torch.ops.aten.convolution.default(x, p_w, p_b, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  x = p_w = p_b = None
        bn = torch.ops.aten.native_batch_norm.default(convolution, p_gamma, p_beta, p_mean, p_var, False, 0.1, 1.5);  convolution = p_gamma = p_beta = p_mean = p_var = None
        getitem: "f32[1, 4, 3, 3]" = bn[0];  bn = None
        relu: "f32[1, 4, 3, 3]" = torch.ops.aten.relu.default(getitem);  getitem = None
        return (relu,)
)fx";
inline constexpr std::string_view normalised_folded = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[1, 3, 5, 5]", p_w: "f32[4, 3, 3, 3]", p_b: "f32[4]", p_gamma: "f32[4]", p_beta: "f32[4]", p_mean: "f32[4]", p_var: "f32[4]"):
        add_12: "f32[4]" = torch.ops.aten.add.Scalar(p_var, 1.5);  p_var = None
        rsqrt_13: "f32[4]" = torch.ops.aten.rsqrt.default(add_12);  add_12 = None
        mul_14: "f32[4]" = torch.ops.aten.mul.Tensor(rsqrt_13, p_gamma);  rsqrt_13 = p_gamma = None
        view_15: "f32[4, 1, 1, 1]" = torch.ops.aten.view.default(mul_14, [4, 1, 1, 1])
        mul_16: "f32[4, 3, 3, 3]" = torch.ops.aten.mul.Tensor(p_w, view_15);  p_w = view_15 = None
        sub_17: "f32[4]" = torch.ops.aten.sub.Tensor(p_b, p_mean);  p_b = p_mean = None
        mul_18: "f32[4]" = torch.ops.aten.mul.Tensor(sub_17, mul_14);  sub_17 = mul_14 = None
        add_19: "f32[4]" = torch.ops.aten.add.Tensor(mul_18, p_beta);  mul_18 = p_beta = None
        convolution: "f32[1, 4, 3, 3]" = torch.ops.aten.convolution.default(x, mul_16, add_19, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  x = mul_16 = add_19 = None
        relu: "f32[1, 4, 3, 3]" = torch.ops.aten.relu.default(convolution);  convolution = None
        return (relu,)
)fx";

// Neither bias nor gamma nor beta; the statistics are read by nobody, and groups do not matter.
inline constexpr std::string_view without_affine = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[1, 4, 5, 5]", p_w: "f32[4, 2, 3, 3]", p_mean: "f32[4]", p_var: "f32[4]"):
        convolution: "f32[1, 4, 2, 2]" = torch.ops.aten.convolution.default(x, p_w, None, [2, 2], [0, 0], [1, 1], False, [0, 0], 2);  x = p_w = None
        bn = torch.ops.aten._native_batch_norm_legit_no_training.default(convolution, None, None, p_mean, p_var, 0.1, 1.5);  convolution = p_mean = p_var = None
        getitem: "f32[1, 4, 2, 2]" = bn[0]
        getitem_1: "f32[0]" = bn[1];  bn = getitem_1 = None
        return (getitem,)
)fx";
inline constexpr std::string_view without_affine_folded = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[1, 4, 5, 5]", p_w: "f32[4, 2, 3, 3]", p_mean: "f32[4]", p_var: "f32[4]"):
        add_9: "f32[4]" = torch.ops.aten.add.Scalar(p_var, 1.5);  p_var = None
        rsqrt_10: "f32[4]" = torch.ops.aten.rsqrt.default(add_9);  add_9 = None
        view_11: "f32[4, 1, 1, 1]" = torch.ops.aten.view.default(rsqrt_10, [4, 1, 1, 1])
        mul_12: "f32[4, 2, 3, 3]" = torch.ops.aten.mul.Tensor(p_w, view_11);  p_w = view_11 = None
        neg_13: "f32[4]" = torch.ops.aten.neg.default(p_mean);  p_mean = None
        mul_14: "f32[4]" = torch.ops.aten.mul.Tensor(neg_13, rsqrt_10);  neg_13 = rsqrt_10 = None
        convolution: "f32[1, 4, 2, 2]" = torch.ops.aten.convolution.default(x, mul_12, mul_14, [2, 2], [0, 0], [1, 1], False, [0, 0], 2);  x = mul_12 = mul_14 = None
        return (convolution,)
)fx";

inline constexpr std::string_view decomposed = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[1, 3, 5, 5]", p_w: "f32[4, 3, 3, 3]", p_gamma: "f32[4]", p_beta: "f32[4]", p_mean: "f32[4]", p_var: "f32[4]"):
        convolution: "f32[1, 4, 3, 3]" = torch.ops.aten.convolution.default(x, p_w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  x = p_w = None
        add: "f32[4]" = torch.ops.aten.add.Tensor(p_var, 1.5);  p_var = None
        sqrt: "f32[4]" = torch.ops.aten.sqrt.default(add);  add = None
        reciprocal: "f32[4]" = torch.ops.aten.reciprocal.default(sqrt);  sqrt = None
        unsqueeze: "f32[4, 1]" = torch.ops.aten.unsqueeze.default(p_mean, -1);  p_mean = None
        unsqueeze_1: "f32[4, 1, 1]" = torch.ops.aten.unsqueeze.default(unsqueeze, -1);  unsqueeze = None
        unsqueeze_2: "f32[4, 1]" = torch.ops.aten.unsqueeze.default(reciprocal, -1);  reciprocal = None
        unsqueeze_3: "f32[4, 1, 1]" = torch.ops.aten.unsqueeze.default(unsqueeze_2, -1);  unsqueeze_2 = None
        sub: "f32[1, 4, 3, 3]" = torch.ops.aten.sub.Tensor(convolution, unsqueeze_1);  convolution = unsqueeze_1 = None
        mul_1: "f32[1, 4, 3, 3]" = torch.ops.aten.mul.Tensor(sub, unsqueeze_3);  sub = unsqueeze_3 = None
        unsqueeze_4: "f32[4, 1]" = torch.ops.aten.unsqueeze.default(p_gamma, -1);  p_gamma = None
        unsqueeze_5: "f32[4, 1, 1]" = torch.ops.aten.unsqueeze.default(unsqueeze_4, -1);  unsqueeze_4 = None
        unsqueeze_6: "f32[4, 1]" = torch.ops.aten.unsqueeze.default(p_beta, -1);  p_beta = None
        unsqueeze_7: "f32[4, 1, 1]" = torch.ops.aten.unsqueeze.default(unsqueeze_6, -1);  unsqueeze_6 = None
        mul_2: "f32[1, 4, 3, 3]" = torch.ops.aten.mul.Tensor(mul_1, unsqueeze_5);  mul_1 = unsqueeze_5 = None
        add_1: "f32[1, 4, 3, 3]" = torch.ops.aten.add.Tensor(mul_2, unsqueeze_7);  mul_2 = unsqueeze_7 = None
        relu: "f32[1, 4, 3, 3]" = torch.ops.aten.relu.default(add_1);  add_1 = None
        return (relu,)
)fx";
inline constexpr std::string_view decomposed_folded = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[1, 3, 5, 5]", p_w: "f32[4, 3, 3, 3]", p_gamma: "f32[4]", p_beta: "f32[4]", p_mean: "f32[4]", p_var: "f32[4]"):
        add: "f32[4]" = torch.ops.aten.add.Tensor(p_var, 1.5);  p_var = None
        sqrt: "f32[4]" = torch.ops.aten.sqrt.default(add);  add = None
        reciprocal: "f32[4]" = torch.ops.aten.reciprocal.default(sqrt);  sqrt = None
        unsqueeze: "f32[4, 1]" = torch.ops.aten.unsqueeze.default(p_mean, -1);  p_mean = None
        unsqueeze_1: "f32[4, 1, 1]" = torch.ops.aten.unsqueeze.default(unsqueeze, -1);  unsqueeze = None
        unsqueeze_2: "f32[4, 1]" = torch.ops.aten.unsqueeze.default(reciprocal, -1);  reciprocal = None
        unsqueeze_3: "f32[4, 1, 1]" = torch.ops.aten.unsqueeze.default(unsqueeze_2, -1);  unsqueeze_2 = None
        view_24: "f32[4]" = torch.ops.aten.view.default(unsqueeze_1, [4]);  unsqueeze_1 = None
        neg_25: "f32[4]" = torch.ops.aten.neg.default(view_24);  view_24 = None
        view_26: "f32[4, 1, 1, 1]" = torch.ops.aten.view.default(unsqueeze_3, [4, 1, 1, 1])
        mul_27: "f32[4, 3, 3, 3]" = torch.ops.aten.mul.Tensor(p_w, view_26);  p_w = view_26 = None
        view_28: "f32[4]" = torch.ops.aten.view.default(unsqueeze_3, [4]);  unsqueeze_3 = None
        mul_29: "f32[4]" = torch.ops.aten.mul.Tensor(neg_25, view_28);  neg_25 = view_28 = None
        unsqueeze_4: "f32[4, 1]" = torch.ops.aten.unsqueeze.default(p_gamma, -1);  p_gamma = None
        unsqueeze_5: "f32[4, 1, 1]" = torch.ops.aten.unsqueeze.default(unsqueeze_4, -1);  unsqueeze_4 = None
        unsqueeze_6: "f32[4, 1]" = torch.ops.aten.unsqueeze.default(p_beta, -1);  p_beta = None
        unsqueeze_7: "f32[4, 1, 1]" = torch.ops.aten.unsqueeze.default(unsqueeze_6, -1);  unsqueeze_6 = None
        view_30: "f32[4, 1, 1, 1]" = torch.ops.aten.view.default(unsqueeze_5, [4, 1, 1, 1])
        mul_31: "f32[4, 3, 3, 3]" = torch.ops.aten.mul.Tensor(mul_27, view_30);  mul_27 = view_30 = None
        view_32: "f32[4]" = torch.ops.aten.view.default(unsqueeze_5, [4]);  unsqueeze_5 = None
        mul_33: "f32[4]" = torch.ops.aten.mul.Tensor(mul_29, view_32);  mul_29 = view_32 = None
        view_34: "f32[4]" = torch.ops.aten.view.default(unsqueeze_7, [4]);  unsqueeze_7 = None
        add_35: "f32[4]" = torch.ops.aten.add.Tensor(mul_33, view_34);  mul_33 = view_34 = None
        convolution: "f32[1, 4, 3, 3]" = torch.ops.aten.convolution.default(x, mul_31, add_35, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  x = mul_31 = add_35 = None
        relu: "f32[1, 4, 3, 3]" = torch.ops.aten.relu.default(convolution);  convolution = None
        return (relu,)
)fx";

// The constant first, with the batch's dim or with one element for all channels; two convolutions whose steps come after both.
inline constexpr std::string_view turned = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 2, 3]", y: "f32[2, 4]", p_w: "f32[4, 2, 2]", p_v: "f32[2, 2, 1]", p_one: "f32[1, 1]", p_k: "f32[1, 4, 1]", p_l: "f32[2, 1]"):
        convolution: "f32[2, 4, 2]" = torch.ops.aten.convolution.default(x, p_w, None, [1], [0], [1], False, [0], 1);  x = p_w = None
        convolution_1: "f32[2, 4]" = torch.ops.aten.convolution.default(y, p_v, None, [1], [0], [1], False, [0], 1);  y = p_v = None
        add: "f32[2, 4, 2]" = torch.ops.aten.add.Tensor(p_one, convolution);  convolution = None
        mul: "f32[2, 4]" = torch.ops.aten.mul.Tensor(p_one, convolution_1);  p_one = convolution_1 = None
        mul_1: "f32[2, 4, 2]" = torch.ops.aten.mul.Tensor(p_k, add);  p_k = add = None
        sub: "f32[2, 4]" = torch.ops.aten.sub.Tensor(mul, p_l, alpha = 1);  mul = p_l = None
        return (mul_1, sub)
)fx";
inline constexpr std::string_view turned_folded = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[2, 2, 3]", y: "f32[2, 4]", p_w: "f32[4, 2, 2]", p_v: "f32[2, 2, 1]", p_one: "f32[1, 1]", p_k: "f32[1, 4, 1]", p_l: "f32[2, 1]"):
        view_14: "f32[1]" = torch.ops.aten.view.default(p_one, [1])
        expand_15: "f32[4]" = torch.ops.aten.expand.default(view_14, [4]);  view_14 = None
        view_16: "f32[1, 1, 1]" = torch.ops.aten.view.default(p_one, [1, 1, 1]);  p_one = None
        mul_17: "f32[2, 2, 1]" = torch.ops.aten.mul.Tensor(p_v, view_16);  p_v = view_16 = None
        view_18: "f32[4, 1, 1]" = torch.ops.aten.view.default(p_k, [4, 1, 1])
        mul_19: "f32[4, 2, 2]" = torch.ops.aten.mul.Tensor(p_w, view_18);  p_w = view_18 = None
        view_20: "f32[4]" = torch.ops.aten.view.default(p_k, [4]);  p_k = None
        mul_21: "f32[4]" = torch.ops.aten.mul.Tensor(expand_15, view_20);  expand_15 = view_20 = None
        convolution: "f32[2, 4, 2]" = torch.ops.aten.convolution.default(x, mul_19, mul_21, [1], [0], [1], False, [0], 1);  x = mul_19 = mul_21 = None
        view_22: "f32[2]" = torch.ops.aten.view.default(p_l, [2]);  p_l = None
        neg_23: "f32[2]" = torch.ops.aten.neg.default(view_22);  view_22 = None
        convolution_1: "f32[2, 4]" = torch.ops.aten.convolution.default(y, mul_17, neg_23, [1], [0], [1], False, [0], 1);  y = mul_17 = neg_23 = None
        return (convolution, convolution_1)
)fx";

} // namespace test::batch_norm_texts
