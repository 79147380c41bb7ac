// SPDX-License-Identifier: MIT
// Products, the MLP of mnist_mlp, and activations.
#include <run/graphs.hpp>

#include "ahead_rows.hpp"

namespace {

using namespace ahead;
using namespace ahead::rooms;

template <int M, int N>
inline constexpr auto product =
    trace([](input<"x", f32<M, N>> x, param<"w", f32<N, N>> w) { return outputs(mm(x, w)); });

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
    bench::add_ahead<bench::graphs::mlp<1, 784, 512, 256, 10>>("mnist_mlp_1"),
    bench::add_ahead<bench::graphs::mlp<32, 784, 512, 256, 10>>("mnist_mlp_32"),
    bench::add_ahead<bench::graphs::activations<256>>("pointwise_256"),
    bench::add_ahead<bench::graphs::activations<(1 << 20)>>("pointwise_1m"),
};

} // namespace
