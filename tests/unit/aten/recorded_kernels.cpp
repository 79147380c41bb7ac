// What PyTorch computed, against the kernels: a recorded case of each of the commonest operators (recorded/*.txt), some
// thirteen in a graph, so that they are compiled together. What one case calls x is called c3_x here.
// SPDX-License-Identifier: MIT
#include <ahead/linalg.hpp>

#include "recorded_groups.hpp"

namespace cases {

struct group_0 {
    static constexpr std::string_view cases[] = {"add.Tensor 11", "mul.Tensor 8", "sub.Tensor 3", "div.Tensor 3", "relu.default 0", "sigmoid.default 0", "tanh.default 0", "exp.default 5", "log.default 0", "sqrt.default 0", "rsqrt.default 0", "neg.default 0", "abs.default 0"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "i64[]", c0_arg1_1: "f32[3]", c1_arg0_1: "f32[2, 2]", c2_arg0_1: "f32[]", c2_arg1_1: "f32[2, 3]", c3_arg0_1: "f32[]", c3_arg1_1: "f32[2, 3]", c4_arg0_1: "f32[3, 4]", c5_arg0_1: "f32[3, 4]", c6_arg0_1: "f32[3, 4]", c7_arg0_1: "f32[3, 1]", c8_arg0_1: "f32[3, 4]", c9_arg0_1: "f32[3, 4]", c10_arg0_1: "f32[3, 4]", c11_arg0_1: "f32[3, 4]", c12_arg0_1: "f32[3, 4]"):
        c0_add: "f32[3]" = torch.ops.aten.add.Tensor(c0_arg0_1, c0_arg1_1);  c0_arg0_1 = c0_arg1_1 = None
        c1_mul: "f32[2, 2]" = torch.ops.aten.mul.Tensor(c1_arg0_1, -1.5);  c1_arg0_1 = None
        c2_sub: "f32[2, 3]" = torch.ops.aten.sub.Tensor(c2_arg0_1, c2_arg1_1);  c2_arg0_1 = c2_arg1_1 = None
        c3_div: "f32[2, 3]" = torch.ops.aten.div.Tensor(c3_arg0_1, c3_arg1_1);  c3_arg0_1 = c3_arg1_1 = None
        c4_relu: "f32[3, 4]" = torch.ops.aten.relu.default(c4_arg0_1);  c4_arg0_1 = None
        c5_sigmoid: "f32[3, 4]" = torch.ops.aten.sigmoid.default(c5_arg0_1);  c5_arg0_1 = None
        c6_tanh: "f32[3, 4]" = torch.ops.aten.tanh.default(c6_arg0_1);  c6_arg0_1 = None
        c7_expand: "f32[3, 5]" = torch.ops.aten.expand.default(c7_arg0_1, [3, 5]);  c7_arg0_1 = None
        c7_exp: "f32[3, 5]" = torch.ops.aten.exp.default(c7_expand);  c7_expand = None
        c8_log: "f32[3, 4]" = torch.ops.aten.log.default(c8_arg0_1);  c8_arg0_1 = None
        c9_sqrt: "f32[3, 4]" = torch.ops.aten.sqrt.default(c9_arg0_1);  c9_arg0_1 = None
        c10_rsqrt: "f32[3, 4]" = torch.ops.aten.rsqrt.default(c10_arg0_1);  c10_arg0_1 = None
        c11_neg: "f32[3, 4]" = torch.ops.aten.neg.default(c11_arg0_1);  c11_arg0_1 = None
        c12_abs_1: "f32[3, 4]" = torch.ops.aten.abs.default(c12_arg0_1);  c12_arg0_1 = None
        return (c0_add, c1_mul, c2_sub, c3_div, c4_relu, c5_sigmoid, c6_tanh, c7_exp, c8_log, c9_sqrt, c10_rsqrt, c11_neg, c12_abs_1))fx";
};

