// What PyTorch computed, against the kernels: a recorded case of each of the rarer operators (recorded/*.txt), and of
// those that round halves. What one case calls x is called c3_x here.
// SPDX-License-Identifier: MIT
#include <ahead/linalg.hpp>

#include "recorded_groups.hpp"

namespace cases {

struct group_8 {
    static constexpr std::string_view cases[] = {"sinc.default 0", "special_i0.default 0", "angle.default 0", "polygamma.default 2", "mvlgamma.default 1", "nextafter.default 0", "gcd.default 1", "lcm.default 0", "igamma.default 0", "igammac.default 2", "frexp.Tensor 0", "prims_rev.default 0", "pixel_unshuffle.default 0", "narrow_copy.default 0", "block_diag.default 0", "triu_indices.default 1", "logspace.default 0", "std_mean.correction 0", "dist.default 0", "renorm.default 0", "logcumsumexp.default 0", "vdot.default 0"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[3, 4]", c1_arg0_1: "f32[3, 4]", c2_arg0_1: "f32[3, 4]", c3_arg0_1: "f32[8]", c4_arg0_1: "f32[2, 3]", c5_arg0_1: "f32[7]", c5_arg1_1: "f32[7]", c6_arg0_1: "i32[2, 1]", c6_arg1_1: "i32[3]", c7_arg0_1: "i64[2, 3]", c7_arg1_1: "i64[2, 3]", c8_arg0_1: "f32[4, 1]", c8_arg1_1: "f32[5]", c9_arg0_1: "f64[6]", c9_arg1_1: "f64[6]", c10_arg0_1: "f32[3, 4]", c11_arg0_1: "f32[2, 3, 4]", c12_arg0_1: "f32[1, 2, 4, 6]", c13_arg0_1: "f32[3, 4]", c14_arg0_1: "f32[2, 3]", c14_arg1_1: "f32[2]", c14_arg2_1: "f32[]", c14_arg3_1: "f32[1, 0]", c17_arg0_1: "f32[3, 5]", c18_arg0_1: "f32[2, 3]", c18_arg1_1: "f32[3]", c19_arg0_1: "f32[3, 4]", c20_arg0_1: "f32[2, 5]", c21_arg0_1: "f32[5]", c21_arg1_1: "f32[5]"):
        c0_sinc: "f32[3, 4]" = torch.ops.aten.sinc.default(c0_arg0_1)
        c1_special_i0: "f32[3, 4]" = torch.ops.aten.special_i0.default(c1_arg0_1)
        c2_angle: "f32[3, 4]" = torch.ops.aten.angle.default(c2_arg0_1)
        c3_polygamma: "f32[8]" = torch.ops.aten.polygamma.default(2, c3_arg0_1)
        c4_mvlgamma: "f32[2, 3]" = torch.ops.aten.mvlgamma.default(c4_arg0_1, 2)
        c5_nextafter: "f32[7]" = torch.ops.aten.nextafter.default(c5_arg0_1, c5_arg1_1)
        c6_gcd: "i32[2, 3]" = torch.ops.aten.gcd.default(c6_arg0_1, c6_arg1_1)
        c7_lcm: "i64[2, 3]" = torch.ops.aten.lcm.default(c7_arg0_1, c7_arg1_1)
        c8_igamma: "f32[4, 5]" = torch.ops.aten.igamma.default(c8_arg0_1, c8_arg1_1)
        c9_igammac: "f64[6]" = torch.ops.aten.igammac.default(c9_arg0_1, c9_arg1_1)
        c10_frexp = torch.ops.aten.frexp.Tensor(c10_arg0_1)
        c10_getitem: "f32[3, 4]" = c10_frexp[0]
        c10_getitem_1: "i32[3, 4]" = c10_frexp[1]
        c11_rev: "f32[2, 3, 4]" = torch.ops.prims.rev.default(c11_arg0_1, [0, -1])
        c12_pixel_unshuffle: "f32[1, 8, 2, 3]" = torch.ops.aten.pixel_unshuffle.default(c12_arg0_1, 2)
        c13_narrow_copy: "f32[3, 2]" = torch.ops.aten.narrow_copy.default(c13_arg0_1, 1, 1, 2)
        c14_block_diag: "f32[5, 6]" = torch.ops.aten.block_diag.default([c14_arg0_1, c14_arg1_1, c14_arg2_1, c14_arg3_1])
        c15_triu_indices: "i64[2, 3]" = torch.ops.aten.triu_indices.default(4, 3, 1)
        c16_logspace: "f32[6]" = torch.ops.aten.logspace.default(-2, 3, 6)
        c17_std_mean = torch.ops.aten.std_mean.correction(c17_arg0_1, [1], correction = 0)
        c17_getitem: "f32[3]" = c17_std_mean[0]
        c17_getitem_1: "f32[3]" = c17_std_mean[1]
        c18_dist: "f32[]" = torch.ops.aten.dist.default(c18_arg0_1, c18_arg1_1)
        c19_renorm: "f32[3, 4]" = torch.ops.aten.renorm.default(c19_arg0_1, 2, 0, 1.5)
        c20_logcumsumexp: "f32[2, 5]" = torch.ops.aten.logcumsumexp.default(c20_arg0_1, 1)
        c21_vdot: "f32[]" = torch.ops.aten.vdot.default(c21_arg0_1, c21_arg1_1)
        return (c0_sinc, c1_special_i0, c2_angle, c3_polygamma, c4_mvlgamma, c5_nextafter, c6_gcd, c7_lcm, c8_igamma, c9_igammac, c10_getitem, c10_getitem_1, c11_rev, c12_pixel_unshuffle, c13_narrow_copy, c14_block_diag, c15_triu_indices, c16_logspace, c17_getitem, c17_getitem_1, c18_dist, c19_renorm, c20_logcumsumexp, c21_vdot))fx";
};

struct group_9 {
    static constexpr std::string_view cases[] = {"linalg_cross.default 1", "_trilinear.default 0", "_grouped_mm.default 0", "_grouped_mm.default 2", "max_pool3d.default 1", "max_unpool2d.default 0", "max_unpool3d.default 0", "upsample_nearest3d.vec 1", "upsample_trilinear3d.vec 0", "isin.Tensor_Tensor 2", "bincount.default 1", "histc.default 1", "repeat_interleave.Tensor 0", "index_reduce.default 2", "put.default 1", "_unsafe_masked_index.default 0", "_unsafe_masked_index_put_accumulate.default 0", "nll_loss2d_forward.default 1", "multi_margin_loss.default 1", "_embedding_bag_forward_only.default 2", "prims_inductor_lookup_seed.default 0"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[3, 4]", c0_arg1_1: "f32[3, 1]", c1_arg0_1: "f32[2, 3]", c1_arg1_1: "f32[4, 3, 5]", c1_arg2_1: "f32[2, 5]", c2_arg0_1: "f32[6, 4]", c2_arg1_1: "f32[3, 4, 2]", c2_arg2_1: "i32[3]", c3_arg0_1: "f32[3, 6]", c3_arg1_1: "f32[6, 4]", c3_arg2_1: "i32[3]", c4_arg0_1: "f32[2, 3, 4, 5]", c5_arg0_1: "f32[1, 2, 2, 3]", c5_arg1_1: "i64[1, 2, 2, 3]", c6_arg0_1: "f32[1, 2, 2, 2, 1]", c6_arg1_1: "i64[1, 2, 2, 2, 1]", c7_arg0_1: "f32[1, 1, 2, 3, 2]", c8_arg0_1: "f32[1, 2, 2, 3, 2]", c9_arg0_1: "i64[3]", c9_arg1_1: "f32[2]", c10_arg0_1: "i64[5]", c10_arg1_1: "f32[5]", c11_arg0_1: "f32[3, 4]", c12_arg0_1: "i64[4]", c13_arg0_1: "f32[4, 2]", c13_arg1_1: "i64[4]", c13_arg2_1: "f32[4, 2]", c14_arg0_1: "i64[2, 2]", c14_arg1_1: "i64[3]", c14_arg2_1: "i64[3]", c15_arg0_1: "f32[4]", c15_arg1_1: "b8[3]", c15_arg2_1: "i64[3]", c16_arg0_1: "f32[4]", c16_arg1_1: "b8[4]", c16_arg2_1: "i64[4]", c16_arg3_1: "f32[4]", c17_arg0_1: "f32[2, 3, 2, 2]", c17_arg1_1: "i64[2, 2, 2]", c17_arg2_1: "f32[3]", c18_arg0_1: "f32[4, 3]", c18_arg1_1: "i64[4]", c18_arg2_1: "f32[3]", c19_arg0_1: "f32[6, 3]", c19_arg1_1: "i64[7]", c19_arg2_1: "i64[4]", c20_arg0_1: "i64[3]"):
        c0_linalg_cross: "f32[3, 4]" = torch.ops.aten.linalg_cross.default(c0_arg0_1, c0_arg1_1, dim = 0)
        c1__trilinear: "f32[2, 4]" = torch.ops.aten._trilinear.default(c1_arg0_1, c1_arg1_1, c1_arg2_1, [1, 3], [0], [1, 2], [2, 3])
        c2__grouped_mm: "f32[6, 2]" = torch.ops.aten._grouped_mm.default(c2_arg0_1, c2_arg1_1, c2_arg2_1)
        c3__grouped_mm: "f32[3, 3, 4]" = torch.ops.aten._grouped_mm.default(c3_arg0_1, c3_arg1_1, c3_arg2_1)
        c4_max_pool3d: "f32[2, 4, 3, 3]" = torch.ops.aten.max_pool3d.default(c4_arg0_1, [2, 3, 2], [1, 2, 1], [1, 1, 0], [1, 1, 2], True)
        c5_max_unpool2d: "f32[1, 2, 4, 6]" = torch.ops.aten.max_unpool2d.default(c5_arg0_1, c5_arg1_1, [4, 6])
        c6_max_unpool3d: "f32[1, 2, 4, 4, 2]" = torch.ops.aten.max_unpool3d.default(c6_arg0_1, c6_arg1_1, [4, 4, 2], [2, 2, 2], [0, 0, 0])
        c7_upsample_nearest3d: "f32[1, 1, 4, 4, 4]" = torch.ops.aten.upsample_nearest3d.vec(c7_arg0_1, None, [2.0, 1.5, 2.0])
        c8_upsample_trilinear3d: "f32[1, 2, 3, 4, 5]" = torch.ops.aten.upsample_trilinear3d.vec(c8_arg0_1, [3, 4, 5], False, None)
        c9_isin: "b8[3]" = torch.ops.aten.isin.Tensor_Tensor(c9_arg0_1, c9_arg1_1, assume_unique = True)
        c10_bincount: "f32[5]" = torch.ops.aten.bincount.default(c10_arg0_1, c10_arg1_1, 5)
        c11_histc: "f32[4]" = torch.ops.aten.histc.default(c11_arg0_1, 4)
        c12_repeat_interleave: "i64[6]" = torch.ops.aten.repeat_interleave.Tensor(c12_arg0_1, output_size = 6)
        c13_index_reduce: "f32[4, 2]" = torch.ops.aten.index_reduce.default(c13_arg0_1, 0, c13_arg1_1, c13_arg2_1, 'mean', include_self = True)
        c14_put: "i64[2, 2]" = torch.ops.aten.put.default(c14_arg0_1, c14_arg1_1, c14_arg2_1, True)
        c15__unsafe_masked_index: "f32[3]" = torch.ops.aten._unsafe_masked_index.default(c15_arg0_1, c15_arg1_1, [c15_arg2_1], 7.5)
        c16__unsafe_masked_index_put_accumulate: "f32[4]" = torch.ops.aten._unsafe_masked_index_put_accumulate.default(c16_arg0_1, c16_arg1_1, [c16_arg2_1], c16_arg3_1)
        c17_nll_loss2d_forward = torch.ops.aten.nll_loss2d_forward.default(c17_arg0_1, c17_arg1_1, c17_arg2_1, 1, -100)
        c17_getitem: "f32[]" = c17_nll_loss2d_forward[0]
        c17_getitem_1: "f32[]" = c17_nll_loss2d_forward[1]
        c18_multi_margin_loss: "f32[]" = torch.ops.aten.multi_margin_loss.default(c18_arg0_1, c18_arg1_1, 2, 0.5, c18_arg2_1, 1)
        c19__embedding_bag_forward_only = torch.ops.aten._embedding_bag_forward_only.default(c19_arg0_1, c19_arg1_1, c19_arg2_1, False, 2)
        c19_getitem: "f32[4, 3]" = c19__embedding_bag_forward_only[0]
        c19_getitem_1: "i64[7]" = c19__embedding_bag_forward_only[1]
        c19_getitem_2: "i64[4]" = c19__embedding_bag_forward_only[2]
        c19_getitem_3: "i64[4, 3]" = c19__embedding_bag_forward_only[3]
        c20_inductor_lookup_seed: "i64[]" = torch.ops.prims.inductor_lookup_seed.default(c20_arg0_1, 2)
        return (c0_linalg_cross, c1__trilinear, c2__grouped_mm, c3__grouped_mm, c4_max_pool3d, c5_max_unpool2d, c6_max_unpool3d, c7_upsample_nearest3d, c8_upsample_trilinear3d, c9_isin, c10_bincount, c11_histc, c12_repeat_interleave, c13_index_reduce, c14_put, c15__unsafe_masked_index, c16__unsafe_masked_index_put_accumulate, c17_getitem, c17_getitem_1, c18_multi_margin_loss, c19_getitem, c19_getitem_1, c19_getitem_2, c19_getitem_3, c20_inductor_lookup_seed))fx";
};

struct group_10 {
    static constexpr std::string_view cases[] = {"_linalg_svd.default 5", "_linalg_svd.default 4", "upsample_bilinear2d.default 11", "_upsample_bilinear2d_aa.vec 13", "_upsample_bicubic2d_aa_backward.default 10", "_scaled_dot_product_efficient_attention_backward.default 1", "_scaled_dot_product_flash_attention_backward.default 0", "_scaled_dot_product_fused_attention_overrideable_backward.default 0", "searchsorted.Scalar 0", "bucketize.Scalar 2", "isin.Scalar_Tensor 0", "nll_loss2d.default 1", "std_mean.dim 0", "var.default 0", "stack.default 100", "stack.default 101", "pixel_shuffle.default 100", "pixel_unshuffle.default 100", "_upsample_bilinear2d_aa.vec 12", "item.default 0", "adaptive_avg_pool1d.default 0"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[2, 3, 4, 3]", c1_arg0_1: "f32[3, 5]", c2_arg0_1: "f32[1, 2, 4, 5]", c3_arg0_1: "f32[1, 2, 23, 17]", c4_arg0_1: "f32[1, 2, 7, 8]", c5_arg0_1: "f32[2, 2, 3, 4]", c5_arg1_1: "f32[2, 2, 3, 4]", c5_arg2_1: "f32[2, 2, 5, 4]", c5_arg3_1: "f32[2, 2, 5, 4]", c5_arg4_1: "f32[2, 1, 3, 5]", c5_arg5_1: "f32[2, 2, 3, 4]", c5_arg6_1: "f32[2, 2, 3]", c6_arg0_1: "f32[2, 4, 3, 4]", c6_arg1_1: "f32[2, 4, 3, 4]", c6_arg2_1: "f32[2, 2, 5, 4]", c6_arg3_1: "f32[2, 2, 5, 4]", c6_arg4_1: "f32[2, 4, 3, 4]", c6_arg5_1: "f32[2, 4, 3]", c6_arg6_1: "i64[]", c6_arg7_1: "i64[]", c7_arg0_1: "f32[2, 2, 3, 2]", c7_arg1_1: "f32[2, 2, 3, 4]", c7_arg2_1: "f32[2, 2, 4, 4]", c7_arg3_1: "f32[2, 2, 4, 2]", c7_arg4_1: "f32[2, 2, 1, 4]", c7_arg5_1: "f32[2, 2, 3, 2]", c7_arg6_1: "f32[2, 2, 3]", c7_arg7_1: "i64[]", c7_arg8_1: "i64[]", c8_arg0_1: "f32[5]", c9_arg0_1: "f32[5]", c10_arg0_1: "i64[3]", c11_arg0_1: "f32[2, 4, 3, 2]", c11_arg1_1: "i64[2, 3, 2]", c11_arg2_1: "f32[4]", c12_arg0_1: "f32[2, 3, 4]", c13_arg0_1: "f32[2, 3, 4]", c14_arg0_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c14_arg1_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c15_arg0_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c15_arg1_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c16_arg0_1: "f32[1, 8, 2, 3][48, 1, 24, 8]", c17_arg0_1: "f32[1, 2, 4, 6][48, 1, 12, 2]", c18_arg0_1: "f32[2, 2, 4, 5][40, 1, 10, 2]", c19_arg0_1: "f32[1]", c20_arg0_1: "f32[2, 3, 7]"):
        c0_made = torch.ops.aten._linalg_svd.default(c0_arg0_1)
        c0_getitem: "f32[2, 3, 4, 3][36, 12, 1, 4]" = c0_made[0]
        c0_getitem_1: "f32[2, 3, 3]" = c0_made[1]
        c0_getitem_2: "f32[2, 3, 3, 3][27, 9, 1, 3]" = c0_made[2]
        c0_unsqueeze = torch.ops.aten.unsqueeze.default(c0_getitem_1, -2)
        c0_mul = torch.ops.aten.mul.Tensor(c0_getitem, c0_unsqueeze)
        c0_matmul: "f32[2, 3, 4, 3]" = torch.ops.aten.matmul.default(c0_mul, c0_getitem_2)
        c0_transpose = torch.ops.aten.transpose.int(c0_getitem, -2, -1)
        c0_matmul_1 = torch.ops.aten.matmul.default(c0_transpose, c0_getitem)
        c0_transpose_1 = torch.ops.aten.transpose.int(c0_getitem_2, -2, -1)
        c0_matmul_2 = torch.ops.aten.matmul.default(c0_getitem_2, c0_transpose_1)
        c1_made = torch.ops.aten._linalg_svd.default(c1_arg0_1, True)
        c1_getitem: "f32[3, 3][1, 3]" = c1_made[0]
        c1_getitem_1: "f32[3]" = c1_made[1]
        c1_getitem_2: "f32[5, 5][1, 5]" = c1_made[2]
        c1_slice_1 = torch.ops.aten.slice.Tensor(c1_getitem, -1, 0, 3)
        c1_slice_2 = torch.ops.aten.slice.Tensor(c1_getitem_2, -2, 0, 3)
        c1_unsqueeze = torch.ops.aten.unsqueeze.default(c1_getitem_1, -2)
        c1_mul = torch.ops.aten.mul.Tensor(c1_slice_1, c1_unsqueeze)
        c1_matmul: "f32[3, 5]" = torch.ops.aten.matmul.default(c1_mul, c1_slice_2)
        c1_transpose = torch.ops.aten.transpose.int(c1_getitem, -2, -1)
        c1_matmul_1 = torch.ops.aten.matmul.default(c1_transpose, c1_getitem)
        c1_transpose_1 = torch.ops.aten.transpose.int(c1_getitem_2, -2, -1)
        c1_matmul_2 = torch.ops.aten.matmul.default(c1_getitem_2, c1_transpose_1)
        c2_made: "f32[1, 2, 3, 2]" = torch.ops.aten.upsample_bilinear2d.default(c2_arg0_1, [3, 2], True, None, None)
        c3_made: "f32[1, 2, 5, 4]" = torch.ops.aten._upsample_bilinear2d_aa.vec(c3_arg0_1, [5, 4], False, None)
        c4_made: "f32[1, 2, 4, 5]" = torch.ops.aten._upsample_bicubic2d_aa_backward.default(c4_arg0_1, [7, 8], [1, 2, 4, 5], False, None, None)
        c5_made = torch.ops.aten._scaled_dot_product_efficient_attention_backward.default(c5_arg0_1, c5_arg1_1, c5_arg2_1, c5_arg3_1, c5_arg4_1, c5_arg5_1, c5_arg6_1, None, None, 0.0, [True, True, True, True], scale = 0.3)
        c5_getitem: "f32[2, 2, 3, 4]" = c5_made[0]
        c5_getitem_1: "f32[2, 2, 5, 4]" = c5_made[1]
        c5_getitem_2: "f32[2, 2, 5, 4]" = c5_made[2]
        c5_getitem_3: "f32[2, 1, 3, 5]" = c5_made[3]
        c6_made = torch.ops.aten._scaled_dot_product_flash_attention_backward.default(c6_arg0_1, c6_arg1_1, c6_arg2_1, c6_arg3_1, c6_arg4_1, c6_arg5_1, None, None, 3, 5, 0.0, False, c6_arg6_1, c6_arg7_1)
        c6_getitem: "f32[2, 4, 3, 4]" = c6_made[0]
        c6_getitem_1: "f32[2, 2, 5, 4]" = c6_made[1]
        c6_getitem_2: "f32[2, 2, 5, 4]" = c6_made[2]
        c7_made = torch.ops.aten._scaled_dot_product_fused_attention_overrideable_backward.default(c7_arg0_1, c7_arg1_1, c7_arg2_1, c7_arg3_1, c7_arg4_1, [True, True, True, True], c7_arg5_1, c7_arg6_1, None, None, 3, 4, 0.0, False, c7_arg7_1, c7_arg8_1)
        c7_getitem: "f32[2, 2, 3, 4]" = c7_made[0]
        c7_getitem_1: "f32[2, 2, 4, 4]" = c7_made[1]
        c7_getitem_2: "f32[2, 2, 4, 2]" = c7_made[2]
        c7_getitem_3: "f32[2, 2, 1, 4]" = c7_made[3]
        c8_made: "i64[]" = torch.ops.aten.searchsorted.Scalar(c8_arg0_1, 2)
        c9_made: "i64[]" = torch.ops.aten.bucketize.Scalar(2.5, c9_arg0_1)
        c10_made: "b8[]" = torch.ops.aten.isin.Scalar_Tensor(5, c10_arg0_1)
        c11_made: "f32[]" = torch.ops.aten.nll_loss2d.default(c11_arg0_1, c11_arg1_1, c11_arg2_1, 1)
        c12_made = torch.ops.aten.std_mean.dim(c12_arg0_1, [1])
        c12_getitem: "f32[2, 4]" = c12_made[0]
        c12_getitem_1: "f32[2, 4]" = c12_made[1]
        c13_made: "f32[]" = torch.ops.aten.var.default(c13_arg0_1)
        c14_made: "f32[2, 2, 3, 4, 5][120, 60, 1, 15, 3]" = torch.ops.aten.stack.default([c14_arg0_1, c14_arg1_1])
        c15_made: "f32[2, 2, 3, 4, 5][120, 3, 1, 30, 6]" = torch.ops.aten.stack.default([c15_arg0_1, c15_arg1_1], 1)
        c16_made: "f32[1, 2, 4, 6][48, 1, 12, 2]" = torch.ops.aten.pixel_shuffle.default(c16_arg0_1, 2)
        c17_made: "f32[1, 8, 2, 3][48, 1, 24, 8]" = torch.ops.aten.pixel_unshuffle.default(c17_arg0_1, 2)
        c18_made: "f32[2, 2, 7, 8][112, 1, 16, 2]" = torch.ops.aten._upsample_bilinear2d_aa.vec(c18_arg0_1, [7, 8], False, None)
        c19_made: "f32[]" = torch.ops.aten.item.default(c19_arg0_1)
        c20_made: "f32[2, 3, 3]" = torch.ops.aten.adaptive_avg_pool1d.default(c20_arg0_1, [3])
        return (c0_getitem_1, c0_matmul, c0_matmul_1, c0_matmul_2, c1_getitem_1, c1_matmul, c1_matmul_1, c1_matmul_2, c2_made, c3_made, c4_made, c5_getitem, c5_getitem_1, c5_getitem_2, c5_getitem_3, c6_getitem, c6_getitem_1, c6_getitem_2, c7_getitem, c7_getitem_1, c7_getitem_2, c7_getitem_3, c8_made, c9_made, c10_made, c11_made, c12_getitem, c12_getitem_1, c13_made, c14_made, c15_made, c16_made, c17_made, c18_made, c19_made, c20_made))fx";
};

struct group_11 {
    static constexpr std::string_view cases[] = {"add.Tensor 200", "add.Tensor 201", "add.Tensor 202", "sub.Tensor 200", "sub.Tensor 201", "rsub.Scalar 200", "mul.Tensor 200", "mul.Tensor 201", "mul.Tensor 202", "div.Tensor 200", "div.Tensor 201", "floor_divide.default 200", "remainder.Scalar 200", "fmod.Scalar 200", "pow.Tensor_Scalar 200", "pow.Scalar 200", "eq.Scalar 200", "le.Scalar 200", "gt.Scalar 200", "hardshrink.default 200", "softshrink.default 200", "leaky_relu.default 200", "threshold.default 200", "clamp.default 200", "addcmul.default 200", "lerp.Scalar 200", "div.Tensor_mode 200", "div.Tensor_mode 201", "logit.default 200", "logit.default 201", "xlogy.Tensor 200"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "bf16[32]", c1_arg0_1: "bf16[32]", c1_arg1_1: "bf16[32]", c2_arg0_1: "bf16[32]", c2_arg1_1: "f32[]", c3_arg0_1: "bf16[32]", c4_arg0_1: "bf16[32]", c4_arg1_1: "bf16[32]", c5_arg0_1: "bf16[32]", c6_arg0_1: "bf16[32]", c7_arg0_1: "bf16[32]", c7_arg1_1: "f32[]", c8_arg0_1: "bf16[32]", c8_arg1_1: "f32[]", c9_arg0_1: "bf16[32]", c10_arg0_1: "bf16[32]", c10_arg1_1: "f32[]", c11_arg0_1: "bf16[32]", c12_arg0_1: "bf16[32]", c13_arg0_1: "bf16[32]", c14_arg0_1: "bf16[32]", c15_arg0_1: "bf16[32]", c16_arg0_1: "bf16[32]", c17_arg0_1: "bf16[32]", c18_arg0_1: "bf16[32]", c19_arg0_1: "bf16[32]", c20_arg0_1: "bf16[32]", c21_arg0_1: "bf16[32]", c22_arg0_1: "bf16[32]", c23_arg0_1: "bf16[32]", c24_arg0_1: "bf16[32]", c24_arg1_1: "bf16[32]", c25_arg0_1: "bf16[32]", c25_arg1_1: "bf16[32]", c26_arg0_1: "bf16[32]", c26_arg1_1: "bf16[32]", c27_arg0_1: "bf16[32]", c27_arg1_1: "bf16[32]", c28_arg0_1: "bf16[32]", c29_arg0_1: "bf16[32]", c30_arg0_1: "bf16[32]", c30_arg1_1: "bf16[32]"):
        c0_add: "bf16[32]" = torch.ops.aten.add.Tensor(c0_arg0_1, 1.7)
        c1_add: "bf16[32]" = torch.ops.aten.add.Tensor(c1_arg0_1, c1_arg1_1, alpha = 0.3)
        c2_add: "bf16[32]" = torch.ops.aten.add.Tensor(c2_arg0_1, c2_arg1_1)
        c3_sub: "bf16[32]" = torch.ops.aten.sub.Tensor(c3_arg0_1, 0.3)
        c4_sub: "bf16[32]" = torch.ops.aten.sub.Tensor(c4_arg0_1, c4_arg1_1, alpha = 0.3)
        c5_rsub: "bf16[32]" = torch.ops.aten.rsub.Scalar(c5_arg0_1, 0.3)
        c6_mul: "bf16[32]" = torch.ops.aten.mul.Tensor(c6_arg0_1, 0.3)
        c7_mul: "bf16[32]" = torch.ops.aten.mul.Tensor(c7_arg0_1, c7_arg1_1)
        c8_mul: "bf16[32]" = torch.ops.aten.mul.Tensor(c8_arg1_1, c8_arg0_1)
        c9_div: "bf16[32]" = torch.ops.aten.div.Tensor(c9_arg0_1, 0.3)
        c10_div: "bf16[32]" = torch.ops.aten.div.Tensor(c10_arg0_1, c10_arg1_1)
        c11_floor_divide: "bf16[32]" = torch.ops.aten.floor_divide.default(c11_arg0_1, 0.3)
        c12_remainder: "bf16[32]" = torch.ops.aten.remainder.Scalar(c12_arg0_1, 0.3)
        c13_fmod: "bf16[32]" = torch.ops.aten.fmod.Scalar(c13_arg0_1, 0.3)
        c14_pow_1: "bf16[32]" = torch.ops.aten.pow.Tensor_Scalar(c14_arg0_1, 0.3)
        c15_pow_1: "bf16[32]" = torch.ops.aten.pow.Scalar(1.7, c15_arg0_1)
        c16_eq: "b8[32]" = torch.ops.aten.eq.Scalar(c16_arg0_1, 0.3)
        c17_le: "b8[32]" = torch.ops.aten.le.Scalar(c17_arg0_1, -0.7)
        c18_gt: "b8[32]" = torch.ops.aten.gt.Scalar(c18_arg0_1, 1.7)
        c19_hardshrink: "bf16[32]" = torch.ops.aten.hardshrink.default(c19_arg0_1, 0.3)
        c20_softshrink: "bf16[32]" = torch.ops.aten.softshrink.default(c20_arg0_1, 0.3)
        c21_leaky_relu: "bf16[32]" = torch.ops.aten.leaky_relu.default(c21_arg0_1, 0.3)
        c22_threshold: "bf16[32]" = torch.ops.aten.threshold.default(c22_arg0_1, 0.3, 0.7)
        c23_clamp: "bf16[32]" = torch.ops.aten.clamp.default(c23_arg0_1, -0.3, 1.7)
        c24_addcmul: "bf16[32]" = torch.ops.aten.addcmul.default(c24_arg0_1, c24_arg0_1, c24_arg1_1, value = 0.3)
        c25_lerp: "bf16[32]" = torch.ops.aten.lerp.Scalar(c25_arg0_1, c25_arg1_1, 0.3)
        c26_div: "bf16[32]" = torch.ops.aten.div.Tensor_mode(c26_arg0_1, c26_arg1_1, rounding_mode = 'trunc')
        c27_div: "bf16[32]" = torch.ops.aten.div.Tensor_mode(c27_arg0_1, c27_arg1_1, rounding_mode = 'floor')
        c28_logit: "bf16[32]" = torch.ops.aten.logit.default(c28_arg0_1)
        c29_logit: "bf16[32]" = torch.ops.aten.logit.default(c29_arg0_1, 0.1)
        c30_xlogy: "bf16[32]" = torch.ops.aten.xlogy.Tensor(c30_arg0_1, c30_arg1_1)
        return (c0_add, c1_add, c2_add, c3_sub, c4_sub, c5_rsub, c6_mul, c7_mul, c8_mul, c9_div, c10_div, c11_floor_divide, c12_remainder, c13_fmod, c14_pow_1, c15_pow_1, c16_eq, c17_le, c18_gt, c19_hardshrink, c20_softshrink, c21_leaky_relu, c22_threshold, c23_clamp, c24_addcmul, c25_lerp, c26_div, c27_div, c28_logit, c29_logit, c30_xlogy))fx";
};

