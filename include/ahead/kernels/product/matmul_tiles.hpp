// SPDX-License-Identifier: MIT
// Register tiles and panels that matrix products consist of. Called by matmul.hpp and its neighbours.
// Invariant: no element outside of the operands is read; a sum is taken along k in one order, whatever the tile.
// T is the type of sums, S the type of elements in memory: f16 and bf16 are loaded as floats, and rounded once, when
// sums are stored. Their a is copied to floats; bf16 is multiplied pair by pair where that is faster (pair_matmul.hpp).
#pragma once
#include <ahead/device/key/matmul_key.hpp>
#include <ahead/kernels/epilogue.hpp>
#include <ahead/kernels/product/multiply_tile.hpp>
#include <ahead/kernels/vector/packet_math.hpp>
#include <ahead/kernels/vector/pair_products.hpp>
#include <ahead/kernels/vector/small_floats.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// The bias of row `row`, columns [column, column + Count) of out, as initial sums; zero if there is none.
template <device::matmul_key Key, class T, int L, int Count, class S>
[[gnu::always_inline]] inline simd<T, L> bias_at(const S* bias, std::int64_t row, std::int64_t column) {
    if constexpr (!Key.bias) {
        return simd<T, L>::zero();
    } else {
        const S* from = bias + row * Key.bias_row + column * Key.bias_col;
        if constexpr (Key.bias_col == 0) {
            return simd<T, L>::all(static_cast<T>(*from));
        } else if constexpr (Key.bias_col == 1) {
            return load_as<T, L, Count>(from);
        } else {
            alignas(64) T gathered[L] = {};
            for (int i = 0; i < Count; ++i) gathered[i] = static_cast<T>(from[i * Key.bias_col]);
            return simd<T, L>::load(gathered);
        }
    }
}

/// Computes Rows x Count elements of out, from one block of b whose rows hold Cols whole vectors.
template <device::matmul_key Key, tile_strides Strides, int L, int Cols, int Count, int Rows, class T, class B, class S,
          class After, class Given = rows_of_key>
[[gnu::always_inline]] inline void one_tile(const T* a, const B* b, const S* bias, S* out, After after,
                                            std::int64_t row, std::int64_t column, const std::byte* later = nullptr,
                                            [[maybe_unused]] Given given = {}) {
    simd<T, L> sum[Rows][Cols];
    constexpr int whole = Count / L; // vectors of a row with all elements valid
    unroll<Rows * whole>([&](int i) __attribute__((always_inline)) {
        sum[i % Rows][i / Rows] = bias_at<Key, T, L, L>(bias, row + i % Rows, column + i / Rows * L);
    });
    unroll<Cols - whole>([&](auto c) __attribute__((always_inline)) {
        constexpr int count = c == 0 ? Count % L : 0;
        unroll<Rows>([&](int r) __attribute__((always_inline)) {
            sum[r][whole + c] = bias_at<Key, T, L, count>(bias, row + r, column + (whole + c) * L);
        });
    });
    if constexpr (std::is_same_v<Given, fewer_terms>)
        multiply_tile_of<Strides>(given.terms, a + row * Strides.a_row, b, sum);
    else multiply_tile<Key.k, Strides>(a + row * Strides.a_row, b, sum, later);
    if constexpr (After::is_long && After::operands == 0 && Count == Cols * L && Rows > 1) { // all rows at once
        alignas(64) T tile[Rows * Cols * L];
        unroll<Rows * Cols>([&](int i) __attribute__((always_inline)) { sum[i / Cols][i % Cols].store(tile + i * L); });
        After::template run<true>(tile, {}, tile, Rows * Cols * L);
        unroll<Rows * Cols>([&](int i) __attribute__((always_inline)) {
            simd<T, L>::load(tile + i * L)
                .store(out + (row + i / Cols) * device::row_of_out(Key) + column + i % Cols * L);
        });
    } else if constexpr (After::exists) {
        unroll<Rows>([&](int r) __attribute__((always_inline)) {
            after.template store<true, Count>(sum[r], out + (row + r) * device::row_of_out(Key) + column);
        });
    } else {
        S* const to = out + row * device::row_of_out(Key) + column;
        unroll<Rows * whole>([&](int i) __attribute__((always_inline)) {
            store_as<L>(sum[i % Rows][i / Rows], to + i % Rows * device::row_of_out(Key) + i / Rows * L);
        });
        if constexpr (Count % L > 0)
            unroll<Rows>([&](int r) __attribute__((always_inline)) {
                store_as<Count % L>(sum[r][whole], to + r * device::row_of_out(Key) + whole * L);
            });
    }
}

