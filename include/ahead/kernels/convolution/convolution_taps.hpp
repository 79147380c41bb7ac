// SPDX-License-Identifier: MIT
// A strip of a row, shifted to the left or right for each tap: as vectors that are loaded at the shifted address, or
// shuffled from two vectors in registers.
// Invariant: nothing outside the row is read; elements there are zero. Called by convolution_depthwise.hpp,
// convolution_winograd.hpp.
#pragma once
#include <ahead/kernels/convolution/convolution_tiling.hpp>
#include <algorithm>
#include <utility>

namespace AHEAD_NAMESPACE::kernels::detail {

/// Elements [Shift + i, Shift + i + L) of Vectors vectors, zero outside of them.
template <int Shift, class T, int L, int Vectors>
[[gnu::always_inline]] inline simd<T, L> shifted(const simd<T, L> (&row)[Vectors]) {
    constexpr int offset = (Shift % L + L) % L, first = (Shift - offset) / L;
    const auto vector = [&](auto i) __attribute__((always_inline)) {
        if constexpr (i >= 0 && i < Vectors) return row[i];
        else return simd<T, L>::zero();
    };
    const auto low = vector(std::integral_constant<int, first>{});
    if constexpr (offset == 0) return low;
    else {
        const auto high = vector(std::integral_constant<int, first + 1>{});
        return [&]<int... Nth>(std::integer_sequence<int, Nth...>) __attribute__((always_inline)) {
            return simd<T, L>{
                static_cast<typename simd<T, L>::packet>(picked<(Nth + offset)...>(low.value, high.value))};
        }(std::make_integer_sequence<int, L>{});
    }
}

/// Loads a strip of an input row, phase by phase; Left elements remain in the row, those after them are zero.
template <int Stride, int Left, class T, int L, int Vectors>
[[gnu::always_inline]] inline void load_phases(const T* row, simd<T, L> (&phase)[Stride][Vectors]) {
    const auto load = [&](auto at) __attribute__((always_inline)) {
        constexpr int count = std::clamp(Left - at, 0, L);
        if constexpr (count > 0) return simd<T, L>::template load_first<count>(row + at);
        else return simd<T, L>::zero();
    };
    unroll<Vectors>([&](auto v) __attribute__((always_inline)) {
        if constexpr (Stride == 1) {
            phase[0][v] = load(std::integral_constant<int, v * L>{});
        } else {
            const auto one = load(std::integral_constant<int, 2 * v * L>{}),
                       other = load(std::integral_constant<int, 2 * v * L + L>{});
            phase[0][v] = simd<T, L>::template every_second<0>(one, other);
            phase[1][v] = simd<T, L>::template every_second<1>(one, other);
        }
    });
}

/// Vector V of a strip, shifted by Column columns for a tap. Measured at 56x56 for AVX-512: loading all vectors that
/// can be loaded takes a quarter longer than loading only those shifted to the left and shuffling the rest, since loads
/// that cross a cache line count twice; shuffling all takes 4 % longer where a shuffle costs as much as a
/// multiplication.
template <int Column, int V, bool First, int Left, int Stride, class T, int L, int Vectors>
[[gnu::always_inline]] inline simd<T, L> seen_by_tap(const T* row, const simd<T, L> (&phase)[Stride][Vectors]) {
    if constexpr (Stride == 1) {
        constexpr int at = V * L + Column, count = std::clamp(Left - at, 0, L);
        constexpr bool masked = maskable<T, typename simd<T, L>::packet>, inside = at >= 0 || !First,
                       beyond = Left > Vectors * L && at + L > Vectors * L;
        if constexpr ((Column < 0 || beyond || vector_registers == 16) && inside &&
                      (count == L || (masked && count > 0)))
            return simd<T, L>::template load_first<count>(row + at);
    }
    constexpr int of = (Column % Stride + Stride) % Stride;
    return shifted<(Column - of) / Stride + V * L>(phase[of]);
}

} // namespace ahead::kernels::detail
