// SPDX-License-Identifier: MIT
// The windows of convolutions by Winograd's F(4x4, 3x3): a strip of rows of tiles of the input is transformed, tiles
// across a vector, to [point][channel][tile].
// Invariant: nothing outside the input is read, rows and columns there are zero.
// Called by convolution_winograd.hpp.
#pragma once
#include <ahead/kernels/convolution/convolution_taps.hpp>
#include <ahead/kernels/vector/simd.hpp>
#include <algorithm>
#include <cstdint>

namespace AHEAD_NAMESPACE::kernels::detail {

/// The points are 0, +-a, +-b and infinity. The error is a quarter of that with 1 and 2, and all powers are exact.
template <class T> struct winograd_at {
    static constexpr T a = T(.625), b = T(1.5), a2 = a * a, b2 = b * b, a3 = a * a2, b3 = b * b2;
};

/// factor * x + y
template <class V> [[gnu::always_inline]] inline V plus_times(typename V::element factor, V x, V y) {
    return fma(V::all(factor), x, y);
}

/// Computes two points of B^T d for one row or column of a window: 0 and infinity (Pair 0), +-a (1), or +-b (2).
template <int Pair, class V> [[gnu::always_inline]] inline void pair_of_points(const V (&d)[6], V& one, V& other) {
    using at = winograd_at<typename V::element>;
    if constexpr (Pair == 0) {
        one = plus_times(-(at::a2 + at::b2), d[2], plus_times(at::a2 * at::b2, d[0], d[4]));
        other = plus_times(-(at::a2 + at::b2), d[3], plus_times(at::a2 * at::b2, d[1], d[5]));
    } else {
        constexpr auto here = Pair == 1 ? at::a : at::b, apart = Pair == 1 ? at::b2 : at::a2;
        const V even = plus_times(-apart, d[2], d[4]), odd = plus_times(-apart, d[1], d[3]);
        one = plus_times(here, odd, even);
        other = plus_times(-here, odd, even);
    }
}
/// The indices of a pair's points among all six.
constexpr int first_of_pair(int pair) { return pair == 0 ? 0 : 2 * pair - 1; }
constexpr int second_of_pair(int pair) { return pair == 0 ? 5 : 2 * pair; }

/// B^T d, of one row or column of a window.
template <class V> [[gnu::always_inline]] inline void window_points(const V (&d)[6], V (&made)[6]) {
    unroll<3>([&](auto pair) __attribute__((always_inline)) {
        pair_of_points<pair>(d, made[first_of_pair(pair)], made[second_of_pair(pair)]);
    });
}

/// v[k][i] = element 4 i + k of the concatenated four vectors: columns of windows that are four apart.
template <class T, int L> [[gnu::always_inline]] inline void transpose4x4_block(simd<T, L> (&v)[4]) {
    if constexpr (L > 1) {
        simd<T, L>::template turn_fours<1>(v[0], v[1], v[2], v[3]);
        unroll<4>([&](int k) __attribute__((always_inline)) { v[k] = v[k].transpose4x4(); });
    }
}

/// The number of tiles that are transformed together in registers, from their rows of the input to the points of their
/// windows; their vectors also contain the two extra columns that they need. 0 if a row has too few tiles for that, or
/// the machine too few registers.
template <device::convolution_key Key, class T>
inline constexpr std::int64_t tiles_in_registers = [] {
    constexpr auto L = widest<T>;
    const auto cut = cut_evenly(device::winograd::tile_columns(Key), L - 1);
    return vector_registers == 32 && cut.size > L / 2 ? L - 1 : 0;
}();

/// Computes the rows of points from four vectors of a row, whose first element is the first one of the tiles, or is Pad
/// to the left of it: every fourth column is gathered into one vector.
template <device::convolution_key Key, int Pad, class T, int L>
[[gnu::always_inline]] inline void store_row_of_points(simd<T, L> (&row)[4], T* to) {
    transpose4x4_block(row);
    simd<T, L> d[6], made[6];
    unroll<6>([&](auto j) __attribute__((always_inline)) {
        constexpr int at = j - Pad;
        if constexpr (at < 0) d[j] = shifted<-1>({row[at + 4]});
        else if constexpr (at < 4) d[j] = row[at];
        else d[j] = shifted<1>({row[at - 4]});
    });
    window_points(d, made);
    unroll<6>([&](int k)
                  __attribute__((always_inline)) { made[k].store(to + k * device::winograd::window_point(Key)); });
}

/// Transforms the windows of a group of tiles of a row of tiles, from tile Begin on: B^T d B. from: the first elements
/// of the rows. Columns first, along rows in memory order, two of the six at a time, so that all live values fit in
/// registers. The first tiles read nothing to the left of them, so they begin at the first element of a row.
template <device::convolution_key Key, std::int64_t Begin, class T>
[[gnu::noinline]] void windows_in_registers(const T* const (&from)[6], T* to) {
    constexpr int L = widest<T>, pad = static_cast<int>(Key.pad_w), before = Begin == 0 ? 0 : pad;
    constexpr auto first = 4 * Begin - before, left = std::min(Key.in_w - first, std::int64_t{4 * L});
    unroll<3>([&](auto pair) __attribute__((always_inline)) {
        simd<T, L> one[4], other[4];
        unroll<4>([&](auto v) __attribute__((always_inline)) {
            constexpr int count = std::clamp(static_cast<int>(left) - v * L, 0, L);
            simd<T, L> d[6];
            unroll<6>([&](int i) __attribute__((always_inline)) {
                if constexpr (count > 0) d[i] = simd<T, L>::template load_first<count>(from[i] + first + v * L);
                else d[i] = simd<T, L>::zero();
            });
            pair_of_points<pair>(d, one[v], other[v]);
        });
        constexpr auto row = 6 * device::winograd::window_point(Key);
        store_row_of_points<Key, pad - before>(one, to + first_of_pair(pair) * row);
        store_row_of_points<Key, pad - before>(other, to + second_of_pair(pair) * row);
    });
}

/// Transforms the groups of a row of tiles from tile Begin on. The array of rows is passed by reference: a copy would
/// have to wait for the stores that have just filled it.
template <device::convolution_key Key, std::int64_t Begin, class T>
[[gnu::always_inline]] inline void windows_of_row(const T* const (&from)[6], T* to) {
    constexpr auto tiles = device::winograd::tile_columns(Key);
    constexpr auto cut = cut_evenly(tiles, tiles_in_registers<Key, T>);
    constexpr auto count = Begin < cut.high * cut.size ? cut.size : cut.size - 1;
    windows_in_registers<Key, Begin>(from, to + Begin);
    if constexpr (Begin + count < tiles) windows_of_row<Key, Begin + count>(from, to);
}

/// The input rows of the windows of a row of tiles, `zeros` outside the input. Filled element by element: vector stores
/// would delay the loads that follow.
template <device::convolution_key Key, class T>
[[gnu::always_inline]] inline void rows_of_windows(const T* x, std::int64_t row, const T* zeros, const T* (&from)[6]) {
    unroll<6>([&](int i) __attribute__((always_inline)) {
        const auto y = Key.row_begin + row * 4 - Key.pad_h + i;
        from[i] = y < 0 || y >= Key.in_h ? zeros : x + y * Key.in_w;
    });
}

/// Prefetches elements that are read soon: data that another core wrote is far away, and no hardware prefetcher is
/// early enough.
template <class T> [[gnu::always_inline]] inline void ask_for_row(const T* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += 64 / static_cast<std::int64_t>(sizeof(T))) __builtin_prefetch(from + i);
}
/// Prefetches the rows of a channel next to those that the key selects: other cores wrote these.
template <device::convolution_key Key, class T> [[gnu::always_inline]] inline void ask_for_edges(const T* x) {
    constexpr auto end = Key.row_begin + device::rows_made(Key);
    if constexpr (Key.row_begin > 0) ask_for_row(x + (Key.row_begin - Key.pad_h) * Key.in_w, Key.pad_h * Key.in_w);
    if constexpr (end < device::out_h(Key)) ask_for_row(x + end * Key.in_w, (2 - Key.pad_h) * Key.in_w);
}