struct group_1 {
    static constexpr std::string_view cases[] = {"pow.Tensor_Scalar 8", "clamp.default 0", "gelu.default 0", "silu.default 0", "hardtanh.default 0", "leaky_relu.default 0", "elu.default 0", "hardswish.default 0", "hardsigmoid.default 0", "erf.default 0", "sin.default 0", "cos.default 0", "maximum.default 1", "logit.default 4"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "i64[6]", c1_arg0_1: "f32[3, 4]", c2_arg0_1: "f32[3, 4]", c3_arg0_1: "f32[3, 4]", c4_arg0_1: "f32[3, 4]", c5_arg0_1: "f32[3, 4]", c6_arg0_1: "f32[3, 4]", c7_arg0_1: "f32[3, 4]", c8_arg0_1: "f32[3, 4]", c9_arg0_1: "f32[3, 4]", c10_arg0_1: "f32[3, 4]", c11_arg0_1: "f32[3, 4]", c12_arg0_1: "f32[3, 1]", c12_arg1_1: "f32[1, 4]", c13_arg0_1: "f32[12]"):
        c0_pow_1: "i64[6]" = torch.ops.aten.pow.Tensor_Scalar(c0_arg0_1, 2);  c0_arg0_1 = None
        c1_clamp: "f32[3, 4]" = torch.ops.aten.clamp.default(c1_arg0_1, -0.5, 0.5);  c1_arg0_1 = None
        c2_gelu: "f32[3, 4]" = torch.ops.aten.gelu.default(c2_arg0_1);  c2_arg0_1 = None
        c3_silu: "f32[3, 4]" = torch.ops.aten.silu.default(c3_arg0_1);  c3_arg0_1 = None
        c4_hardtanh: "f32[3, 4]" = torch.ops.aten.hardtanh.default(c4_arg0_1);  c4_arg0_1 = None
        c5_leaky_relu: "f32[3, 4]" = torch.ops.aten.leaky_relu.default(c5_arg0_1);  c5_arg0_1 = None
        c6_elu: "f32[3, 4]" = torch.ops.aten.elu.default(c6_arg0_1);  c6_arg0_1 = None
        c7_hardswish: "f32[3, 4]" = torch.ops.aten.hardswish.default(c7_arg0_1);  c7_arg0_1 = None
        c8_hardsigmoid: "f32[3, 4]" = torch.ops.aten.hardsigmoid.default(c8_arg0_1);  c8_arg0_1 = None
        c9_erf: "f32[3, 4]" = torch.ops.aten.erf.default(c9_arg0_1);  c9_arg0_1 = None
        c10_sin: "f32[3, 4]" = torch.ops.aten.sin.default(c10_arg0_1);  c10_arg0_1 = None
        c11_cos: "f32[3, 4]" = torch.ops.aten.cos.default(c11_arg0_1);  c11_arg0_1 = None
        c12_maximum: "f32[3, 4]" = torch.ops.aten.maximum.default(c12_arg0_1, c12_arg1_1);  c12_arg0_1 = c12_arg1_1 = None
        c13_logit: "f32[12]" = torch.ops.aten.logit.default(c13_arg0_1, 0.1);  c13_arg0_1 = None
        return (c0_pow_1, c1_clamp, c2_gelu, c3_silu, c4_hardtanh, c5_leaky_relu, c6_elu, c7_hardswish, c8_hardsigmoid, c9_erf, c10_sin, c11_cos, c12_maximum, c13_logit))fx";
};

struct group_2 {
    static constexpr std::string_view cases[] = {"minimum.default 1", "eq.Scalar 3", "ne.Scalar 3", "lt.Scalar 0", "gt.Scalar 0", "le.Tensor 2", "ge.Scalar 0", "where.self 1", "logical_not.default 6", "reciprocal.default 0", "mm.default 3", "addmm.default 3", "bmm.default 4"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[3, 1]", c0_arg1_1: "f32[1, 4]", c1_arg0_1: "b8[4]", c2_arg0_1: "b8[4]", c3_arg0_1: "f32[3, 4]", c4_arg0_1: "f32[3, 4]", c5_arg0_1: "i64[3, 4]", c5_arg1_1: "i64[3, 1]", c6_arg0_1: "f32[3, 4]", c7_arg0_1: "b8[4]", c7_arg1_1: "f32[3, 1]", c7_arg2_1: "f32[1, 4]", c8_arg0_1: "f32[12]", c9_arg0_1: "f32[3, 4]", c10_arg0_1: "i64[3, 4]", c10_arg1_1: "i64[4, 2]", c11_arg0_1: "f32[5]", c11_arg1_1: "f32[3, 4]", c11_arg2_1: "f32[4, 5]", c12_arg0_1: "i64[2, 2, 3]", c12_arg1_1: "i64[2, 3, 2]"):
        c0_minimum: "f32[3, 4]" = torch.ops.aten.minimum.default(c0_arg0_1, c0_arg1_1);  c0_arg0_1 = c0_arg1_1 = None
        c1_eq: "b8[4]" = torch.ops.aten.eq.Scalar(c1_arg0_1, True);  c1_arg0_1 = None
        c2_ne: "b8[4]" = torch.ops.aten.ne.Scalar(c2_arg0_1, True);  c2_arg0_1 = None
        c3_lt: "b8[3, 4]" = torch.ops.aten.lt.Scalar(c3_arg0_1, 0);  c3_arg0_1 = None
        c4_gt: "b8[3, 4]" = torch.ops.aten.gt.Scalar(c4_arg0_1, 0);  c4_arg0_1 = None
        c5_le: "b8[3, 4]" = torch.ops.aten.le.Tensor(c5_arg0_1, c5_arg1_1);  c5_arg0_1 = c5_arg1_1 = None
        c6_ge: "b8[3, 4]" = torch.ops.aten.ge.Scalar(c6_arg0_1, 0);  c6_arg0_1 = None
        c7_where: "f32[3, 4]" = torch.ops.aten.where.self(c7_arg0_1, c7_arg1_1, c7_arg2_1);  c7_arg0_1 = c7_arg1_1 = c7_arg2_1 = None
        c8_logical_not: "b8[12]" = torch.ops.aten.logical_not.default(c8_arg0_1);  c8_arg0_1 = None
        c9_reciprocal: "f32[3, 4]" = torch.ops.aten.reciprocal.default(c9_arg0_1);  c9_arg0_1 = None
        c10_mm: "i64[3, 2]" = torch.ops.aten.mm.default(c10_arg0_1, c10_arg1_1);  c10_arg0_1 = c10_arg1_1 = None
        c11_addmm: "f32[3, 5]" = torch.ops.aten.addmm.default(c11_arg0_1, c11_arg1_1, c11_arg2_1, beta = 0);  c11_arg0_1 = c11_arg1_1 = c11_arg2_1 = None
        c12_bmm: "i64[2, 2, 2]" = torch.ops.aten.bmm.default(c12_arg0_1, c12_arg1_1);  c12_arg0_1 = c12_arg1_1 = None
        return (c0_minimum, c1_eq, c2_ne, c3_lt, c4_gt, c5_le, c6_ge, c7_where, c8_logical_not, c9_reciprocal, c10_mm, c11_addmm, c12_bmm))fx";
};

