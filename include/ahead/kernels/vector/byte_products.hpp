// SPDX-License-Identifier: MIT
// Sums of four products of bytes, unsigned by signed, in each lane of 32 bits: one instruction if the machine has it
// (VNNI), two multiply-adds of 16 bits on other x86, plain arithmetic elsewhere; and bytes as lanes of floats.
// Invariant: exact, modulo 2^32, on every machine. Called by product/int_matmul.hpp, product/weight_int8_matmul.hpp.
#pragma once
#include <ahead/kernels/vector/simd.hpp>
#include <bit>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized" // g++ 12's AVX-512 intrinsics, as in simd.hpp
#endif

namespace AHEAD_NAMESPACE::kernels {

/// 32-bit lanes of a vector as wide as the widest register of floats: each lane holds four bytes, or a sum.
inline constexpr int quad_lanes = widest<float>;
template <int N> using quads = simd<std::int32_t, N>;

namespace detail {

/// For each 32-bit lane, the sum of the products of its two halves, as signed 16-bit numbers.
template <int N> [[gnu::always_inline]] inline quads<N> multiply_halves(words<N> a, words<N> b) {
#ifdef __AVX512BW__
    if constexpr (N == 16)
        return {std::bit_cast<typename quads<N>::packet>(
            _mm512_madd_epi16(std::bit_cast<__m512i>(a), std::bit_cast<__m512i>(b)))};
#endif
#ifdef __AVX2__
    if constexpr (N == 8)
        return {std::bit_cast<typename quads<N>::packet>(
            _mm256_madd_epi16(std::bit_cast<__m256i>(a), std::bit_cast<__m256i>(b)))};
#endif
#ifdef __SSE2__
    if constexpr (N == 4)
        return {std::bit_cast<typename quads<N>::packet>(
            _mm_madd_epi16(std::bit_cast<__m128i>(a), std::bit_cast<__m128i>(b)))};
#endif
    using whole = typename quads<N>::packet;
    const auto low = [](words<N> x) __attribute__((always_inline)) { return std::bit_cast<whole>(x << 16) >> 16; };
    const auto high = [](words<N> x) __attribute__((always_inline)) { return std::bit_cast<whole>(x) >> 16; };
    return {low(a) * low(b) + high(a) * high(b)};
}

} // namespace detail

/// sum + the products of `a`, bytes from 0 to 255, with `b`, bytes from -128 to 127.
template <int N> [[gnu::always_inline]] inline quads<N> add_byte_products(quads<N> sum, quads<N> a, quads<N> b) {
#ifdef __AVX512VNNI__
    if constexpr (N == 16)
        return {std::bit_cast<typename quads<N>::packet>(_mm512_dpbusd_epi32(
            std::bit_cast<__m512i>(sum.value), std::bit_cast<__m512i>(a.value), std::bit_cast<__m512i>(b.value)))};
#endif
#ifdef __AVXVNNI__
    if constexpr (N == 8)
        return {std::bit_cast<typename quads<N>::packet>(_mm256_dpbusd_avx_epi32(
            std::bit_cast<__m256i>(sum.value), std::bit_cast<__m256i>(a.value), std::bit_cast<__m256i>(b.value)))};
#endif
    using detail::words;
    using halves = detail::vector_of<std::int16_t, 2 * N>;
    const auto u = std::bit_cast<words<N>>(a.value), s = std::bit_cast<words<N>>(b.value);
    const auto second = std::bit_cast<words<N>>(std::bit_cast<halves>(s) >> 8); // bytes 1 and 3, and 0 and 2
    const auto first = std::bit_cast<words<N>>(std::bit_cast<halves>(std::bit_cast<halves>(s) << 8) >> 8);
    const auto made = std::bit_cast<words<N>>(detail::multiply_halves<N>(u & 0x00ff'00ffu, first).value) +
                      std::bit_cast<words<N>>(detail::multiply_halves<N>(u >> 8 & 0x00ff'00ffu, second).value) +
                      std::bit_cast<words<N>>(sum.value);
    return {std::bit_cast<typename quads<N>::packet>(made)};
}

/// N quads of bytes from memory.
template <int N> [[gnu::always_inline]] inline quads<N> load_quads(const void* from) {
    quads<N> out;
    std::memcpy(&out.value, from, sizeof out.value);
    return out;
}
/// Four bytes from memory, in all lanes.
template <int N> [[gnu::always_inline]] inline quads<N> spread_quad(const void* from) {
    std::int32_t quad;
    std::memcpy(&quad, from, sizeof quad);
    return quads<N>::all(quad);
}
/// The first Count of N bytes as numbers; the rest is 0.
template <class T, int N, int Count> [[gnu::always_inline]] inline simd<T, N> load_int8(const std::int8_t* from) {
    if constexpr (N == 1) return simd<T, N>::all(static_cast<T>(*from));
    else {
        detail::vector_of<std::int8_t, N> bytes{};
        std::memcpy(&bytes, from, Count);
#ifdef __AVX512F__ // g++ 12 converts one element after the other
        if constexpr (N == 16 && std::is_same_v<T, float>)
            return {_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(std::bit_cast<__m128i>(bytes)))};
#endif
#ifdef __AVX2__
        if constexpr (N == 8 && std::is_same_v<T, float>)
            return {_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_cvtsi64_si128(std::bit_cast<long long>(bytes))))};
#endif
        return {__builtin_convertvector(__builtin_convertvector(bytes, detail::vector_of<std::int32_t, N>),
                                        typename simd<T, N>::packet)};
    }
}
/// -128 times the sum of `count` bytes, modulo 2^32. pre: count is a multiple of the lanes' bytes
template <int N>
[[gnu::always_inline]] inline std::int32_t zero_point_correction(const std::int8_t* from, std::int64_t count) {
    auto sum = quads<N>::zero();
    for (std::int64_t i = 0; i < count; i += 4 * N)
        sum = add_byte_products(sum, quads<N>::all(static_cast<std::int32_t>(0x8080'8080u)), load_quads<N>(from + i));
    std::uint32_t total = 0;
    unroll<N>([&](int i) __attribute__((always_inline)) { total -= static_cast<std::uint32_t>(sum.value[i]); });
    return static_cast<std::int32_t>(total);
}

/// The sum of `count` bytes, signed or not. pre: count is a multiple of the lanes' bytes
template <int N, bool Signed>
[[gnu::always_inline]] inline std::int32_t sum_of_bytes(const std::int8_t* from, std::int64_t count) {
    auto sum = quads<N>::zero();
    const auto ones = quads<N>::all(0x0101'0101);
    for (std::int64_t i = 0; i < count; i += 4 * N) {
        const auto bytes = load_quads<N>(from + i);
        sum = Signed ? add_byte_products(sum, ones, bytes) : add_byte_products(sum, bytes, ones);
    }
    std::uint32_t total = 0;
    unroll<N>([&](int i) __attribute__((always_inline)) { total += static_cast<std::uint32_t>(sum.value[i]); });
    return static_cast<std::int32_t>(total);
}

/// to[j] = the quad of byte j of each of the four rows, for sixteen bytes; with Turned the sign bits are inverted, so
/// that -128 becomes 0.
template <bool Turned = true>
[[gnu::always_inline]] inline void pack_vnni4(const std::int8_t* const (&rows)[4], std::uint8_t* to) {
    using bytes = detail::vector_of<std::uint8_t, 16>;
    using halves = detail::vector_of<std::uint16_t, 8>;
    bytes row[4];
    unroll<4>([&](int q) __attribute__((always_inline)) {
        std::memcpy(&row[q], rows[q], sizeof row[q]);
        if constexpr (Turned) row[q] ^= 0x80;
    });
    const auto mixed = [](const auto& x, const auto& y, auto from) __attribute__((always_inline)) { // low or high half
        constexpr int size = static_cast<int>(sizeof x / sizeof x[0]), begin = from * size / 2;
        return [&]<int... Nth>(std::integer_sequence<int, Nth...>) __attribute__((always_inline)) {
            return __builtin_shufflevector(x, y, (begin + Nth / 2 + Nth % 2 * size)...);
        }(std::make_integer_sequence<int, size>{});
    };
    unroll<2>([&](auto half) __attribute__((always_inline)) {
        const auto first = std::bit_cast<halves>(mixed(row[0], row[1], half));
        const auto second = std::bit_cast<halves>(mixed(row[2], row[3], half));
        unroll<2>([&](auto part) __attribute__((always_inline)) {
            const auto made = mixed(first, second, part);
            std::memcpy(to + 32 * half + 16 * part, &made, sizeof made);
        });
    });
}

} // namespace ahead::kernels

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
