// SPDX-License-Identifier: MIT
// 3x3 convolutions by Winograd's F(4x4, 3x3), a strip of rows of tiles at a time: windows of the input are transformed,
// tiles across a vector, to [point][channel][tile]; a panel of filters at a time, the products at each point are those
// of matrices, [point][tile][filter]; and they are transformed back, filters across a vector, turned to rows of pixels
// and stored with what follows.
// Invariant: nothing outside the input is read, rows and columns there are zero; each pixel is stored once. The order
// of operations depends on the key and the build alone.
// Errors: each pixel has those of its tile's magnitude, not of its own terms'. Of numbers in [-1, 1] a result lies
// within 2e-6 of the largest one from the exact one for 64 channels, 4e-6 for 256: three times as far as one that is
// summed directly. What is not finite in a window leaves no pixel of its tile finite.
// Called by convolution.hpp.
#pragma once
#include <ahead/kernel/convolution/convolution_taps.hpp>
#include <ahead/kernel/product/matmul_tiles.hpp>
#include <algorithm>
#include <cstdint>

namespace AHEAD_NAMESPACE::npu::kernel::detail {

/// f(panel width, valid filters, first filter) over the panels of filters.
template <target::convolution_key Key, class F> inline void each_winograd_panel(F&& f) {
    constexpr int width = target::winograd::panel_width(Key), rest = Key.out_channels % width;
    for (std::int64_t o = 0; o + width <= Key.out_channels; o += width)
        f(std::integral_constant<int, width>{}, std::integral_constant<int, width>{}, o);
    if constexpr (rest > 0)
        f(std::integral_constant<int, static_cast<int>(target::padded_panel(rest))>{},
          std::integral_constant<int, rest>{}, Key.out_channels - rest);
}

/// The points are 0, +-a, +-b and infinity. The error is a quarter of that of 1 and 2, and all powers are exact.
template <class T> struct winograd_at {
    static constexpr T a = T(.625), b = T(1.5), a2 = a * a, b2 = b * b, a3 = a * a2, b3 = b * b2;
};

/// Weights [filter][channel][3][3] -> [panel][point][channel][Width], zero behind the last filter: G w G^T.
template <target::convolution_key Key, class T> void pack_winograd(const T* weight, T* packed) {
    using at = winograd_at<double>;
    constexpr double all = 1 / (at::a2 * at::b2), of_a = .5 / (at::a2 * (at::a2 - at::b2)),
                     of_b = .5 / (at::b2 * (at::b2 - at::a2));
    constexpr double by[6][3] = {{all, 0, 0},
                                 {of_a, of_a * at::a, of_a * at::a2},
                                 {of_a, -of_a * at::a, of_a * at::a2},
                                 {of_b, of_b * at::b, of_b * at::b2},
                                 {of_b, -of_b * at::b, of_b * at::b2},
                                 {0, 0, 1}};
    constexpr auto channels = Key.in_channels;
    each_winograd_panel<Key>([&](auto width, auto count, std::int64_t first) {
        T* const panel = packed + first * target::winograd::points * channels;
        std::fill(panel, panel + target::winograd::points * channels * width, T(0));
        for (int o = 0; o < count; ++o)
            for (std::int64_t c = 0; c < channels; ++c) {
                const T* const from = weight + ((first + o) * channels + c) * 9;
                double rows[6][3]{};
                for (int i = 0; i < 6; ++i)
                    for (int k = 0; k < 9; ++k) rows[i][k % 3] += by[i][k / 3] * static_cast<double>(from[k]);
                for (int p = 0; p < target::winograd::points; ++p) {
                    double sum = 0;
                    for (int k = 0; k < 3; ++k) sum += rows[p / 6][k] * by[p % 6][k];
                    panel[(p * channels + c) * width + o] = static_cast<T>(sum);
                }
            }
    });
}

/// factor * x + y
template <class V> [[gnu::always_inline]] inline V plus_times(typename V::element factor, V x, V y) {
    return fma(V::all(factor), x, y);
}

/// Of B^T d, of one row or column of a window, the points 0 and infinity (Pair 0), +-a (1), or +-b (2).
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
/// Where a pair's points stand among all six.
constexpr int first_of_pair(int pair) { return pair == 0 ? 0 : 2 * pair - 1; }
constexpr int second_of_pair(int pair) { return pair == 0 ? 5 : 2 * pair; }

/// B^T d, of one row or column of a window.
template <class V> [[gnu::always_inline]] inline void window_points(const V (&d)[6], V (&made)[6]) {
    unroll<3>([&](auto pair) __attribute__((always_inline)) {
        pair_of_points<pair>(d, made[first_of_pair(pair)], made[second_of_pair(pair)]);
    });
}

/// A^T m, of one row or column of products, and `base` more in each where Based.
template <bool Based, class V>
[[gnu::always_inline]] inline void tile_pixels(const V (&m)[6], [[maybe_unused]] V base, V (&made)[4]) {
    using at = winograd_at<typename V::element>;
    const auto first = [&](V x) __attribute__((always_inline)) {
        if constexpr (Based) return x + base;
        else return x;
    };
    const auto term = [&](typename V::element factor, V x) __attribute__((always_inline)) {
        if constexpr (Based) return plus_times(factor, x, base);
        else return V::all(factor) * x;
    };
    const V even_a = m[1] + m[2], odd_a = m[1] - m[2], even_b = m[3] + m[4], odd_b = m[3] - m[4];
    made[0] = first(m[0]) + even_a + even_b;
    made[1] = plus_times(at::a, odd_a, term(at::b, odd_b));
    made[2] = plus_times(at::a2, even_a, term(at::b2, even_b));
    made[3] = plus_times(at::a3, odd_a, plus_times(at::b3, odd_b, first(m[5])));
}

/// v[k][i] = element 4 i + k of the four: columns of windows that lie four apart.
template <class T, int L> [[gnu::always_inline]] inline void deal(lanes<T, L> (&v)[4]) {
    if constexpr (L > 1) {
        lanes<T, L>::template turn_fours<1>(v[0], v[1], v[2], v[3]);
        unroll<4>([&](int k) __attribute__((always_inline)) { v[k] = v[k].fours_apart(); });
    }
}

/// Tiles that go through registers side by side, from their rows of the input to their windows' points: two columns more
/// than are theirs are in the same vectors. 0 where a row has too few tiles for that, or the machine too few registers.
template <target::convolution_key Key, class T>
inline constexpr std::int64_t tiles_in_registers = [] {
    constexpr auto L = widest<T>;
    const auto cut = cut_evenly(target::winograd::tile_columns(Key), L - 1);
    return vector_registers == 32 && cut.size > L / 2 ? L - 1 : 0;
}();

/// The rows of points that come from four vectors of a row, whose first element is the tiles' own, or lies Pad to the
/// left of it: what stands in every fourth column is put side by side.
template <target::convolution_key Key, int Pad, class T, int L>
[[gnu::always_inline]] inline void store_row_of_points(lanes<T, L> (&row)[4], T* to) {
    deal(row);
    lanes<T, L> d[6], made[6];
    unroll<6>([&](auto j) __attribute__((always_inline)) {
        constexpr int at = j - Pad;
        if constexpr (at < 0) d[j] = shifted<-1>({row[at + 4]});
        else if constexpr (at < 4) d[j] = row[at];
        else d[j] = shifted<1>({row[at - 4]});
    });
    window_points(d, made);
    unroll<6>([&](int k)
                  __attribute__((always_inline)) { made[k].store(to + k * target::winograd::window_point(Key)); });
}

/// The windows of a group of tiles of a row of tiles, tile Begin and on: B^T d B. from: the rows' first elements.
/// Columns first, along rows as they lie in memory, two of the six at a time: so all that is alive stays in registers.
/// The first tiles read nothing to the left of them, so they begin at a row's own first element.
template <target::convolution_key Key, std::int64_t Begin, class T>
[[gnu::noinline]] void windows_in_registers(const T* const (&from)[6], T* to) {
    constexpr int L = widest<T>, pad = static_cast<int>(Key.pad_w), before = Begin == 0 ? 0 : pad;
    constexpr auto first = 4 * Begin - before, left = std::min(Key.in_w - first, std::int64_t{4 * L});
    unroll<3>([&](auto pair) __attribute__((always_inline)) {
        lanes<T, L> one[4], other[4];
        unroll<4>([&](auto v) __attribute__((always_inline)) {
            constexpr int count = std::clamp(static_cast<int>(left) - v * L, 0, L);
            lanes<T, L> d[6];
            unroll<6>([&](int i) __attribute__((always_inline)) {
                if constexpr (count > 0) d[i] = lanes<T, L>::template load_first<count>(from[i] + first + v * L);
                else d[i] = lanes<T, L>::zero();
            });
            pair_of_points<pair>(d, one[v], other[v]);
        });
        constexpr auto row = 6 * target::winograd::window_point(Key);
        store_row_of_points<Key, pad - before>(one, to + first_of_pair(pair) * row);
        store_row_of_points<Key, pad - before>(other, to + second_of_pair(pair) * row);
    });
}

/// The groups of a row of tiles from tile Begin on. The array of rows goes through as it is: a copy of it would wait
/// for what has just been stored.
template <target::convolution_key Key, std::int64_t Begin, class T>
[[gnu::always_inline]] inline void windows_of_row(const T* const (&from)[6], T* to) {
    constexpr auto tiles = target::winograd::tile_columns(Key);
    constexpr auto cut = cut_evenly(tiles, tiles_in_registers<Key, T>);
    constexpr auto count = Begin < cut.high * cut.size ? cut.size : cut.size - 1;
    windows_in_registers<Key, Begin>(from, to + Begin);
    if constexpr (Begin + count < tiles) windows_of_row<Key, Begin + count>(from, to);
}

/// The rows under the windows of a row of tiles, `zeros` outside the input; no vector of them, which loads wait for.
template <target::convolution_key Key, class T>
[[gnu::always_inline]] inline void rows_of_windows(const T* x, std::int64_t row, const T* zeros, const T* (&from)[6]) {
    unroll<6>([&](int i) __attribute__((always_inline)) {
        const auto y = Key.row_begin + row * 4 - Key.pad_h + i;
        from[i] = y < 0 || y >= Key.in_h ? zeros : x + y * Key.in_w;
    });
}

/// The windows of `rows` rows of tiles from `first` on: B^T d B. Columns first, along rows as they lie in memory; then
/// the six columns of the windows are dealt out, those of all tiles side by side; then rows. All rows of a channel take
/// one step after the other: what a step stores is in the cache when the next one loads it, at other places.
template <target::convolution_key Key, class T>
[[gnu::noinline]] void winograd_windows(const T* x, std::int64_t first, std::int64_t rows, T* to, T* scratch) {
    using namespace target::winograd;
    constexpr auto tiles = tile_columns(Key), line = row_width(Key), dealt_width = padded_tiles(Key) + gap;
    constexpr int wide = lanes_within<T>(Key.in_w), L = lanes_around<T>(tiles), all = lanes_around<T>(strip_tiles(Key));
    if constexpr (tiles_in_registers<Key, T> > 0) {
        std::fill(scratch, scratch + Key.in_w, T(0));
        for (std::int64_t c = 0; c < Key.in_channels; ++c, x += Key.in_h * Key.in_w)
            for (std::int64_t r = 0; r < rows; ++r) {
                const T* from[6];
                rows_of_windows<Key>(x, first + r, scratch, from);
                windows_of_row<Key, 0>(from, to + c * padded_tiles(Key) + r * tiles);
            }
        return;
    }
    T *const dealt = scratch + 6 * rows * line + gap, *const zeros = dealt + points * dealt_width;
    std::fill(scratch, zeros + Key.in_w, T(0));
    for (std::int64_t c = 0; c < Key.in_channels; ++c, x += Key.in_h * Key.in_w) {
        for (std::int64_t r = 0; r < rows; ++r) {
            const T* from[6];
            rows_of_windows<Key>(x, first + r, zeros, from);
            for (std::int64_t at = 0; at < Key.in_w; at += wide) {
                const auto column = std::min<std::int64_t>(at, Key.in_w - wide);
                lanes<T, wide> d[6], made[6];
                unroll<6>([&](int i) __attribute__((always_inline)) { d[i] = lanes<T, wide>::load(from[i] + column); });
                window_points(d, made);
                unroll<6>([&](int i) __attribute__((always_inline)) {
                    made[i].store(scratch + (i * rows + r) * line + gap + column);
                });
            }
        }
        for (int i = 0; i < 6; ++i) {
            const T* const lines = scratch + i * rows * line + gap - Key.pad_w;
            T* const columns = dealt + 6 * i * dealt_width;
            for (std::int64_t r = 0; r < rows; ++r) // what stands over goes to the tiles of the next row, before these
                for (std::int64_t t = 0; t < tiles; t += L) {
                    lanes<T, L> v[4];
                    unroll<4>([&](int k) __attribute__((always_inline)) {
                        v[k] = lanes<T, L>::load(lines + r * line + 4 * t + k * L);
                    });
                    deal(v);
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
                lanes<T, all> d[6], made[6];
                unroll<6>([&](int k) __attribute__((always_inline)) {
                    d[k] = lanes<T, all>::load(dealt + (i * 6 + k) * dealt_width + t);
                });
                window_points(d, made);
                unroll<6>([&](int k) __attribute__((always_inline)) {
                    made[k].store(to + (i * 6 + k) * window_point(Key) + c * padded_tiles(Key) + t);
                });
            }
    }
}

/// Tiles of a panel of Width filters, of which Count there are: A^T m A and the bias, to rows of pixels. out: the first
/// filter's first row.
template <target::convolution_key Key, int Width, int Count, class T, class After>
[[gnu::noinline]] void winograd_pixels(const T* products, const T* bias, T* out, std::int64_t first, std::int64_t rows,
                                       [[maybe_unused]] After after) {
    constexpr int L = lanes_within<T>(Width), side = std::max(1, L / 4); // tiles in a group, whose rows are turned
    constexpr auto tiles = target::winograd::tile_columns(Key), width = target::out_w(Key),
                   point = target::winograd::product_point(Key), pixels = target::out_pixels(Key);
    constexpr bool all_at_once = After::is_long && After::operands == 0; // many pixels of many filters
    alignas(64) T made[16 * side * L]{};                                 // [row][pixel][filter]
    const auto group = [&](auto here, auto filters, std::int64_t r, std::int64_t t,
                           int f) __attribute__((always_inline)) { // `here` pixels to a row
        for (int k = 0; k < (here + 3) / 4; ++k) {
            const T* const m = products + (r * tiles + t + k) * Width + f;
            lanes<T, L> columns[6][4];
            unroll<6>([&](int j) __attribute__((always_inline)) {
                lanes<T, L> d[6];
                unroll<6>([&](int i)
                              __attribute__((always_inline)) { d[i] = lanes<T, L>::load(m + (i * 6 + j) * point); });
                tile_pixels<false>(d, lanes<T, L>::zero(), columns[j]);
            });
            auto base = lanes<T, L>::zero();
            if constexpr (Key.bias) base = lanes<T, L>::template load_first<filters>(bias + f);
            unroll<4>([&](int i) __attribute__((always_inline)) {
                lanes<T, L> d[6], row[4];
                unroll<6>([&](int j) __attribute__((always_inline)) { d[j] = columns[j][i]; });
                tile_pixels<Key.bias>(d, base, row);
                unroll<4>([&](int j)
                              __attribute__((always_inline)) { row[j].store(made + ((i * side + k) * 4 + j) * L); });
            });
        }
        if constexpr (all_at_once)
            for (int i = 0; i < 4; ++i) {
                T* const row = made + i * side * 4 * L;
                After::template run<true>(row, {}, row, here * L);
            }
        const auto y = (first + r) * 4;
        for (const int i : {0, 2, 1, 3}) { // at no stride: many strides on, another core's rows would be asked for
            if (y + i >= target::rows_made(Key)) continue;
            unroll<(here + L - 1) / L>([&](auto part) __attribute__((always_inline)) {
                constexpr int count = std::min(L, here - part * L);
                lanes<T, L> turned[L];
                unroll<L>([&](int j) __attribute__((always_inline)) {
                    turned[j] = lanes<T, L>::load(made + (i * side * 4 + part * L + j) * L);
                });
                lanes<T, L>::transpose(turned);
                T* const to = out + f * pixels + (y + i) * width + t * 4 + part * L;
                unroll<filters>([&](int o) __attribute__((always_inline)) {
                    if constexpr (After::exists && !all_at_once)
                        after.template store<false, count>({turned[o]}, to + o * pixels);
                    else turned[o].template store_first<count>(to + o * pixels);
                });
            });
        }
    };
    constexpr int whole = 4 * side, rest = static_cast<int>(width % whole);
    const auto row = [&](auto filters, std::int64_t r, int f) __attribute__((always_inline)) {
        for (std::int64_t t = 0; t < width / whole * side; t += side)
            group(std::integral_constant<int, whole>{}, filters, r, t, f);
        if constexpr (rest > 0) group(std::integral_constant<int, rest>{}, filters, r, width / whole * side, f);
    };
    for (std::int64_t r = 0; r < rows; ++r) {
        for (int f = 0; f + L <= Count; f += L) row(std::integral_constant<int, L>{}, r, f);
        if constexpr (Count % L > 0) row(std::integral_constant<int, Count % L>{}, r, Count / L * L);
    }
}

/// The products of Tiles tiles and a panel of filters, at each point.
template <target::convolution_key Key, int Width, int Tiles, class T>
[[gnu::noinline]] void winograd_products(const T* windows, const T* panel, T* to) {
    constexpr target::matmul_key product{Key.type, Tiles, Width, Key.in_channels};
    for (int p = 0; p < target::winograd::points; ++p)
        one_panel<product, 1, target::winograd::padded_tiles(Key), Width, Width, 1024>(
            windows + p * target::winograd::window_point(Key), panel + p * Key.in_channels * Width,
            static_cast<const T*>(nullptr), to + p * target::winograd::product_point(Key), no_epilogue{}, 0);
}

/// All of one image, or the rows that the key says. out: their first pixel.
template <target::convolution_key Key, class T, class After>
inline void winograd(const T* x, const T* packed, const T* bias, T* out, After after, T* work) {
    using namespace target::winograd;
    T *const windows = work + points * product_point(Key), *const scratch = windows + points * window_point(Key);
    each_piece<tile_rows(Key), strip_rows(Key)>([&](auto rows, std::int64_t first) {
        winograd_windows<Key>(x, first, rows, windows, scratch);
        each_winograd_panel<Key>([&](auto width, auto count, std::int64_t o) {
            winograd_products<Key, width(), rows() * tile_columns(Key)>(windows, packed + o * points * Key.in_channels,
                                                                        work);
            winograd_pixels<Key, width(), count()>(work, bias_from<Key>(bias, o), out + o * target::out_pixels(Key),
                                                   first, rows, after);
        });
    });
}

} // namespace ahead::npu::kernel::detail
