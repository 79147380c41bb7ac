// SPDX-License-Identifier: MIT
// f16 and bf16 in memory, computed with as lanes of float: loads widen, stores round.
// Invariant: converts like core/float16.hpp, to the nearest, ties to even, with one exception: a signalling NaN may
// become a quiet one. Called by kernels of elements.
#pragma once
#include <ahead/core/float16.hpp>
#include <ahead/kernels/vector/simd.hpp>
#include <bit>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized" // g++ 12's AVX-512 intrinsics, as in simd.hpp
#endif

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

template <int N> using half_words = vector_of<std::uint16_t, N>; // the bits of f16 and bf16

template <int N> [[gnu::always_inline]] inline words<N> widened(half_words<N> bits) {
#ifdef __AVX512BW__
    if constexpr (N == 16) return std::bit_cast<words<N>>(_mm512_cvtepu16_epi32(std::bit_cast<__m256i>(bits)));
    else
#endif
#ifdef __AVX2__
        if constexpr (N == 8)
        return std::bit_cast<words<N>>(_mm256_cvtepu16_epi32(std::bit_cast<__m128i>(bits)));
    else
#endif
        return __builtin_convertvector(bits, words<N>);
}
template <int N> [[gnu::always_inline]] inline half_words<N> narrowed_bits(words<N> bits) {
#ifdef __AVX512BW__
    if constexpr (N == 16) return std::bit_cast<half_words<N>>(_mm512_cvtepi32_epi16(std::bit_cast<__m512i>(bits)));
    else
#endif
        return __builtin_convertvector(bits, half_words<N>);
}

/// The first Count of N bools as numbers; the rest is 0.
template <int N, int Count> [[gnu::always_inline]] inline words<N> load_bools(const bool* from) {
    vector_of<std::uint8_t, N> bytes{};
    std::memcpy(&bytes, from, Count);
#ifdef __AVX512F__
    if constexpr (N == 16) return std::bit_cast<words<N>>(_mm512_cvtepu8_epi32(std::bit_cast<__m128i>(bytes)));
    else
#endif
#ifdef __AVX2__
        if constexpr (N == 8)
        return std::bit_cast<words<N>>(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(std::bit_cast<long long>(bytes))));
    else
#endif
        return __builtin_convertvector(bytes, words<N>);
}

