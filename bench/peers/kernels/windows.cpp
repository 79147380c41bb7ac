// SPDX-License-Identifier: MIT
// What goes over images: pools, resizing, padding.
#include "kernels.hpp"

namespace {

using namespace bench;

constexpr made_text of_image(std::string_view operation) { return call({"f32[1, 64, 56, 56]"}, operation); }

[[maybe_unused]] const bool added[] = {
    add_kernel("max_pool_2x2",
               [] { return call({"f32[1, 64, 56, 56]"}, "max_pool2d_with_indices.default(a, [2, 2], [2, 2])", 1); }),
    add_kernel(
        "max_pool_3x3_s2",
        [] { return call({"f32[1, 64, 112, 112]"}, "max_pool2d_with_indices.default(a, [3, 3], [2, 2], [1, 1])", 1); }),
    add_kernel("max_pool_2x2_indices",
               [] { return call({"f32[1, 64, 56, 56]"}, "max_pool2d_with_indices.default(a, [2, 2], [2, 2])", 2); }),
    add_kernel("avg_pool_2x2", [] { return of_image("avg_pool2d.default(a, [2, 2], [2, 2])"); }),
    add_kernel("avg_pool_3x3_s1", [] { return of_image("avg_pool2d.default(a, [3, 3], [1, 1], [1, 1])"); }),
    add_kernel("avg_pool_backward",
               [] {
                   return call({"f32[1, 64, 28, 28]", "f32[1, 64, 56, 56]"},
                               "avg_pool2d_backward.default(a, b, [2, 2], [2, 2], [0, 0], False, True, None)");
               }),
    add_kernel("adaptive_avg_7", [] { return of_image("_adaptive_avg_pool2d.default(a, [7, 7])"); }),
    add_kernel("adaptive_max_7",
               [] { return call({"f32[1, 64, 56, 56]"}, "adaptive_max_pool2d.default(a, [7, 7])", 1); }),
    add_kernel("global_average", [] { return of_image("mean.dim(a, [2, 3], True)"); }),
    add_kernel("upsample_nearest", [] { return of_image("upsample_nearest2d.vec(a, None, [2.0, 2.0])"); }),
    add_kernel("upsample_bilinear", [] { return of_image("upsample_bilinear2d.vec(a, None, False, [2.0, 2.0])"); }),
    add_kernel("upsample_nearest_backward",
               [] {
                   return call({"f32[1, 64, 112, 112]"},
                               "upsample_nearest2d_backward.default(a, [112, 112], [1, 64, 56, 56])");
               }),
    add_kernel("upsample_bilinear_backward",
               [] {
                   return call({"f32[1, 64, 112, 112]"},
                               "upsample_bilinear2d_backward.default(a, [112, 112], [1, 64, 56, 56], False)");
               }),
    add_kernel("max_pool_backward",
               [] {
                   return call(
                       {"f32[1, 64, 28, 28]", "f32[1, 64, 56, 56]", "i64[1, 64, 28, 28]"},
                       "max_pool2d_with_indices_backward.default(a, b, [2, 2], [2, 2], [0, 0], [1, 1], False, c)");
               },
               {.ids = 3136}),
    add_kernel("pad_constant", [] { return of_image("constant_pad_nd.default(a, [1, 1, 1, 1], 0.0)"); }),
    add_kernel("pad_reflection", [] { return of_image("reflection_pad2d.default(a, [1, 1, 1, 1])"); }),
};

} // namespace
