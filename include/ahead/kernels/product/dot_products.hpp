// SPDX-License-Identifier: MIT
// Products of few columns, or of few rows by a transposed b: dot products along k, with vectors along k.
// Invariant: as in matmul_tiles.hpp, also for T and S. Called by matmul.hpp.
#pragma once
#include <ahead/device/key/matmul_key.hpp>
#include <ahead/kernels/epilogue.hpp>
#include <ahead/kernels/vector/small_floats.hpp>
#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Depth products summed for Count pairs at once: sum[i] = x . y_i, where y_i = y + i * stride; x and y contiguous.
template <std::int64_t Depth, int Count, class T, class S>
[[gnu::always_inline]] inline void dot_products(const T* x, const S* y, std::int64_t stride, T (&sum)[Count]) {
    constexpr int L = lanes_within<T>(std::max<std::int64_t>(Depth, 1));
    constexpr std::int64_t vectors = Depth / L;
    constexpr int splits = static_cast<int>(std::clamp<std::int64_t>(vectors, 1, 8 / Count));
    constexpr std::int64_t whole = vectors / splits * splits;
    simd<T, L> part[splits][Count];
    unroll<splits * Count>([&](int i)
                               __attribute__((always_inline)) { part[i / Count][i % Count] = simd<T, L>::zero(); });
    const auto step = [&](int s, std::int64_t at) __attribute__((always_inline)) {
        const auto a = simd<T, L>::load(x + at);
        unroll<Count>([&](int i) __attribute__((always_inline)) {
            part[s][i] = fma(a, load_as<T, L, L>(y + i * stride + at), part[s][i]);
        });
    };
    for (std::int64_t v = 0; v < whole; v += splits)
        unroll<splits>([&](int s) __attribute__((always_inline)) { step(s, (v + s) * L); });
    unroll<static_cast<int>(vectors - whole)>([&](int s) __attribute__((always_inline)) { step(s, (whole + s) * L); });
    constexpr int rest = static_cast<int>(Depth - vectors * L);
    if constexpr (rest > 0) {
        const auto a = simd<T, L>::template load_first<rest>(x + vectors * L);
        unroll<Count>([&](int i) __attribute__((always_inline)) {
            part[0][i] = fma(a, load_as<T, L, rest>(y + i * stride + vectors * L), part[0][i]);
        });
    }
    unroll<Count>([&](int i) __attribute__((always_inline)) {
        unroll<splits - 1>([&](int s) __attribute__((always_inline)) { part[0][i] = part[0][i] + part[s + 1][i]; });
        sum[i] = part[0][i].sum();
    });
}

/// Dot products of `rows` rows of a with columns of b, column j at b + j * b_col, four columns at a time.
template <device::matmul_key Key, std::int64_t BCol, class T, class S, class After>
inline void dots(const T* a, const S* b, const S* bias, S* out, After after, std::int64_t rows) {
    const auto columns = [&](auto count, std::int64_t row, std::int64_t column) __attribute__((always_inline)) {
        T sum[count()];
        if constexpr (Key.a_col == 1) {
            dot_products<Key.k>(a + row * Key.a_row, b + column * BCol, BCol, sum);
        } else {
            for (int i = 0; i < count(); ++i) {
                sum[i] = T(0);
                for (std::int64_t k = 0; k < Key.k; ++k)
                    sum[i] += a[row * Key.a_row + k * Key.a_col] * static_cast<T>(b[(column + i) * BCol + k]);
            }
        }
        for (int i = 0; i < count(); ++i) {
            if constexpr (Key.bias) sum[i] += static_cast<T>(bias[row * Key.bias_row + (column + i) * Key.bias_col]);
            if constexpr (!After::exists) out[row * device::row_of_out(Key) + column + i] = S(sum[i]);
        }
        if constexpr (After::exists) {
            constexpr int L = narrowest_vector<T>, vectors = (count() + L - 1) / L;
            simd<T, L> sums[vectors];
            unroll<vectors>([&](auto v) __attribute__((always_inline)) {
                sums[v] = simd<T, L>::template load_first<std::min(L, count() - v * L)>(sum + v * L, T(1));
            });
            after.template store<true, count()>(sums, out + row * device::row_of_out(Key) + column);
        }
    };
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < Key.n / 4 * 4; column += 4)
            columns(std::integral_constant<int, 4>{}, row, column);
        if constexpr (Key.n % 4 > 0) columns(std::integral_constant<int, Key.n % 4>{}, row, Key.n / 4 * 4);
    }
}

} // namespace detail

} // namespace ahead::kernels