/// Transforms the windows of `rows` rows of tiles from `first` on: B^T d B. Columns first, along rows in memory order;
/// then the six columns of the windows are separated, each contiguous for all tiles; then rows. Each step is done for
/// all rows of a channel before the next step: the data that a step stores is in the cache when the next one loads it
/// at other addresses.
template <device::convolution_key Key, class T>
[[gnu::noinline]] void winograd_windows(const T* x, std::int64_t first, std::int64_t rows, T* to, T* scratch) {
    using namespace device::winograd;
    constexpr auto tiles = tile_columns(Key), line = row_width(Key), dealt_width = padded_tiles(Key) + gap;
    constexpr int wide = lanes_within<T>(Key.in_w), L = lanes_around<T>(tiles), all = lanes_around<T>(strip_tiles(Key));
    if constexpr (tiles_in_registers<Key, T> > 0) {
        std::fill(scratch, scratch + Key.in_w, T(0));
        for (std::int64_t c = 0; c < Key.in_channels; ++c, x += Key.in_h * Key.in_w) {
            if (c + 4 < Key.in_channels) ask_for_edges<Key>(x + 4 * Key.in_h * Key.in_w);
            for (std::int64_t r = 0; r < rows; ++r) {
                const T* from[6];
                rows_of_windows<Key>(x, first + r, scratch, from);
                windows_of_row<Key, 0>(from, to + c * padded_tiles(Key) + r * tiles);
            }
        }
        return;
    }
    T *const dealt = scratch + 6 * rows * line + gap, *const zeros = dealt + points * dealt_width;
    std::fill(scratch, zeros + Key.in_w, T(0));
    for (std::int64_t c = 0; c < Key.in_channels; ++c, x += Key.in_h * Key.in_w) {
        for (std::int64_t r = 0; r < rows; ++r) {
            const T* from[6];
            rows_of_windows<Key>(x, first + r, zeros, from);
            if (c + 2 < Key.in_channels)
                ask_for_row(x + (2 * Key.in_h + 4 * (first + r) + Key.row_begin) * Key.in_w, 4 * Key.in_w);
            for (std::int64_t at = 0; at < Key.in_w; at += wide) {
                const auto column = std::min<std::int64_t>(at, Key.in_w - wide);
                simd<T, wide> d[6], made[6];
                unroll<6>([&](int i) __attribute__((always_inline)) { d[i] = simd<T, wide>::load(from[i] + column); });
                window_points(d, made);
                unroll<6>([&](int i) __attribute__((always_inline)) {
                    made[i].store(scratch + (i * rows + r) * line + gap + column);
                });
            }
        }
        for (int i = 0; i < 6; ++i) {
            const T* const lines = scratch + i * rows * line + gap - Key.pad_w;
            T* const columns = dealt + 6 * i * dealt_width;
            for (std::int64_t r = 0; r < rows; ++r) // excess lanes go to the next row's tiles, which are stored later
                for (std::int64_t t = 0; t < tiles; t += L) {
                    simd<T, L> v[4];
                    unroll<4>([&](int k) __attribute__((always_inline)) {
                        v[k] = simd<T, L>::load(lines + r * line + 4 * t + k * L);
                    });
                    transpose4x4_block(v);
                    unroll<6>([&](int k) __attribute__((always_inline)) {
                        v[k % 4].store(columns + k * dealt_width + r * tiles + t - k / 4);
                    });
                }
            for (std::int64_t r = 0; r < rows; ++r)
                for (int k = 4; k < 6; ++k)
                    columns[k * dealt_width + (r + 1) * tiles - 1] = lines[r * line + 4 * tiles + k - 4];
        }
        for (int i = 0; i < 6; ++i)
            for (std::int64_t t = 0; t < rows * tiles; t += all) {
                simd<T, all> d[6], made[6];
                unroll<6>([&](int k) __attribute__((always_inline)) {
                    d[k] = simd<T, all>::load(dealt + (i * 6 + k) * dealt_width + t);
                });
                window_points(d, made);
                unroll<6>([&](int k) __attribute__((always_inline)) {
                    made[k].store(to + (i * 6 + k) * window_point(Key) + c * padded_tiles(Key) + t);
                });
            }
    }
}

} // namespace ahead::kernels::detail
