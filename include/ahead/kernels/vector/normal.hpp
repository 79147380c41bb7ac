// SPDX-License-Identifier: MIT
// Normal numbers by the Box-Muller method, two from each pair of random words: as defined by core/random_numbers.hpp
// for f32, computed in f64 and rounded once; the error before rounding is far below a float's last place.
#pragma once
#include <ahead/kernels/vector/powers.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Sine and cosine of a fraction of a turn, 0 <= turn < 1: quarter turns by Taylor's series.
template <int N> struct of_turn {
    simd<double, N> sine, cosine;
    [[gnu::always_inline]] explicit of_turn(simd<double, N> turn) {
        using vector = simd<double, N>;
        const auto all = [](double c) __attribute__((always_inline)) { return vector::all(c); };
        const auto shifted = fma(turn, all(4), all(0x1.8p52)); // its last bits count quarters
        const auto count = std::bit_cast<long_words<N>>(shifted.value);
        const auto x = (turn * all(4) - (shifted - all(0x1.8p52))) * all(1.5707963267948966), z = x * x;
        auto odd = fma(all(1. / 6227020800), z, all(-1. / 39916800));
        odd = fma(odd, z, all(1. / 362880)), odd = fma(odd, z, all(-1. / 5040)), odd = fma(odd, z, all(1. / 120));
        odd = fma(fma(odd, z, all(-1. / 6)) * z, x, x);
        auto even = fma(all(1. / 479001600), z, all(-1. / 3628800));
        even = fma(even, z, all(1. / 40320)), even = fma(even, z, all(-1. / 720)), even = fma(even, z, all(1. / 24));
        even = fma(fma(even, z, all(-0.5)), z, all(1));
        const auto signed_by = [](vector y, long_words<N> quarters) __attribute__((always_inline)) {
            using packet = typename vector::packet;
            return vector{std::bit_cast<packet>(std::bit_cast<long_words<N>>(y.value) ^ (quarters & 2u) << 62)};
        };
        const auto is_even = (count & 1u) == 0u;
        sine = signed_by(select(is_even, odd, even), count);
        cosine = signed_by(select(is_even, even, odd), count + 1u);
    }
};

} // namespace detail

/// Count numbers from as many words: of each pair the first gives the radius, the second the angle.
template <int Count> inline void normal_numbers(const std::uint32_t* words, float* to) {
    constexpr int N = widest<double>;
    using vector = simd<double, N>;
    static_assert(Count % (2 * N) == 0);
    const auto all = [](double c) __attribute__((always_inline)) { return vector::all(c); };
    const auto fraction = [&](detail::long_words<N> word) __attribute__((always_inline)) {
        const auto bits = word | 0x4330'0000'0000'0000u; // 2^52 + word
        return (vector{std::bit_cast<typename vector::packet>(bits)} - all(0x1p52)) * all(0x1p-32);
    };
    for (int i = 0; i < Count; i += 2 * N, words += 2 * N, to += 2 * N) {
        const auto pairs = simd<std::uint64_t, N>::load(reinterpret_cast<const std::uint64_t*>(words)).value;
        const auto radius = fraction(pairs & 0xffff'ffffu) + all(0x1p-32);
        const detail::of_turn<N> turn(fraction(pairs >> 32));
        const auto length = sqrt(detail::log2_of(radius) * all(-1.3862943611198906)); // -2 log(radius)
        const auto first = (length * turn.cosine).template as<float>(),
                   second = (length * turn.sine).template as<float>();
        using floats = simd<float, N>;
        floats::template side_by_side<0>(first, second).store(to);
        floats::template side_by_side<1>(first, second).store(to + N);
    }
}

} // namespace ahead::kernels
