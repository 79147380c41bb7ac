// SPDX-License-Identifier: MIT
// Products, two layers of which make the MLP of W2, and chains of pointwise operators.
#include "ahead_rows.hpp"

namespace {

using namespace ahead;

template <int M, int N>
inline constexpr auto product =
    trace([](input<"x", f32<M, N>> x, param<"w", f32<N, N>> w) { return outputs(mm(x, w)); });
inline constexpr auto product_bf16 =
    trace([](input<"x", dense<dtype::bf16, 256, 256>> x, param<"w", dense<dtype::bf16, 256, 256>> w) {
        return outputs(mm(x, w));
    });

template <int Batch>
inline constexpr auto mlp = trace(
    [](input<"x", f32<Batch, 784>> x, param<"first.weight", f32<512, 784>> u, param<"first.bias", f32<512>> a,
       param<"second.weight", f32<256, 512>> v, param<"second.bias", f32<256>> b, param<"third.weight", f32<10, 256>> w,
       param<"third.bias", f32<10>> c) { return outputs(linear(relu(linear(relu(linear(x, u, a)), v, b)), w, c)); });

template <std::int64_t N> // that of W7
inline constexpr auto pointwise = trace([](input<"x", f32<N>> x, input<"scale", f32<N>> scale) {
    auto first = tanh(add(mul(x, scale), 0.5));
    auto second = sigmoid(add(mul(first, 1.5), 0.25));
    return outputs(sigmoid(mul(tanh(sub(mul(second, scale), 0.5)), 2.0)));
});

[[maybe_unused]] const bool added[] = {
    bench::add_ahead<product<16, 16>>("gemm_16"),
    bench::add_ahead<product<32, 32>>("gemm_32"),
    bench::add_ahead<product<64, 64>>("gemm_64"),
    bench::add_ahead<product<128, 128>>("gemm_128"),
    bench::add_ahead<product<256, 256>>("gemm_256"),
    bench::add_ahead<product<512, 512>>("gemm_512"),
    bench::add_ahead<product<1024, 1024>>("gemm_1024"),
    bench::add_ahead<product<1, 256>>("gemv_256"),
    bench::add_ahead<product<1, 1024>>("gemv_1024"),
    bench::add_ahead<product<1, 4096>>("gemv_4096"),
    bench::add_ahead<product_bf16>("mm_256_bf16"),
    bench::add_ahead<mlp<1>>("w2_1"),
    bench::add_ahead<mlp<32>>("w2_32"),
    bench::add_ahead<pointwise<256>>("pointwise_256"),
    bench::add_ahead<pointwise<(1 << 20)>>("pointwise_1m"),
};

} // namespace
