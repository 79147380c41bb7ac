// SPDX-License-Identifier: MIT
// 3x3 convolutions by Winograd's F(4x4, 3x3), one strip of rows of tiles at a time. Windows of the input are
// transformed, tiles across a vector, to [point][channel][tile]. For one panel of filters at a time, the products at
// each point are matrix products, [point][tile][filter]. They are transformed back, filters across a vector, transposed
// to rows of pixels and stored with the epilogue.
// Invariant: nothing outside the input is read, rows and columns there are zero; each pixel is stored once. The order
// of operations depends only on the key and the build.
// Errors: the error of a pixel is relative to the magnitude of its tile, not of its own terms. For numbers in [-1, 1] a
// result differs from the exact one by at most 2e-6 of the largest result for 64 channels, 4e-6 for 256: three times
// the error of direct summation. If an element of a window is not finite, no pixel of its tile is finite.
// Called by convolution.hpp.
#pragma once
#include <ahead/kernels/convolution/convolution_winograd_windows.hpp>
#include <ahead/kernels/product/matmul_tiles.hpp>
#include <algorithm>
#include <cstdint>

namespace AHEAD_NAMESPACE::kernels::detail {

/// Calls f(panel width, valid filters, first filter) for each panel of filters.
template <device::convolution_key Key, class F> inline void each_winograd_panel(F&& f) {
    constexpr int width = device::winograd::panel_width(Key), rest = Key.out_channels % width;
    for (std::int64_t o = 0; o + width <= Key.out_channels; o += width)
        f(std::integral_constant<int, width>{}, std::integral_constant<int, width>{}, o);
    if constexpr (rest > 0)
        f(std::integral_constant<int, static_cast<int>(device::padded_panel(rest))>{},
          std::integral_constant<int, rest>{}, Key.out_channels - rest);
}

/// Weights [filter][channel][3][3] -> [panel][point][channel][Width], with zeros after the last filter: G w G^T.
template <device::convolution_key Key, class T> void pack_winograd(const T* weight, T* packed) {
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
        T* const panel = packed + first * device::winograd::points * channels;
        std::fill(panel, panel + device::winograd::points * channels * width, T(0));
        for (int o = 0; o < count; ++o)
            for (std::int64_t c = 0; c < channels; ++c) {
                const T* const from = weight + ((first + o) * channels + c) * 9;
                double rows[6][3]{};
                for (int i = 0; i < 6; ++i)
                    for (int k = 0; k < 9; ++k) rows[i][k % 3] += by[i][k / 3] * static_cast<double>(from[k]);
                for (int p = 0; p < device::winograd::points; ++p) {
                    double sum = 0;
                    for (int k = 0; k < 3; ++k) sum += rows[p / 6][k] * by[p % 6][k];
                    panel[(p * channels + c) * width + o] = static_cast<T>(sum);
                }
            }
    });
}

/// A^T m, of one row or column of products; adds `base` to each if Based.
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

/// Transforms tiles of a panel of Width filters, of which Count are valid: A^T m A and the bias, to rows of pixels.
/// out: the first row of the first filter.
template <device::convolution_key Key, int Width, int Count, class T, class After>
[[gnu::noinline]] void winograd_pixels(const T* products, const T* bias, T* out, std::int64_t first, std::int64_t rows,
                                       [[maybe_unused]] After after) {
    constexpr int L = lanes_within<T>(Width), side = std::max(1, L / 4); // tiles in a group, whose rows are transposed
    constexpr auto tiles = device::winograd::tile_columns(Key), width = device::out_w(Key),
                   point = device::winograd::product_point(Key), pixels = device::out_pixels(Key);
    constexpr bool all_at_once = After::is_long && After::operands == 0; // many pixels of many filters
    alignas(64) T made[16 * side * L]{};                                 // [row][pixel][filter]
    const auto group = [&](auto here, auto filters, std::int64_t r, std::int64_t t,
                           int f) __attribute__((always_inline)) { // `here` pixels to a row
        for (int k = 0; k < (here + 3) / 4; ++k) {
            const T* const m = products + (r * tiles + t + k) * Width + f;
            simd<T, L> columns[6][4];
            unroll<6>([&](int j) __attribute__((always_inline)) {
                simd<T, L> d[6];
                unroll<6>([&](int i)
                              __attribute__((always_inline)) { d[i] = simd<T, L>::load(m + (i * 6 + j) * point); });
                tile_pixels<false>(d, simd<T, L>::zero(), columns[j]);
            });
            auto base = simd<T, L>::zero();
            if constexpr (Key.bias) base = simd<T, L>::template load_first<filters>(bias + f);
            unroll<4>([&](int i) __attribute__((always_inline)) {
                simd<T, L> d[6], row[4];
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
        for (const int i : {0, 2, 1, 3}) { // no constant stride: a prefetcher would fetch another core's rows
            if (y + i >= device::rows_made(Key)) continue;
            unroll<(here + L - 1) / L>([&](auto part) __attribute__((always_inline)) {
                constexpr int count = std::min(L, here - part * L);
                simd<T, L> turned[L];
                unroll<L>([&](int j) __attribute__((always_inline)) {
                    turned[j] = simd<T, L>::load(made + (i * side * 4 + part * L + j) * L);
                });
                simd<T, L>::transpose(turned);
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
template <device::convolution_key Key, int Width, int Tiles, class T>
[[gnu::noinline]] void winograd_products(const T* windows, const T* panel, T* to) {
    constexpr device::matmul_key product{Key.type, Tiles, Width, Key.in_channels};
    for (int p = 0; p < device::winograd::points; ++p)
        one_panel<product, 1, device::winograd::padded_tiles(Key), Width, Width, 1024>(
            windows + p * device::winograd::window_point(Key), panel + p * Key.in_channels * Width,
            static_cast<const T*>(nullptr), to + p * device::winograd::product_point(Key), no_epilogue{}, 0);
}

/// Computes one image, or the rows that the key selects. out: the first pixel of these.
template <device::convolution_key Key, class T, class After>
inline void winograd(const T* x, const T* packed, const T* bias, T* out, After after, T* work) {
    using namespace device::winograd;
    T *const windows = work + points * product_point(Key), *const scratch = windows + points * window_point(Key);
    each_piece<tile_rows(Key), strip_rows(Key)>([&](auto rows, std::int64_t first) {
        winograd_windows<Key>(x, first, rows, windows, scratch);
        each_winograd_panel<Key>([&](auto width, auto count, std::int64_t o) {
            winograd_products<Key, width(), rows() * tile_columns(Key)>(windows, packed + o * points * Key.in_channels,
                                                                        work);
            winograd_pixels<Key, width(), count()>(work, bias_from<Key>(bias, o), out + o * device::out_pixels(Key),
                                                   first, rows, after);
        });
    });
}

} // namespace ahead::kernels::detail
