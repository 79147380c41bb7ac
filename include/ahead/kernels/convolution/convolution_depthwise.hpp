// SPDX-License-Identifier: MIT
// Convolutions of one channel per group, down strips of a few vectors: each row is loaded once for all taps and for all
// rows of a tile that use it. Each tap needs the row shifted: it is loaded at the shifted address if all of that is in
// the row, else shuffled from vectors. A sum begins with the first row that contributes to it and is stored after the
// last one, so only a few sums are live at a time, regardless of the height of a tile. Nothing is copied.
// Invariant: sums are those of pixel_tile, to the bit, except that rows of padding are omitted instead of multiplied. A
// row that ends within a vector is stored with the whole vector if the next row is stored later and overwrites the
// excess. Called by convolution.hpp.
#pragma once
#include <ahead/kernels/convolution/convolution_taps.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::kernels::detail {

/// The number of vectors in a row of pixels, or in the elements of an input row of one phase modulo the stride,
/// whichever is greater.
template <device::convolution_key Key, int L>
inline constexpr std::int64_t depthwise_vectors =
    (std::max((Key.in_w + Key.stride_w - 1) / Key.stride_w, device::out_w(Key)) + L - 1) / L;

/// The maximum number of vectors in a strip.
inline constexpr std::int64_t depthwise_strip = vector_registers == 32 ? 4 : 2;

/// Whether rows of any width are processed strip by strip: nothing is then passed between strips in registers.
template <device::convolution_key Key, class T>
inline constexpr bool in_depthwise_strips =
    maskable<T, typename simd<T, widest<T>>::packet> && Key.stride_w == 1 && Key.pad_w < widest<T>;

template <device::convolution_key Key, class T>
inline constexpr bool is_depthwise = device::channels_per_group(Key) == 1 && Key.stride_w <= 2 && widest<T> > 1 &&
                                     (Key.kernel_h * Key.kernel_w) <= 49 &&
                                     (depthwise_vectors<Key, widest<T>> <= depthwise_strip ||
                                      in_depthwise_strips<Key, T>);

/// The constants of a strip: the number of its vectors, whether it begins a row, and the numbers of remaining pixels
/// and input elements there, which may be limited to those that it can reach.
struct depthwise_part {
    int vectors;
    bool first;
    int pixels, left;
};

/// Computes Rows rows of pixels from row y on, for one filter, one strip wide. x, out: the beginning of the strip in
/// the first row of the input, and in row y.
template <device::convolution_key Key, depthwise_part Part, int Rows, int L, class T, class After>
[[gnu::noinline]] void depthwise_rows(const T* x, const T* w, const T* bias, T* out, [[maybe_unused]] After after,
                                      std::int64_t y) {
    constexpr int kernel_h = static_cast<int>(Key.kernel_h), kernel_w = static_cast<int>(Key.kernel_w),
                  down = static_cast<int>(Key.dilation_h), step = static_cast<int>(Key.stride_h),
                  stride = static_cast<int>(Key.stride_w), vectors = Part.vectors, taps = kernel_h * kernel_w;
    constexpr bool kept = vector_registers == 32 && taps <= 9; // the weights, in registers
    simd<T, L> sum[Rows][vectors], weights[kept ? taps : 1];
    const auto base = Key.bias ? simd<T, L>::all(*bias) : simd<T, L>::zero();
    if constexpr (kept)
        unroll<taps>([&](int i) __attribute__((always_inline)) { weights[i] = simd<T, L>::all(w[i]); });
    const auto top = y * step - Key.pad_h;
    unroll<(Rows - 1) * step + (kernel_h - 1) * down + 1>([&](auto i) __attribute__((always_inline)) {
        if constexpr (i % step == 0 && i / step < Rows)
            unroll<vectors>([&](int v) __attribute__((always_inline)) { sum[i / step][v] = base; });
        if (const auto at = top + i; at >= 0 && at < Key.in_h) {
            const T* const row = x + at * Key.in_w;
            simd<T, L> phase[stride][vectors];
            load_phases<stride, Part.left>(row, phase);
            unroll<kernel_w>([&](auto k) __attribute__((always_inline)) {
                simd<T, L> seen[vectors];
                unroll<vectors>([&](auto v) __attribute__((always_inline)) {
                    seen[v] = seen_by_tap<static_cast<int>(k * Key.dilation_w - Key.pad_w), v, Part.first, Part.left>(
                        row, phase);
                });
                unroll<Rows>([&](auto r) __attribute__((always_inline)) {
                    constexpr int above = i - r * step; // the kernel row, times dilation, that meets it
                    if constexpr (above >= 0 && above % down == 0 && above / down < kernel_h) {
                        constexpr int tap = above / down * kernel_w + k;
                        const auto weight = kept ? weights[kept ? tap : 0] : simd<T, L>::all(w[tap]);
                        unroll<vectors>(
                            [&](int v) __attribute__((always_inline)) { sum[r][v] = fma(weight, seen[v], sum[r][v]); });
                    }
                });
            });
        }
        constexpr int done = i - (kernel_h - 1) * down, r = done / step;
        if constexpr (done >= 0 && done % step == 0)
            unroll<vectors>([&](auto v) __attribute__((always_inline)) {
                constexpr int valid = std::clamp(Part.pixels - v * L, 0, L);
                constexpr bool whole = Part.first && Part.pixels == device::out_w(Key) && After::operands == 0 &&
                                       L - valid <= (Rows - 1 - r) * device::out_w(Key);
                constexpr int count = whole ? L : valid;
                if constexpr (valid > 0) {
                    T* const to = out + r * device::out_w(Key) + v * L;
                    if constexpr (After::exists) after.template store<false, count>({sum[r][v]}, to);
                    else sum[r][v].template store_first<count>(to);
                }
            });
    });
}

