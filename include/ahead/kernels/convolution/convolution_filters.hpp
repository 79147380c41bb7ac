// SPDX-License-Identifier: MIT
// Convolutions with filters across a vector: channels_in_lanes, a register tile of pixels x filters over an input
// without padding (or a padded copy of it), and tiny_map, which keeps the whole map in registers and does not generate
// code for taps in padding.
// Invariant: filters are stored in panels [channel][tap][width], with zeros after the last one. Called by
// convolution.hpp.
#pragma once
#include <ahead/kernels/convolution/convolution_tiling.hpp>
#include <algorithm>
#include <array>

namespace AHEAD_NAMESPACE::kernels::detail {

template <device::convolution_key Key, class F> [[gnu::always_inline]] inline void each_live_tap(F&& f) {
    for (std::int64_t h = 0; h < Key.kernel_h; ++h)
        for (std::int64_t w = 0; w < Key.kernel_w; ++w)
            if (device::algorithm_of(Key) != device::convolution_algorithm::tiny_map || device::is_live(Key, h, w))
                f(h, w);
}

struct tap {
    std::int64_t h, w;
};
template <device::convolution_key Key>
inline constexpr auto live_taps_of = [] {
    std::array<tap, static_cast<std::size_t>(device::packed_taps(Key))> taps{};
    std::size_t count = 0;
    for (std::int64_t h = 0; h < Key.kernel_h; ++h)
        for (std::int64_t w = 0; w < Key.kernel_w; ++w)
            if (device::is_live(Key, h, w)) taps[count++] = {h, w};
    return taps;
}();

/// Packs one panel of filters: weights [filters][channel][tap] -> [channel][tap][Width], with zeros after Count.
template <device::convolution_key Key, int Width, int Count, class T>
inline void pack_filters(const T* weight, T* panel) {
    constexpr auto taps = Key.kernel_h * Key.kernel_w, channels = device::channels_per_group(Key);
    for (std::int64_t c = 0; c < channels; ++c)
        each_live_tap<Key>([&](std::int64_t h, std::int64_t w) {
            for (int o = 0; o < Width; ++o)
                *panel++ = o < Count ? weight[(o * channels + c) * taps + h * Key.kernel_w + w] : T(0);
        });
}

/// Calls f(panel width, valid filters, first filter) for each of a group's panels.
template <device::convolution_key Key, class F> [[gnu::always_inline]] inline void each_panel(F&& f) {
    constexpr auto width = device::panel_width(Key), filters = device::filters_per_group(Key);
    constexpr auto whole = filters / width, rest = filters % width;
    for (std::int64_t p = 0; p < whole; ++p)
        f(std::integral_constant<int, static_cast<int>(width)>{},
          std::integral_constant<int, static_cast<int>(width)>{}, p * width);
    if constexpr (rest > 0)
        f(std::integral_constant<int, static_cast<int>(device::padded_panel(rest))>{},
          std::integral_constant<int, static_cast<int>(rest)>{}, whole * width);
}

template <class After> constexpr bool finishes_rows() {
    if constexpr (After::exists) return After::fits_rows();
    else return false;
}

/// Sums of a tile of Pixels x Cols vectors of filters, split into several parts if there are too few to hide the
/// latency of fma.
template <class T, int L, int Pixels, int Cols, int Splits> struct split_sums {
    simd<T, L> part[Splits][Pixels][Cols];

    template <bool Bias, int Count> [[gnu::always_inline]] void start(const T* bias) {
        unroll<Cols>([&](auto c) __attribute__((always_inline)) {
            auto first = simd<T, L>::zero();
            if constexpr (Bias) first = simd<T, L>::template load_first<std::clamp(Count - c * L, 0, L)>(bias + c * L);
            unroll<Splits>([&](int s) __attribute__((always_inline)) {
                unroll<Pixels>([&](int p) __attribute__((always_inline)) {
                    part[s][p][c] = s == 0 ? first : simd<T, L>::zero();
                });
            });
        });
    }

    /// out[filter * Plane + offset of pixel] = the result of `after` on the sums; a row has RowPixels pixels, rows are
    /// OutWidth apart.
    template <int Count, std::int64_t Plane, int RowPixels, std::int64_t OutWidth, class After>
    [[gnu::always_inline]] void store(T* out, [[maybe_unused]] After after) {
        unroll<Splits - 1>([&](int s) __attribute__((always_inline)) {
            unroll<Pixels>([&](int p) __attribute__((always_inline)) {
                unroll<Cols>([&](int c)
                                 __attribute__((always_inline)) { part[0][p][c] = part[0][p][c] + part[s + 1][p][c]; });
            });
        });
        if constexpr (Plane == 1 && After::exists) {
            after.template store<true, std::min(Count, Cols * L)>(part[0][0], out);
        } else if constexpr (Plane == 1) {
            unroll<Cols>([&](auto c) __attribute__((always_inline)) {
                part[0][0][c].template store_first<std::clamp(Count - c * L, 0, L)>(out + c * L);
            });
        } else {
            if constexpr (finishes_rows<After>())
                unroll<Pixels>(
                    [&](int p) __attribute__((always_inline)) { after.template finish_row<Count>(part[0][p], out); });
            alignas(64) T turned[Pixels * Cols * L];
            unroll<Pixels>([&](int p) __attribute__((always_inline)) {
                unroll<Cols>([&](int c)
                                 __attribute__((always_inline)) { part[0][p][c].store(turned + (p * Cols + c) * L); });
            });
            if constexpr (After::exists && !finishes_rows<After>())
                after.template finish_turned<std::min(Count, Cols * L), Cols * L, Pixels, RowPixels, OutWidth>(turned,
                                                                                                               out);
            for (int o = 0; o < std::min(Count, Cols * L); ++o)
                unroll<Pixels>([&](int p) __attribute__((always_inline)) {
                    out[o * Plane + p / RowPixels * OutWidth + p % RowPixels] = turned[p * Cols * L + o];
                });
        }
    }
};

constexpr int splits_for(int sums, std::int64_t steps) {
    return static_cast<int>(std::clamp<std::int64_t>(steps, 1, sums >= 8 ? 1 : 8 / sums));
}

/// The number of vectors of filters in a tile of `pixels`, if the panel has `vectors`.
constexpr int columns_for(std::int64_t pixels, int vectors) {
    const int room = vector_registers == 32 ? 24 : 12;
    return std::min(
        vectors, std::max(1, static_cast<int>(room / std::max<std::int64_t>(pixels, vector_registers == 32 ? 1 : 2))));
}

/// Keeps the whole map in registers: taps are constants, so no code is generated for those that would read padding.
template <device::convolution_key Key, int Width, int Count, class T, class After>
inline void tiny_map_panel(const T* x, const T* panel, const T* bias, T* out, After after) {
    constexpr int L = lanes_within<T>(Width), vectors = Width / L;
    constexpr int pixels = static_cast<int>(device::out_pixels(Key)), row = static_cast<int>(device::out_w(Key));
    constexpr int cols = columns_for(pixels, vectors);
    constexpr auto& taps = live_taps_of<Key>;
    constexpr int tap_count = static_cast<int>(taps.size());
    constexpr auto plane = Key.in_h * Key.in_w;
    unroll<(vectors + cols - 1) / cols>([&](auto block) __attribute__((always_inline)) {
        constexpr int begin = block * cols * L;
        constexpr int here = std::min(cols, vectors - block * cols);
        if constexpr (begin < Count) {
            constexpr int splits = splits_for(pixels * here, tap_count);
            split_sums<T, L, pixels, here, splits> sums;
            sums.template start<Key.bias, Count - begin>(bias_from<Key>(bias, begin));
            const T* w = panel + begin;
            for (std::int64_t c = 0; c < device::channels_per_group(Key); ++c, x += plane) {
                unroll<tap_count>([&](auto t) __attribute__((always_inline)) {
                    simd<T, L> filters[here];
                    unroll<here>([&](int v) __attribute__((always_inline)) {
                        filters[v] = simd<T, L>::load(w + t * Width + v * L);
                    });
                    unroll<pixels>([&](auto p) __attribute__((always_inline)) {
                        constexpr tap at = live_taps_of<Key>[t];
                        constexpr std::int64_t py = p / row, px = p % row;
                        if constexpr (device::meets_input(Key, at.h, at.w, py, px)) {
                            constexpr auto from = (py * Key.stride_h - Key.pad_h + at.h * Key.dilation_h) * Key.in_w +
                                                  px * Key.stride_w - Key.pad_w + at.w * Key.dilation_w;
                            const auto value = simd<T, L>::all(x[from]);
                            unroll<here>([&](int v) __attribute__((always_inline)) {
                                sums.part[t % splits][p][v] = fma(value, filters[v], sums.part[t % splits][p][v]);
                            });
                        }
                    });
                });
                w += tap_count * Width;
            }
            x -= device::channels_per_group(Key) * plane;
            sums.template store<Count - begin, pixels, row, row>(out + begin * pixels, after);
        }
    });
}

/// One tile of Rows x RowPixels pixels. x points at the tile's first input element, rows InWidth apart, channels Plane
/// apart. later: the data after this panel; Later bytes of it are prefetched at every row of weights. A separate
/// function: g++ copies an inlined one for each lambda that it is inlined through.
template <device::convolution_key Key, int Width, int L, int Cols, int Count, int Rows, int RowPixels,
          std::int64_t InWidth, std::int64_t Plane, std::int64_t Later, class T, class After>
[[gnu::noinline]] void channel_tile(const T* x, const T* w, const T* bias, T* out, After after,
                                    [[maybe_unused]] const std::byte* later) {
    constexpr int pixels = Rows * RowPixels;
    constexpr auto channels = device::channels_per_group(Key);
    // The innermost loop runs along kernel columns, or along channels if a kernel row is one element.
    constexpr bool along_channels = Key.kernel_w == 1;
    constexpr auto steps = along_channels ? channels : Key.kernel_w;
    constexpr auto x_step = along_channels ? Plane : Key.dilation_w;
    constexpr auto w_step = along_channels ? Key.kernel_h * Width : std::int64_t{Width};
    constexpr int splits = splits_for(pixels * Cols, steps);
    split_sums<T, L, pixels, Cols, splits> sums;
    sums.template start<Key.bias, Count>(bias);
    const auto step = [&](int s, const T* x_k, const T* w_k) __attribute__((always_inline)) {
        simd<T, L> filters[Cols];
        unroll<Cols>([&](int v) __attribute__((always_inline)) { filters[v] = simd<T, L>::load(w_k + v * L); });
        unroll<pixels>([&](int p) __attribute__((always_inline)) {
            const auto value =
                simd<T, L>::all(x_k[p / RowPixels * Key.stride_h * InWidth + p % RowPixels * Key.stride_w]);
            unroll<Cols>([&](int v) __attribute__((always_inline)) {
                sums.part[s][p][v] = fma(value, filters[v], sums.part[s][p][v]);
            });
        });
    };
    const auto ask = [&](std::int64_t from, auto bytes) __attribute__((always_inline)) {
        if constexpr (Later > 0)
            for (std::int64_t i = 0; i < bytes; i += 64) __builtin_prefetch(later + from + i, 0, 2);
    };
    const auto inner = [&](const T* x_0, const T* w_0) __attribute__((always_inline)) {
        if constexpr (steps <= 7) {
            unroll<static_cast<int>(steps)>(
                [&](int k) __attribute__((always_inline)) { step(k % splits, x_0 + k * x_step, w_0 + k * w_step); });
        } else {
            constexpr auto whole = steps / splits * splits;
            for (std::int64_t k = 0; k < whole; k += splits) {
                if constexpr (along_channels) ask(k * Later * Key.kernel_h, splits * Later * Key.kernel_h);
                unroll<splits>([&](int s) __attribute__((always_inline)) {
                    step(s, x_0 + (k + s) * x_step, w_0 + (k + s) * w_step);
                });
            }
            unroll<static_cast<int>(steps - whole)>([&](int s) __attribute__((always_inline)) {
                step(s, x_0 + (whole + s) * x_step, w_0 + (whole + s) * w_step);
            });
        }
    };
    if constexpr (along_channels) {
        for (std::int64_t h = 0; h < Key.kernel_h; ++h) inner(x + h * Key.dilation_h * InWidth, w + h * Width);
    } else {
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t h = 0; h < Key.kernel_h; ++h) {
                ask((c * Key.kernel_h + h) * Later, Later);
                inner(x + c * Plane + h * Key.dilation_h * InWidth, w + (c * Key.kernel_h + h) * Key.kernel_w * Width);
            }
    }
    sums.template store<Count, device::out_pixels(Key), RowPixels, device::out_w(Key)>(out, after);
}

