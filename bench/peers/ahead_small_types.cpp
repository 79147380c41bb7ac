// SPDX-License-Identifier: MIT
// Products and activations in bf16, products in i8.
#include <run/graphs.hpp>

#include "ahead_rows.hpp"

namespace {

using namespace ahead;
using namespace ahead::rooms;

template <dtype Type, int N> using square = dense<Type, N, N>;
template <int N>
inline constexpr auto in_bf16 =
    trace([](input<"x", square<dtype::bf16, N>> x, param<"w", square<dtype::bf16, N>> w) { return outputs(mm(x, w)); });
template <int N>
inline constexpr auto in_i8 =
    trace([](input<"x", square<dtype::i8, N>> x, param<"w", square<dtype::i8, N>> w) { return outputs(int_mm(x, w)); });

[[maybe_unused]] const bool added[] = {
    bench::add_ahead<in_bf16<256>>("mm_256_bf16"),
    bench::add_ahead<in_bf16<1024>>("mm_1024_bf16"),
    bench::add_ahead<in_i8<256>>("mm_256_i8"),
    bench::add_ahead<in_i8<1024>>("mm_1024_i8"),
    bench::add_ahead<bench::graphs::activations<(1 << 20), dtype::bf16>>("pointwise_1m_bf16"),
};

} // namespace
