// SPDX-License-Identifier: MIT
// Convolutions without im2col: a register tile of pixels x filters that reads the input where it lies, or a padded copy of it.
// Invariant: every output element is one sum over channel, kernel row, kernel column, in an order that depends on the key and the build alone;
// nothing outside the operands and the workspace is read. target/convolution_key.hpp chooses the algorithm and sizes the packed weights.
// Called by npu/ for device convolutions. Products are contracted (fma) where the machine can.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "../../target/convolution_key.hpp"
#include "lanes.hpp"
#include "matmul.hpp"

namespace ahead::npu::kernel {

namespace detail {

/// A length cut into nearly equal pieces of at most `most`: `high` pieces of `size`, then pieces of size - 1.
struct even_cut {
    std::int64_t pieces, size, high;
};
constexpr even_cut cut_evenly(std::int64_t length, std::int64_t most) {
    const auto pieces = (length + most - 1) / most, size = (length + pieces - 1) / pieces;
    return {pieces, size, length - pieces * (size - 1)};
}

/// f(piece size as a constant, begin) over an even cut of Length.
template <std::int64_t Length, std::int64_t Most, class F> [[gnu::always_inline]] inline void each_piece(F&& f) {
    constexpr auto cut = cut_evenly(Length, Most);
    for (std::int64_t i = 0; i < cut.high; ++i) f(std::integral_constant<int, static_cast<int>(cut.size)>{}, i * cut.size);
    if constexpr (cut.high < cut.pieces)
        for (std::int64_t i = cut.high; i < cut.pieces; ++i)
            f(std::integral_constant<int, static_cast<int>(cut.size - 1)>{}, cut.high * cut.size + (i - cut.high) * (cut.size - 1));
}

template <target::convolution_key Key, class F> [[gnu::always_inline]] inline void each_live_tap(F&& f) {
    for (std::int64_t h = 0; h < Key.kernel_h; ++h)
        for (std::int64_t w = 0; w < Key.kernel_w; ++w)
            if (target::algorithm_of(Key) != target::convolution_algorithm::tiny_map || target::is_live(Key, h, w)) f(h, w);
}

/// bias + offset, where there is a bias.
template <target::convolution_key Key, class T> [[gnu::always_inline]] inline const T* bias_from(const T* bias, std::int64_t offset) {
    return Key.bias ? bias + offset : nullptr;
}

struct tap {
    std::int64_t h, w;
};
template <target::convolution_key Key> inline constexpr auto live_taps_of = [] {
    std::array<tap, static_cast<std::size_t>(target::packed_taps(Key))> taps{};
    std::size_t count = 0;
    for (std::int64_t h = 0; h < Key.kernel_h; ++h)
        for (std::int64_t w = 0; w < Key.kernel_w; ++w)
            if (target::is_live(Key, h, w)) taps[count++] = {h, w};
    return taps;
}();

/// One panel of filters: weights [filters][channel][tap] -> [channel][tap][Width], zero behind Count.
template <target::convolution_key Key, int Width, int Count, class T> inline void pack_filters(const T* weight, T* panel) {
    constexpr auto taps = Key.kernel_h * Key.kernel_w, channels = target::channels_per_group(Key);
    for (std::int64_t c = 0; c < channels; ++c)
        each_live_tap<Key>([&](std::int64_t h, std::int64_t w) {
            for (int o = 0; o < Width; ++o) *panel++ = o < Count ? weight[(o * channels + c) * taps + h * Key.kernel_w + w] : T(0);
        });
}

/// f(panel width, valid filters, first filter) over a group's panels.
template <target::convolution_key Key, class F> [[gnu::always_inline]] inline void each_panel(F&& f) {
    constexpr auto width = target::panel_width(Key), filters = target::filters_per_group(Key);
    constexpr auto whole = filters / width, rest = filters % width;
    for (std::int64_t p = 0; p < whole; ++p)
        f(std::integral_constant<int, static_cast<int>(width)>{}, std::integral_constant<int, static_cast<int>(width)>{}, p * width);
    if constexpr (rest > 0)
        f(std::integral_constant<int, static_cast<int>(target::padded_panel(rest))>{}, std::integral_constant<int, static_cast<int>(rest)>{}, whole * width);
}

/// Sums of a tile of Pixels x Cols vectors of filters, kept in several parts where there are too few to hide the latency of fma.
template <class T, int L, int Pixels, int Cols, int Splits> struct split_sums {
    lanes<T, L> part[Splits][Pixels][Cols];

    template <bool Bias, int Count> [[gnu::always_inline]] void start(const T* bias) {
        unroll<Cols>([&](auto c) __attribute__((always_inline)) {
            auto first = lanes<T, L>::zero();
            if constexpr (Bias) first = lanes<T, L>::template load_first<std::clamp(Count - c * L, 0, L)>(bias + c * L);
            unroll<Splits>([&](auto s) __attribute__((always_inline)) {
                unroll<Pixels>([&](auto p) __attribute__((always_inline)) { part[s][p][c] = s == 0 ? first : lanes<T, L>::zero(); });
            });
        });
    }

    /// out[filter * Plane + offset of pixel]; pixels lie RowPixels to a row, rows OutWidth apart.
    template <int Count, std::int64_t Plane, int RowPixels, std::int64_t OutWidth> [[gnu::always_inline]] void store(T* out) {
        unroll<Splits - 1>([&](auto s) __attribute__((always_inline)) {
            unroll<Pixels>([&](auto p) __attribute__((always_inline)) {
                unroll<Cols>([&](auto c) __attribute__((always_inline)) { part[0][p][c] = part[0][p][c] + part[s + 1][p][c]; });
            });
        });
        if constexpr (Plane == 1) {
            unroll<Cols>([&](auto c) __attribute__((always_inline)) { part[0][0][c].template store_first<std::clamp(Count - c * L, 0, L)>(out + c * L); });
        } else {
            alignas(64) T turned[Pixels * Cols * L];
            unroll<Pixels>([&](auto p) __attribute__((always_inline)) {
                unroll<Cols>([&](auto c) __attribute__((always_inline)) { part[0][p][c].store(turned + (p * Cols + c) * L); });
            });
            for (int o = 0; o < std::min(Count, Cols * L); ++o)
                unroll<Pixels>([&](auto p) __attribute__((always_inline)) {
                    out[o * Plane + p / RowPixels * OutWidth + p % RowPixels] = turned[p * Cols * L + o];
                });
        }
    }
};

constexpr int splits_for(int sums, std::int64_t steps) {
    return static_cast<int>(std::clamp<std::int64_t>(steps, 1, sums >= 8 ? 1 : 8 / sums));
}

/// How many vectors of filters stand side by side in a tile of `pixels`, of `vectors` in the panel.
constexpr int columns_for(std::int64_t pixels, int vectors) {
    const int room = vector_registers == 32 ? 24 : 12;
    return std::min(vectors, std::max(1, static_cast<int>(room / std::max<std::int64_t>(pixels, vector_registers == 32 ? 1 : 2))));
}

/// The whole map in registers: taps are constants, so what would read padding is never written down.
template <target::convolution_key Key, int Width, int Count, class T> inline void tiny_map_panel(const T* x, const T* panel, const T* bias, T* out) {
    constexpr int L = lanes_within<T>(Width), vectors = Width / L;
    constexpr int pixels = static_cast<int>(target::out_pixels(Key)), row = static_cast<int>(target::out_w(Key));
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
            for (std::int64_t c = 0; c < target::channels_per_group(Key); ++c, x += plane) {
                unroll<tap_count>([&](auto t) __attribute__((always_inline)) {
                    lanes<T, L> filters[here];
                    unroll<here>([&](auto v) __attribute__((always_inline)) { filters[v] = lanes<T, L>::load(w + t * Width + v * L); });
                    unroll<pixels>([&](auto p) __attribute__((always_inline)) {
                        constexpr tap at = live_taps_of<Key>[t];
                        constexpr std::int64_t py = p / row, px = p % row;
                        if constexpr (target::meets_input(Key, at.h, at.w, py, px)) {
                            constexpr auto from = (py * Key.stride_h - Key.pad_h + at.h * Key.dilation_h) * Key.in_w + px * Key.stride_w -
                                                  Key.pad_w + at.w * Key.dilation_w;
                            const auto value = lanes<T, L>::all(x[from]);
                            unroll<here>([&](auto v) __attribute__((always_inline)) {
                                sums.part[t % splits][p][v] = fma(value, filters[v], sums.part[t % splits][p][v]);
                            });
                        }
                    });
                });
                w += tap_count * Width;
            }
            x -= target::channels_per_group(Key) * plane;
            sums.template store<Count - begin, pixels, row, row>(out + begin * pixels);
        }
    });
}

