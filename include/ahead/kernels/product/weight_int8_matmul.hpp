// SPDX-License-Identifier: MIT
// Products with i8 weights and a scale for each column: dot products along k, for which the weights are converted in
// registers, so that memory is read once and holds a quarter of f32's bytes.
// Invariant: each sum has one accumulator of lanes, whatever the tile: the same bits for any tile, part or piece.
#pragma once
#include <ahead/device/product/weight_int8_matmul.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/vector/byte_products.hpp>
#include <algorithm>
#include <cstdint>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Rows x Columns sums of Depth products; x and w are row-major.
template <std::int64_t Depth, int Rows, int Columns, class T>
[[gnu::always_inline]] inline void int8_tile(const T* x, const std::int8_t* w, T (&sums)[Rows * Columns]) {
    constexpr int L = lanes_within<T>(std::max<std::int64_t>(Depth, 1));
    constexpr std::int64_t whole = Depth / L * L;
    simd<T, L> sum[Rows * Columns];
    unroll<Rows * Columns>([&](int i) __attribute__((always_inline)) { sum[i] = simd<T, L>::zero(); });
    const auto step = [&](auto count, std::int64_t at) __attribute__((always_inline)) {
        simd<T, L> terms[Rows];
        unroll<Rows>([&](int r) __attribute__((always_inline)) {
            terms[r] = simd<T, L>::template load_first<count()>(x + r * Depth + at);
        });
        unroll<Columns>([&](int c) __attribute__((always_inline)) {
            const auto factors = load_int8<T, L, count()>(w + c * Depth + at);
            unroll<Rows>([&](int r) __attribute__((always_inline)) {
                sum[r * Columns + c] = fma(terms[r], factors, sum[r * Columns + c]);
            });
        });
    };
    for (std::int64_t at = 0; at < whole; at += L) step(std::integral_constant<int, L>{}, at);
    if constexpr (whole < Depth) step(std::integral_constant<int, static_cast<int>(Depth - whole)>{}, whole);
    unroll<Rows * Columns>([&](int i) __attribute__((always_inline)) { sums[i] = sum[i].sum(); });
}

} // namespace detail

/// out[m, n] = a[m, k] @ weight[n, k]^T * scales[n]. Semantics: aten._weight_int8pack_mm.
template <device::weight_int8_key Key, class T>
inline void weight_int8_matmul(const T* a, const std::int8_t* weight, const T* scales, T* out) {
    constexpr auto m = Key.m, n = Key.n, k = Key.k;
    constexpr auto sizes = device::tile_of(Key);
    const auto tile = [&](auto rows, auto columns, std::int64_t row, std::int64_t column)
                          __attribute__((always_inline)) {
        T sums[rows() * columns()];
        detail::int8_tile<k, rows(), columns()>(a + row * k, weight + column * k, sums);
        for (int r = 0; r < rows(); ++r)
            for (int c = 0; c < columns(); ++c)
                out[(row + r) * n + column + c] = sums[r * columns() + c] * scales[column + c];
    };
    const auto row_of_tiles = [&](auto rows, std::int64_t row) __attribute__((always_inline)) {
        constexpr int columns = static_cast<int>(sizes.columns), rest = static_cast<int>(n % columns);
        for (std::int64_t column = 0; column + columns <= n; column += columns)
            tile(rows, std::integral_constant<int, columns>{}, row, column);
        if constexpr (rest > 0) tile(rows, std::integral_constant<int, rest>{}, row, n - rest);
    };
    constexpr int rows = static_cast<int>(sizes.rows), rest = static_cast<int>(m % rows);
    for (std::int64_t row = 0; row + rows <= m; row += rows) row_of_tiles(std::integral_constant<int, rows>{}, row);
    if constexpr (rest > 0) row_of_tiles(std::integral_constant<int, rest>{}, m - rest);
}

template <> struct kernel_for<device::weight_int8_matmul> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernels::weight_int8_matmul<Key>(at.template in<T>(0), at.template in<std::int8_t>(1), at.template in<T>(2),
                                         at.template out<T>());
    }
};

} // namespace ahead::kernels
