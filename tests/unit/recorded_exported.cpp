// What PyTorch computed by operators that torch.export prints before it decomposes, against compiled programs: Fourier transforms as they are written, shifts and
// frequencies, inverses, repeats. What one case calls x is called c3_x here.
// SPDX-License-Identifier: MIT
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

} // namespace cases

int main() {
    using namespace cases;
    case_by_name all;
    for (auto file : {"transforms", "inverse", "gather"}) read_cases(std::string("recorded/") + file + ".txt", all);
    run_groups<group_0, group_1>(all);
    return test::report();
}