/// One tile of Rows x RowPixels pixels. x points at the tile's first input element, rows InWidth apart, channels Plane apart.
template <target::convolution_key Key, int Width, int L, int Cols, int Count, int Rows, int RowPixels, std::int64_t InWidth, std::int64_t Plane, class T>
[[gnu::always_inline]] inline void channel_tile(const T* x, const T* w, const T* bias, T* out) {
    constexpr int pixels = Rows * RowPixels;
    constexpr auto channels = target::channels_per_group(Key);
    // The innermost loop runs along kernel columns, or along channels where a kernel row is one element.
    constexpr bool along_channels = Key.kernel_w == 1;
    constexpr auto steps = along_channels ? channels : Key.kernel_w;
    constexpr auto x_step = along_channels ? Plane : Key.dilation_w;
    constexpr auto w_step = along_channels ? Key.kernel_h * Width : std::int64_t{Width};
    constexpr int splits = splits_for(pixels * Cols, steps);
    split_sums<T, L, pixels, Cols, splits> sums;
    sums.template start<Key.bias, Count>(bias);
    const auto step = [&](auto s, const T* x_k, const T* w_k) __attribute__((always_inline)) {
        lanes<T, L> filters[Cols];
        unroll<Cols>([&](auto v) __attribute__((always_inline)) { filters[v] = lanes<T, L>::load(w_k + v * L); });
        unroll<pixels>([&](auto p) __attribute__((always_inline)) {
            const auto value = lanes<T, L>::all(x_k[p / RowPixels * Key.stride_h * InWidth + p % RowPixels * Key.stride_w]);
            unroll<Cols>([&](auto v) __attribute__((always_inline)) { sums.part[s][p][v] = fma(value, filters[v], sums.part[s][p][v]); });
        });
    };
    const auto inner = [&](const T* x_0, const T* w_0) __attribute__((always_inline)) {
        if constexpr (steps <= 7) {
            unroll<static_cast<int>(steps)>(
                [&](auto k) __attribute__((always_inline)) { step(std::integral_constant<int, k % splits>{}, x_0 + k * x_step, w_0 + k * w_step); });
        } else {
            constexpr auto whole = steps / splits * splits;
            for (std::int64_t k = 0; k < whole; k += splits)
                unroll<splits>([&](auto s) __attribute__((always_inline)) { step(s, x_0 + (k + s) * x_step, w_0 + (k + s) * w_step); });
            unroll<static_cast<int>(steps - whole)>(
                [&](auto s) __attribute__((always_inline)) { step(s, x_0 + (whole + s) * x_step, w_0 + (whole + s) * w_step); });
        }
    };
    if constexpr (along_channels) {
        for (std::int64_t h = 0; h < Key.kernel_h; ++h) inner(x + h * Key.dilation_h * InWidth, w + h * Width);
    } else {
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t h = 0; h < Key.kernel_h; ++h) inner(x + c * Plane + h * Key.dilation_h * InWidth, w + (c * Key.kernel_h + h) * Key.kernel_w * Width);
    }
    sums.template store<Count, target::out_pixels(Key), RowPixels, target::out_w(Key)>(out);
}