/// Calls tile(height, row, i) for tiles of nearly equal height, at most Most, that cover Rows rows; height is a
/// constant. Covers only part number `part` of Parts parts of the tiles; tile i is the i-th of that part.
template <std::int64_t Rows, std::int64_t Most, std::int64_t Parts = 1>
[[gnu::always_inline]] inline void in_tiles(auto tile, std::int64_t part = 0) {
    constexpr std::int64_t tiles = (Rows + Most - 1) / Most;
    constexpr std::int64_t height = (Rows + tiles - 1) / tiles;
    constexpr std::int64_t high = Rows - tiles * (height - 1); // this many have `height` rows, the others one less
    const std::int64_t first = Parts == 1 ? 0 : tiles * part / Parts;
    const std::int64_t last = Parts == 1 ? tiles : tiles * (part + 1) / Parts;
    std::int64_t i = first;
    for (; i < std::min(high, last); ++i) tile(std::integral_constant<int, height>{}, i * height, i - first);
    if constexpr (high < tiles)
        for (; i < last; ++i) tile(std::integral_constant<int, height - 1>{}, high + i * (height - 1), i - first);
}

/// Calls tile(height, row, i) for tiles of Most rows, then lower and lower ones, that cover `rows` rows, a run-time
/// number.
template <std::int64_t Most> [[gnu::always_inline]] inline void in_tiles_of(std::int64_t rows, auto tile) {
    std::int64_t row = 0, i = 0;
    for (; row + Most <= rows; row += Most) tile(std::integral_constant<int, static_cast<int>(Most)>{}, row, i++);
    unroll<4>([&](auto level) __attribute__((always_inline)) {
        constexpr int height = 8 >> level;
        if constexpr (height < Most)
            for (; row + height <= rows; row += height) tile(std::integral_constant<int, height>{}, row, i++);
    });
}

/// Calls panel(width, count, first) for the panels of all columns: a panel is laid out for `width` columns, and `count`
/// of them, beginning with column `first` of b, are valid; width and count are constants.
template <device::matmul_key Key> [[gnu::always_inline]] inline void in_panels(auto panel) {
    constexpr auto width = device::panel_width(Key), whole = Key.n / width, rest = Key.n % width;
#pragma GCC unroll 1 // the same loads for all panels, as in multiply_tile.hpp
    for (std::int64_t p = 0; p < whole; ++p)
        panel(std::integral_constant<int, width>{}, std::integral_constant<int, width>{}, p * width);
    if constexpr (rest > 0)
        panel(std::integral_constant<int, device::padded_panel(Key, rest)>{}, std::integral_constant<int, rest>{},
              whole * width);
}

/// Whether b is packed and larger than L1: while one panel is multiplied, the next is prefetched.
constexpr bool is_far(const device::matmul_key& key) {
    return key.packed && bytes_of(key.type, key.k * key.n) > 32 * 1024;
}

/// Whether b is packed and may be in L2, which delivers one sequential stream at 1.5 times the rate of several.
/// Measured at 1 x 128 x 384: 1.02 us, against 1.48 for two streams (medians).
constexpr bool is_in_second_cache(const device::matmul_key& key) {
    const auto bytes = bytes_of(key.type, key.k * key.n);
    return key.packed && bytes > 48 << 10 && bytes <= 1 << 20;
}

/// The number of parts of the rows of a such that an outer cache holds one part for all panels.
constexpr std::int64_t row_parts(const device::matmul_key& key) {
    return key.n <= device::panel_width(key) ? 1 : bytes_of(key.type, key.m * key.k) / (1 << 20) + 1;
}

