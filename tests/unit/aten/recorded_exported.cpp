// What PyTorch computed by operators that torch.export prints before it decomposes, against compiled programs: Fourier transforms as they are written, shifts and
// frequencies, windows, inverses, repeats, attention in one call; composite and in-place operators. What one case calls x is called c3_x here.
// SPDX-License-Identifier: MIT
#include <ahead/linalg.hpp>

#include "recorded_groups.hpp"

namespace cases {

struct group_0 {
    static constexpr std::string_view cases[] = {"fft_fft.default 1",   "fft_ifft.default 0",  "fft_ifft.default 3",   "fft_rfft.default 1",
                                                 "fft_rfft.default 3",  "fft_irfft.default 1", "fft_irfft.default 2",  "fft_hfft.default 1",
                                                 "fft_ihfft.default 1", "fft_fft2.default 1",  "fft_irfft2.default 2", "fft_fftn.default 3",
                                                 "fft_rfftn.default 2", "fft_irfftn.default 1"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "c64[4, 3]", c1_arg0_1: "f32[6]", c2_arg0_1: "f64[2, 4]", c3_arg0_1: "f32[2, 4, 3]", c4_arg0_1: "b8[3]", c5_arg0_1: "c64[2, 5]", c6_arg0_1: "c64[3, 2]", c7_arg0_1: "c64[4, 2]", c8_arg0_1: "f32[4, 2]", c9_arg0_1: "c64[3, 2, 4]", c10_arg0_1: "c64[3, 4]", c11_arg0_1: "f32[2, 3]", c12_arg0_1: "f32[1, 3, 2, 2, 2]", c13_arg0_1: "c64[3, 2, 3]"):
        c0_r_fft_fft: "c64[5, 3]" = torch.ops.aten.fft_fft.default(c0_arg0_1, 5, 0, 'ortho')
        c1_r_fft_ifft: "c64[6]" = torch.ops.aten.fft_ifft.default(c1_arg0_1)
        c2_r_fft_ifft: "c128[2, 3]" = torch.ops.aten.fft_ifft.default(c2_arg0_1, 3, -1, 'ortho')
        c3_r_fft_rfft: "c64[2, 4, 3]" = torch.ops.aten.fft_rfft.default(c3_arg0_1, 6, 1, 'ortho')
        c4_r_fft_rfft: "c64[2]" = torch.ops.aten.fft_rfft.default(c4_arg0_1)
        c5_r_fft_irfft: "f32[2, 7]" = torch.ops.aten.fft_irfft.default(c5_arg0_1, 7)
        c6_r_fft_irfft: "f32[9, 2]" = torch.ops.aten.fft_irfft.default(c6_arg0_1, 9, 0, 'ortho')
        c7_r_fft_hfft: "f32[5, 2]" = torch.ops.aten.fft_hfft.default(c7_arg0_1, 5, 0, 'ortho')
        c8_r_fft_ihfft: "c64[3, 2]" = torch.ops.aten.fft_ihfft.default(c8_arg0_1, 5, 0, 'ortho')
        c9_r_fft_fft2: "c64[2, 2, 5]" = torch.ops.aten.fft_fft2.default(c9_arg0_1, [2, 5], [0, 2], 'ortho')
        c10_r_fft_irfft2: "f32[4, 2]" = torch.ops.aten.fft_irfft2.default(c10_arg0_1, [2, -1], [1, 0], 'forward')
        c11_r_fft_fftn: "c64[2, 3]" = torch.ops.aten.fft_fftn.default(c11_arg0_1, None, [])
        c12_r_fft_rfftn: "c64[2, 3, 2, 2, 2]" = torch.ops.aten.fft_rfftn.default(c12_arg0_1, [2, 3, 2, 2, 3])
        c13_r_fft_irfftn: "f32[4, 2, 3]" = torch.ops.aten.fft_irfftn.default(c13_arg0_1, [3, 4], [2, 0], 'forward')
        return (c0_r_fft_fft, c1_r_fft_ifft, c2_r_fft_ifft, c3_r_fft_rfft, c4_r_fft_rfft, c5_r_fft_irfft, c6_r_fft_irfft, c7_r_fft_hfft, c8_r_fft_ihfft, c9_r_fft_fft2, c10_r_fft_irfft2, c11_r_fft_fftn, c12_r_fft_rfftn, c13_r_fft_irfftn))fx";
};