/// The bits of these elements converted to float.
template <class S, int N> [[gnu::always_inline]] inline words<N> float_bits(half_words<N> bits) {
    const auto wide = widened<N>(bits);
    if constexpr (std::is_same_v<S, bfloat16>) return wide << 16;
    else {
        const words<N> sign = (wide & 0x8000u) << 16, size = (wide & 0x7fffu) << 13;
        const auto scaled =
            std::bit_cast<words<N>>(std::bit_cast<vector_of<float, N>>(size) * 0x1p112f); // also for subnormals
        return sign | (size >= (0x7c00u << 13) ? size | 0x7f80'0000u : scaled);
    }
}
/// The upper halves are the bf16 nearest to these floats.
template <int N> [[gnu::always_inline]] inline words<N> nearest_bfloat16(words<N> bits) {
    const auto x = std::bit_cast<vector_of<float, N>>(bits);
    return x == x ? bits + (bits >> 16 & 1u) + 0x7fffu : bits | 0x40'0000u;
}
/// The elements nearest to these floats.
template <class S, int N> [[gnu::always_inline]] inline half_words<N> rounded_bits(words<N> bits) {
    if constexpr (std::is_same_v<S, bfloat16>) {
        return narrowed_bits<N>(nearest_bfloat16<N>(bits) >> 16);
    } else {
        const words<N> size = bits & 0x7fff'ffffu, sign = bits >> 16 & 0x8000u;
        const words<N> normal = (size - (112u << 23) + 0xfffu + (size >> 13 & 1u)) >> 13;
        // Below 2^-14: the last place of the sum with 1/2 is the last place of an f16.
        const auto little = std::bit_cast<words<N>>(std::bit_cast<vector_of<float, N>>(size) + 0.5f) - 0x3f00'0000u;
        const words<N> made = size > 0x7f80'0000u    ? 0x7e00u | (size >> 13 & 0x1ffu)
                              : size >= 0x477f'f000u ? words<N>{} + 0x7c00u
                              : size < (113u << 23)  ? little
                                                     : normal;
        return narrowed_bits<N>(sign | made);
    }
}

template <class S, int N> [[gnu::always_inline]] inline simd<float, N> from_bits(half_words<N> bits) {
#ifdef __F16C__
    if constexpr (std::is_same_v<S, float16> && N == 8)
        return {std::bit_cast<typename simd<float, N>::packet>(_mm256_cvtph_ps(std::bit_cast<__m128i>(bits)))};
#endif
#ifdef __AVX512F__
    if constexpr (std::is_same_v<S, float16> && N == 16)
        return {std::bit_cast<typename simd<float, N>::packet>(_mm512_cvtph_ps(std::bit_cast<__m256i>(bits)))};
#endif
    return {std::bit_cast<typename simd<float, N>::packet>(float_bits<S, N>(bits))};
}
template <class S, int N> [[gnu::always_inline]] inline half_words<N> to_bits(simd<float, N> x) {
#ifdef __F16C__
    if constexpr (std::is_same_v<S, float16> && N == 8)
        return std::bit_cast<half_words<N>>(_mm256_cvtps_ph(std::bit_cast<__m256>(x.value), _MM_FROUND_TO_NEAREST_INT));
#endif
#ifdef __AVX512F__
    if constexpr (std::is_same_v<S, float16> && N == 16)
        return std::bit_cast<half_words<N>>(_mm512_cvtps_ph(std::bit_cast<__m512>(x.value), _MM_FROUND_TO_NEAREST_INT));
#endif
#if defined(__AVX512BF16__) && defined(__AVX512DQ__)
    constexpr int subnormal = 0x20; // subnormal numbers, which the machine's rounding treats as zero
    if constexpr (std::is_same_v<S, bfloat16> && N == 16)
        if (_mm512_fpclass_ps_mask(std::bit_cast<__m512>(x.value), subnormal) == 0) [[likely]]
            return std::bit_cast<half_words<N>>(_mm512_cvtneps_pbh(std::bit_cast<__m512>(x.value)));
#endif
    return rounded_bits<S, N>(std::bit_cast<words<N>>(x.value));
}

} // namespace detail

/// The first Count of N elements of S, converted to C for computing; the rest is `fill`.
template <class C, int N, int Count, class S>
[[gnu::always_inline]] inline simd<C, N> load_as(const S* from, C fill = C(0)) {
    if constexpr (std::is_same_v<C, S>) return simd<C, N>::template load_first<Count>(from, fill);
    else if constexpr (N == 1) return simd<C, N>::all(static_cast<C>(*from));
    else {
        detail::half_words<N> bits;
        if constexpr (Count == N) std::memcpy(&bits, from, sizeof bits);
        else {
            alignas(64) S all[N];
            for (int i = Count; i < N; ++i) all[i] = S(fill);
            std::memcpy(static_cast<void*>(all), from, sizeof(S) * static_cast<std::size_t>(Count));
            std::memcpy(&bits, all, sizeof bits);
        }
        return detail::from_bits<S, N>(bits);
    }
}
/// Stores the first Count elements, rounded to S.
template <int Count, class C, int N, class S> [[gnu::always_inline]] inline void store_as(simd<C, N> x, S* to) {
    if constexpr (std::is_same_v<C, S>) x.template store_first<Count>(to);
    else if constexpr (N == 1) *to = S(x.value);
    else {
        const auto bits = detail::to_bits<S, N>(x);
        std::memcpy(static_cast<void*>(to), &bits, sizeof(S) * static_cast<std::size_t>(Count));
    }
}
/// The elements rounded to S.
template <class S, class C, int N> [[gnu::always_inline]] inline simd<C, N> rounded_to(simd<C, N> x) {
    if constexpr (std::is_same_v<C, S>) return x;
    else if constexpr (N == 1) return simd<C, N>::all(static_cast<C>(S(x.value)));
    else if constexpr (std::is_same_v<S, bfloat16>) { // a float whose lower bits are zero: no conversion to 16 bits
        const auto nearest = detail::nearest_bfloat16<N>(std::bit_cast<detail::words<N>>(x.value));
        return {std::bit_cast<typename simd<C, N>::packet>(nearest & 0xffff'0000u)};
    } else return detail::from_bits<S, N>(detail::to_bits<S, N>(x));
}

} // namespace ahead::kernels

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
