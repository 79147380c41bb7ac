// SPDX-License-Identifier: MIT
// Layers as PyTorch's quantized exports have them, u8 by i8 and quantised again: in integers, and, as "ahead_f32", with
// config::fuse_quantized off, dequantised, computed in f32 and quantised.
#include "ahead_rows.hpp"

namespace {

using namespace ahead;
using namespace ahead::rooms;

/// What follows both: a scale for each filter, relu, a result of u8.
constexpr auto quantised(const auto& y) { return quantize_per_tensor<dtype::u8, 0, 255>(relu(y), 0.25, 3); }
constexpr auto dequantised(const auto& x) { return dequantize_per_tensor<dtype::u8, 0, 255>(x, 0.015625, 117); }

inline constexpr auto layer = trace([](input<"x", u8<256, 1024>> x, param<"w", i8<1024, 1024>> w,
                                       param<"s", f32<1024>> s, param<"z", i64<1024>> z, param<"b", f32<1024>> b) {
    return outputs(quantised(linear(dequantised(x), dequantize_per_channel<dtype::i8, -128, 127, 0>(w, s, z), b)));
});
template <std::int64_t Filters, std::int64_t Kernel>
inline constexpr auto convolved =
    trace([](input<"x", u8<1, 64, 56, 56>> x, param<"w", i8<Filters, 64, Kernel, Kernel>> w, param<"s", f32<Filters>> s,
             param<"z", i64<Filters>> z, param<"b", f32<Filters>> b) {
        const auto weight = dequantize_per_channel<dtype::i8, -128, 127, 0>(w, s, z);
        return outputs(quantised(conv2d<padding<Kernel / 2, Kernel / 2>>(dequantised(x), weight, b)));
    });

inline constexpr config not_fused{.cores = AHEAD_BENCH_CORES, .fuse_quantized = false};
using in_f32 = bench::on_cores<AHEAD_BENCH_CORES>::with_options<not_fused>;
template <const auto& Net> bool add_both(const char* row) {
    using compiled = ::ahead::compiled<Net, in_f32>;
    using subject = bench::program<compiled, threaded_session<compiled>>;
    bench::entries().push_back({row, "ahead_f32", AHEAD_BENCH_CORES, [](const bench::row_tensors& t) {
                                    return std::make_unique<bench::contending<subject>>(t);
                                }});
    return bench::add_ahead<Net>(row);
}

[[maybe_unused]] const bool added[] = {
    add_both<layer>("linear_u8"),
    add_both<convolved<64, 3>>("conv_3x3_u8"),
    add_both<convolved<256, 1>>("conv_1x1_u8"),
};

} // namespace
