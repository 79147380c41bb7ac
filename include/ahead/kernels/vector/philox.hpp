// SPDX-License-Identifier: MIT
// Philox in vectors: a block of four words in each lane, as computed by core/philox.hpp.
// Invariant: the words of core/random_numbers.hpp, in the same order, whatever the vector width.
#pragma once
#include <ahead/core/philox.hpp>
#include <ahead/kernels/vector/simd.hpp>
#include <bit>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

inline constexpr int blocks_together = std::max(2, widest<double>);

/// The lower halves times b. g++ generates three or more instructions where the machine has one.
template <int N>
[[gnu::always_inline]] inline vector_of<std::uint64_t, N> times_words(vector_of<std::uint64_t, N> a, std::uint32_t b) {
    using words = vector_of<std::uint64_t, N>;
#ifdef __AVX512F__
    if constexpr (N == 8)
        return std::bit_cast<words>(_mm512_mul_epu32(std::bit_cast<__m512i>(a), _mm512_set1_epi64(b)));
#endif
#ifdef __AVX2__
    if constexpr (N == 4)
        return std::bit_cast<words>(_mm256_mul_epu32(std::bit_cast<__m256i>(a), _mm256_set1_epi64x(b)));
#endif
#ifdef __SSE2__
    if constexpr (N == 2) return std::bit_cast<words>(_mm_mul_epu32(std::bit_cast<__m128i>(a), _mm_set1_epi64x(b)));
#endif
    return (a & 0xffff'ffffu) * b;
}

} // namespace detail

/// The 4 * Blocks words of the blocks from `first` on, modulo 2^62, whose third counter word is `half`. to: aligned to
/// 8 bytes.
template <int Blocks>
inline void philox_words(std::uint64_t first, std::uint32_t half, std::uint64_t seed, std::uint32_t* to) {
    constexpr int N = detail::blocks_together;
    using wide_words = detail::vector_of<std::uint64_t, N>;
    constexpr auto lane = []<std::uint64_t... Nth>(std::integer_sequence<std::uint64_t, Nth...>) {
        return wide_words{Nth...};
    }(std::make_integer_sequence<std::uint64_t, N>{});
    constexpr int together = 2; // two, so that their rounds overlap
    static_assert(Blocks % (together * N) == 0);
    for (int block = 0; block < Blocks; block += together * N, to += 4 * together * N) {
        wide_words a[together], b[together], c[together], d[together]; // the lower half of each lane is the word
        unroll<together>([&](int k) __attribute__((always_inline)) {
            a[k] = (lane + (first + static_cast<std::uint64_t>(block + k * N))) & (~std::uint64_t{0} >> 2);
            b[k] = a[k] >> 32;
            c[k] = half + wide_words{};
            d[k] = wide_words{};
        });
        auto key = static_cast<std::uint32_t>(seed), other = static_cast<std::uint32_t>(seed >> 32);
        for (int round = 0; round < 10; ++round) {
            unroll<together>([&](int k) __attribute__((always_inline)) {
                const auto one = detail::times_words<N>(a[k], philox_factors[0]),
                           two = detail::times_words<N>(c[k], philox_factors[1]);
                a[k] = (two >> 32) ^ b[k] ^ key;
                b[k] = two;
                c[k] = (one >> 32) ^ d[k] ^ other;
                d[k] = one;
            });
            key += philox_key_steps[0];
            other += philox_key_steps[1];
        }
        unroll<together>([&](int k) __attribute__((always_inline)) {
            using pairs = simd<std::uint64_t, N>;
            const pairs even{(a[k] & 0xffff'ffffu) | b[k] << 32}, odd{(c[k] & 0xffff'ffffu) | d[k] << 32};
            auto* const out = reinterpret_cast<std::uint64_t*>(to + 4 * k * N);
            pairs::template side_by_side<0>(even, odd).store(out);
            pairs::template side_by_side<1>(even, odd).store(out + N);
        });
    }
}

} // namespace ahead::kernels