/// All pixels of one panel of filters, over an input without padding.
template <target::convolution_key Key, int Width, int Count, std::int64_t InWidth, std::int64_t Plane, class T>
inline void channel_panel(const T* x, const T* panel, const T* bias, T* out) {
    constexpr int L = lanes_within<T>(Width), vectors = Width / L;
    constexpr auto out_w = target::out_w(Key), out_h = target::out_h(Key);
    constexpr int cols = std::min(vectors, vector_registers == 32 ? 4 : 2);
    constexpr std::int64_t most = (vector_registers == 32 ? 24 : 12) / cols;
    constexpr std::int64_t most_rows = std::max<std::int64_t>(1, most / out_w);
    unroll<(vectors + cols - 1) / cols>([&](auto block) __attribute__((always_inline)) {
        constexpr int begin = block * cols * L;
        constexpr int here = std::min(cols, vectors - block * cols);
        if constexpr (begin < Count)
            each_piece<out_h, most_rows>([&](auto rows, std::int64_t y) __attribute__((always_inline)) {
                each_piece<out_w, most>([&](auto row_pixels, std::int64_t px) __attribute__((always_inline)) {
                    channel_tile<Key, Width, L, here, Count - begin, rows(), row_pixels(), InWidth, Plane>(
                        x + y * Key.stride_h * InWidth + px * Key.stride_w, panel + begin, bias_from<Key>(bias, begin),
                        out + begin * (out_h * out_w) + y * out_w + px);
                });
            });
    });
}