struct group_3 {
    static constexpr std::string_view cases[] = {"convolution.default 9", "max_pool2d_with_indices.default 2", "avg_pool2d.default 4", "_adaptive_avg_pool2d.default 2", "sum.dim_IntList 1", "mean.dim 0", "amax.default 1", "amin.default 1", "var.correction 0", "_softmax.default 0", "_log_softmax.default 0", "native_layer_norm.default 0", "cat.default 2", "aminmax.default 4", "scaled_dot_product_attention.default 4", "prims__low_memory_max_pool2d_with_offsets.default 1"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[1, 3, 5, 5]", c0_arg1_1: "f32[2, 3, 1, 1]", c0_arg2_1: "f32[2]", c1_arg0_1: "f32[2, 5, 5]", c2_arg0_1: "f32[1, 1, 4, 4]", c3_arg0_1: "f32[2, 3, 3]", c4_arg0_1: "f32[2, 3, 4]", c5_arg0_1: "f32[3, 4]", c6_arg0_1: "f32[2, 3, 4]", c7_arg0_1: "f32[2, 3, 4]", c8_arg0_1: "f32[3, 4]", c9_arg0_1: "f32[3, 4]", c10_arg0_1: "f32[3, 4]", c11_arg0_1: "f32[3, 4]", c11_arg1_1: "f32[4]", c11_arg2_1: "f32[4]", c12_arg0_1: "f32[2, 3]", c12_arg1_1: "f32[0]", c12_arg2_1: "f32[1, 3]", c13_arg0_1: "f32[3, 3]", c14_arg0_1: "f32[2, 2, 3, 4]", c14_arg1_1: "f32[2, 2, 4, 4]", c14_arg2_1: "f32[2, 2, 4, 4]", c14_arg3_1: "b8[3, 4]", c15_arg0_1: "f32[1, 2, 6, 7]"):
        c0_convolution: "f32[1, 2, 5, 5]" = torch.ops.aten.convolution.default(c0_arg0_1, c0_arg1_1, c0_arg2_1, [1, 1], [0, 0], [1, 1], False, [0, 0], 1);  c0_arg0_1 = c0_arg1_1 = c0_arg2_1 = None
        c1_max_pool2d_with_indices = torch.ops.aten.max_pool2d_with_indices.default(c1_arg0_1, [2, 2], [2, 2], [0, 0], [1, 1], True);  c1_arg0_1 = None
        c1_getitem: "f32[2, 3, 3]" = c1_max_pool2d_with_indices[0]
        c1_getitem_1: "i64[2, 3, 3]" = c1_max_pool2d_with_indices[1];  c1_max_pool2d_with_indices = None
        c2_avg_pool2d: "f32[1, 1, 2, 2]" = torch.ops.aten.avg_pool2d.default(c2_arg0_1, [2, 2], [2, 2], [0, 0], False, True, 3);  c2_arg0_1 = None
        c3__adaptive_avg_pool2d: "f32[2, 4, 4]" = torch.ops.aten._adaptive_avg_pool2d.default(c3_arg0_1, [4, 4]);  c3_arg0_1 = None
        c4_sum_1: "f32[2, 3, 1]" = torch.ops.aten.sum.dim_IntList(c4_arg0_1, [-1], True);  c4_arg0_1 = None
        c5_mean: "f32[4]" = torch.ops.aten.mean.dim(c5_arg0_1, [0]);  c5_arg0_1 = None
        c6_amax: "f32[2, 3, 1]" = torch.ops.aten.amax.default(c6_arg0_1, [-1], True);  c6_arg0_1 = None
        c7_amin: "f32[2, 3, 1]" = torch.ops.aten.amin.default(c7_arg0_1, [-1], True);  c7_arg0_1 = None
        c8_var: "f32[3]" = torch.ops.aten.var.correction(c8_arg0_1, [1], correction = 0);  c8_arg0_1 = None
        c9__softmax: "f32[3, 4]" = torch.ops.aten._softmax.default(c9_arg0_1, 1, False);  c9_arg0_1 = None
        c10__log_softmax: "f32[3, 4]" = torch.ops.aten._log_softmax.default(c10_arg0_1, 1, False);  c10_arg0_1 = None
        c11_native_layer_norm = torch.ops.aten.native_layer_norm.default(c11_arg0_1, [4], c11_arg1_1, c11_arg2_1, 1e-05);  c11_arg0_1 = c11_arg1_1 = c11_arg2_1 = None
        c11_getitem: "f32[3, 4]" = c11_native_layer_norm[0]
        c11_getitem_1: "f32[3, 1]" = c11_native_layer_norm[1]
        c11_getitem_2: "f32[3, 1]" = c11_native_layer_norm[2];  c11_native_layer_norm = None
        c12_cat: "f32[3, 3]" = torch.ops.aten.cat.default([c12_arg0_1, c12_arg1_1, c12_arg2_1]);  c12_arg0_1 = c12_arg1_1 = c12_arg2_1 = None
        c13_aminmax = torch.ops.aten.aminmax.default(c13_arg0_1, dim = 1);  c13_arg0_1 = None
        c13_getitem: "f32[3]" = c13_aminmax[0]
        c13_getitem_1: "f32[3]" = c13_aminmax[1];  c13_aminmax = None
        c14_attention: "f32[2, 2, 3, 4]" = torch.ops.aten.scaled_dot_product_attention.default(c14_arg0_1, c14_arg1_1, c14_arg2_1, c14_arg3_1);  c14_arg0_1 = c14_arg1_1 = c14_arg2_1 = c14_arg3_1 = None
        c15_pool = torch.ops.prims._low_memory_max_pool2d_with_offsets.default(c15_arg0_1, [3, 2], [2, 1], [1, 0], [1, 2], True);  c15_arg0_1 = None
        c15_getitem: "f32[1, 2, 4, 5]" = c15_pool[0];  c15_pool = None
        return (c0_convolution, c1_getitem, c1_getitem_1, c2_avg_pool2d, c3__adaptive_avg_pool2d, c4_sum_1, c5_mean, c6_amax, c7_amin, c8_var, c9__softmax, c10__log_softmax, c11_getitem, c11_getitem_1, c11_getitem_2, c12_cat, c13_getitem, c13_getitem_1, c14_attention, c15_getitem))fx";
};

