// SPDX-License-Identifier: MIT
// Sums of two products of bf16 in each lane of float: one instruction if it is as fast as a multiply-add of floats, two
// multiply-adds elsewhere.
// Invariant: products are exact, sums are floats. The instruction treats subnormal numbers as 0.
// Called by product/grouped_tiles.hpp and pair_matmul.hpp.
#pragma once
#include <ahead/kernels/vector/byte_products.hpp>
#include <ahead/kernels/vector/packet_math.hpp>
#include <ahead/kernels/vector/small_floats.hpp>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized" // g++ 12's AVX-512 intrinsics, as in simd.hpp
#endif

namespace AHEAD_NAMESPACE::kernels {

/// Whether the machine has vdpbf16ps and runs it at the rate of an fma. Measured: AMD's machines do (only these have
/// SSE4A): a product of 1024 takes 4.2 ms instead of 8.6; on Intel's, one takes 0.71 ns, the equivalent two fma 0.36.
#if defined(__AVX512BF16__) && defined(__AVX512VL__) && defined(__SSE4A__)
inline constexpr bool has_pair_products = true;
#else
inline constexpr bool has_pair_products = false;
#endif

namespace detail {

/// The first and the second element of each pair, as floats.
template <int N> [[gnu::always_inline]] inline simd<float, N> first_of_pairs(quads<N> pairs) {
    return {std::bit_cast<typename simd<float, N>::packet>(std::bit_cast<words<N>>(pairs.value) << 16)};
}
template <int N> [[gnu::always_inline]] inline simd<float, N> second_of_pairs(quads<N> pairs) {
    return {std::bit_cast<typename simd<float, N>::packet>(std::bit_cast<words<N>>(pairs.value) & 0xffff'0000u)};
}

/// The first Count of N pairs of an element of `first` and one of `second`; the rest is 0. second may be null: zeros.
template <int N, int Count>
[[gnu::always_inline]] inline quads<N> pairs_of(const bfloat16* first, const bfloat16* second) {
    half_words<N> low{}, high{};
    std::memcpy(&low, first, sizeof(bfloat16) * Count);
    if (second != nullptr) std::memcpy(&high, second, sizeof(bfloat16) * Count);
    return {std::bit_cast<typename quads<N>::packet>(widened<N>(low) | widened<N>(high) << 16)};
}

/// Converts a panel of Width pairs a row to K rows of floats.
template <std::int64_t K, int Width> inline void widen_pairs(const bfloat16* panel, float* to) {
    constexpr int N = lanes_within<float>(Width);
    for (std::int64_t k = 0; k < K; k += 2, panel += 2 * Width, to += 2 * Width)
        unroll<Width / N>([&](int v) __attribute__((always_inline)) {
            const auto pairs = load_quads<N>(panel + 2 * v * N);
            first_of_pairs<N>(pairs).store(to + v * N);
            if (K % 2 == 0 || k + 1 < K) second_of_pairs<N>(pairs).store(to + Width + v * N);
        });
}

} // namespace detail

/// sum + the two products of each pair of `a` with that of `b`.
template <int N>
[[gnu::always_inline]] inline simd<float, N> add_products(simd<float, N> sum, quads<N> a, quads<N> b) {
#if defined(__AVX512BF16__) && defined(__AVX512VL__) && defined(__SSE4A__)
    using packet = typename simd<float, N>::packet;
    if constexpr (N == 16)
        return {std::bit_cast<packet>(_mm512_dpbf16_ps(
            std::bit_cast<__m512>(sum.value), std::bit_cast<__m512bh>(a.value), std::bit_cast<__m512bh>(b.value)))};
    if constexpr (N == 8)
        return {std::bit_cast<packet>(_mm256_dpbf16_ps(
            std::bit_cast<__m256>(sum.value), std::bit_cast<__m256bh>(a.value), std::bit_cast<__m256bh>(b.value)))};
    if constexpr (N == 4)
        return {std::bit_cast<packet>(_mm_dpbf16_ps(std::bit_cast<__m128>(sum.value), std::bit_cast<__m128bh>(a.value),
                                                    std::bit_cast<__m128bh>(b.value)))};
#endif
    sum = fma(detail::second_of_pairs<N>(a), detail::second_of_pairs<N>(b), sum);
    return fma(detail::first_of_pairs<N>(a), detail::first_of_pairs<N>(b), sum);
}
/// sum + the four products of each quad, see add_byte_products.
template <int N> [[gnu::always_inline]] inline quads<N> add_products(quads<N> sum, quads<N> a, quads<N> b) {
    return add_byte_products(sum, a, b);
}

} // namespace ahead::kernels

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
