// SPDX-License-Identifier: MIT
// Convolutions of one channel a group whose rows fit in a few registers: each row is loaded once for all taps, which
// see it shifted, and for all rows of a tile that it meets. Nothing is copied.
// Invariant: sums are those of pixel_tile, to the bit, but that rows of padding are left out, not multiplied. Called by
// convolution.hpp.
#pragma once
#include <ahead/kernel/convolution/convolution_tiling.hpp>
#include <algorithm>
#include <utility>

namespace AHEAD_NAMESPACE::npu::kernel::detail {

/// Elements of a row of the input that lie in each phase modulo the stride, and vectors that hold them and a row of
/// pixels.
template <target::convolution_key Key, int L>
inline constexpr std::int64_t depthwise_vectors =
    (std::max((Key.in_w + Key.stride_w - 1) / Key.stride_w, target::out_w(Key)) + L - 1) / L;

template <target::convolution_key Key, class T>
inline constexpr bool is_depthwise =
    target::channels_per_group(Key) == 1 && Key.stride_w <= 2 && widest<T> > 1 &&
    (Key.kernel_h * Key.kernel_w) <= 49 && depthwise_vectors<Key, widest<T>> <= (vector_registers == 32 ? 4 : 2);

/// Elements [Shift + i, Shift + i + L) of Vectors vectors, zero outside of them.
template <int Shift, class T, int L, int Vectors>
[[gnu::always_inline]] inline lanes<T, L> shifted(const lanes<T, L> (&row)[Vectors]) {
    constexpr int offset = (Shift % L + L) % L, first = (Shift - offset) / L;
    const auto vector = [&](auto i) __attribute__((always_inline)) {
        if constexpr (i >= 0 && i < Vectors) return row[i];
        else return lanes<T, L>::zero();
    };
    const auto low = vector(std::integral_constant<int, first>{});
    if constexpr (offset == 0) return low;
    else {
        const auto high = vector(std::integral_constant<int, first + 1>{});
        return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
            return lanes<T, L>{
                static_cast<typename lanes<T, L>::packet>(picked<(I + offset)...>(low.value, high.value))};
        }(std::make_integer_sequence<int, L>{});
    }
}

/// A row of the input, phase by phase; zero behind its end.
template <target::convolution_key Key, class T, int L, int Vectors>
[[gnu::always_inline]] inline void load_phases(const T* row, lanes<T, L> (&phase)[Key.stride_w][Vectors]) {
    const auto load = [&](auto at) __attribute__((always_inline)) {
        constexpr auto count = std::clamp<std::int64_t>(Key.in_w - at, 0, L);
        if constexpr (count > 0) return lanes<T, L>::template load_first<static_cast<int>(count)>(row + at);
        else return lanes<T, L>::zero();
    };
    unroll<Vectors>([&](auto v) __attribute__((always_inline)) {
        if constexpr (Key.stride_w == 1) {
            phase[0][v] = load(std::integral_constant<int, v * L>{});
        } else {
            const auto one = load(std::integral_constant<int, 2 * v * L>{}),
                       other = load(std::integral_constant<int, 2 * v * L + L>{});
            phase[0][v] = lanes<T, L>::template every_second<0>(one, other);
            phase[1][v] = lanes<T, L>::template every_second<1>(one, other);
        }
    });
}

/// Rows rows of pixels from row y on, for one filter.
template <target::convolution_key Key, int Rows, int L, int Vectors, class T, class After>
[[gnu::noinline]] void depthwise_rows(const T* x, const T* w, const T* bias, T* out, [[maybe_unused]] After after,
                                      std::int64_t y) {
    constexpr int kernel_h = static_cast<int>(Key.kernel_h), kernel_w = static_cast<int>(Key.kernel_w),
                  down = static_cast<int>(Key.dilation_h), step = static_cast<int>(Key.stride_h);
    lanes<T, L> sum[Rows][Vectors];
    const auto base = Key.bias ? lanes<T, L>::all(*bias) : lanes<T, L>::zero();
    unroll<Rows * Vectors>([&](int i) __attribute__((always_inline)) { sum[i / Vectors][i % Vectors] = base; });
    const auto top = y * step - Key.pad_h;
    unroll<(Rows - 1) * step + (kernel_h - 1) * down + 1>([&](auto i) __attribute__((always_inline)) {
        const auto row = top + i;
        if (row < 0 || row >= Key.in_h) return;
        lanes<T, L> phase[Key.stride_w][Vectors];
        load_phases<Key>(x + row * Key.in_w, phase);
        unroll<kernel_w>([&](auto k) __attribute__((always_inline)) {
            constexpr int column = static_cast<int>(k * Key.dilation_w - Key.pad_w),
                          stride = static_cast<int>(Key.stride_w), of = (column % stride + stride) % stride;
            lanes<T, L> seen[Vectors];
            unroll<Vectors>([&](auto v) __attribute__((always_inline)) {
                seen[v] = shifted<(column - of) / stride + v * L>(phase[of]);
            });
            unroll<Rows>([&](auto r) __attribute__((always_inline)) {
                constexpr int above = i - r * step; // which of the kernel's rows meets it
                if constexpr (above >= 0 && above % down == 0 && above / down < kernel_h) {
                    const auto weight = lanes<T, L>::all(w[above / down * kernel_w + k]);
                    unroll<Vectors>(
                        [&](int v) __attribute__((always_inline)) { sum[r][v] = fma(weight, seen[v], sum[r][v]); });
                }
            });
        });
    });
    unroll<Rows>([&](int r) __attribute__((always_inline)) {
        unroll<Vectors>([&](auto v) __attribute__((always_inline)) {
            constexpr int count = static_cast<int>(std::clamp<std::int64_t>(target::out_w(Key) - v * L, 0, L));
            if constexpr (count > 0) {
                T* const to = out + r * target::out_w(Key) + v * L;
                if constexpr (After::exists) after.template store<false, count>({sum[r][v]}, to);
                else sum[r][v].template store_first<count>(to);
            }
        });
    });
}

/// All pixels and filters of one group.
template <target::convolution_key Key, class T, class After>
inline void depthwise(const T* x, const T* w, const T* bias, T* out, After after) {
    constexpr int L = widest<T>, vectors = static_cast<int>(depthwise_vectors<Key, L>);
    constexpr std::int64_t most = std::max(1, std::min(4, (vector_registers == 32 ? 12 : 4) / vectors));
    for (std::int64_t f = 0; f < target::filters_per_group(Key); ++f)
        each_piece<target::out_h(Key), most>([&](auto rows, std::int64_t y) __attribute__((always_inline)) {
            depthwise_rows<Key, rows(), L, vectors>(x, w + f * Key.kernel_h * Key.kernel_w, bias_from<Key>(bias, f),
                                                    out + f * target::out_pixels(Key) + y * target::out_w(Key), after,
                                                    y);
        });
}

} // namespace ahead::npu::kernel::detail