/// The maximum number of rows of a tile with `vectors` vectors per row.
constexpr std::int64_t most_rows(int vectors) { return std::max(1, (vector_registers == 32 ? 24 : 12) / vectors); }

/// All rows of one block of columns; if the key gives the number of rows, those of one of Parts parts.
template <device::matmul_key Key, tile_strides Strides, int L, int Cols, int Count, std::int64_t Parts = 1, class T,
          class B, class S, class After, class Rows>
[[gnu::always_inline]] inline void all_rows(const T* a, const B* b, const S* bias, S* out, After after, Rows count,
                                            std::int64_t column, std::int64_t part = 0,
                                            const std::byte* later = nullptr) {
    if constexpr (is_whole<Rows> && Parts == 1 && Key.m <= most_rows(Cols)) {
        one_tile<Key, Strides, L, Cols, Count, static_cast<int>(Key.m)>(a, b, bias, out, after, 0, column, later);
    } else {
        const auto tile = [&](auto rows, std::int64_t row, std::int64_t i) __attribute__((always_inline)) {
            one_tile<Key, Strides, L, Cols, Count, rows>(a, b, bias, out, after, row, column,
                                                         later + i * Key.k * Strides.later, count);
        };
        if constexpr (is_whole<Rows>) in_tiles<Key.m, most_rows(Cols), Parts>(tile, part);
        else in_tiles_of<most_rows(Cols)>(count_rows<Key>(count), tile);
    }
}

/// The number of adjacent vectors in one tile.
template <device::matmul_key Key>
inline constexpr int most_vectors = Key.m == 1 && (vector_registers == 16 || is_in_second_cache(Key)) ? 8
                                    : vector_registers == 32                                          ? 4
                                                                                                      : 2;

/// Multiplies Count valid columns of a panel whose rows are Width elements apart, Width a multiple of the lanes used.
/// The last parameter is the panel that is multiplied next, if it is not the one that follows in memory.
template <device::matmul_key Key, std::int64_t ARow, std::int64_t ACol, int Width, int Count, std::int64_t Ahead = 0,
          std::int64_t Parts = 1, class T, class B, class S, class After, class Rows = rows_of_key>
[[gnu::always_inline]] inline void one_panel(const T* a, const B* panel, const S* bias, S* out, After after,
                                             std::int64_t column, std::int64_t part = 0, Rows rows = {},
                                             const B* behind = nullptr) {
    constexpr int L = lanes_within<T>(Width);
    constexpr int vectors = Width / L;
    constexpr int cols = std::min(vectors, most_vectors<Key>);
    constexpr int blocks = (Count + cols * L - 1) / (cols * L);
    // The next panel is prefetched tile by tile.
    constexpr std::int64_t tiles = (Key.m + most_rows(cols) - 1) / most_rows(cols) / Parts * blocks;
    constexpr std::int64_t later = is_whole<Rows> && !device::copies_panels(Key) && is_far(Key) && tiles > 1
                                       ? std::int64_t{sizeof(B)} * Width / tiles
                                       : 0;
    const auto* const next = reinterpret_cast<const std::byte*>(behind ? behind : panel + Key.k * Width);
    constexpr bool in_order = is_in_second_cache(Key) && Key.m == 1 && blocks == 1 && sizeof(T) * Width >= 256;
    const auto in_block = [&](auto block) __attribute__((always_inline)) {
        constexpr int begin = block * cols * L;
        constexpr int here = std::min(cols, vectors - block * cols);
        all_rows<Key, tile_strides{ARow, ACol, Width, Ahead, later, in_order}, L, here,
                 std::min(Count - begin, here * L), Parts>(a, panel + begin, bias, out, after, rows, column + begin,
                                                           part, next + block * (tiles / blocks) * Key.k * later);
    };
    if constexpr (blocks == 1) in_block(std::integral_constant<int, 0>{});
    else unroll<blocks>(in_block);
}