struct group_12 {
    static constexpr std::string_view cases[] = {"add.Tensor 300", "add.Tensor 301", "add.Tensor 302", "sub.Tensor 300", "sub.Tensor 301", "rsub.Scalar 300", "mul.Tensor 300", "mul.Tensor 301", "mul.Tensor 302", "div.Tensor 300", "div.Tensor 301", "floor_divide.default 300", "remainder.Scalar 300", "fmod.Scalar 300", "pow.Tensor_Scalar 300", "pow.Scalar 300", "eq.Scalar 300", "le.Scalar 300", "gt.Scalar 300", "hardshrink.default 300", "softshrink.default 300", "leaky_relu.default 300", "threshold.default 300", "clamp.default 300", "addcmul.default 300", "lerp.Scalar 300", "div.Tensor_mode 300", "div.Tensor_mode 301", "logit.default 300", "logit.default 301", "xlogy.Tensor 300"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f16[32]", c1_arg0_1: "f16[32]", c1_arg1_1: "f16[32]", c2_arg0_1: "f16[32]", c2_arg1_1: "f32[]", c3_arg0_1: "f16[32]", c4_arg0_1: "f16[32]", c4_arg1_1: "f16[32]", c5_arg0_1: "f16[32]", c6_arg0_1: "f16[32]", c7_arg0_1: "f16[32]", c7_arg1_1: "f32[]", c8_arg0_1: "f16[32]", c8_arg1_1: "f32[]", c9_arg0_1: "f16[32]", c10_arg0_1: "f16[32]", c10_arg1_1: "f32[]", c11_arg0_1: "f16[32]", c12_arg0_1: "f16[32]", c13_arg0_1: "f16[32]", c14_arg0_1: "f16[32]", c15_arg0_1: "f16[32]", c16_arg0_1: "f16[32]", c17_arg0_1: "f16[32]", c18_arg0_1: "f16[32]", c19_arg0_1: "f16[32]", c20_arg0_1: "f16[32]", c21_arg0_1: "f16[32]", c22_arg0_1: "f16[32]", c23_arg0_1: "f16[32]", c24_arg0_1: "f16[32]", c24_arg1_1: "f16[32]", c25_arg0_1: "f16[32]", c25_arg1_1: "f16[32]", c26_arg0_1: "f16[32]", c26_arg1_1: "f16[32]", c27_arg0_1: "f16[32]", c27_arg1_1: "f16[32]", c28_arg0_1: "f16[32]", c29_arg0_1: "f16[32]", c30_arg0_1: "f16[32]", c30_arg1_1: "f16[32]"):
        c0_add: "f16[32]" = torch.ops.aten.add.Tensor(c0_arg0_1, 1.7)
        c1_add: "f16[32]" = torch.ops.aten.add.Tensor(c1_arg0_1, c1_arg1_1, alpha = 0.3)
        c2_add: "f16[32]" = torch.ops.aten.add.Tensor(c2_arg0_1, c2_arg1_1)
        c3_sub: "f16[32]" = torch.ops.aten.sub.Tensor(c3_arg0_1, 0.3)
        c4_sub: "f16[32]" = torch.ops.aten.sub.Tensor(c4_arg0_1, c4_arg1_1, alpha = 0.3)
        c5_rsub: "f16[32]" = torch.ops.aten.rsub.Scalar(c5_arg0_1, 0.3)
        c6_mul: "f16[32]" = torch.ops.aten.mul.Tensor(c6_arg0_1, 0.3)
        c7_mul: "f16[32]" = torch.ops.aten.mul.Tensor(c7_arg0_1, c7_arg1_1)
        c8_mul: "f16[32]" = torch.ops.aten.mul.Tensor(c8_arg1_1, c8_arg0_1)
        c9_div: "f16[32]" = torch.ops.aten.div.Tensor(c9_arg0_1, 0.3)
        c10_div: "f16[32]" = torch.ops.aten.div.Tensor(c10_arg0_1, c10_arg1_1)
        c11_floor_divide: "f16[32]" = torch.ops.aten.floor_divide.default(c11_arg0_1, 0.3)
        c12_remainder: "f16[32]" = torch.ops.aten.remainder.Scalar(c12_arg0_1, 0.3)
        c13_fmod: "f16[32]" = torch.ops.aten.fmod.Scalar(c13_arg0_1, 0.3)
        c14_pow_1: "f16[32]" = torch.ops.aten.pow.Tensor_Scalar(c14_arg0_1, 0.3)
        c15_pow_1: "f16[32]" = torch.ops.aten.pow.Scalar(1.7, c15_arg0_1)
        c16_eq: "b8[32]" = torch.ops.aten.eq.Scalar(c16_arg0_1, 0.3)
        c17_le: "b8[32]" = torch.ops.aten.le.Scalar(c17_arg0_1, -0.7)
        c18_gt: "b8[32]" = torch.ops.aten.gt.Scalar(c18_arg0_1, 1.7)
        c19_hardshrink: "f16[32]" = torch.ops.aten.hardshrink.default(c19_arg0_1, 0.3)
        c20_softshrink: "f16[32]" = torch.ops.aten.softshrink.default(c20_arg0_1, 0.3)
        c21_leaky_relu: "f16[32]" = torch.ops.aten.leaky_relu.default(c21_arg0_1, 0.3)
        c22_threshold: "f16[32]" = torch.ops.aten.threshold.default(c22_arg0_1, 0.3, 0.7)
        c23_clamp: "f16[32]" = torch.ops.aten.clamp.default(c23_arg0_1, -0.3, 1.7)
        c24_addcmul: "f16[32]" = torch.ops.aten.addcmul.default(c24_arg0_1, c24_arg0_1, c24_arg1_1, value = 0.3)
        c25_lerp: "f16[32]" = torch.ops.aten.lerp.Scalar(c25_arg0_1, c25_arg1_1, 0.3)
        c26_div: "f16[32]" = torch.ops.aten.div.Tensor_mode(c26_arg0_1, c26_arg1_1, rounding_mode = 'trunc')
        c27_div: "f16[32]" = torch.ops.aten.div.Tensor_mode(c27_arg0_1, c27_arg1_1, rounding_mode = 'floor')
        c28_logit: "f16[32]" = torch.ops.aten.logit.default(c28_arg0_1)
        c29_logit: "f16[32]" = torch.ops.aten.logit.default(c29_arg0_1, 0.1)
        c30_xlogy: "f16[32]" = torch.ops.aten.xlogy.Tensor(c30_arg0_1, c30_arg1_1)
        return (c0_add, c1_add, c2_add, c3_sub, c4_sub, c5_rsub, c6_mul, c7_mul, c8_mul, c9_div, c10_div, c11_floor_divide, c12_remainder, c13_fmod, c14_pow_1, c15_pow_1, c16_eq, c17_le, c18_gt, c19_hardshrink, c20_softshrink, c21_leaky_relu, c22_threshold, c23_clamp, c24_addcmul, c25_lerp, c26_div, c27_div, c28_logit, c29_logit, c30_xlogy))fx";
};