struct group_4 {
    static constexpr std::string_view cases[] = {"embedding.default 0", "constant_pad_nd.default 2", "clone.default 3", "_to_copy.default 2", "permute.default 2", "slice.Tensor 8", "select.int 1", "expand.default 5", "unsqueeze.default 0", "squeeze.dim 0", "view.default 0", "mul.Scalar 1", "add.Scalar 1"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[7, 4]", c0_arg1_1: "i64[3]", c1_arg0_1: "f32[2, 5]", c2_arg0_1: "f32[4, 3]", c3_arg0_1: "i64[4]", c4_arg0_1: "f32[3, 4]", c5_arg0_1: "f32[4, 5]", c6_arg0_1: "f32[3, 4]", c7_arg0_1: "f32[1, 3]", c8_arg0_1: "f32[3, 4]", c9_arg0_1: "f32[1, 3, 1]", c10_arg0_1: "f32[3, 4]", c11_arg0_1: "i64[4]", c12_arg0_1: "i64[4]"):
        c0_embedding: "f32[3, 4]" = torch.ops.aten.embedding.default(c0_arg0_1, c0_arg1_1);  c0_arg0_1 = c0_arg1_1 = None
        c1_constant_pad_nd: "f32[2, 3]" = torch.ops.aten.constant_pad_nd.default(c1_arg0_1, [-1, -1], 0.0);  c1_arg0_1 = None
        c2_transpose: "f32[3, 4]" = torch.ops.aten.transpose.int(c2_arg0_1, 0, 1);  c2_arg0_1 = None
        c2_clone: "f32[3, 4]" = torch.ops.aten.clone.default(c2_transpose);  c2_transpose = None
        c3__to_copy: "f32[4]" = torch.ops.aten._to_copy.default(c3_arg0_1, dtype = torch.float32);  c3_arg0_1 = None
        c4_permute: "f32[4, 3]" = torch.ops.aten.permute.default(c4_arg0_1, [1, 0]);  c4_arg0_1 = None
        c5_transpose: "f32[5, 4]" = torch.ops.aten.transpose.int(c5_arg0_1, 0, 1);  c5_arg0_1 = None
        c5_slice_1: "f32[2, 4]" = torch.ops.aten.slice.Tensor(c5_transpose, 0, 1, 4, 2);  c5_transpose = None
        c6_select: "f32[3]" = torch.ops.aten.select.int(c6_arg0_1, -1, -1);  c6_arg0_1 = None
        c7_transpose: "f32[3, 1]" = torch.ops.aten.transpose.int(c7_arg0_1, 0, 1);  c7_arg0_1 = None
        c7_expand: "f32[3, 2]" = torch.ops.aten.expand.default(c7_transpose, [3, 2]);  c7_transpose = None
        c8_unsqueeze: "f32[1, 3, 4]" = torch.ops.aten.unsqueeze.default(c8_arg0_1, 0);  c8_arg0_1 = None
        c9_squeeze: "f32[3, 1]" = torch.ops.aten.squeeze.dim(c9_arg0_1, 0);  c9_arg0_1 = None
        c10_view: "f32[12]" = torch.ops.aten.view.default(c10_arg0_1, [12]);  c10_arg0_1 = None
        c11_mul: "i64[4]" = torch.ops.aten.mul.Scalar(c11_arg0_1, 2);  c11_arg0_1 = None
        c12_add: "i64[4]" = torch.ops.aten.add.Scalar(c12_arg0_1, 2);  c12_arg0_1 = None
        return (c0_embedding, c1_constant_pad_nd, c2_clone, c3__to_copy, c4_permute, c5_slice_1, c6_select, c7_expand, c8_unsqueeze, c9_squeeze, c10_view, c11_mul, c12_add))fx";
};