/// Copies the channels of one group into rows of Key's padded width, zeros around them.
template <target::convolution_key Key, class T> inline void copy_padded(const T* x, T* to) {
    constexpr auto rows = target::detail::padded_rows(Key), columns = target::detail::padded_columns(Key);
    constexpr auto inside = std::clamp<std::int64_t>(columns - Key.pad_w, 0, Key.in_w);
    constexpr auto left = std::min(Key.pad_w, columns);
    for (std::int64_t c = 0; c < target::channels_per_group(Key); ++c)
        for (std::int64_t y = 0; y < rows; ++y, to += columns) {
            const auto from = y - Key.pad_h;
            if (from < 0 || from >= Key.in_h) {
                std::fill(to, to + columns, T(0));
                continue;
            }
            std::fill(to, to + left, T(0));
            std::memcpy(to + left, x + (c * Key.in_h + from) * Key.in_w, sizeof(T) * static_cast<std::size_t>(inside));
            std::fill(to + left + inside, to + columns, T(0));
        }
}

/// The same for pixels in lanes: each row's columns are dealt out by their phase modulo the stride, so that every load is contiguous.
template <target::convolution_key Key, class T> inline void copy_phases(const T* x, T* to) {
    constexpr auto rows = target::detail::padded_rows(Key), width = target::detail::phase_width(Key), phases = target::detail::phases(Key);
    for (std::int64_t c = 0; c < target::channels_per_group(Key); ++c)
        for (std::int64_t y = 0; y < rows; ++y)
            for (std::int64_t phase = 0; phase < phases; ++phase, to += width) {
                // column j of the phase is input column j * stride + phase - pad
                const auto from = y - Key.pad_h, before = Key.pad_w - phase, behind = Key.in_w - 1 + before;
                const bool outside = from < 0 || from >= Key.in_h || behind < 0;
                const auto end = outside ? 0 : std::min(behind / Key.stride_w + 1, width);
                const auto begin = before <= 0 ? 0 : std::min((before + Key.stride_w - 1) / Key.stride_w, end);
                std::fill(to, to + begin, T(0));
                if (begin < end) {
                    const T* row = x + (c * Key.in_h + from) * Key.in_w + (begin * Key.stride_w - before);
                    if constexpr (Key.stride_w == 1)
                        std::memcpy(to + begin, row, sizeof(T) * static_cast<std::size_t>(end - begin));
                    else
                        for (auto j = begin; j < end; ++j) to[j] = row[(j - begin) * Key.stride_w];
                }
                std::fill(to + end, to + width, T(0));
            }
}

/// Rows x Vectors vectors of pixels for Filters filters. Begin is where the tile's columns start; the last vectors of a row move back to end with it.
template <target::convolution_key Key, int L, int Filters, int Rows, int Vectors, bool Last, std::int64_t InWidth, std::int64_t Plane,
          std::int64_t PhaseWidth, class T>