/// Computes the strip that begins with column Begin, and those after it, for one filter.
template <device::convolution_key Key, std::int64_t Begin, class T, class After>
[[gnu::always_inline]] inline void depthwise_strips(const T* x, const T* w, const T* bias, T* out, After after) {
    constexpr int L = widest<T>;
    constexpr std::int64_t all = depthwise_vectors<Key, L>, strips = (all + depthwise_strip - 1) / depthwise_strip,
                           most = (all + strips - 1) / strips, vectors = std::min(most, all - Begin / L),
                           reach = vectors * L + (Key.kernel_w - 1) * Key.dilation_w;
    constexpr depthwise_part part{
        static_cast<int>(vectors), Begin == 0,
        static_cast<int>(std::min(device::out_w(Key) - Begin, strips == 1 ? device::out_w(Key) : vectors * L)),
        static_cast<int>(strips == 1 ? Key.in_w : std::min(Key.in_w - Begin, reach))};
    // The number of rows of sums that are live at a time; if they exceed the registers, the tile height is limited to
    // fit.
    constexpr std::int64_t under_way = ((Key.kernel_h - 1) * Key.dilation_h) / Key.stride_h + 1;
    constexpr std::int64_t room = vector_registers == 32 ? 12 : 4,
                           rows = under_way * vectors <= room + vectors
                                      ? (vectors == 1 ? 16 : 8)
                                      : std::clamp<std::int64_t>(room / vectors, 1, 4);
    each_piece<device::out_h(Key), rows>([&](auto count, std::int64_t y) __attribute__((always_inline)) {
        depthwise_rows<Key, part, count(), L>(x + Begin, w, bias, out + y * device::out_w(Key) + Begin, after, y);
    });
    if constexpr (vectors < all - Begin / L) depthwise_strips<Key, Begin + vectors * L>(x, w, bias, out, after);
}

/// Computes all pixels and filters of one group.
template <device::convolution_key Key, class T, class After>
inline void depthwise(const T* x, const T* w, const T* bias, T* out, After after) {
    for (std::int64_t f = 0; f < device::filters_per_group(Key); ++f)
        depthwise_strips<Key, 0>(x, w + f * Key.kernel_h * Key.kernel_w, bias_from<Key>(bias, f),
                                 out + f * device::out_pixels(Key), after);
}

} // namespace ahead::kernels::detail