struct group_1 {
    static constexpr std::string_view cases[] = {"fft_fftfreq.default 1",
                                                 "fft_rfftfreq.default 0",
                                                 "fft_fftshift.default 3",
                                                 "fft_ifftshift.default 2",
                                                 "linalg_inv_ex.default 1",
                                                 "linalg_inv_ex.default 6",
                                                 "linalg_inv.default 1",
                                                 "inverse.default 2",
                                                 "repeat_interleave.self_Tensor 1",
                                                 "repeat_interleave.self_Tensor 3",
                                                 "repeat_interleave.self_Tensor 4",
                                                 "repeat_interleave.self_Tensor 8"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[1]", c1_arg0_1: "f32[1]", c2_arg0_1: "c64[3, 2, 5]", c3_arg0_1: "f32[2, 5, 3]", c4_arg0_1: "f32[2, 3, 2, 2]", c5_arg0_1: "f32[3, 3]", c6_arg0_1: "f32[2, 5, 5]", c7_arg0_1: "f64[3, 3]", c8_arg0_1: "f32[3, 2]", c8_arg1_1: "i64[3]", c9_arg0_1: "f32[2, 3]", c9_arg1_1: "i64[1]", c10_arg0_1: "i64[2, 2]", c10_arg1_1: "i32[]", c11_arg0_1: "c64[2, 2]", c11_arg1_1: "i64[2]"):
        c0_r_fft_fftfreq: "f32[5]" = torch.ops.aten.fft_fftfreq.default(5, 0.3)
        c1_r_fft_rfftfreq: "f32[4]" = torch.ops.aten.fft_rfftfreq.default(6)
        c2_r_fft_fftshift: "c64[3, 2, 5]" = torch.ops.aten.fft_fftshift.default(c2_arg0_1, [-1, 0])
        c3_r_fft_ifftshift: "f32[2, 5, 3]" = torch.ops.aten.fft_ifftshift.default(c3_arg0_1, [1])
        c4_r_linalg_inv_ex = torch.ops.aten.linalg_inv_ex.default(c4_arg0_1)
        c4_getitem: "f32[2, 3, 2, 2]" = c4_r_linalg_inv_ex[0]
        c4_getitem_1: "i32[2, 3]" = c4_r_linalg_inv_ex[1]
        c5_r_linalg_inv_ex = torch.ops.aten.linalg_inv_ex.default(c5_arg0_1)
        c5_getitem: "f32[3, 3]" = c5_r_linalg_inv_ex[0]
        c5_getitem_1: "i32[]" = c5_r_linalg_inv_ex[1]
        c6_r_linalg_inv: "f32[2, 5, 5]" = torch.ops.aten.linalg_inv.default(c6_arg0_1)
        c7_r_inverse: "f64[3, 3]" = torch.ops.aten.inverse.default(c7_arg0_1)
        c8_r_repeat_interleave: "f32[3, 2]" = torch.ops.aten.repeat_interleave.self_Tensor(c8_arg0_1, c8_arg1_1, 0, output_size = 3)
        c9_r_repeat_interleave: "f32[2, 6]" = torch.ops.aten.repeat_interleave.self_Tensor(c9_arg0_1, c9_arg1_1, 1, output_size = 6)
        c10_r_repeat_interleave: "i64[12]" = torch.ops.aten.repeat_interleave.self_Tensor(c10_arg0_1, c10_arg1_1, output_size = 12)
        c11_r_repeat_interleave: "c64[2, 3]" = torch.ops.aten.repeat_interleave.self_Tensor(c11_arg0_1, c11_arg1_1, 1, output_size = 3)
        return (c0_r_fft_fftfreq, c1_r_fft_rfftfreq, c2_r_fft_fftshift, c3_r_fft_ifftshift, c4_getitem, c4_getitem_1, c5_getitem, c5_getitem_1, c6_r_linalg_inv, c7_r_inverse, c8_r_repeat_interleave, c9_r_repeat_interleave, c10_r_repeat_interleave, c11_r_repeat_interleave))fx";
};