[[gnu::always_inline]] inline void pixel_tile(const T* x, const T* w, const T* bias, T* out, std::int64_t begin) {
    constexpr auto out_w = target::out_w(Key), channels = target::channels_per_group(Key), depth = channels * Key.kernel_h * Key.kernel_w;
    constexpr int across = Rows * Vectors, valid = static_cast<int>(std::min<std::int64_t>(L, out_w));
    const auto column = [&](auto v) __attribute__((always_inline)) {
        if constexpr (!Last || out_w < L)
            return begin + v * L;
        else
            return std::min<std::int64_t>(begin + v * L, out_w - L);
    };
    lanes<T, L> sum[Filters][across];
    unroll<Filters>([&](auto f) __attribute__((always_inline)) {
        const auto first = Key.bias ? lanes<T, L>::all(bias[f]) : lanes<T, L>::zero();
        unroll<across>([&](auto v) __attribute__((always_inline)) { sum[f][v] = first; });
    });
    const auto step = [&](const T* x_k, const T* w_k) __attribute__((always_inline)) {
        lanes<T, L> pixels[across];
        unroll<across>([&](auto i) __attribute__((always_inline)) {
            pixels[i] = lanes<T, L>::load(x_k + i / Vectors * Key.stride_h * InWidth + column(std::integral_constant<int, i % Vectors>{}));
        });
        unroll<Filters>([&](auto f) __attribute__((always_inline)) {
            const auto weight = lanes<T, L>::all(w_k[f * depth]);
            unroll<across>([&](auto i) __attribute__((always_inline)) { sum[f][i] = fma(weight, pixels[i], sum[f][i]); });
        });
    };
    for (std::int64_t c = 0; c < channels; ++c)
        for (std::int64_t h = 0; h < Key.kernel_h; ++h) {
            const T* row = x + c * Plane + h * Key.dilation_h * InWidth;
            const T* weights = w + (c * Key.kernel_h + h) * Key.kernel_w;
            const auto at = [](std::int64_t k) { return k * Key.dilation_w % Key.stride_w * PhaseWidth + k * Key.dilation_w / Key.stride_w; };
            if constexpr (Key.kernel_w <= 7)
                unroll<static_cast<int>(Key.kernel_w)>([&](auto k) __attribute__((always_inline)) { step(row + at(k), weights + k); });
            else
                for (std::int64_t k = 0; k < Key.kernel_w; ++k) step(row + at(k), weights + k);
        }
    unroll<Filters>([&](auto f) __attribute__((always_inline)) {
        unroll<across>([&](auto i) __attribute__((always_inline)) {
            sum[f][i].template store_first<valid>(out + f * target::out_pixels(Key) + i / Vectors * out_w + column(std::integral_constant<int, i % Vectors>{}));
        });
    });
}

/// All pixels and filters of one group; x without padding, InWidth between rows, PhaseWidth between the phases of a row.
template <target::convolution_key Key, std::int64_t InWidth, std::int64_t Plane, std::int64_t PhaseWidth, class T>
inline void pixels_of_group(const T* x, const T* w, const T* bias, T* out) {
    constexpr int L = widest<T>;
    constexpr auto out_w = target::out_w(Key), out_h = target::out_h(Key), filters = target::filters_per_group(Key);
    constexpr auto depth = target::channels_per_group(Key) * Key.kernel_h * Key.kernel_w;
    constexpr int room = vector_registers == 32 ? 24 : 12;
    constexpr int most = filters == 1 ? 8 : vector_registers == 32 ? 4 : 2; // vectors of pixels in a tile
    constexpr auto row_vectors = static_cast<int>((out_w + L - 1) / L);
    constexpr int vectors = std::min(row_vectors, most);
    constexpr int most_rows = std::max(1, most / vectors);
    constexpr auto rows_cut = cut_evenly(out_h, most_rows);
    constexpr int most_filters = std::max(1, room / (vectors * static_cast<int>(rows_cut.size)));
    constexpr int whole = (row_vectors - 1) / vectors, last = row_vectors - whole * vectors; // the last block may move back
    each_piece<filters, most_filters>([&](auto count, std::int64_t f) __attribute__((always_inline)) {
        const T* const w_f = w + f * depth;
        each_piece<out_h, most_rows>([&](auto rows, std::int64_t y) __attribute__((always_inline)) {
            const T* const x_y = x + y * Key.stride_h * InWidth;
            T* const out_y = out + f * (out_h * out_w) + y * out_w;
            for (std::int64_t block = 0; block < whole; ++block)
                pixel_tile<Key, L, count(), rows(), vectors, false, InWidth, Plane, PhaseWidth>(x_y, w_f, bias_from<Key>(bias, f), out_y, block * vectors * L);
            pixel_tile<Key, L, count(), rows(), last, true, InWidth, Plane, PhaseWidth>(x_y, w_f, bias_from<Key>(bias, f), out_y, std::int64_t{whole} * vectors * L);
        });
    });
}

