// SPDX-License-Identifier: MIT
// Products and convolutions, of weights that are prepared, and of two inputs, as they lie; each against its
// multiply-adds alone.
#include "kernels.hpp"

namespace {

using namespace bench;

constexpr bound cubed(double n) { return {.multiply_adds = n * n * n}; }
constexpr made_text square(std::string_view type, std::string_view operation) { return call({type, type}, operation); }

[[maybe_unused]] const bool added[] = {
    add_kernel(
        "mm_256_in_place", [] { return square("f32[256, 256]", "mm.default(a, b)"); }, {}, cubed(256)),
    add_kernel(
        "mm_1024_in_place", [] { return square("f32[1024, 1024]", "mm.default(a, b)"); }, {}, cubed(1024)),
    add_kernel(
        "mm_2048_in_place", [] { return square("f32[2048, 2048]", "mm.default(a, b)"); }, {}, cubed(2048)),
    add_kernel(
        "mm_256_f16", [] { return square("f16[256, 256]", "mm.default(a, b)"); }, {.in_libtorch = false}, cubed(256)),
    add_kernel(
        "mm_256_bf16", [] { return square("bf16[256, 256]", "mm.default(a, b)"); }, {.tolerance = 0.02}, cubed(256)),
    add_kernel(
        "mm_256_i8", [] { return square("i8[256, 256]", "_int_mm.default(a, b)"); }, {.ids = 100, .in_libtorch = false},
        cubed(256)),
    add_kernel<true>(
        "mm_1024_packed", [] { return call({"f32[1024, 1024]"}, "mm.default(a, w)", 0, {"f32[1024, 1024]"}); }, {},
        cubed(1024)),
    add_kernel<true>(
        "mm_2048_packed", [] { return call({"f32[2048, 2048]"}, "mm.default(a, w)", 0, {"f32[2048, 2048]"}); }, {},
        cubed(2048)),
    add_kernel("gemv_256", [] { return call({"f32[256, 256]", "f32[256]"}, "mv.default(a, b)"); }, {},
               {.bytes = 2 * 256 * 256 * 4}),
    add_kernel("gemv_1024", [] { return call({"f32[1024, 1024]", "f32[1024]"}, "mv.default(a, b)"); }),
    add_kernel("gemv_4096", [] { return call({"f32[4096, 4096]", "f32[4096]"}, "mv.default(a, b)"); }),
    add_kernel("bmm_12x128x64", [] { return call({"f32[12, 128, 64]", "f32[12, 64, 128]"}, "bmm.default(a, b)"); }, {},
               {.multiply_adds = 12. * 128 * 64 * 128}),
    add_kernel("attention_8x512x64",
               [] {
                   return call({"f32[1, 8, 512, 64]", "f32[1, 8, 512, 64]", "f32[1, 8, 512, 64]"},
                               "scaled_dot_product_attention.default(a, b, c)");
               },
               {.in_libtorch = false}, {.multiply_adds = 2. * 8 * 512 * 512 * 64}),
};

} // namespace