struct group_2 {
    static constexpr std::string_view cases[] = {"stft.default 0", "stft.default 1", "stft.default 2", "stft.default 3", "stft.default 4", "stft.default 5", "stft.default 6", "_native_multi_head_attention.default 0", "_native_multi_head_attention.default 2", "_native_multi_head_attention.default 3", "_native_multi_head_attention.default 4", "_native_multi_head_attention.default 5"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[2, 20]", c1_arg0_1: "f32[2, 20]", c1_arg1_1: "f32[5]", c2_arg0_1: "f32[2, 20]", c3_arg0_1: "f64[16]", c3_arg1_1: "f64[6]", c4_arg0_1: "c64[12]", c5_arg0_1: "f32[2, 9]", c5_arg1_1: "c64[3]", c6_arg0_1: "f32[8]", c7_arg0_1: "f32[2, 3, 8]", c7_arg1_1: "f32[24, 8]", c7_arg2_1: "f32[24]", c7_arg3_1: "f32[8, 8]", c7_arg4_1: "f32[8]", c8_arg0_1: "f32[2, 3, 8]", c8_arg1_1: "f32[24, 8]", c8_arg2_1: "f32[24]", c8_arg3_1: "f32[8, 8]", c8_arg4_1: "f32[8]", c9_arg0_1: "f32[2, 3, 8]", c9_arg1_1: "f32[24, 8]", c9_arg2_1: "f32[24]", c9_arg3_1: "f32[8, 8]", c9_arg4_1: "f32[8]", c9_arg5_1: "b8[2, 3]", c10_arg0_1: "f32[2, 3, 8]", c10_arg1_1: "f32[2, 3, 8]", c10_arg2_1: "f32[2, 3, 8]", c10_arg3_1: "f32[24, 8]", c10_arg4_1: "f32[24]", c10_arg5_1: "f32[8, 8]", c10_arg6_1: "f32[8]", c10_arg7_1: "b8[2, 2, 3, 3]", c11_arg0_1: "f64[1, 4, 6]", c11_arg1_1: "f64[18, 6]", c11_arg2_1: "f64[18]", c11_arg3_1: "f64[6, 6]", c11_arg4_1: "f64[6]"):
        c0_r_stft: "c64[2, 5, 7]" = torch.ops.aten.stft.default(c0_arg0_1, 8, return_complex = True)
        c1_r_stft: "f32[2, 8, 5, 2]" = torch.ops.aten.stft.default(c1_arg0_1, 8, 3, 5, c1_arg1_1, True, onesided = False, return_complex = False)
        c2_r_stft: "c64[2, 4, 14]" = torch.ops.aten.stft.default(c2_arg0_1, 7, None, 4, return_complex = True)
        c3_r_stft: "c128[4, 3]" = torch.ops.aten.stft.default(c3_arg0_1, 6, 5, 6, c3_arg1_1, return_complex = True)
        c4_r_stft: "c64[5, 4]" = torch.ops.aten.stft.default(c4_arg0_1, 5, 2)
        c5_r_stft: "c64[2, 4, 2]" = torch.ops.aten.stft.default(c5_arg0_1, 4, 4, 3, c5_arg1_1, return_complex = True)
        c6_r_stft: "f32[5, 1, 2]" = torch.ops.aten.stft.default(c6_arg0_1, 8, return_complex = False)
        c7_r_native_multi_head_attention = torch.ops.aten._native_multi_head_attention.default(c7_arg0_1, c7_arg0_1, c7_arg0_1, 8, 2, c7_arg1_1, c7_arg2_1, c7_arg3_1, c7_arg4_1)
        c7_getitem: "f32[2, 3, 8]" = c7_r_native_multi_head_attention[0]
        c7_getitem_1: "f32[2, 3, 3]" = c7_r_native_multi_head_attention[1]
        c8_r_native_multi_head_attention = torch.ops.aten._native_multi_head_attention.default(c8_arg0_1, c8_arg0_1, c8_arg0_1, 8, 2, c8_arg1_1, c8_arg2_1, c8_arg3_1, c8_arg4_1, need_weights = False)
        c8_getitem: "f32[2, 3, 8]" = c8_r_native_multi_head_attention[0]
        c9_r_native_multi_head_attention = torch.ops.aten._native_multi_head_attention.default(c9_arg0_1, c9_arg0_1, c9_arg0_1, 8, 2, c9_arg1_1, c9_arg2_1, c9_arg3_1, c9_arg4_1, mask = c9_arg5_1, mask_type = 1)
        c9_getitem: "f32[2, 3, 8]" = c9_r_native_multi_head_attention[0]
        c9_getitem_1: "f32[2, 3, 3]" = c9_r_native_multi_head_attention[1]
        c10_r_native_multi_head_attention = torch.ops.aten._native_multi_head_attention.default(c10_arg0_1, c10_arg1_1, c10_arg2_1, 8, 2, c10_arg3_1, c10_arg4_1, c10_arg5_1, c10_arg6_1, mask = c10_arg7_1, average_attn_weights = False, mask_type = 2)
        c10_getitem: "f32[2, 3, 8]" = c10_r_native_multi_head_attention[0]
        c10_getitem_1: "f32[2, 2, 3, 3]" = c10_r_native_multi_head_attention[1]
        c11_r_native_multi_head_attention = torch.ops.aten._native_multi_head_attention.default(c11_arg0_1, c11_arg0_1, c11_arg0_1, 6, 3, c11_arg1_1, c11_arg2_1, c11_arg3_1, c11_arg4_1)
        c11_getitem: "f64[1, 4, 6]" = c11_r_native_multi_head_attention[0]
        c11_getitem_1: "f64[1, 4, 4]" = c11_r_native_multi_head_attention[1]
        return (c0_r_stft, c1_r_stft, c2_r_stft, c3_r_stft, c4_r_stft, c5_r_stft, c6_r_stft, c7_getitem, c7_getitem_1, c8_getitem, c9_getitem, c9_getitem_1, c10_getitem, c10_getitem_1, c11_getitem, c11_getitem_1))fx";
};