struct group_5 {
    static constexpr std::string_view cases[] = {"native_layer_norm_backward.default 0", "native_group_norm_backward.default 1", "_native_batch_norm_legit.no_stats 0", "_native_batch_norm_legit_functional.default 2", "_native_batch_norm_legit.default 0", "_adaptive_avg_pool2d_backward.default 0", "_adaptive_avg_pool2d_backward.default 1", "im2col.default 1", "_cdist_forward.default 2", "_cdist_forward.default 7", "var.dim 1", "addr.default 0", "softshrink.default 0", "native_dropout_backward.default 0"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[2, 3, 4]", c0_arg1_1: "f32[2, 3, 4]", c0_arg2_1: "f32[2, 1, 1]", c0_arg3_1: "f32[2, 1, 1]", c0_arg4_1: "f32[3, 4]", c0_arg5_1: "f32[3, 4]", c1_arg0_1: "f32[2, 6, 2, 2]", c1_arg1_1: "f32[2, 6, 2, 2]", c1_arg2_1: "f32[2, 3]", c1_arg3_1: "f32[2, 3]", c1_arg4_1: "f32[6]", c2_arg0_1: "f32[3, 2, 4]", c2_arg1_1: "f32[2]", c2_arg2_1: "f32[2]", c3_arg0_1: "f32[2, 3, 4]", c3_arg1_1: "f32[3]", c3_arg2_1: "f32[3]", c3_arg3_1: "f32[3]", c3_arg4_1: "f32[3]", c4_arg0_1: "f32[2, 3, 2, 2]", c4_arg1_1: "f32[3]", c4_arg2_1: "f32[3]", c4_arg3_1: "f32[3]", c4_arg4_1: "f32[3]", c5_arg0_1: "f32[2, 2, 2, 2]", c5_arg1_1: "f32[2, 2, 4, 6]", c6_arg0_1: "f32[1, 2, 3, 2]", c6_arg1_1: "f32[1, 2, 5, 3]", c7_arg0_1: "f32[2, 4, 4]", c8_arg0_1: "f32[3, 4]", c8_arg1_1: "f32[2, 4]", c9_arg0_1: "f32[30, 3]", c9_arg1_1: "f32[26, 3]", c10_arg0_1: "f32[3, 4]", c11_arg0_1: "f32[3, 4]", c11_arg1_1: "f32[3]", c11_arg2_1: "f32[4]", c12_arg0_1: "f32[8]", c13_arg0_1: "f32[2, 3]", c13_arg1_1: "b8[2, 3]"):
        c0_native_layer_norm_backward = torch.ops.aten.native_layer_norm_backward.default(c0_arg0_1, c0_arg1_1, [3, 4], c0_arg2_1, c0_arg3_1, c0_arg4_1, c0_arg5_1, [True, True, True])
        c0_getitem: "f32[2, 3, 4]" = c0_native_layer_norm_backward[0]
        c0_getitem_1: "f32[3, 4]" = c0_native_layer_norm_backward[1]
        c0_getitem_2: "f32[3, 4]" = c0_native_layer_norm_backward[2]
        c1_native_group_norm_backward = torch.ops.aten.native_group_norm_backward.default(c1_arg0_1, c1_arg1_1, c1_arg2_1, c1_arg3_1, c1_arg4_1, 2, 6, 4, 3, [True, True, True])
        c1_getitem: "f32[2, 6, 2, 2]" = c1_native_group_norm_backward[0]
        c1_getitem_1: "f32[6]" = c1_native_group_norm_backward[1]
        c1_getitem_2: "f32[6]" = c1_native_group_norm_backward[2]
        c2__native_batch_norm_legit = torch.ops.aten._native_batch_norm_legit.no_stats(c2_arg0_1, c2_arg1_1, c2_arg2_1, True, 0.1, 1e-05)
        c2_getitem: "f32[3, 2, 4]" = c2__native_batch_norm_legit[0]
        c2_getitem_1: "f32[2]" = c2__native_batch_norm_legit[1]
        c2_getitem_2: "f32[2]" = c2__native_batch_norm_legit[2]
        c3__native_batch_norm_legit_functional = torch.ops.aten._native_batch_norm_legit_functional.default(c3_arg0_1, c3_arg1_1, c3_arg2_1, c3_arg3_1, c3_arg4_1, True, 0.1, 1e-05)
        c3_getitem: "f32[2, 3, 4]" = c3__native_batch_norm_legit_functional[0]
        c3_getitem_1: "f32[3]" = c3__native_batch_norm_legit_functional[1]
        c3_getitem_2: "f32[3]" = c3__native_batch_norm_legit_functional[2]
        c3_getitem_3: "f32[3]" = c3__native_batch_norm_legit_functional[3]
        c3_getitem_4: "f32[3]" = c3__native_batch_norm_legit_functional[4]
        c4__native_batch_norm_legit = torch.ops.aten._native_batch_norm_legit.default(c4_arg0_1, c4_arg1_1, c4_arg2_1, c4_arg3_1, c4_arg4_1, False, 0.1, 1e-05)
        c4_getitem: "f32[2, 3, 2, 2]" = c4__native_batch_norm_legit[0]
        c4_getitem_1: "f32[0]" = c4__native_batch_norm_legit[1]
        c4_getitem_2: "f32[0]" = c4__native_batch_norm_legit[2]
        c5__adaptive_avg_pool2d_backward: "f32[2, 2, 4, 6]" = torch.ops.aten._adaptive_avg_pool2d_backward.default(c5_arg0_1, c5_arg1_1)
        c6__adaptive_avg_pool2d_backward: "f32[1, 2, 5, 3]" = torch.ops.aten._adaptive_avg_pool2d_backward.default(c6_arg0_1, c6_arg1_1)
        c7_im2col: "f32[8, 14]" = torch.ops.aten.im2col.default(c7_arg0_1, [2, 2], [2, 1], [1, 2], [2, 1])
        c8__cdist_forward: "f32[3, 2]" = torch.ops.aten._cdist_forward.default(c8_arg0_1, c8_arg1_1, 3.0, None)
        c9__cdist_forward: "f32[30, 26]" = torch.ops.aten._cdist_forward.default(c9_arg0_1, c9_arg1_1, 2.0, None)
        c10_var: "f32[1, 4]" = torch.ops.aten.var.dim(c10_arg0_1, [0], False, True)
        c11_addr: "f32[3, 4]" = torch.ops.aten.addr.default(c11_arg0_1, c11_arg1_1, c11_arg2_1, beta = 0.5, alpha = 2)
        c12_softshrink: "f32[8]" = torch.ops.aten.softshrink.default(c12_arg0_1)
        c13_native_dropout_backward: "f32[2, 3]" = torch.ops.aten.native_dropout_backward.default(c13_arg0_1, c13_arg1_1, 1.25)
        return (c0_getitem, c0_getitem_1, c0_getitem_2, c1_getitem, c1_getitem_1, c1_getitem_2, c2_getitem, c2_getitem_1, c2_getitem_2, c3_getitem, c3_getitem_1, c3_getitem_2, c3_getitem_3, c3_getitem_4, c4_getitem, c4_getitem_1, c4_getitem_2, c5__adaptive_avg_pool2d_backward, c6__adaptive_avg_pool2d_backward, c7_im2col, c8__cdist_forward, c9__cdist_forward, c10_var, c11_addr, c12_softshrink, c13_native_dropout_backward))fx";
};

