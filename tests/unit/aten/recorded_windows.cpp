// What PyTorch computed with windows, against the kernels (recorded/*.txt): convolutions that are transposed, of volumes or padded by word, gradients of
// convolutions and poolings, images resized; order; and elements moved. None of it is left to the AI CPU. What one case calls x is called c3_x here.
// SPDX-License-Identifier: MIT
#include "recorded_groups.hpp"

namespace cases {

struct group_0 {
    static constexpr std::string_view cases[] = {"conv_transpose1d.default 0", "conv_transpose1d.default 1", "conv_transpose2d.input 0", "conv_transpose2d.input 1", "conv_transpose2d.input 2", "conv_transpose2d.input 3", "conv_transpose3d.input 0", "conv3d.default 0", "conv1d.padding 1", "conv2d.padding 0", "conv3d.padding 0", "conv_transpose3d.input 1"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[1, 2, 4]", c0_arg1_1: "f32[2, 3, 3]", c0_arg2_1: "f32[3]", c1_arg0_1: "f32[2, 4, 5]", c1_arg1_1: "f32[4, 2, 3]", c2_arg0_1: "f32[1, 2, 3, 3]", c2_arg1_1: "f32[2, 3, 2, 3]", c2_arg2_1: "f32[3]", c3_arg0_1: "f32[2, 4, 3, 4]", c3_arg1_1: "f32[4, 1, 3, 2]", c3_arg2_1: "f32[2]", c4_arg0_1: "f32[1, 3, 3, 3]", c4_arg1_1: "f32[3, 2, 1, 1]", c5_arg0_1: "f32[3, 3, 3]", c5_arg1_1: "f32[3, 2, 2, 2]", c6_arg0_1: "f32[1, 2, 2, 3, 2]", c6_arg1_1: "f32[2, 2, 2, 1, 2]", c6_arg2_1: "f32[2]", c7_arg0_1: "f32[1, 2, 3, 4, 3]", c7_arg1_1: "f32[3, 2, 2, 2, 1]", c7_arg2_1: "f32[3]", c8_arg0_1: "f32[1, 2, 6]", c8_arg1_1: "f32[4, 1, 4]", c9_arg0_1: "f32[1, 2, 4, 5]", c9_arg1_1: "f32[3, 2, 2, 3]", c9_arg2_1: "f32[3]", c10_arg0_1: "f32[1, 1, 3, 3, 2]", c10_arg1_1: "f32[2, 1, 2, 3, 1]", c11_arg0_1: "f32[1, 4, 2, 3, 2]", c11_arg1_1: "f32[4, 3, 2, 2, 3]", c11_arg2_1: "f32[6]"):
        c0_conv_transpose1d: "f32[1, 3, 6]" = torch.ops.aten.conv_transpose1d.default(c0_arg0_1, c0_arg1_1, c0_arg2_1)
        c1_conv_transpose1d: "f32[2, 4, 12]" = torch.ops.aten.conv_transpose1d.default(c1_arg0_1, c1_arg1_1, None, [2], [1], [1], 2, [2])
        c2_conv_transpose2d: "f32[1, 3, 6, 7]" = torch.ops.aten.conv_transpose2d.input(c2_arg0_1, c2_arg1_1, c2_arg2_1, [2, 2])
        c3_conv_transpose2d: "f32[2, 2, 6, 3]" = torch.ops.aten.conv_transpose2d.input(c3_arg0_1, c3_arg1_1, c3_arg2_1, [2, 1], [1, 2], [1, 0], 2, [1, 3])
        c4_conv_transpose2d: "f32[1, 2, 3, 3]" = torch.ops.aten.conv_transpose2d.input(c4_arg0_1, c4_arg1_1, None)
        c5_conv_transpose2d: "f32[2, 4, 4]" = torch.ops.aten.conv_transpose2d.input(c5_arg0_1, c5_arg1_1, None, [2], [1])
        c6_conv_transpose3d: "f32[1, 2, 3, 5, 2]" = torch.ops.aten.conv_transpose3d.input(c6_arg0_1, c6_arg1_1, c6_arg2_1, [1, 2, 2], [0, 0, 1])
        c7_conv3d: "f32[1, 3, 4, 2, 3]" = torch.ops.aten.conv3d.default(c7_arg0_1, c7_arg1_1, c7_arg2_1, [1, 2, 1], [1, 0, 0])
        c8_conv1d: "f32[1, 4, 6]" = torch.ops.aten.conv1d.padding(c8_arg0_1, c8_arg1_1, None, [1], 'same', [1], 2)
        c9_conv2d: "f32[1, 3, 4, 5]" = torch.ops.aten.conv2d.padding(c9_arg0_1, c9_arg1_1, c9_arg2_1, [1, 1], 'same', [1, 2])
        c10_conv3d: "f32[1, 2, 3, 3, 2]" = torch.ops.aten.conv3d.padding(c10_arg0_1, c10_arg1_1, None, [1, 1, 1], 'same')
        c11_conv_transpose3d: "f32[1, 6, 3, 5, 3]" = torch.ops.aten.conv_transpose3d.input(c11_arg0_1, c11_arg1_1, c11_arg2_1, [2, 1, 2], [1, 0, 1], [1, 0, 0], 2, [1, 2, 1])
        return (c0_conv_transpose1d, c1_conv_transpose1d, c2_conv_transpose2d, c3_conv_transpose2d, c4_conv_transpose2d, c5_conv_transpose2d, c6_conv_transpose3d, c7_conv3d, c8_conv1d, c9_conv2d, c10_conv3d, c11_conv_transpose3d))fx";
};

struct group_1 {
    static constexpr std::string_view cases[] = {"avg_pool2d_backward.default 0", "convolution_backward.default 1", "_adaptive_avg_pool2d_backward.default 0", "convolution_backward.default 2"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[1, 1, 2, 2]", c0_arg1_1: "f32[1, 1, 4, 4]", c1_arg0_1: "f32[1, 4, 3, 3]", c1_arg1_1: "f32[1, 2, 6, 6]", c1_arg2_1: "f32[4, 1, 3, 3]", c2_arg0_1: "f32[2, 2, 2, 2]", c2_arg1_1: "f32[2, 2, 4, 6]", c3_arg0_1: "f32[2, 2, 4, 2, 1]", c3_arg1_1: "f32[2, 4, 3, 4, 3]", c3_arg2_1: "f32[2, 2, 2, 3, 2]"):
        c0_avg_pool2d_backward: "f32[1, 1, 4, 4]" = torch.ops.aten.avg_pool2d_backward.default(c0_arg0_1, c0_arg1_1, [2, 2], [2, 2], [0, 0], False, True, None)
        c1_convolution_backward = torch.ops.aten.convolution_backward.default(c1_arg0_1, c1_arg1_1, c1_arg2_1, [0], [2, 2], [1, 1], [1, 1], False, [0, 0], 2, [True, True, False])
        c1_getitem: "f32[1, 2, 6, 6]" = c1_convolution_backward[0]
        c1_getitem_1: "f32[4, 1, 3, 3]" = c1_convolution_backward[1]
        c2__adaptive_avg_pool2d_backward: "f32[2, 2, 4, 6]" = torch.ops.aten._adaptive_avg_pool2d_backward.default(c2_arg0_1, c2_arg1_1)
        c3_convolution_backward = torch.ops.aten.convolution_backward.default(c3_arg0_1, c3_arg1_1, c3_arg2_1, [2], [1, 2, 1], [1, 1, 0], [1, 1, 2], False, [0, 0, 0], 2, [True, True, True])
        c3_getitem: "f32[2, 4, 3, 4, 3]" = c3_convolution_backward[0]
        c3_getitem_1: "f32[2, 2, 2, 3, 2]" = c3_convolution_backward[1]
        c3_getitem_2: "f32[2]" = c3_convolution_backward[2]
        return (c0_avg_pool2d_backward, c1_getitem, c1_getitem_1, c2__adaptive_avg_pool2d_backward, c3_getitem, c3_getitem_1, c3_getitem_2))fx";
};

struct group_2 {
    static constexpr std::string_view cases[] = {"upsample_bilinear2d.vec 2", "upsample_linear1d.vec 0", "upsample_nearest1d.vec 0", "upsample_nearest2d.default 0", "upsample_nearest2d.vec 1", "upsample_bicubic2d.vec 0", "upsample_bicubic2d.vec 2", "upsample_nearest3d.vec 0", "upsample_trilinear3d.vec 1", "_upsample_nearest_exact2d.vec 1", "_upsample_bilinear2d_aa.vec 13", "_upsample_bicubic2d_aa.vec 14", "upsample_nearest1d.default 13", "upsample_bilinear2d.vec 12"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[1, 1, 4, 4]", c1_arg0_1: "f32[1, 2, 4]", c2_arg0_1: "f32[1, 2, 4]", c3_arg0_1: "f32[1, 2, 3, 3]", c4_arg0_1: "f32[1, 2, 3, 4]", c5_arg0_1: "f32[1, 2, 4, 5]", c6_arg0_1: "f32[2, 1, 3, 3]", c7_arg0_1: "f32[1, 2, 2, 3, 2]", c8_arg0_1: "f32[1, 2, 2, 3, 2]", c9_arg0_1: "f32[1, 2, 3, 4]", c10_arg0_1: "f32[1, 2, 23, 17]", c11_arg0_1: "f32[1, 1, 9, 9]", c12_arg0_1: "u8[2, 2, 5]", c13_arg0_1: "f32[2, 2, 4, 5][40, 1, 10, 2]"):
        c0_upsample_bilinear2d: "f32[1, 1, 2, 2]" = torch.ops.aten.upsample_bilinear2d.vec(c0_arg0_1, None, False, [0.5, 0.5])
        c1_upsample_linear1d: "f32[1, 2, 7]" = torch.ops.aten.upsample_linear1d.vec(c1_arg0_1, [7], False, None)
        c2_upsample_nearest1d: "f32[1, 2, 6]" = torch.ops.aten.upsample_nearest1d.vec(c2_arg0_1, [6], None)
        c3_upsample_nearest2d: "f32[1, 2, 6, 6]" = torch.ops.aten.upsample_nearest2d.default(c3_arg0_1, [6, 6])
        c4_upsample_nearest2d: "f32[1, 2, 5, 6]" = torch.ops.aten.upsample_nearest2d.vec(c4_arg0_1, [5, 6], None)
        c5_upsample_bicubic2d: "f32[1, 2, 6, 3]" = torch.ops.aten.upsample_bicubic2d.vec(c5_arg0_1, [6, 3], False, None)
        c6_upsample_bicubic2d: "f32[2, 1, 6, 4]" = torch.ops.aten.upsample_bicubic2d.vec(c6_arg0_1, None, False, [2.0, 1.5])
        c7_upsample_nearest3d: "f32[1, 2, 3, 4, 5]" = torch.ops.aten.upsample_nearest3d.vec(c7_arg0_1, [3, 4, 5], None)
        c8_upsample_trilinear3d: "f32[1, 2, 3, 4, 5]" = torch.ops.aten.upsample_trilinear3d.vec(c8_arg0_1, [3, 4, 5], True, None)
        c9__upsample_nearest_exact2d: "f32[1, 2, 6, 2]" = torch.ops.aten._upsample_nearest_exact2d.vec(c9_arg0_1, None, [2.0, 0.5])
        c10_made: "f32[1, 2, 5, 4]" = torch.ops.aten._upsample_bilinear2d_aa.vec(c10_arg0_1, [5, 4], False, None)
        c11_made: "f32[1, 1, 3, 20]" = torch.ops.aten._upsample_bicubic2d_aa.vec(c11_arg0_1, [3, 20], False, None)
        c12_made: "u8[2, 2, 8]" = torch.ops.aten.upsample_nearest1d.default(c12_arg0_1, [8], None)
        c13_made: "f32[2, 2, 7, 8][112, 1, 16, 2]" = torch.ops.aten.upsample_bilinear2d.vec(c13_arg0_1, [7, 8], False, None)
        return (c0_upsample_bilinear2d, c1_upsample_linear1d, c2_upsample_nearest1d, c3_upsample_nearest2d, c4_upsample_nearest2d, c5_upsample_bicubic2d, c6_upsample_bicubic2d, c7_upsample_nearest3d, c8_upsample_trilinear3d, c9__upsample_nearest_exact2d, c10_made, c11_made, c12_made, c13_made))fx";
};

struct group_3 {
    static constexpr std::string_view cases[] = {"argsort.default 0", "sort.default 0", "sort.default 2", "sort.stable 0", "sort.default 100", "topk.default 3", "topk.default 4", "topk.default 100"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[6]", c1_arg0_1: "f32[3, 5]", c2_arg0_1: "f32[4]", c3_arg0_1: "f32[5]", c4_arg0_1: "f32[2, 3, 4, 5][60, 1, 15, 3]", c5_arg0_1: "i64[8]", c6_arg0_1: "f32[4]", c7_arg0_1: "f32[2, 3, 4, 5][60, 1, 15, 3]"):
        c0_argsort: "i64[6]" = torch.ops.aten.argsort.default(c0_arg0_1)
        c1_sort = torch.ops.aten.sort.default(c1_arg0_1)
        c1_getitem: "f32[3, 5]" = c1_sort[0]
        c1_getitem_1: "i64[3, 5]" = c1_sort[1]
        c2_sort = torch.ops.aten.sort.default(c2_arg0_1)
        c2_getitem: "f32[4]" = c2_sort[0]
        c2_getitem_1: "i64[4]" = c2_sort[1]
        c3_sort = torch.ops.aten.sort.stable(c3_arg0_1, stable = True)
        c3_getitem: "f32[5]" = c3_sort[0]
        c3_getitem_1: "i64[5]" = c3_sort[1]
        c4_made = torch.ops.aten.sort.default(c4_arg0_1, 1)
        c4_getitem: "f32[2, 3, 4, 5][60, 1, 15, 3]" = c4_made[0]
        c4_getitem_1: "i64[2, 3, 4, 5][60, 1, 15, 3]" = c4_made[1]
        c5_topk = torch.ops.aten.topk.default(c5_arg0_1, 3)
        c5_getitem: "i64[3]" = c5_topk[0]
        c5_getitem_1: "i64[3]" = c5_topk[1]
        c6_topk = torch.ops.aten.topk.default(c6_arg0_1, 2)
        c6_getitem: "f32[2]" = c6_topk[0]
        c6_getitem_1: "i64[2]" = c6_topk[1]
        c7_made = torch.ops.aten.topk.default(c7_arg0_1, 2, 1)
        c7_getitem: "f32[2, 2, 4, 5][40, 20, 5, 1]" = c7_made[0]
        c7_getitem_1: "i64[2, 2, 4, 5][40, 20, 5, 1]" = c7_made[1]
        return (c0_argsort, c1_getitem, c1_getitem_1, c2_getitem, c2_getitem_1, c3_getitem, c3_getitem_1, c4_getitem, c4_getitem_1, c5_getitem, c5_getitem_1, c6_getitem, c6_getitem_1, c7_getitem, c7_getitem_1))fx";
};

struct group_4 {
    static constexpr std::string_view cases[] = {"flip.default 0", "roll.default 0", "tril.default 2", "triu.default 0", "tril.default 100"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[3, 4]", c1_arg0_1: "f32[3, 4]", c2_arg0_1: "b8[3, 3]", c3_arg0_1: "f32[3, 4]", c4_arg0_1: "f32[2, 3, 4, 5][60, 1, 15, 3]"):
        c0_flip: "f32[3, 4]" = torch.ops.aten.flip.default(c0_arg0_1, [0])
        c1_roll: "f32[3, 4]" = torch.ops.aten.roll.default(c1_arg0_1, [1], [0])
        c2_tril: "b8[3, 3]" = torch.ops.aten.tril.default(c2_arg0_1)
        c3_triu: "f32[3, 4]" = torch.ops.aten.triu.default(c3_arg0_1, 1)
        c4_made: "f32[2, 3, 4, 5][60, 20, 5, 1]" = torch.ops.aten.tril.default(c4_arg0_1)
        return (c0_flip, c1_roll, c2_tril, c3_triu, c4_made))fx";
};

} // namespace cases

int main() {
    using namespace cases;
    static_assert(ahead::compiled<ahead::fx<group_0>>::plan.ai_cpu_tasks == 0 && ahead::compiled<ahead::fx<group_1>>::plan.ai_cpu_tasks == 0 &&
                  ahead::compiled<ahead::fx<group_2>>::plan.ai_cpu_tasks == 0 && ahead::compiled<ahead::fx<group_3>>::plan.ai_cpu_tasks == 0 &&
                  ahead::compiled<ahead::fx<group_4>>::plan.ai_cpu_tasks == 0);
    const auto all = read_all_cases();
    const auto count = run_groups<group_0, group_1, group_2, group_3, group_4>(all);
    std::cout << count << " cases on the device\n";
    return test::report();
}