template <target::convolution_key Key, class T> inline void convolve_group(const T* x, const T* w, const T* bias, T* out, T* work) {
    using algorithm = target::convolution_algorithm;
    constexpr auto chosen = target::algorithm_of(Key);
    constexpr auto per_filter = target::channels_per_group(Key) * target::packed_taps(Key);
    if constexpr (chosen == algorithm::tiny_map) {
        each_panel<Key>([&](auto width, auto count, std::int64_t o) __attribute__((always_inline)) {
            tiny_map_panel<Key, width(), count()>(x, w + o * per_filter, bias_from<Key>(bias, o), out + o * target::out_pixels(Key));
        });
    } else if constexpr (chosen == algorithm::channels_in_lanes) {
        constexpr bool copied = target::detail::reads_padding(Key);
        constexpr auto in_w = copied ? target::detail::padded_columns(Key) : Key.in_w;
        constexpr auto in_h = copied ? target::detail::padded_rows(Key) : Key.in_h;
        if constexpr (copied) copy_padded<Key>(x, work);
        each_panel<Key>([&](auto width, auto count, std::int64_t o) __attribute__((always_inline)) {
            channel_panel<Key, width(), count(), in_w, in_w * in_h>(copied ? work : x, w + o * per_filter, bias_from<Key>(bias, o), out + o * target::out_pixels(Key));
        });
    } else {
        constexpr bool copied = target::detail::copies_for_pixels(Key);
        constexpr auto phase = target::detail::phase_width(Key);
        constexpr auto in_w = copied ? phase * target::detail::phases(Key) : Key.in_w;
        constexpr auto in_h = copied ? target::detail::padded_rows(Key) : Key.in_h;
        if constexpr (copied) copy_phases<Key>(x, work);
        pixels_of_group<Key, in_w, in_w * in_h, phase>(copied ? work : x, w, bias, out);
    }
}

} // namespace detail

/// Lays the weights [out_channels, in_channels / groups, kernel_h, kernel_w] out for convolution<Key>. Once, at load.
template <target::convolution_key Key, class T = element_t<Key.type>> void pack_convolution(const T* weight, T* packed) {
    constexpr auto key = target::with_rows_merged(Key);
    constexpr auto chosen = target::algorithm_of(key);
    constexpr auto group = target::filters_per_group(key) * target::channels_per_group(key) * key.kernel_h * key.kernel_w;
    for (std::int64_t g = 0; g < key.groups; ++g, weight += group, packed += target::packed_group_elements(key)) {
        if constexpr (chosen == target::convolution_algorithm::product) {
            constexpr auto tap = key.pad_h / std::max<std::int64_t>(1, key.dilation_h) * key.kernel_w + key.pad_w / std::max<std::int64_t>(1, key.dilation_w);
            if constexpr (target::live_taps(key) == 0)
                std::fill(packed, packed + target::packed_group_elements(key), T(0));
            else
                pack_matmul<target::product_of(key)>(weight + tap, packed);
        } else if constexpr (chosen == target::convolution_algorithm::pixels_in_lanes) {
            std::copy(weight, weight + group, packed);
        } else {
            constexpr auto filter = target::channels_per_group(key) * key.kernel_h * key.kernel_w;
            constexpr auto kept = target::channels_per_group(key) * target::packed_taps(key);
            detail::each_panel<key>([&](auto width, auto count, std::int64_t o) {
                detail::pack_filters<target::with_rows_merged(Key), width(), count()>(weight + o * filter, packed + o * kept);
            });
        }
    }
}

/// out[batch, out_channels, out_h, out_w] = x * weights (+ bias[out_channels]). Semantics: aten.convolution, not transposed.
/// packed: from pack_convolution<Key>. bias: not read unless Key.bias. workspace: target::workspace_bytes(Key), 64-byte aligned.
template <target::convolution_key Key, class T = element_t<Key.type>>
inline void convolution(const T* x, const T* packed, const T* bias, T* out, [[maybe_unused]] std::byte* workspace = nullptr) {
    static_assert(is_floating(Key.type), "convolution has kernels for f32 and f64");
    constexpr auto key = target::with_rows_merged(Key);
    if constexpr (key.batch > 0 && key.out_channels > 0 && target::out_pixels(key) > 0) {
        constexpr auto in_plane = key.in_h * key.in_w, filters = target::filters_per_group(key), channels = target::channels_per_group(key);
        if constexpr (target::algorithm_of(key) == target::convolution_algorithm::product) {
            for (std::int64_t g = 0; g < key.groups; ++g)
                matmul<target::product_of(key)>(x + g * channels, packed + g * target::packed_group_elements(key), detail::bias_from<key>(bias, g * filters), out + g * filters, workspace);
        } else {
            for (std::int64_t b = 0; b < key.batch; ++b)
                for (std::int64_t g = 0; g < key.groups; ++g)
                    detail::convolve_group<key>(x + (b * key.in_channels + g * channels) * in_plane, packed + g * target::packed_group_elements(key),
                                                detail::bias_from<key>(bias, g * filters), out + (b * key.out_channels + g * filters) * target::out_pixels(key),
                                                reinterpret_cast<T*>(workspace));
        }
    }
}

} // namespace ahead::npu::kernel
