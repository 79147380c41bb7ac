// SPDX-License-Identifier: MIT
// The sums of one register tile of a product: rows of a by vectors of b, over all of k, or over a number of terms known
// at run time. Called by matmul_tiles.hpp.
// Invariant: as there.
#pragma once
#include <ahead/device/key/matmul_key.hpp>
#include <ahead/kernels/vector/packet_math.hpp>
#include <ahead/kernels/vector/small_floats.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// The number of rows of a: the key's; or fewer, as std::int64_t; or fewer rows with fewer terms.
struct rows_of_key {};
struct fewer_terms {
    std::int64_t rows, terms;
};
template <class Rows> inline constexpr bool is_whole = std::is_same_v<Rows, rows_of_key>;
template <device::matmul_key Key> constexpr std::int64_t count_rows(rows_of_key) { return Key.m; }
template <device::matmul_key Key> constexpr std::int64_t count_rows(std::int64_t rows) { return rows; }
template <device::matmul_key Key> constexpr std::int64_t count_rows(const fewer_terms& of) { return of.rows; }

/// Strides of a and b as seen by a tile; columns of b are contiguous. If `ahead` is given, b is streamed from an outer
/// memory: the data `ahead` elements after each of its vectors is prefetched. If `later` is given, b is in a near cache
/// already, and `later` bytes of the data after it are prefetched at every step of k. in_order: b is read as one
/// sequential stream.
struct tile_strides {
    std::int64_t a_row, a_col, b_row, ahead = 0, later = 0;
    bool in_order = false;
};

/// sum[r][c] += a[r, 0..Depth) * b[0..Depth, c], each row r of a broadcast against Cols vectors of b.
/// Few sums are split along k so that eight are in flight, sixteen if b streams from an outer cache; the parts are
/// added at the end. later: the address to prefetch, if Strides.later is given.
template <std::int64_t Depth, tile_strides Strides, class T, class S, int L, int Rows, int Cols>
[[gnu::always_inline]] inline void multiply_tile(const T* a, const S* b, simd<T, L> (&sum)[Rows][Cols],
                                                 [[maybe_unused]] const std::byte* later = nullptr) {
    constexpr bool streams = vector_registers == 32 && Rows == 1 && Cols == 4 && Depth >= 256 &&
                             !Strides.in_order; // measured: 1.5 % over two parts, 4 % over one
    constexpr int wanted = streams ? 4 : Rows * Cols >= 8 ? 1 : 8 / (Rows * Cols);
    constexpr int splits = static_cast<int>(std::clamp<std::int64_t>(Depth, 1, wanted));
    simd<T, L> part[splits][Rows][Cols];
    unroll<splits * Rows * Cols>([&](int i) __attribute__((always_inline)) {
        const int s = i / (Rows * Cols), r = i / Cols % Rows, c = i % Cols;
        part[s][r][c] = s == 0 ? sum[r][c] : simd<T, L>::zero();
    });
    const auto step = [&](int s, const T* a_k, const S* b_k) __attribute__((always_inline)) {
        simd<T, L> row[Cols];
        unroll<Cols>([&](int c) __attribute__((always_inline)) {
            row[c] = load_as<T, L, L>(b_k + c * L);
            if constexpr (Strides.ahead > 0) __builtin_prefetch(b_k + c * L + Strides.ahead);
        });
        unroll<Rows>([&](int r) __attribute__((always_inline)) {
            const auto factor = simd<T, L>::all(a_k[r * Strides.a_row]);
            unroll<Cols>([&](int c)
                             __attribute__((always_inline)) { part[s][r][c] = fma(factor, row[c], part[s][r][c]); });
        });
    };
    if constexpr (Depth * Rows * Cols <= 64) {
        unroll<static_cast<int>(Depth)>([&](int k) __attribute__((always_inline)) {
            step(k % splits, a + k * Strides.a_col, b + k * Strides.b_row);
        });
    } else {
        constexpr std::int64_t range = Depth / splits;
        if constexpr (Strides.in_order) {
#pragma GCC unroll 1 // prefetchers identify loads by their address in the code: measured, 1.5 times the time with 32
            for (std::int64_t k = 0; k < range * splits; k += splits)
                unroll<splits>([&](int s) __attribute__((always_inline)) {
                    step(s, a + (k + s) * Strides.a_col, b + (k + s) * Strides.b_row);
                });
        } else { // part s sums k in [s * range, (s + 1) * range): one memory stream per part
            for (std::int64_t k = 0; k < range; ++k) {
                if constexpr (Strides.later > 0) __builtin_prefetch(later + k * Strides.later, 0, 3);
                unroll<splits>([&](int s) __attribute__((always_inline)) {
                    step(s, a + (k + s * range) * Strides.a_col, b + (k + s * range) * Strides.b_row);
                });
            }
        }
        unroll<static_cast<int>(Depth - range * splits)>([&](int s) __attribute__((always_inline)) {
            step(s, a + (splits * range + s) * Strides.a_col, b + (splits * range + s) * Strides.b_row);
        });
    }
    unroll<Rows * Cols>([&](int i) __attribute__((always_inline)) {
        simd<T, L> total[splits]; // a tree: a minimum of dependent additions
        unroll<splits>([&](int s) __attribute__((always_inline)) { total[s] = part[s][i / Cols][i % Cols]; });
        if constexpr (splits > 1)
            unroll<3>([&](auto level) __attribute__((always_inline)) {
                constexpr int half = 4 >> level;
                unroll<half>([&](int s) __attribute__((always_inline)) {
                    if (s + half < splits) total[s] = total[s] + total[s + half];
                });
            });
        sum[i / Cols][i % Cols] = total[0];
    });
}

/// The same for `terms` terms of the sums, a run-time number.
template <tile_strides Strides, class T, class S, int L, int Rows, int Cols>
[[gnu::always_inline]] inline void multiply_tile_of(std::int64_t terms, const T* a, const S* b,
                                                    simd<T, L> (&sum)[Rows][Cols]) {
    constexpr int splits = Rows * Cols >= 8 ? 1 : 8 / (Rows * Cols);
    simd<T, L> part[splits][Rows][Cols]{};
    const auto step = [&](int s, std::int64_t k) __attribute__((always_inline)) {
        simd<T, L> row[Cols];
        unroll<Cols>([&](int c)
                         __attribute__((always_inline)) { row[c] = load_as<T, L, L>(b + k * Strides.b_row + c * L); });
        unroll<Rows>([&](int r) __attribute__((always_inline)) {
            const auto factor = simd<T, L>::all(a[r * Strides.a_row + k * Strides.a_col]);
            unroll<Cols>([&](int c)
                             __attribute__((always_inline)) { part[s][r][c] = fma(factor, row[c], part[s][r][c]); });
        });
    };
    std::int64_t k = 0;
    for (; k + splits <= terms; k += splits)
        unroll<splits>([&](int s) __attribute__((always_inline)) { step(s, k + s); });
    if constexpr (splits > 1)
        for (; k < terms; ++k) step(0, k);
    unroll<splits * Rows * Cols>([&](int i) __attribute__((always_inline)) {
        auto& to = sum[i / Cols % Rows][i % Cols];
        to = to + part[i / (Rows * Cols)][i / Cols % Rows][i % Cols];
    });
}

} // namespace detail

} // namespace ahead::kernels
