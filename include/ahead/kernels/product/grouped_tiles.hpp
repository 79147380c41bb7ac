// SPDX-License-Identifier: MIT
// Register tiles of products that are added group by group: quads of i8 in i32, pairs of bf16 in f32. A group is a word
// of 32 bits; a's rows are words, b is stored in panels [groups of k][width] of words, as device::packed_elements
// describes.
// Invariant: a sum is taken along k in one order, which depends only on the key. Called by int_matmul.hpp and
// pair_matmul.hpp.
#pragma once
#include <ahead/kernels/product/matmul_tiles.hpp>
#include <ahead/kernels/vector/pair_products.hpp>

namespace AHEAD_NAMESPACE::kernels::detail {

/// sum[r][c] += the products of Groups groups of row r of a, whose rows are Row bytes apart, with those of vector c of
/// a panel of Width. For quads, the bytes from 0 to 255 are those of a, with Unsigned, else those of the panel. Few
/// sums are split, so that eight are in flight. At each group the data at `later` + group * Later is prefetched.
template <std::int64_t Groups, std::int64_t Row, int Width, std::int64_t Later, bool Unsigned, class Sum, int L,
          int Rows, int Cols>
[[gnu::always_inline]] inline void multiply_groups(const std::byte* a, const std::byte* panel,
                                                   simd<Sum, L> (&sum)[Rows][Cols],
                                                   [[maybe_unused]] const std::byte* later) {
    constexpr int splits =
        static_cast<int>(std::clamp<std::int64_t>(Groups, 1, Rows * Cols >= 8 ? 1 : 8 / (Rows * Cols)));
    simd<Sum, L> part[splits][Rows][Cols];
    unroll<splits * Rows * Cols>([&](int i) __attribute__((always_inline)) {
        const int at = i % (Rows * Cols);
        part[i / (Rows * Cols)][at / Cols][at % Cols] =
            i < Rows * Cols ? sum[at / Cols][at % Cols] : simd<Sum, L>::zero();
    });
    const auto step = [&](int s, std::int64_t g) __attribute__((always_inline)) {
        quads<L> b[Cols];
        unroll<Cols>([&](int c)
                         __attribute__((always_inline)) { b[c] = load_quads<L>(panel + 4 * (g * Width + c * L)); });
        if constexpr (Later > 0) __builtin_prefetch(later + g * Later, 0, 2);
        unroll<Rows>([&](int r) __attribute__((always_inline)) {
            const auto factor = spread_quad<L>(a + r * Row + 4 * g);
            unroll<Cols>([&](int c) __attribute__((always_inline)) {
                part[s][r][c] =
                    Unsigned ? add_products(part[s][r][c], factor, b[c]) : add_products(part[s][r][c], b[c], factor);
            });
        });
    };
    constexpr std::int64_t whole = Groups / splits * splits;
    for (std::int64_t g = 0; g < whole; g += splits)
        unroll<splits>([&](int s) __attribute__((always_inline)) { step(s, g + s); });
    unroll<static_cast<int>(Groups - whole)>([&](int s) __attribute__((always_inline)) { step(s, whole + s); });
    unroll<Rows * Cols>([&](int i) __attribute__((always_inline)) {
        auto total = part[0][i / Cols][i % Cols];
        unroll<splits - 1>([&](int s)
                               __attribute__((always_inline)) { total = total + part[s + 1][i / Cols][i % Cols]; });
        sum[i / Cols][i % Cols] = total;
    });
}

/// Computes Count columns of all rows, or of one of Parts parts of them, from a panel of Width groups a row.
/// start(count, row, column) gives the initial value of a vector of sums, of which `count` are columns; store(count,
/// sum, row, column) takes the result. rows: as matmul's.
template <device::matmul_key Key, class Sum, std::int64_t Row, int Width, int Count, std::int64_t Parts,
          class Rows = rows_of_key>
[[gnu::always_inline]] inline void grouped_panel(const std::byte* a, const std::byte* panel, auto start, auto store,
                                                 std::int64_t part = 0, Rows rows = {}) {
    constexpr int L = lanes_within<float>(Width), vectors = Width / L;
    constexpr int cols = std::min(vectors, most_vectors<Key>), blocks = (Count + cols * L - 1) / (cols * L);
    constexpr std::int64_t groups = device::groups_of(Key);
    constexpr std::int64_t tiles = (Key.m + most_rows(cols) - 1) / most_rows(cols) / Parts * blocks;
    constexpr std::int64_t later = is_whole<Rows> && is_far(Key) && tiles > 1 ? std::int64_t{4} * Width / tiles : 0;
    unroll<blocks>([&](auto block) __attribute__((always_inline)) {
        constexpr int begin = block * cols * L, here = std::min(cols, vectors - block * cols);
        const auto tile = [&](auto height, std::int64_t row, std::int64_t i) __attribute__((always_inline)) {
            simd<Sum, L> sum[height][here];
            unroll<height * here>([&](auto at) __attribute__((always_inline)) {
                constexpr int r = at / here, c = begin + at % here * L;
                sum[r][at % here] = start(std::integral_constant<int, std::clamp(Count - c, 0, L)>{}, row + r, c);
            });
            multiply_groups<groups, Row, Width, later, Key.type == dtype::u8>(
                a + row * Row, panel + 4 * begin, sum,
                panel + 4 * groups * Width + (block * (tiles / blocks) + i) * groups * later);
            unroll<height * here>([&](auto at) __attribute__((always_inline)) {
                constexpr int r = at / here, c = begin + at % here * L;
                store(std::integral_constant<int, std::clamp(Count - c, 0, L)>{}, sum[r][at % here], row + r, c);
            });
        };
        if constexpr (is_whole<Rows>) in_tiles<Key.m, most_rows(here), Parts>(tile, part);
        else in_tiles_of<most_rows(here)>(count_rows<Key>(rows), tile);
    });
}

} // namespace ahead::kernels::detail