/// Multiplies all panels. in_panels is written out here: most models use this function, and g++ compiles a copy of an
/// inlined function for each caller.
template <device::matmul_key Key, class T, class S, class After, class Rows>
inline void packed_panels(const T* a, const S* packed, const S* bias, S* out, After after, Rows rows) {
    if constexpr (is_whole<Rows>) {
        constexpr auto width = device::panel_width(Key), rest = Key.n % width, last = Key.n - rest;
        constexpr auto parts = row_parts(Key);
        for (std::int64_t part = 0; part < parts; ++part) {
#pragma GCC unroll 1 // as in in_panels
            for (std::int64_t column = 0; column < last; column += width)
                one_panel<Key, Key.a_row, Key.a_col, width, width, 0, parts>(a, packed + column * Key.k, bias, out,
                                                                             after, column, part);
            if constexpr (rest > 0)
                one_panel<Key, Key.a_row, Key.a_col, device::padded_panel(Key, rest), rest, 0, parts>(
                    a, packed + last * Key.k, bias, out, after, last, part);
        }
    } else {
        constexpr std::int64_t most = (Key.m / row_parts(Key) + 23) / 24 * 24; // whole tiles of any height
        for (std::int64_t row = 0; row < rows; row += most)
            in_panels<Key>([&](auto width, auto count, std::int64_t column) __attribute__((always_inline)) {
                one_panel<Key, Key.a_row, Key.a_col, width, count>(
                    a + row * Key.a_row, packed + column * Key.k, Key.bias ? bias + row * Key.bias_row : bias,
                    out + row * device::row_of_out(Key), after, column, 0, std::min<std::int64_t>(most, rows - row));
            });
    }
}

/// to[k][j] = from[j][k] for L x L elements; rows of `from` are `from_row` elements apart, those of `to` `to_row`.
template <int L>
[[gnu::noinline]] void turn_block(const float* from, std::int64_t from_row, float* to, std::int64_t to_row) {
    simd<float, L> rows[L];
    unroll<L>([&](int j) __attribute__((always_inline)) { rows[j] = simd<float, L>::load(from + j * from_row); });
    simd<float, L>::transpose(rows);
    unroll<L>([&](int k) __attribute__((always_inline)) { rows[k].store(to + k * to_row); });
}

/// Copies columns [column, column + Count) of a strided b to a panel of Width, with zeros after them.
template <std::int64_t Depth, std::int64_t BRow, std::int64_t BCol, int Width, int Count, class T>
inline void pack_panel(const T* b, T* panel, std::int64_t column) {
    if constexpr (BRow == 1 &&
                  BCol != 1) { // read along k, where b is contiguous: floats, transposed in registers
        constexpr int L = std::is_same_v<T, float> ? lanes_within<float>(Width) : 1, turned = L > 1 ? Count / L * L : 0;
        for (std::int64_t k0 = 0; k0 < Depth; k0 += 16) {
            int first = 0; // of the remaining columns
            if constexpr (turned > 0)
                if (k0 + 16 <= Depth) {
                    for (int j = 0; j < turned; j += L)
                        for (std::int64_t k = k0; k < k0 + 16; k += L)
                            turn_block<L>(b + k + (column + j) * BCol, BCol, panel + k * Width + j, Width);
                    first = turned;
                }
            for (int j = first; j < Width; ++j)
                for (std::int64_t k = k0; k < std::min<std::int64_t>(Depth, k0 + 16); ++k)
                    panel[k * Width + j] = j < Count ? b[k + (column + j) * BCol] : T{};
        }
    } else {
        for (std::int64_t k = 0; k < Depth; ++k)
            for (int j = 0; j < Width; ++j) panel[k * Width + j] = j < Count ? b[k * BRow + (column + j) * BCol] : T{};
    }
}

/// to[r][c] = from[r * Row + c * Col], as T, for Rows x Count elements; rows of `to` are Width elements apart, and zero
/// after Count.
template <std::int64_t Rows, std::int64_t Row, std::int64_t Col, std::int64_t Width, std::int64_t Count, class S,
          class T>