/// Computes all pixels of one panel of filters, over an input without padding.
template <device::convolution_key Key, int Width, int Count, std::int64_t InWidth, std::int64_t Plane, class T,
          class After>
inline void channel_panel(const T* x, const T* panel, const T* bias, T* out, After after) {
    constexpr int L = lanes_within<T>(Width), vectors = Width / L;
    constexpr auto out_w = device::out_w(Key), out_h = device::out_h(Key);
    constexpr int cols = std::min(vectors, vector_registers == 32 ? 4 : 2);
    constexpr std::int64_t most = (vector_registers == 32 ? 24 : 12) / cols;
    constexpr std::int64_t most_rows = std::max<std::int64_t>(1, most / out_w);
    // If the near caches cannot hold all weights: while the tiles of a panel are computed, each prefetches its share of
    // the next panel.
    constexpr std::int64_t weight_rows = device::channels_per_group(Key) * Key.kernel_h;
    constexpr std::int64_t row_bytes = std::int64_t{sizeof(T)} * Key.kernel_w * Width;
    constexpr std::int64_t tiles = (out_h + most_rows - 1) / most_rows * ((out_w + most - 1) / most);
    constexpr bool is_far = weight_rows * row_bytes / Width * device::filters_per_group(Key) > (64 << 10);
    constexpr std::int64_t later = is_far ? row_bytes / tiles : 0;
    const auto* next = reinterpret_cast<const std::byte*>(panel) + weight_rows * row_bytes;
    unroll<(vectors + cols - 1) / cols>([&](auto block) __attribute__((always_inline)) {
        constexpr int begin = block * cols * L;
        constexpr int here = std::min(cols, vectors - block * cols);
        if constexpr (begin < Count)
            each_piece<out_h, most_rows>([&](auto rows, std::int64_t y) __attribute__((always_inline)) {
                each_piece<out_w, most>([&](auto row_pixels, std::int64_t px) __attribute__((always_inline)) {
                    channel_tile<Key, Width, L, here, std::min(Count - begin, here * L), rows(), row_pixels(), InWidth,
                                 Plane, later>(x + y * Key.stride_h * InWidth + px * Key.stride_w, panel + begin,
                                               bias_from<Key>(bias, begin),
                                               out + begin * (out_h * out_w) + y * out_w + px, after, next);
                    next += later * weight_rows;
                });
            });
    });
}

} // namespace ahead::kernels::detail