struct group_6 {
    static constexpr std::string_view cases[] = {"embedding_dense_backward.default 1", "_embedding_bag.default 2", "_embedding_bag.default 6", "masked_scatter.default 1", "nonzero_static.default 0", "max_pool3d_with_indices.default 1", "col2im.default 1", "_pdist_forward.default 1", "grid_sampler_2d.default 8", "median.dim 1", "median.default 1", "kthvalue.default 0", "mode.default 0", "searchsorted.Tensor 1", "nansum.default 1", "diag_embed.default 1", "huber_loss.default 1", "binary_cross_entropy_with_logits.default 0"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[6, 2]", c0_arg1_1: "i64[6]", c1_arg0_1: "f32[6, 3]", c1_arg1_1: "i64[7]", c1_arg2_1: "i64[4]", c2_arg0_1: "f32[6, 3]", c2_arg1_1: "i64[7]", c2_arg2_1: "i64[4]", c3_arg0_1: "f32[3, 1]", c3_arg1_1: "b8[3, 4]", c3_arg2_1: "f32[4, 4]", c4_arg0_1: "f32[2, 3]", c5_arg0_1: "f32[2, 5, 4, 5]", c6_arg0_1: "f32[8, 14]", c7_arg0_1: "f32[4, 3]", c8_arg0_1: "f32[1, 2, 3, 4]", c8_arg1_1: "f32[1, 2, 3, 2]", c9_arg0_1: "f32[3, 5]", c10_arg0_1: "f32[3, 5]", c11_arg0_1: "f32[3, 5]", c12_arg0_1: "i64[3, 5]", c13_arg0_1: "f32[2, 5]", c13_arg1_1: "f32[2, 3]", c14_arg0_1: "f32[3, 4]", c15_arg0_1: "f32[2, 3]", c16_arg0_1: "f32[2, 3]", c16_arg1_1: "f32[2, 3]", c17_arg0_1: "f32[2, 3]", c17_arg1_1: "f32[2, 3]", c17_arg2_1: "f32[3]", c17_arg3_1: "f32[2, 3]"):
        c0_embedding_dense_backward: "f32[5, 2]" = torch.ops.aten.embedding_dense_backward.default(c0_arg0_1, c0_arg1_1, 5, 4, True)
        c1__embedding_bag = torch.ops.aten._embedding_bag.default(c1_arg0_1, c1_arg1_1, c1_arg2_1, False, 2)
        c1_getitem: "f32[4, 3]" = c1__embedding_bag[0]
        c1_getitem_1: "i64[7]" = c1__embedding_bag[1]
        c1_getitem_2: "i64[4]" = c1__embedding_bag[2]
        c1_getitem_3: "i64[4, 3]" = c1__embedding_bag[3]
        c2__embedding_bag = torch.ops.aten._embedding_bag.default(c2_arg0_1, c2_arg1_1, c2_arg2_1, False, 1, False, None, False, 1)
        c2_getitem: "f32[4, 3]" = c2__embedding_bag[0]
        c2_getitem_1: "i64[7]" = c2__embedding_bag[1]
        c2_getitem_2: "i64[4]" = c2__embedding_bag[2]
        c3_masked_scatter: "f32[3, 4]" = torch.ops.aten.masked_scatter.default(c3_arg0_1, c3_arg1_1, c3_arg2_1)
        c4_nonzero_static: "i64[5, 2]" = torch.ops.aten.nonzero_static.default(c4_arg0_1, size = 5)
        c5_max_pool3d_with_indices = torch.ops.aten.max_pool3d_with_indices.default(c5_arg0_1, [2, 3, 2], [2, 1, 2], [1, 1, 0], [1, 1, 2], True)
        c5_getitem: "f32[2, 3, 4, 2]" = c5_max_pool3d_with_indices[0]
        c5_getitem_1: "i64[2, 3, 4, 2]" = c5_max_pool3d_with_indices[1]
        c6_col2im: "f32[2, 4, 4]" = torch.ops.aten.col2im.default(c6_arg0_1, [4, 4], [2, 2], [2, 1], [1, 2], [2, 1])
        c7__pdist_forward: "f32[6]" = torch.ops.aten._pdist_forward.default(c7_arg0_1, 1.0)
        c8_grid_sampler_2d: "f32[1, 2, 2, 3]" = torch.ops.aten.grid_sampler_2d.default(c8_arg0_1, c8_arg1_1, 2, 2, True)
        c9_median = torch.ops.aten.median.dim(c9_arg0_1, -1, True)
        c9_getitem: "f32[3, 1]" = c9_median[0]
        c9_getitem_1: "i64[3, 1]" = c9_median[1]
        c10_median: "f32[]" = torch.ops.aten.median.default(c10_arg0_1)
        c11_kthvalue = torch.ops.aten.kthvalue.default(c11_arg0_1, 2)
        c11_getitem: "f32[3]" = c11_kthvalue[0]
        c11_getitem_1: "i64[3]" = c11_kthvalue[1]
        c12_mode = torch.ops.aten.mode.default(c12_arg0_1)
        c12_getitem: "i64[3]" = c12_mode[0]
        c12_getitem_1: "i64[3]" = c12_mode[1]
        c13_searchsorted: "i64[2, 3]" = torch.ops.aten.searchsorted.Tensor(c13_arg0_1, c13_arg1_1, right = True)
        c14_nansum: "f32[3, 1]" = torch.ops.aten.nansum.default(c14_arg0_1, [1], True)
        c15_diag_embed: "f32[4, 2, 4]" = torch.ops.aten.diag_embed.default(c15_arg0_1, 1, 0, 2)
        c16_huber_loss: "f32[]" = torch.ops.aten.huber_loss.default(c16_arg0_1, c16_arg1_1, 1, 0.5)
        c17_binary_cross_entropy_with_logits: "f32[2, 3]" = torch.ops.aten.binary_cross_entropy_with_logits.default(c17_arg0_1, c17_arg1_1, c17_arg2_1, c17_arg3_1, 0)
        return (c0_embedding_dense_backward, c1_getitem, c1_getitem_1, c1_getitem_2, c1_getitem_3, c2_getitem, c2_getitem_1, c2_getitem_2, c3_masked_scatter, c4_nonzero_static, c5_getitem, c5_getitem_1, c6_col2im, c7__pdist_forward, c8_grid_sampler_2d, c9_getitem, c9_getitem_1, c10_median, c11_getitem, c11_getitem_1, c12_getitem, c12_getitem_1, c13_searchsorted, c14_nansum, c15_diag_embed, c16_huber_loss, c17_binary_cross_entropy_with_logits))fx";
};