inline void widen(const S* from, T* to, std::int64_t rows = Rows) {
    for (std::int64_t r = 0; r < rows; ++r, from += Row, to += Width) {
        if constexpr (Col == 1) {
            in_vectors<T, Count, 4, 8, true>(
                [&]<int L, int Vectors, int Valid>(std::int64_t i) __attribute__((always_inline)) {
                    unroll<Vectors>([&](int v) __attribute__((always_inline)) {
                        load_as<T, L, Valid>(from + i + v * L).template store_first<Valid>(to + i + v * L);
                    });
                });
        } else {
            constexpr std::int64_t block = 64;
            for (std::int64_t begin = 0; begin < Count; begin += block) { // gathered first: f16 is converted in vectors
                const auto size = std::min(block, Count - begin);
                alignas(64) S gathered[block] = {};
                alignas(64) T wide[block];
                for (std::int64_t i = 0; i < size; ++i) gathered[i] = from[(begin + i) * Col];
                widen<1, 0, 1, block, block>(gathered, wide);
                std::copy_n(wide, size, to + begin);
            }
        }
        std::fill(to + Count, to + Width, T(0));
    }
}

/// Copies b panel by panel to `panel` and multiplies it there: strided, or packed elements of another type.
template <device::matmul_key Key, class T, class S, class After, class Rows>
inline void panels_on_the_fly(const T* a, const S* b, const S* bias, S* out, After after, T* panel, Rows rows) {
    in_panels<Key>([&](auto width, auto count, std::int64_t column) __attribute__((always_inline)) {
        if constexpr (std::is_same_v<T, S>) pack_panel<Key.k, Key.b_row, Key.b_col, width, count>(b, panel, column);
        else if constexpr (Key.packed && Key.type == dtype::bf16)
            widen_pairs<Key.k, width>(b + column * device::packed_depth(Key), panel);
        else if constexpr (Key.packed) widen<Key.k, width, 1, width, width>(b + column * Key.k, panel);
        else if constexpr (Key.k > 0) widen<Key.k, Key.b_row, Key.b_col, width, count>(b + column * Key.b_col, panel);
        one_panel<Key, Key.a_row, Key.a_col, width, count>(a, panel, bias, out, after, column, 0, rows);
    });
}

/// Reads b in place, with contiguous rows: whole blocks, then narrower and narrower vectors, so that nothing after a
/// row is read.
template <device::matmul_key Key, std::int64_t Begin, class T, class S, class After, class Rows>
[[gnu::always_inline]] inline void rows_in_place(const T* a, const S* b, const S* bias, S* out, After after,
                                                 Rows rows) {
    constexpr std::int64_t left = Key.n - Begin;
    if constexpr (left > 0) {
        constexpr int L = lanes_within<T>(left);
        constexpr int cols = static_cast<int>(
            std::min<std::int64_t>(left / L, Key.m <= 6 || vector_registers == 16 ? most_vectors<Key> : 2));
        constexpr std::int64_t blocks = left / (cols * L);
        for (std::int64_t block = 0; block < blocks; ++block) {
            const std::int64_t column = Begin + block * cols * L;
            all_rows<Key, tile_strides{Key.a_row, Key.a_col, Key.b_row}, L, cols, cols * L>(
                a, Key.k > 0 ? b + column : b, bias, out, after, rows, column); // no rows: no valid address
        }
        rows_in_place<Key, Begin + blocks * cols * L>(a, b, bias, out, after, rows);
    }
}

/// Integers: sums wrap, like PyTorch's.
template <device::matmul_key Key, class T>
inline void integers(const T* a, const T* b, const T* bias, T* out, std::int64_t rows) {
    using word = std::make_unsigned_t<T>;
    for (std::int64_t i = 0; i < rows; ++i) {
        T* const row = out + i * device::row_of_out(Key);
        for (std::int64_t j = 0; j < Key.n; ++j) row[j] = Key.bias ? bias[i * Key.bias_row + j * Key.bias_col] : T(0);
        for (std::int64_t k = 0; k < Key.k; ++k) {
            const word x = static_cast<word>(a[i * Key.a_row + k * Key.a_col]);
            for (std::int64_t j = 0; j < Key.n; ++j)
                row[j] =
                    static_cast<T>(static_cast<word>(row[j]) + x * static_cast<word>(b[k * Key.b_row + j * Key.b_col]));
        }
    }
}

} // namespace detail

} // namespace ahead::kernels
