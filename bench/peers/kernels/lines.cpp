// SPDX-License-Identifier: MIT
// What goes along lines: softmax, norms, reductions, scans, sorting.
#include "kernels.hpp"

namespace {

using namespace bench;

constexpr made_text of_rows(std::string_view operation) { return call({"f32[1024, 1024]"}, operation); }
constexpr made_text of_image(std::string_view operation) { return call({"f32[4096, 4096]"}, operation); }

[[maybe_unused]] const bool added[] = {
    add_kernel("softmax_512x512", [] { return call({"f32[512, 512]"}, "_softmax.default(a, -1, False)"); }),
    add_kernel("softmax_16x50257", [] { return call({"f32[16, 50257]"}, "_softmax.default(a, -1, False)"); }),
    add_kernel("softmax_1024x128", [] { return call({"f32[1024, 128]"}, "_softmax.default(a, -1, False)"); }),
    add_kernel("softmax_masked_1024x128",
               [] {
                   return call({"f32[1024, 128]", "f32[1024, 128]"},
                               "add.Tensor(a, b)\n    y = torch.ops.aten._softmax.default(z, -1, False)");
               }),
    add_kernel("softmax_dim0_512x512", [] { return call({"f32[512, 512]"}, "_softmax.default(a, 0, False)"); }),
    add_kernel("log_softmax_512x512", [] { return call({"f32[512, 512]"}, "_log_softmax.default(a, -1, False)"); }),
    add_kernel("softmax_backward_512x512",
               [] {
                   return call({"f32[512, 512]", "f32[512, 512]"},
                               "_softmax_backward_data.default(a, b, -1, torch.float32)");
               }),
    add_kernel(
        "layer_norm_128x768",
        [] { return call({"f32[128, 768]", "f32[768]", "f32[768]"}, "layer_norm.default(a, [768], b, c, 1e-05)"); }),
    add_kernel("layer_norm_backward_128x768",
               [] {
                   return call({"f32[128, 768]", "f32[128, 768]", "f32[128, 1]", "f32[128, 1]", "f32[768]", "f32[768]"},
                               "native_layer_norm_backward.default(a, b, [768], c, d, e, f, [True, True, True])", 3);
               }),
    add_kernel("group_norm_64_56",
               [] {
                   return call({"f32[1, 64, 56, 56]", "f32[64]", "f32[64]"},
                               "native_group_norm.default(a, b, c, 1, 64, 3136, 8, 1e-05)", 1);
               }),
    add_kernel("sum_dim0", [] { return of_image("sum.dim_IntList(a, [0])"); }),
    add_kernel("sum_dim1", [] { return of_image("sum.dim_IntList(a, [1])"); }),
    add_kernel("amax_dim0", [] { return of_image("amax.default(a, [0])"); }),
    add_kernel("amax_dim1", [] { return of_image("amax.default(a, [1])"); }),
    add_kernel("mean_1m", [] { return of_rows("mean.default(a)"); }),
    add_kernel("var_dim1", [] { return of_rows("var.correction(a, [1], correction = 1)"); }),
    add_kernel("cumsum_dim0", [] { return of_rows("cumsum.default(a, 0)"); }),
    add_kernel("cumsum_dim1", [] { return of_rows("cumsum.default(a, 1)"); }),
    add_kernel("argmax_dim0", [] { return of_rows("argmax.default(a, 0)"); }),
    add_kernel("argmax_dim1", [] { return of_rows("argmax.default(a, 1)"); }),
    add_kernel("argmax_1m", [] { return call({"f32[1048576]"}, "argmax.default(a)"); }),
    add_kernel("max_dim1", [] { return call({"f32[1024, 1024]"}, "max.dim(a, 1)", 2); }),
    add_kernel("sort_1m", [] { return call({"f32[1048576]"}, "sort.default(a)", 1); }, {}, {.sorts = true}),
    add_kernel("argsort_1m", [] { return call({"f32[1048576]"}, "argsort.default(a)"); }, {.tolerance = INFINITY},
               {.sorts = true}),
    add_kernel("topk_1m", [] { return call({"f32[1048576]"}, "topk.default(a, 100)", 1); }),
    add_kernel("topk_rows", [] { return call({"f32[1024, 1024]"}, "topk.default(a, 10)", 1); }),
};

} // namespace
