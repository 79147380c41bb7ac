// SPDX-License-Identifier: MIT
// Convolutions with the pixels of a row across a vector, for few filters and wide maps: every weight is broadcast,
// nothing is packed.
// Invariant: the last vectors of a row are moved back to end with it; pixels that are computed twice have the same bits
// both times. Called by convolution.hpp.
#pragma once
#include <ahead/kernels/convolution/convolution_tiling.hpp>
#include <algorithm>
#include <utility>

namespace AHEAD_NAMESPACE::kernels::detail {

/// to[i] = from[Step * i] for Count elements; nothing after the last of them is read.
template <std::int64_t Step, std::int64_t Count, class T>
[[gnu::always_inline]] inline void copy_every(const T* from, T* to) {
    if constexpr (Step == 1) {
        in_vectors<T, Count, 2, 4, true>([&]<int L, int Vectors, int Valid>(
                                             std::int64_t at) __attribute__((always_inline)) {
            unroll<Vectors>([&](int v) __attribute__((always_inline)) {
                simd<T, L>::template load_first<Valid>(from + at + v * L).template store_first<Valid>(to + at + v * L);
            });
        });
    } else if constexpr (constexpr int L = lanes_within<T>(Count); Step == 2 && L > 1) {
        // Every second element of two vectors; the second vector ends with the last element that is copied.
        const auto vector = [&](std::int64_t at) __attribute__((always_inline)) {
            const auto one = simd<T, L>::load(from + 2 * at), other = simd<T, L>::load(from + 2 * at + L - 1);
            const auto both = [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
                return picked<(2 * Nth < L ? 2 * Nth : 2 * Nth + 1)...>(one.value, other.value);
            }(std::make_integer_sequence<int, L>{});
            simd<T, L>{static_cast<typename simd<T, L>::packet>(both)}.store(to + at);
        };
        for (std::int64_t at = 0; at + L <= Count; at += L) vector(at);
        if constexpr (Count % L > 0) vector(Count - L);
    } else {
        for (std::int64_t i = 0; i < Count; ++i) to[i] = from[Step * i];
    }
}

/// Copies the input of Rows rows of pixels from row `first` on, for the channels of one group, surrounded by zeros. The
/// zeros are written if `clears`, and kept from then on, except in rows that other strips have overwritten. The columns
/// of each row are grouped by their phase modulo the stride, so that every load is contiguous.
template <device::convolution_key Key, std::int64_t Rows, class T>
inline void copy_phases(const T* x, T* to, bool clears, std::int64_t first) {
    constexpr auto rows = device::detail::padded_rows(Key, Rows), width = device::detail::phase_width(Key),
                   phases = device::detail::phases(Key), channels = device::channels_per_group(Key);
    const auto top = first * Key.stride_h - Key.pad_h;
    if (clears) std::fill(to, to + channels * rows * phases * width, T(0));
    for (std::int64_t c = 0; c < channels; ++c)
        for (std::int64_t y = 0; y < rows; ++y) {
            T* const line = to + (c * rows + y) * phases * width;
            if (top + y < 0 || top + y >= Key.in_h) {
                if constexpr (Rows < device::out_h(Key)) std::fill(line, line + phases * width, T(0));
                continue;
            }
            const T* const row = x + (c * Key.in_h + top + y) * Key.in_w;
            unroll<static_cast<int>(phases)>([&](auto phase) __attribute__((always_inline)) {
                // column j of the phase is input column j * stride + phase - pad
                constexpr auto step = Key.stride_w, before = Key.pad_w - phase, behind = Key.in_w - 1 + before;
                constexpr auto begin = before <= 0 ? 0 : (before + step - 1) / step;
                constexpr auto end = behind < 0 ? 0 : std::min(behind / step + 1, width);
                if constexpr (begin < end)
                    copy_every<step, end - begin>(row + (begin * step - before), line + phase * width + begin);
            });
        }
}

/// Computes Rows x Vectors vectors of pixels for Filters filters. begin: the first column of the tile; the last vectors
/// of a row are moved back to end with it. later: data to prefetch, Later bytes at every channel. A separate function,
/// for the same reason as channel_tile.
template <device::convolution_key Key, int L, int Filters, int Rows, int Vectors, bool Last, std::int64_t InWidth,
          std::int64_t Plane, std::int64_t PhaseWidth, std::int64_t Later = 0, class T, class After>
[[gnu::noinline]] void pixel_tile(const T* x, const T* w, const T* bias, T* out, [[maybe_unused]] After after,
                                  std::int64_t begin, [[maybe_unused]] const std::byte* later = nullptr) {
    constexpr auto out_w = device::out_w(Key), channels = device::channels_per_group(Key),
                   depth = channels * Key.kernel_h * Key.kernel_w;
    constexpr int across = Rows * Vectors, valid = static_cast<int>(std::min<std::int64_t>(L, out_w));
    const auto column = [&](int v) __attribute__((always_inline)) {
        if constexpr (!Last || out_w < L) return begin + v * L;
        else return std::min<std::int64_t>(begin + v * L, out_w - L);
    };
    simd<T, L> sum[Filters][across];
    unroll<Filters>([&](int f) __attribute__((always_inline)) {
        const auto first = Key.bias ? simd<T, L>::all(bias[f]) : simd<T, L>::zero();
        unroll<across>([&](int v) __attribute__((always_inline)) { sum[f][v] = first; });
    });
    const auto step = [&](const T* x_k, const T* w_k) __attribute__((always_inline)) {
        simd<T, L> pixels[across];
        unroll<across>([&](int i) __attribute__((always_inline)) {
            pixels[i] = simd<T, L>::load(x_k + i / Vectors * Key.stride_h * InWidth + column(i % Vectors));
        });
        unroll<Filters>([&](int f) __attribute__((always_inline)) {
            const auto weight = simd<T, L>::all(w_k[f * depth]);
            unroll<across>([&](int i)
                               __attribute__((always_inline)) { sum[f][i] = fma(weight, pixels[i], sum[f][i]); });
        });
    };
    for (std::int64_t c = 0; c < channels; ++c) {
        if constexpr (Later > 0) __builtin_prefetch(later + c * Later, 0, 2);
        for (std::int64_t h = 0; h < Key.kernel_h; ++h) {
            const T* row = x + c * Plane + h * Key.dilation_h * InWidth;
            const T* weights = w + (c * Key.kernel_h + h) * Key.kernel_w;
            const auto at = [](std::int64_t k) {
                return k * Key.dilation_w % Key.stride_w * PhaseWidth + k * Key.dilation_w / Key.stride_w;
            };
            if constexpr (Key.kernel_w <= 7)
                unroll<static_cast<int>(Key.kernel_w)>(
                    [&](int k) __attribute__((always_inline)) { step(row + at(k), weights + k); });
            else
                for (std::int64_t k = 0; k < Key.kernel_w; ++k) step(row + at(k), weights + k);
        }
    }
    constexpr int twice = Last && out_w > L ? static_cast<int>((L - out_w % L) % L)
                                            : 0; // pixels of the last vector that another vector also computes
    if constexpr (After::exists && After::operands > 0 &&
                  twice > 0) { // an operand may alias the result: each pixel must be stored once
        unroll<Filters>([&](int f) __attribute__((always_inline)) {
            unroll<across>([&](auto i) __attribute__((always_inline)) {
                T* const to = out + f * device::out_pixels(Key) + i / Vectors * out_w + column(i % Vectors);
                if constexpr (i % Vectors < Vectors - 1) {
                    after.template store<false, L>({sum[f][i]}, to);
                } else {
                    alignas(64) T all_of[L];
                    sum[f][i].store(all_of);
                    after.template store<false, L - twice>(
                        {simd<T, L>::template load_first<L - twice>(all_of + twice, T(1))}, to + twice);
                }
            });
        });
        return;
    }
    unroll<Filters * across>([&](int i) __attribute__((always_inline)) {
        const auto& made = sum[i / across][i % across];
        T* const to =
            out + i / across * device::out_pixels(Key) + i % across / Vectors * out_w + column(i % across % Vectors);
        if constexpr (After::exists) after.template store<false, valid>({made}, to);
        else made.template store_first<valid>(to);
    });
}

/// Computes RowsOfOut rows of pixels of all filters of one group; x without padding, InWidth between rows, PhaseWidth
/// between the phases of a row.
template <device::convolution_key Key, std::int64_t RowsOfOut, std::int64_t InWidth, std::int64_t Plane,
          std::int64_t PhaseWidth, class T, class After>
inline void pixels_of_group(const T* x, const T* w, const T* bias, T* out, After after) {
    constexpr int L = widest<T>;
    constexpr auto out_w = device::out_w(Key), out_h = device::out_h(Key), filters = device::filters_per_group(Key);
    constexpr auto depth = device::channels_per_group(Key) * Key.kernel_h * Key.kernel_w;
    constexpr int room = vector_registers == 32 ? 24 : 12;
    constexpr int most = filters == 1 ? 8 : vector_registers == 32 ? 4 : 2; // vectors of pixels in a tile
    constexpr auto row_vectors = static_cast<int>((out_w + L - 1) / L);
    constexpr int vectors = std::min(row_vectors, most);
    constexpr int most_rows = std::max(1, most / vectors);
    constexpr auto rows_cut = cut_evenly(RowsOfOut, most_rows);
    constexpr int most_filters = std::max(1, room / (vectors * static_cast<int>(rows_cut.size)));
    constexpr int whole = (row_vectors - 1) / vectors,
                  last = row_vectors - whole * vectors; // the last block may be moved back
    each_piece<filters, most_filters>([&](auto count, std::int64_t f) __attribute__((always_inline)) {
        const T* const w_f = w + f * depth;
        each_piece<RowsOfOut, most_rows>([&](auto rows, std::int64_t y) __attribute__((always_inline)) {
            const T* const x_y = x + y * Key.stride_h * InWidth;
            T* const out_y = out + f * (out_h * out_w) + y * out_w;
            for (std::int64_t block = 0; block < whole; ++block)
                pixel_tile<Key, L, count(), rows(), vectors, false, InWidth, Plane, PhaseWidth>(
                    x_y, w_f, bias_from<Key>(bias, f), out_y, after, block * vectors * L);
            pixel_tile<Key, L, count(), rows(), last, true, InWidth, Plane, PhaseWidth>(
                x_y, w_f, bias_from<Key>(bias, f), out_y, after, std::int64_t{whole} * vectors * L);
        });
    });
}

} // namespace ahead::kernels::detail
