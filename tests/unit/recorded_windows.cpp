// What PyTorch computed with windows, against the kernels (recorded/*.txt): convolutions that are transposed, of volumes or padded by word, gradients of
// convolutions and poolings, images resized; none of it is left to the AI CPU. What one case calls x is called c3_x here.
// SPDX-License-Identifier: MIT
#include "recorded_groups.hpp"

namespace cases {

struct group_0 {
    static constexpr std::string_view cases[] = {"conv_transpose1d.default 0", "conv_transpose1d.default 1", "conv_transpose2d.input 0", "conv_transpose2d.input 1", "conv_transpose2d.input 2", "conv_transpose2d.input 3", "conv_transpose3d.input 0", "conv3d.default 0", "conv1d.padding 1", "conv2d.padding 0", "conv3d.padding 0"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[1, 2, 4]", c0_arg1_1: "f32[2, 3, 3]", c0_arg2_1: "f32[3]", c1_arg0_1: "f32[2, 4, 5]", c1_arg1_1: "f32[4, 2, 3]", c2_arg0_1: "f32[1, 2, 3, 3]", c2_arg1_1: "f32[2, 3, 2, 3]", c2_arg2_1: "f32[3]", c3_arg0_1: "f32[2, 4, 3, 4]", c3_arg1_1: "f32[4, 1, 3, 2]", c3_arg2_1: "f32[2]", c4_arg0_1: "f32[1, 3, 3, 3]", c4_arg1_1: "f32[3, 2, 1, 1]", c5_arg0_1: "f32[3, 3, 3]", c5_arg1_1: "f32[3, 2, 2, 2]", c6_arg0_1: "f32[1, 2, 2, 3, 2]", c6_arg1_1: "f32[2, 2, 2, 1, 2]", c6_arg2_1: "f32[2]", c7_arg0_1: "f32[1, 2, 3, 4, 3]", c7_arg1_1: "f32[3, 2, 2, 2, 1]", c7_arg2_1: "f32[3]", c8_arg0_1: "f32[1, 2, 6]", c8_arg1_1: "f32[4, 1, 4]", c9_arg0_1: "f32[1, 2, 4, 5]", c9_arg1_1: "f32[3, 2, 2, 3]", c9_arg2_1: "f32[3]", c10_arg0_1: "f32[1, 1, 3, 3, 2]", c10_arg1_1: "f32[2, 1, 2, 3, 1]"):
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
        return (c0_conv_transpose1d, c1_conv_transpose1d, c2_conv_transpose2d, c3_conv_transpose2d, c4_conv_transpose2d, c5_conv_transpose2d, c6_conv_transpose3d, c7_conv3d, c8_conv1d, c9_conv2d, c10_conv3d))fx";
};

struct group_1 {
    static constexpr std::string_view cases[] = {"avg_pool2d_backward.default 0", "convolution_backward.default 1", "_adaptive_avg_pool2d_backward.default 0"};
    static constexpr std::string_view text = R"fx(class <lambda>(torch.nn.Module):
    def forward(self, c0_arg0_1: "f32[1, 1, 2, 2]", c0_arg1_1: "f32[1, 1, 4, 4]", c1_arg0_1: "f32[1, 4, 3, 3]", c1_arg1_1: "f32[1, 2, 6, 6]", c1_arg2_1: "f32[4, 1, 3, 3]", c2_arg0_1: "f32[2, 2, 2, 2]", c2_arg1_1: "f32[2, 2, 4, 6]"):
        c0_avg_pool2d_backward: "f32[1, 1, 4, 4]" = torch.ops.aten.avg_pool2d_backward.default(c0_arg0_1, c0_arg1_1, [2, 2], [2, 2], [0, 0], False, True, None)
        c1_convolution_backward = torch.ops.aten.convolution_backward.default(c1_arg0_1, c1_arg1_1, c1_arg2_1, [0], [2, 2], [1, 1], [1, 1], False, [0, 0], 2, [True, True, False])
        c1_getitem: "f32[1, 2, 6, 6]" = c1_convolution_backward[0]
        c1_getitem_1: "f32[4, 1, 3, 3]" = c1_convolution_backward[1]
        c2__adaptive_avg_pool2d_backward: "f32[2, 2, 4, 6]" = torch.ops.aten._adaptive_avg_pool2d_backward.default(c2_arg0_1, c2_arg1_1)
        return (c0_avg_pool2d_backward, c1_getitem, c1_getitem_1, c2__adaptive_avg_pool2d_backward))fx";
};

} // namespace cases

int main() {
    using namespace cases;
    static_assert(ahead::compiled<ahead::fx<group_0>>::plan.ai_cpu_tasks == 0 && ahead::compiled<ahead::fx<group_1>>::plan.ai_cpu_tasks == 0);
    case_by_name all;
    for (const auto& entry : std::filesystem::directory_iterator("recorded"))
        if (entry.path().extension() == ".txt") read_cases(entry.path(), all);
    const auto count = run_groups<group_0, group_1>(all);
    std::cout << count << " cases on the device\n";
    return test::report();
}