struct group_3 {
    static constexpr std::string_view cases[] = {"diff.default 2",
                                                 "quantile.scalar 0",
                                                 "isclose.default 0",
                                                 "cosine_embedding_loss.default 0",
                                                 "take_along_dim.default 0",
                                                 "hsplit.int 0",
                                                 "gru_cell.default 0",
                                                 "lstm_cell.default 0",
                                                 "erf_.default 0",
                                                 "t_.default 0",
                                                 "fill_diagonal_.default 1",
                                                 "batch_norm.default 0",
                                                 "unbind_copy.int 0",
                                                 "__and__.Tensor 0",
                                                 "square.default 0"};
    static constexpr char text[] = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_ts_0: "i64[5, 5]", c1_ts_0: "f32[3, 2, 1, 2]", c2_ts_0: "f32[5, 1]", c2_ts_1: "f32[5]", c3_ts_0: "f32[5]", c3_ts_1: "f32[5]", c3_ts_2: "f32[]", c4_ts_0: "f32[1, 5]", c4_ts_1: "i64[5, 2]", c5_ts_0: "f32[6]", c6_a_0: "f32[2, 3]", c6_a_1: "f32[2, 2]", c6_a_2: "f32[6, 3]", c6_a_3: "f32[6, 2]", c6_a_4: "f32[6]", c6_a_5: "f32[6]", c7_a_0: "f32[2, 3]", c7_a_1: "f32[2, 2]", c7_a_2: "f32[2, 2]", c7_a_3: "f32[8, 3]", c7_a_4: "f32[8, 2]", c7_a_5: "f32[8]", c7_a_6: "f32[8]", c8_a_0: "f32[3, 2]", c9_a_0: "f32[2, 3]", c10_a_0: "f32[7, 2]", c11_a_0: "f32[3, 2, 2]", c11_a_1: "f32[2]", c11_a_2: "f32[2]", c11_a_3: "f32[2]", c11_a_4: "f32[2]", c12_ts_0: "f32[5]", c13_a_0: "b8[4]", c13_a_1: "b8[4]", c14_a_0: "b8[4]"):
        c0_diff: "i64[3, 5]" = torch.ops.aten.diff.default(c0_ts_0, 2, 0)
        c1_quantile: "f32[1, 2, 1, 2]" = torch.ops.aten.quantile.scalar(c1_ts_0, 0.5, 0, True)
        c2_isclose: "b8[5, 5]" = torch.ops.aten.isclose.default(c2_ts_0, c2_ts_1)
        c3_cosine_embedding_loss: "f32[]" = torch.ops.aten.cosine_embedding_loss.default(c3_ts_0, c3_ts_1, c3_ts_2, 0.9329070713842775, 2)
        c4_take_along_dim: "f32[5, 2]" = torch.ops.aten.take_along_dim.default(c4_ts_0, c4_ts_1, 1)
        c5_hsplit = torch.ops.aten.hsplit.int(c5_ts_0, 2)
        c5_getitem: "f32[3]" = c5_hsplit[0]
        c5_getitem_1: "f32[3]" = c5_hsplit[1]
        c6_gru_cell: "f32[2, 2]" = torch.ops.aten.gru_cell.default(c6_a_0, c6_a_1, c6_a_2, c6_a_3, c6_a_4, c6_a_5)
        c7_lstm_cell = torch.ops.aten.lstm_cell.default(c7_a_0, [c7_a_1, c7_a_2], c7_a_3, c7_a_4, c7_a_5, c7_a_6)
        c7_getitem: "f32[2, 2]" = c7_lstm_cell[0]
        c7_getitem_1: "f32[2, 2]" = c7_lstm_cell[1]
        c8_clone: "f32[3, 2]" = torch.ops.aten.clone.default(c8_a_0)
        c8_select: "f32[2]" = torch.ops.aten.select.int(c8_clone, 0, 1)
        c8_erf_: "f32[2]" = torch.ops.aten.erf_.default(c8_select)
        c9_clone: "f32[2, 3]" = torch.ops.aten.clone.default(c9_a_0)
        c9_t_: "f32[3, 2]" = torch.ops.aten.t_.default(c9_clone)
        c9_add: "f32[3, 2]" = torch.ops.aten.add.Tensor(c9_t_, 1)
        c10_clone: "f32[7, 2]" = torch.ops.aten.clone.default(c10_a_0)
        c10_fill_diagonal_: "f32[7, 2]" = torch.ops.aten.fill_diagonal_.default(c10_clone, 7, True)
        c11_clone: "f32[2]" = torch.ops.aten.clone.default(c11_a_3)
        c11_clone_1: "f32[2]" = torch.ops.aten.clone.default(c11_a_4)
        c11_batch_norm: "f32[3, 2, 2]" = torch.ops.aten.batch_norm.default(c11_a_0, c11_a_1, c11_a_2, c11_clone, c11_clone_1, True, 0.2, 0.0001, False)
        c12_unbind_copy = torch.ops.aten.unbind_copy.int(c12_ts_0)
        c12_getitem: "f32[]" = c12_unbind_copy[0]
        c12_getitem_1: "f32[]" = c12_unbind_copy[1]
        c12_getitem_2: "f32[]" = c12_unbind_copy[2]
        c12_getitem_3: "f32[]" = c12_unbind_copy[3]
        c12_getitem_4: "f32[]" = c12_unbind_copy[4]
        c13_and_1: "b8[4]" = torch.ops.aten.__and__.Tensor(c13_a_0, c13_a_1)
        c14_square: "i64[4]" = torch.ops.aten.square.default(c14_a_0)
        return (c0_diff, c1_quantile, c2_isclose, c3_cosine_embedding_loss, c4_take_along_dim, c5_getitem, c5_getitem_1, c6_gru_cell, c7_getitem, c7_getitem_1, c8_clone, c9_add, c10_fill_diagonal_, c11_batch_norm, c11_clone, c11_clone_1, c12_getitem, c12_getitem_1, c12_getitem_2, c12_getitem_3, c12_getitem_4, c13_and_1, c14_square))fx";
};

} // namespace cases

int main() {
    using namespace cases;
    case_by_name all;
    for (auto file : {"transforms", "inverse", "gather", "attention", "composite"}) read_cases(std::string("recorded/") + file + ".txt", all);
    run_groups<group_0, group_1, group_2, group_3>(all);
    return test::report();
}