struct group_13 {
    static constexpr std::string_view cases[] = {"convolution.default 110", "convolution.default 111", "convolution_backward.default 100", "convolution_backward.default 101", "copy.default 100", "copy.default 101", "slice_scatter.default 100", "slice_scatter.default 101", "select_scatter.default 100", "pow.Scalar 100", "native_batch_norm_backward.default 100", "native_batch_norm_backward.default 0", "native_batch_norm_backward.default 1", "native_batch_norm_backward.default 3", "upsample_bilinear2d.vec 200", "upsample_bilinear2d_backward.default 200", "_upsample_bilinear2d_aa.vec 200", "_upsample_bilinear2d_aa_backward.default 200", "_scaled_dot_product_cudnn_attention.default 0", "_scaled_dot_product_cudnn_attention_backward.default 2", "_scaled_dot_product_flash_attention_for_cpu.default 30", "histc.default 4", "roll.default 100"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[1, 2, 3, 3, 3][54, 1, 18, 6, 2]", c0_arg1_1: "f32[2, 2, 2, 2, 2][16, 8, 4, 2, 1]", c1_arg0_1: "f32[2, 2, 3, 3, 2][36, 1, 12, 4, 2]", c1_arg1_1: "f32[2, 2, 2, 2, 2][16, 8, 4, 2, 1]", c2_arg0_1: "f32[2, 2, 3, 4][24, 12, 4, 1]", c2_arg1_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c2_arg2_1: "f32[2, 3, 2, 2][12, 4, 2, 1]", c3_arg0_1: "f32[2, 2, 3, 4][24, 12, 4, 1]", c3_arg1_1: "f32[2, 3, 4, 5][60, 20, 5, 1]", c3_arg2_1: "f32[2, 3, 2, 2][12, 1, 6, 3]", c4_arg0_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c4_arg1_1: "f32[3][1]", c5_arg0_1: "f32[2, 3, 4, 5][60, 20, 5, 1]", c5_arg1_1: "f32[3][1]", c6_arg0_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c6_arg1_1: "f32[2, 3, 2, 5][30, 10, 5, 1]", c7_arg0_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c7_arg1_1: "f32[2, 3, 2, 3][18, 6, 3, 1]", c8_arg0_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c8_arg1_1: "f32[2, 4, 5][20, 5, 1]", c9_arg0_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c10_arg0_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c10_arg1_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c10_arg2_1: "f32[3][1]", c10_arg3_1: "f32[3][1]", c10_arg4_1: "f32[3][1]", c11_arg0_1: "f32[3, 2, 4]", c11_arg1_1: "f32[3, 2, 4]", c11_arg2_1: "f32[2]", c11_arg3_1: "f32[2]", c11_arg4_1: "f32[2]", c12_arg0_1: "f32[3, 2, 4]", c12_arg1_1: "f32[3, 2, 4]", c12_arg2_1: "f32[2]", c12_arg3_1: "f32[2]", c12_arg4_1: "f32[2]", c13_arg0_1: "f32[3, 2, 4]", c13_arg1_1: "f32[3, 2, 4]", c13_arg2_1: "f32[2]", c13_arg3_1: "f32[2]", c13_arg4_1: "f32[2]", c14_arg0_1: "f32[1, 1, 4, 7]", c15_arg0_1: "f32[1, 1, 4, 7]", c16_arg0_1: "f32[1, 1, 4, 7]", c17_arg0_1: "f32[1, 1, 4, 4]", c18_arg0_1: "f32[2, 1, 3, 4]", c18_arg1_1: "f32[2, 1, 2, 4]", c18_arg2_1: "f32[2, 1, 2, 3]", c18_arg3_1: "f32[3, 2]", c19_arg0_1: "f32[1, 2, 3, 6]", c19_arg1_1: "f32[1, 2, 3, 4]", c19_arg2_1: "f32[1, 2, 5, 4]", c19_arg3_1: "f32[1, 2, 5, 6]", c19_arg4_1: "f32[1, 2, 3, 6]", c19_arg5_1: "f32[1, 2, 3, 1]", c19_arg6_1: "i64[]", c19_arg7_1: "i64[]", c20_arg0_1: "f64[1, 2, 3, 4]", c20_arg1_1: "f64[1, 2, 5, 4]", c20_arg2_1: "f64[1, 2, 5, 4]", c21_arg0_1: "i64[12]", c22_arg0_1: "f32[2, 3, 4, 5][60, 1, 15, 3]"):
        c0_convolution: "f32[1, 2, 4, 4, 4][128, 64, 16, 4, 1]" = torch.ops.aten.convolution.default(c0_arg0_1, c0_arg1_1, None, [1, 1, 1], [1, 1, 1], [1, 1, 1], False, [0, 0, 0], 1)
        c1_convolution: "f32[2, 2, 4, 4, 3][96, 1, 24, 6, 2]" = torch.ops.aten.convolution.default(c1_arg0_1, c1_arg1_1, None, [1, 1, 1], [1, 1, 1], [1, 1, 1], False, [0, 0, 0], 1)
        c2_convolution_backward = torch.ops.aten.convolution_backward.default(c2_arg0_1, c2_arg1_1, c2_arg2_1, [2], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, True])
        c2_getitem: "f32[2, 3, 4, 5][60, 1, 15, 3]" = c2_convolution_backward[0]
        c2_getitem_1: "f32[2, 3, 2, 2][12, 1, 6, 3]" = c2_convolution_backward[1]
        c2_getitem_2: "f32[2][1]" = c2_convolution_backward[2]
        c3_convolution_backward = torch.ops.aten.convolution_backward.default(c3_arg0_1, c3_arg1_1, c3_arg2_1, [2], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, False])
        c3_getitem: "f32[2, 3, 4, 5][60, 1, 15, 3]" = c3_convolution_backward[0]
        c3_getitem_1: "f32[2, 3, 2, 2][12, 1, 6, 3]" = c3_convolution_backward[1]
        c4_slice_1: "f32[2, 3, 2, 5][60, 1, 15, 3]" = torch.ops.aten.slice.Tensor(c4_arg0_1, 2, 0, 2)
        c4_slice_2: "f32[2, 3, 2, 3][60, 1, 15, 3]" = torch.ops.aten.slice.Tensor(c4_slice_1, 3, 1, 4)
        c4_copy: "f32[2, 3, 2, 3][60, 1, 15, 3]" = torch.ops.aten.copy.default(c4_slice_2, c4_arg1_1)
        c5_slice_1: "f32[2, 3, 4, 3][60, 20, 5, 1]" = torch.ops.aten.slice.Tensor(c5_arg0_1, 3, 1, 4)
        c5_copy: "f32[2, 3, 4, 3][60, 20, 5, 1]" = torch.ops.aten.copy.default(c5_slice_1, c5_arg1_1)
        c5_slice_scatter: "f32[2, 3, 4, 5][60, 20, 5, 1]" = torch.ops.aten.slice_scatter.default(c5_arg0_1, c5_copy, 3, 1, 4)
        c6_slice_scatter: "f32[2, 3, 4, 5][60, 1, 15, 3]" = torch.ops.aten.slice_scatter.default(c6_arg0_1, c6_arg1_1, 2, 0, 2)
        c7_slice_1: "f32[2, 3, 4, 3][60, 1, 15, 3]" = torch.ops.aten.slice.Tensor(c7_arg0_1, 3, 0, 3)
        c7_slice_scatter: "f32[2, 3, 4, 3][60, 1, 15, 3]" = torch.ops.aten.slice_scatter.default(c7_slice_1, c7_arg1_1, 2, 0, 2)
        c8_select_scatter: "f32[2, 3, 4, 5][60, 1, 15, 3]" = torch.ops.aten.select_scatter.default(c8_arg0_1, c8_arg1_1, 1, 2)
        c9_pow_1: "f32[2, 3, 4, 5][60, 1, 15, 3]" = torch.ops.aten.pow.Scalar(2.0, c9_arg0_1)
        c10_native_batch_norm_backward = torch.ops.aten.native_batch_norm_backward.default(c10_arg0_1, c10_arg1_1, c10_arg2_1, None, None, c10_arg3_1, c10_arg4_1, True, 1e-05, [True, True, True])
        c10_getitem: "f32[2, 3, 4, 5][60, 1, 15, 3]" = c10_native_batch_norm_backward[0]
        c10_getitem_1: "f32[3][1]" = c10_native_batch_norm_backward[1]
        c10_getitem_2: "f32[3][1]" = c10_native_batch_norm_backward[2]
        c11_native_batch_norm_backward = torch.ops.aten.native_batch_norm_backward.default(c11_arg0_1, c11_arg1_1, c11_arg2_1, None, None, c11_arg3_1, c11_arg4_1, True, 1e-05, [True, True, True])
        c11_getitem: "f32[3, 2, 4]" = c11_native_batch_norm_backward[0]
        c11_getitem_1: "f32[2]" = c11_native_batch_norm_backward[1]
        c11_getitem_2: "f32[2]" = c11_native_batch_norm_backward[2]
        c12_native_batch_norm_backward = torch.ops.aten.native_batch_norm_backward.default(c12_arg0_1, c12_arg1_1, c12_arg2_1, c12_arg3_1, c12_arg4_1, None, None, False, 0.001, [True, True, True])
        c12_getitem: "f32[3, 2, 4]" = c12_native_batch_norm_backward[0]
        c12_getitem_1: "f32[2]" = c12_native_batch_norm_backward[1]
        c12_getitem_2: "f32[2]" = c12_native_batch_norm_backward[2]
        c13_native_batch_norm_backward = torch.ops.aten.native_batch_norm_backward.default(c13_arg0_1, c13_arg1_1, c13_arg2_1, None, None, c13_arg3_1, c13_arg4_1, True, 1e-05, [False, True, True])
        c13_getitem_1: "f32[2]" = c13_native_batch_norm_backward[1]
        c13_getitem_2: "f32[2]" = c13_native_batch_norm_backward[2]
        c14_upsample_bilinear2d: "f32[1, 1, 4, 7]" = torch.ops.aten.upsample_bilinear2d.default(c14_arg0_1, [4, 7], False, 1.0239, 1.1)
        c15_upsample_bilinear2d_backward: "f32[1, 1, 4, 7]" = torch.ops.aten.upsample_bilinear2d_backward.default(c15_arg0_1, [4, 7], [1, 1, 4, 7], False, 1.0239, 0.7)
        c16__upsample_bilinear2d_aa: "f32[1, 1, 4, 4]" = torch.ops.aten._upsample_bilinear2d_aa.default(c16_arg0_1, [4, 4], False, 1.2, 0.6)
        c17__upsample_bilinear2d_aa_backward: "f32[1, 1, 4, 7]" = torch.ops.aten._upsample_bilinear2d_aa_backward.default(c17_arg0_1, [4, 4], [1, 1, 4, 7], False, 1.2, 0.6)
        c18__scaled_dot_product_cudnn_attention = torch.ops.aten._scaled_dot_product_cudnn_attention.default(c18_arg0_1, c18_arg1_1, c18_arg2_1, c18_arg3_1, True);  c18_arg0_1 = c18_arg1_1 = c18_arg2_1 = c18_arg3_1 = None
        c18_getitem: "f32[2, 1, 3, 3]" = c18__scaled_dot_product_cudnn_attention[0]
        c18_getitem_1: "f32[2, 1, 3, 1]" = c18__scaled_dot_product_cudnn_attention[1];  c18__scaled_dot_product_cudnn_attention = None
        c19_made = torch.ops.aten._scaled_dot_product_cudnn_attention_backward.default(c19_arg0_1, c19_arg1_1, c19_arg2_1, c19_arg3_1, c19_arg4_1, c19_arg5_1, c19_arg6_1, c19_arg7_1, None, None, None, 3, 5, 0.0, False)
        c19_getitem: "f32[1, 2, 3, 4]" = c19_made[0]
        c19_getitem_1: "f32[1, 2, 5, 4]" = c19_made[1]
        c19_getitem_2: "f32[1, 2, 5, 6]" = c19_made[2]
        c20__scaled_dot_product_flash_attention_for_cpu = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(c20_arg0_1, c20_arg1_1, c20_arg2_1)
        c20_getitem: "f64[1, 2, 3, 4]" = c20__scaled_dot_product_flash_attention_for_cpu[0]
        c20_getitem_1: "f64[1, 2, 3]" = c20__scaled_dot_product_flash_attention_for_cpu[1]
        c21_histc: "i64[4]" = torch.ops.aten.histc.default(c21_arg0_1, 4, 0, 8)
        c22_roll: "f32[2, 3, 4, 5][60, 20, 5, 1]" = torch.ops.aten.roll.default(c22_arg0_1, [1], [2])
        return (c0_convolution, c1_convolution, c2_getitem, c2_getitem_1, c2_getitem_2, c3_getitem, c3_getitem_1, c4_copy, c5_slice_scatter, c6_slice_scatter, c7_slice_scatter, c8_select_scatter, c9_pow_1, c10_getitem, c10_getitem_1, c10_getitem_2, c11_getitem, c11_getitem_1, c11_getitem_2, c12_getitem, c12_getitem_1, c12_getitem_2, c13_getitem_1, c13_getitem_2, c14_upsample_bilinear2d, c15_upsample_bilinear2d_backward, c16__upsample_bilinear2d_aa, c17__upsample_bilinear2d_aa_backward, c18_getitem, c18_getitem_1, c19_getitem, c19_getitem_1, c19_getitem_2, c20_getitem, c20_getitem_1, c21_histc, c22_roll))fx";
};

} // namespace cases

int main() {
    using namespace cases;
    const auto all = read_all_cases();
    const auto count = run_groups<group_8, group_9, group_10, group_11, group_12, group_13>(all);
    std::cout << count << " cases on the device\n";
    return test::report();
}
