// SPDX-License-Identifier: MIT
// 3x3 convolutions of small maps by Winograd's F(2x2, 3x3): all tiles of an image are stored contiguously along
// vectors, so that each transformed weight (16 for 9 original ones) is read once. Windows are transformed to
// [point][channel][tile], multiplied point by point to [point][filter][tile], and transformed back.
// Invariant: nothing outside the input is read, rows and columns there are zero; each pixel is stored once. The order
// of operations depends only on the key and the build.
// Errors: for numbers in [-1, 1] a result differs from the exact one by at most 1e-6 of the largest result for 512
// channels. If an element of a window is not finite, some pixels of its tile are not finite.
// Called by convolution.hpp.
#pragma once
#include <ahead/kernels/convolution/convolution_tiling.hpp>
#include <algorithm>
#include <cstdint>
#include <cstring>

namespace AHEAD_NAMESPACE::kernels::detail {

/// Weights [filter][channel][3][3] -> [point][panel][channel][filter of the panel], with zeros after the last filter: G
/// w G^T.
template <device::convolution_key Key, class T> void pack_winograd_2x2(const T* weight, T* packed) {
    using namespace device::winograd_2x2;
    constexpr double by[4][3] = {{1, 0, 0}, {.5, .5, .5}, {.5, -.5, .5}, {0, 0, 1}};
    constexpr auto channels = Key.in_channels;
    std::fill(packed, packed + device::packed_elements(Key), T(0));
    for (std::int64_t o = 0; o < Key.out_channels; ++o)
        for (std::int64_t c = 0; c < channels; ++c, weight += 9)
            for (int p = 0; p < points; ++p) {
                double sum = 0;
                for (int k = 0; k < 9; ++k) sum += by[p / 4][k / 3] * by[p % 4][k % 3] * static_cast<double>(weight[k]);
                packed[((p * panels(Key) + o / panel_width) * channels + c) * panel_width + o % panel_width] =
                    static_cast<T>(sum);
            }
}

/// The windows of all tiles: B^T d B.
template <device::convolution_key Key, class T> [[gnu::noinline]] void winograd_2x2_windows(const T* x, T* to) {
    using namespace device::winograd_2x2;
    constexpr int L = lanes_within<T>(tile_room), block = 8, across = static_cast<int>(tile_columns(Key)),
                  down = static_cast<int>(tile_rows(Key));
    constexpr auto channels = Key.in_channels;
    T dealt[2 * down + 2][2][across + 1]{};            // the padded map, split into even and odd columns
    alignas(64) T windows[block][points][tile_room]{}; // written before they are read in vectors: a block of channels
    for (std::int64_t begin = 0; begin < channels; begin += block) {
        const auto end = std::min<std::int64_t>(channels, begin + block);
        for (auto c = begin; c < end; ++c, x += Key.in_h * Key.in_w) {
            for (std::int64_t y = 0; y < Key.in_h; ++y)
                unroll<static_cast<int>(Key.in_w)>([&](int column) __attribute__((always_inline)) {
                    const auto at = column + Key.pad_w;
                    dealt[y + Key.pad_h][at % 2][at / 2] = x[y * Key.in_w + column];
                });
            unroll<points * down>([&](int i) __attribute__((always_inline)) {
                const int p = i / down, t = i % down;
                std::memcpy(windows[c - begin][p] + t * across, dealt[2 * t + p / 4][p % 2] + p % 4 / 2,
                            sizeof(T) * across);
            });
        }
        for (auto c = begin; c < end; ++c)
            for (int t = 0; t < tile_room; t += L) {
                using vector = simd<T, L>;
                vector d[4][4];
                unroll<4>([&](int j) __attribute__((always_inline)) {
                    vector m[4];
                    unroll<4>([&](int i) __attribute__((always_inline)) {
                        m[i] = vector::load(windows[c - begin][i * 4 + j] + t);
                    });
                    d[0][j] = m[0] - m[2], d[1][j] = m[1] + m[2], d[2][j] = m[2] - m[1], d[3][j] = m[1] - m[3];
                });
                unroll<4>([&](int i) __attribute__((always_inline)) {
                    const vector made[4] = {d[i][0] - d[i][2], d[i][1] + d[i][2], d[i][2] - d[i][1], d[i][1] - d[i][3]};
                    unroll<4>([&](int j) __attribute__((always_inline)) {
                        made[j].store(to + ((i * 4 + j) * channels + c) * tile_room + t);
                    });
                });
            }
    }
}

/// The products of all tiles and of Filters filters at one point.
template <device::convolution_key Key, int Filters, class T>
[[gnu::noinline]] void winograd_2x2_products(const T* windows, const T* w, T* to) {
    using namespace device::winograd_2x2;
    constexpr int L = lanes_within<T>(tile_room), vectors = tile_room / L;
    simd<T, L> sum[Filters][vectors];
    unroll<Filters * vectors>(
        [&](int i) __attribute__((always_inline)) { sum[i / vectors][i % vectors] = simd<T, L>::zero(); });
    for (std::int64_t c = 0; c < Key.in_channels; ++c, windows += tile_room, w += panel_width) {
        simd<T, L> tiles[vectors];
        unroll<vectors>([&](int v) __attribute__((always_inline)) { tiles[v] = simd<T, L>::load(windows + v * L); });
        __builtin_prefetch(w + 64 * panel_width, 0, 2);
        unroll<Filters>([&](int f) __attribute__((always_inline)) {
            const auto weight = simd<T, L>::all(w[f]);
            unroll<vectors>([&](int v)
                                __attribute__((always_inline)) { sum[f][v] = fma(weight, tiles[v], sum[f][v]); });
        });
    }
    unroll<Filters * vectors>([&](int i) __attribute__((always_inline)) {
        sum[i / vectors][i % vectors].store(to + i / vectors * tile_room + i % vectors * L);
    });
}

/// The pixels of one filter: A^T m A and the bias. products: those of its first point.
template <device::convolution_key Key, class T, class After>
[[gnu::noinline]] void winograd_2x2_pixels(const T* products, const T* bias, T* out, [[maybe_unused]] After after) {
    using namespace device::winograd_2x2;
    constexpr int L = lanes_within<T>(tile_room), across = static_cast<int>(tile_columns(Key)),
                  width = static_cast<int>(device::out_w(Key)), wide = lanes_around<T>(width),
                  vectors = (width + wide - 1) / wide;
    constexpr auto point = panels(Key) * panel_width * tile_room;
    alignas(64) T rows[2][2 * tile_room + wide]; // the even ones and the odd ones, one after the other
    for (int t = 0; t < tile_room; t += L) {
        using vector = simd<T, L>;
        const auto base = Key.bias ? vector::all(*bias) : vector::zero();
        vector d[2][4];
        unroll<4>([&](int j) __attribute__((always_inline)) {
            vector m[4];
            unroll<4>([&](int i)
                          __attribute__((always_inline)) { m[i] = vector::load(products + (i * 4 + j) * point + t); });
            d[0][j] = m[0] + m[1] + m[2], d[1][j] = m[1] - m[2] - m[3];
        });
        unroll<2>([&](int i) __attribute__((always_inline)) {
            const vector even = base + d[i][0] + d[i][1] + d[i][2], odd = base + d[i][1] - d[i][2] - d[i][3];
            vector::template side_by_side<0>(even, odd).store(rows[i] + 2 * t);
            vector::template side_by_side<1>(even, odd).store(rows[i] + 2 * t + L);
        });
    }
    for (std::int64_t y = 0; y < device::out_h(Key); ++y) {
        simd<T, wide> row[vectors];
        unroll<vectors>([&](int v) __attribute__((always_inline)) {
            row[v] = simd<T, wide>::load(rows[y % 2] + y / 2 * 2 * across + v * wide);
        });
        T* const to = out + y * width;
        if constexpr (After::exists) after.template store<false, width>(row, to);
        else
            unroll<vectors>([&](auto v) __attribute__((always_inline)) {
                row[v].template store_first<std::clamp(width - v * wide, 0, wide)>(to + v * wide);
            });
    }
}

/// Computes one image.
template <device::convolution_key Key, class T, class After>
inline void winograd_2x2(const T* x, const T* packed, const T* bias, T* out, After after, T* work) {
    using namespace device::winograd_2x2;
    constexpr auto channels = Key.in_channels, panel = channels * panel_width;
    constexpr int most =
        std::min<int>(panel_width, (vector_registers == 32 ? 24 : 12) * lanes_within<T>(tile_room) / tile_room);
    T* const products = work + points * channels * tile_room;
    winograd_2x2_windows<Key>(x, work);
    for (std::int64_t p = 0; p < points; ++p)
        for (std::int64_t o = 0; o < panels(Key); ++o)
            each_piece<panel_width, most>([&](auto filters, std::int64_t f) __attribute__((always_inline)) {
                const auto at = p * panels(Key) + o;
                winograd_2x2_products<Key, filters()>(work + p * channels * tile_room, packed + at * panel + f,
                                                      products + (at * panel_width + f) * tile_room);
            });
    for (std::int64_t f = 0; f < Key.out_channels; ++f)
        winograd_2x2_pixels<Key>(products + f * tile_room, bias_from<Key>(bias, f), out + f * device::out_pixels(Key),
                                 after);
}

} // namespace ahead::kernels::detail