struct group_7 {
    static constexpr std::string_view cases[] = {"softmax.int 0", "log_softmax.int 1", "glu.default 0", "glu_backward.default 0", "prelu.default 0", "elu_backward.default 0", "kl_div.default 1", "one_hot.default 1", "index_fill.int_Scalar 0", "slice_backward.default 0", "select_backward.default 1", "pad.default 8", "adaptive_max_pool2d.default 0", "adaptive_avg_pool2d.default 1", "instance_norm.default 1", "batch_norm.default 0", "einsum.default 10", "conv_transpose2d.input 1", "conv2d.padding 0", "lstm.input 0", "gru.input 1"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[3, 4]", c1_arg0_1: "f64[3, 4]", c2_arg0_1: "f32[4, 3]", c3_arg0_1: "f32[2, 3]", c3_arg1_1: "f32[4, 3]", c4_arg0_1: "f32[2, 3, 4]", c4_arg1_1: "f32[3]", c5_arg0_1: "f32[3, 3]", c5_arg1_1: "f32[3, 3]", c6_arg0_1: "f32[3, 4]", c6_arg1_1: "f32[3, 4]", c7_arg0_1: "i64[2, 2]", c8_arg0_1: "f32[4, 3]", c8_arg1_1: "i64[2]", c9_arg0_1: "f32[2, 3]", c10_arg0_1: "f32[2, 3]", c11_arg0_1: "f32[1, 2, 3, 4]", c12_arg0_1: "f32[1, 2, 6, 6]", c13_arg0_1: "f32[2, 5, 7]", c14_arg0_1: "f32[2, 3, 2, 3]", c14_arg1_1: "f32[3]", c14_arg2_1: "f32[3]", c15_arg0_1: "f32[2, 3, 4]", c15_arg1_1: "f32[3]", c15_arg2_1: "f32[3]", c15_arg3_1: "f32[3]", c15_arg4_1: "f32[3]", c16_arg0_1: "f32[2, 3]", c16_arg1_1: "f32[3]", c17_arg0_1: "f32[2, 4, 3, 4]", c17_arg1_1: "f32[4, 1, 3, 2]", c17_arg2_1: "f32[2]", c18_arg0_1: "f32[1, 2, 4, 5]", c18_arg1_1: "f32[3, 2, 2, 3]", c18_arg2_1: "f32[3]", c19_arg0_1: "f32[3, 2, 3]", c19_arg1_1: "f32[1, 2, 2]", c19_arg2_1: "f32[1, 2, 2]", c19_arg3_1: "f32[8, 3]", c19_arg4_1: "f32[8, 2]", c19_arg5_1: "f32[8]", c19_arg6_1: "f32[8]", c20_arg0_1: "f32[2, 3, 2]", c20_arg1_1: "f32[4, 2, 3]", c20_arg2_1: "f32[9, 2]", c20_arg3_1: "f32[9, 3]", c20_arg4_1: "f32[9]", c20_arg5_1: "f32[9]", c20_arg6_1: "f32[9, 2]", c20_arg7_1: "f32[9, 3]", c20_arg8_1: "f32[9]", c20_arg9_1: "f32[9]", c20_arg10_1: "f32[9, 6]", c20_arg11_1: "f32[9, 3]", c20_arg12_1: "f32[9]", c20_arg13_1: "f32[9]", c20_arg14_1: "f32[9, 6]", c20_arg15_1: "f32[9, 3]", c20_arg16_1: "f32[9]", c20_arg17_1: "f32[9]"):
        c0_softmax: "f32[3, 4]" = torch.ops.aten.softmax.int(c0_arg0_1, 1)
        c1_log_softmax: "f32[3, 4]" = torch.ops.aten.log_softmax.int(c1_arg0_1, 0, torch.float32)
        c2_glu: "f32[2, 3]" = torch.ops.aten.glu.default(c2_arg0_1, 0)
        c3_glu_backward: "f32[4, 3]" = torch.ops.aten.glu_backward.default(c3_arg0_1, c3_arg1_1, 0)
        c4_prelu: "f32[2, 3, 4]" = torch.ops.aten.prelu.default(c4_arg0_1, c4_arg1_1)
        c5_elu_backward: "f32[3, 3]" = torch.ops.aten.elu_backward.default(c5_arg0_1, 1.5, 1.25, 0.5, False, c5_arg1_1)
        c6_kl_div: "f32[3, 4]" = torch.ops.aten.kl_div.default(c6_arg0_1, c6_arg1_1, 0)
        c7_one_hot: "i64[2, 2, 6]" = torch.ops.aten.one_hot.default(c7_arg0_1, 6)
        c8_index_fill: "f32[4, 3]" = torch.ops.aten.index_fill.int_Scalar(c8_arg0_1, 0, c8_arg1_1, 5.0)
        c9_slice_backward: "f32[5, 3]" = torch.ops.aten.slice_backward.default(c9_arg0_1, [5, 3], 0, 1, 3, 1)
        c10_select_backward: "f32[2, 4, 3]" = torch.ops.aten.select_backward.default(c10_arg0_1, [2, 4, 3], -2, -1)
        c11_pad: "f32[1, 2, 5, 7]" = torch.ops.aten.pad.default(c11_arg0_1, [1, 2, 2, 0], 'circular')
        c12_adaptive_max_pool2d = torch.ops.aten.adaptive_max_pool2d.default(c12_arg0_1, [2, 3])
        c12_getitem_0: "f32[1, 2, 2, 3]" = c12_adaptive_max_pool2d[0]
        c12_getitem_1: "i64[1, 2, 2, 3]" = c12_adaptive_max_pool2d[1]
        c13_adaptive_avg_pool2d: "f32[2, 3, 2]" = torch.ops.aten.adaptive_avg_pool2d.default(c13_arg0_1, [3, 2])
        c14_instance_norm: "f32[2, 3, 2, 3]" = torch.ops.aten.instance_norm.default(c14_arg0_1, c14_arg1_1, c14_arg2_1, None, None, True, 0.1, 1e-05, True)
        c15_batch_norm: "f32[2, 3, 4]" = torch.ops.aten.batch_norm.default(c15_arg0_1, c15_arg1_1, c15_arg2_1, c15_arg3_1, c15_arg4_1, False, 0.1, 1e-05, True)
        c16_einsum: "f32[2]" = torch.ops.aten.einsum.default('...i,i', [c16_arg0_1, c16_arg1_1])
        c17_conv_transpose2d: "f32[2, 2, 6, 3]" = torch.ops.aten.conv_transpose2d.input(c17_arg0_1, c17_arg1_1, c17_arg2_1, [2, 1], [1, 2], [1, 0], 2, [1, 3])
        c18_conv2d: "f32[1, 3, 4, 5]" = torch.ops.aten.conv2d.padding(c18_arg0_1, c18_arg1_1, c18_arg2_1, [1, 1], 'same', [1, 2])
        c19_lstm = torch.ops.aten.lstm.input(c19_arg0_1, [c19_arg1_1, c19_arg2_1], [c19_arg3_1, c19_arg4_1, c19_arg5_1, c19_arg6_1], True, 1, 0.0, False, False, False)
        c19_getitem_0: "f32[3, 2, 2]" = c19_lstm[0]
        c19_getitem_1: "f32[1, 2, 2]" = c19_lstm[1]
        c19_getitem_2: "f32[1, 2, 2]" = c19_lstm[2]
        c20_gru = torch.ops.aten.gru.input(c20_arg0_1, c20_arg1_1, [c20_arg2_1, c20_arg3_1, c20_arg4_1, c20_arg5_1, c20_arg6_1, c20_arg7_1, c20_arg8_1, c20_arg9_1, c20_arg10_1, c20_arg11_1, c20_arg12_1, c20_arg13_1, c20_arg14_1, c20_arg15_1, c20_arg16_1, c20_arg17_1], True, 2, 0.0, False, True, True)
        c20_getitem_0: "f32[2, 3, 6]" = c20_gru[0]
        c20_getitem_1: "f32[4, 2, 3]" = c20_gru[1]
        return (c0_softmax, c1_log_softmax, c2_glu, c3_glu_backward, c4_prelu, c5_elu_backward, c6_kl_div, c7_one_hot, c8_index_fill, c9_slice_backward, c10_select_backward, c11_pad, c12_getitem_0, c12_getitem_1, c13_adaptive_avg_pool2d, c14_instance_norm, c15_batch_norm, c16_einsum, c17_conv_transpose2d, c18_conv2d, c19_getitem_0, c19_getitem_1, c19_getitem_2, c20_getitem_0, c20_getitem_1))fx";
};

} // namespace cases

int main() {
    using namespace cases;
    const auto all = read_all_cases();
    const auto count = run_groups<group_0, group_1, group_2, group_3, group_4, group_5, group_6, group_7>(all);
    std::cout << count << " cases on the device\n";
    return test::report();
}
