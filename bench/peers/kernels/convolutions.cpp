// SPDX-License-Identifier: MIT
// Convolutions of weights that are prepared, each against its multiply-adds alone.
#include "kernels.hpp"

namespace {

using namespace bench;

[[maybe_unused]] const bool added[] = {
    add_kernel<true>("conv_64_56",
                     [] {
                         return call({"f32[1, 64, 56, 56]"},
                                     "convolution.default(a, w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)", 0,
                                     {"f32[64, 64, 3, 3]"});
                     },
                     {}, {.multiply_adds = 64. * 64 * 9 * 56 * 56}),
    add_kernel<true>("conv_transpose_64_32_28",
                     [] {
                         return call({"f32[1, 64, 28, 28]"},
                                     "convolution.default(a, w, None, [2, 2], [1, 1], [1, 1], True, [0, 0], 1)", 0,
                                     {"f32[64, 32, 4, 4]"});
                     },
                     {}, {.multiply_adds = 64. * 32 * 16 * 28 * 28}),
    add_kernel<true>("depthwise_3x3_144_56",
                     [] {
                         return call({"f32[1, 144, 56, 56]"},
                                     "convolution.default(a, w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 144)", 0,
                                     {"f32[144, 1, 3, 3]"});
                     },
                     {}, {.multiply_adds = 144. * 9 * 56 * 56}),
    add_kernel<true>("depthwise_7x7_96_56",
                     [] {
                         return call({"f32[1, 96, 56, 56]"},
                                     "convolution.default(a, w, None, [1, 1], [3, 3], [1, 1], False, [0, 0], 96)", 0,
                                     {"f32[96, 1, 7, 7]"});
                     },
                     {}, {.multiply_adds = 96. * 49 * 56 * 56}),
    add_kernel<true>("conv_channels_last_7x7_96_56", // as ConvNeXt has it
                     [] {
                         return call({"f32[1, 56, 56, 96]"},
                                     "permute.default(a, [0, 3, 1, 2])\n"
                                     "    x = torch.ops.aten.convolution.default(z, w, None, [1, 1], [3, 3], [1, 1], "
                                     "False, [0, 0], 96)\n"
                                     "    t = torch.ops.aten.permute.default(x, [0, 2, 3, 1])\n"
                                     "    y = torch.ops.aten.clone.default(t, memory_format = torch.contiguous_format)",
                                     0, {"f32[96, 1, 7, 7]"});
                     },
                     {}, {.multiply_adds = 96. * 49 * 56 * 56}),
    add_kernel<true>("conv_1d_64_1024",
                     [] {
                         return call({"f32[1, 64, 1024]"},
                                     "convolution.default(a, w, None, [1], [1], [1], False, [0], 1)", 0,
                                     {"f32[64, 64, 3]"});
                     },
                     {}, {.multiply_adds = 64. * 64 * 3 * 1024}),
    add_kernel<true>("conv_3d_16_16x28x28",
                     [] {
                         return call({"f32[1, 16, 16, 28, 28]"},
                                     "convolution.default(a, w, None, [1, 1, 1], [1, 1, 1], [1, 1, 1], False, "
                                     "[0, 0, 0], 1)",
                                     0, {"f32[16, 16, 3, 3, 3]"});
                     },
                     {}, {.multiply_adds = 16. * 16 * 27 * 16 * 28 * 28}),
    add_kernel("conv_inputs_64_28",
               [] {
                   return call({"f32[1, 64, 28, 28]", "f32[64, 64, 3, 3]"},
                               "convolution.default(a, b, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)");
               },
               {}, {.multiply_adds = 64. * 64 * 9 * 28 * 28}),
    add_kernel("conv_backward_64_28",
               [] {
                   return call({"f32[1, 64, 28, 28]", "f32[1, 64, 28, 28]", "f32[64, 64, 3, 3]"},
                               "convolution_backward.default(a, b, c, [64], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, "
                               "[True, True, True])",
                               3);
               },
               {}, {.multiply_adds = 2. * 64 * 64 * 9 * 28 * 28}),
};

} // namespace
