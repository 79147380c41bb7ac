// SPDX-License-Identifier: MIT
// 1x1 convolutions with pixels across a vector, whose map is one long row: a product of the unpacked weights and the
// map. A range of pixels that fits in a near cache is processed for all filters before the next range; meanwhile the
// next weights are prefetched. If only a few pixels remain after the last whole vector, they are dot products along
// channels.
// Invariant: an element's sum depends on its pixel and filter only, not on the number of filters. Called by
// convolution.hpp.
#pragma once
#include <ahead/kernels/convolution/convolution_pixels.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::kernels::detail {

template <device::convolution_key Key, class T>
inline constexpr bool is_pointwise = device::is_pointwise(Key) && widest<T> > 1 && device::out_w(Key) >= widest<T>;

/// The number of pixels after the last whole vector of L lanes, if they are few; else 0.
template <device::convolution_key Key, int L>
inline constexpr int pixels_over =
    Key.in_w % L <= std::min<std::int64_t>(L / 4, device::most_pixels_over) ? static_cast<int>(Key.in_w % L) : 0;

/// Computes the last Over pixels of Filters filters, one dot product for each pixel and filter. x: [pixel][channel],
/// each padded with zeros to whole vectors. A separate function, for the same reason as channel_tile.
template <device::convolution_key Key, int Over, int Filters, class T, class After>
[[gnu::noinline]] void pixels_by_dots(const T* x, const T* w, const T* bias, T* out, [[maybe_unused]] After after) {
    constexpr int L = widest<T>, channels = static_cast<int>(device::channels_per_group(Key)), rest = channels % L,
                  padded = channels - rest + (rest > 0 ? L : 0), wide = lanes_around<T>(Over);
    simd<T, L> sum[L];
    unroll<L>([&](int i) __attribute__((always_inline)) { sum[i] = simd<T, L>::zero(); });
    const auto step = [&](auto count, int c) __attribute__((always_inline)) {
        simd<T, L> pixels[Over];
        unroll<Over>([&](int p) __attribute__((always_inline)) { pixels[p] = simd<T, L>::load(x + p * padded + c); });
        unroll<Filters>([&](int f) __attribute__((always_inline)) {
            const auto weights = simd<T, L>::template load_first<count>(w + f * channels + c);
            unroll<Over>([&](int p) __attribute__((always_inline)) {
                sum[f * Over + p] = fma(weights, pixels[p], sum[f * Over + p]);
            });
        });
    };
    for (int c = 0; c + L <= channels; c += L) step(std::integral_constant<int, L>{}, c);
    if constexpr (rest > 0) step(std::integral_constant<int, rest>{}, channels - rest);
    simd<T, L>::transpose(sum);
    unroll<4>([&](auto level) __attribute__((always_inline)) { // a tree of additions
        constexpr int half = 8 >> level;
        unroll<half>([&](int i) __attribute__((always_inline)) {
            if constexpr (2 * half <= L) sum[i % L] = sum[i % L] + sum[(i + half) % L];
        });
    });
    alignas(64) T all_of[L + wide];
    sum[0].store(all_of);
    unroll<Filters>([&](int f) __attribute__((always_inline)) {
        auto made = simd<T, wide>::load(all_of + f * Over);
        if constexpr (Key.bias) made = made + simd<T, wide>::all(bias[f]);
        T* const to = out + f * device::out_pixels(Key);
        if constexpr (After::exists) after.template store<false, Over>({made}, to);
        else made.template store_first<Over>(to);
    });
}

/// Computes all pixels and filters of one group. work: buffer for the pixels after the last whole vector.
template <device::convolution_key Key, class T, class After>
inline void pointwise(const T* x, const T* w, const T* bias, T* out, After after, [[maybe_unused]] T* work) {
    constexpr int L = widest<T>, over = pixels_over<Key, L>;
    constexpr auto plane = Key.in_w, filters = device::filters_per_group(Key),
                   channels = device::channels_per_group(Key), vectors = (plane - over + L - 1) / L;
    constexpr auto tiles = cut_evenly(vectors, vector_registers == 32 ? 4 : 2);
    constexpr bool is_far = bytes_of(Key.type, filters * channels) > (32 << 10);
    // Computes tiles of `wide` vectors from pixel `first` on.
    const auto stretch = [&](auto wide, auto last, std::int64_t first,
                             std::int64_t count) __attribute__((always_inline)) {
        constexpr int most = (vector_registers == 32 ? 24 : 12) / wide;
        each_piece<filters, most>([&](auto high, std::int64_t f) __attribute__((always_inline)) {
            const auto* const next = reinterpret_cast<const std::byte*>(w + (f + high) * channels);
            constexpr std::int64_t later = is_far ? std::int64_t{sizeof(T)} * high : 0;
            for (std::int64_t i = 0; i < count; ++i)
                pixel_tile<Key, L, high(), 1, wide(), last(), plane, plane, plane, later>(
                    x, w + f * channels, bias_from<Key>(bias, f), out + f * plane, after, first + i * wide * L, next);
        });
    };
    constexpr auto most_tiles = [](std::int64_t wide) {
        return std::max<std::int64_t>(1, (16 << 10) / bytes_of(Key.type, channels * wide * L));
    };
    const auto stretches = [&](auto wide, std::int64_t first, std::int64_t count) __attribute__((always_inline)) {
        for (std::int64_t i = 0; i < count; i += most_tiles(wide))
            stretch(wide, std::false_type{}, first + i * wide * L, std::min(most_tiles(wide), count - i));
    };
    constexpr bool moves_back = over == 0 && plane % L > 0;
    constexpr bool alike = tiles.high == tiles.pieces;
    constexpr int low = static_cast<int>(alike ? tiles.size : tiles.size - 1);
    stretches(std::integral_constant<int, static_cast<int>(tiles.size)>{}, 0, tiles.high - (alike && moves_back));
    if constexpr (!alike)
        stretches(std::integral_constant<int, low>{}, tiles.high * tiles.size * L,
                  tiles.pieces - tiles.high - moves_back);
    if constexpr (moves_back) stretch(std::integral_constant<int, low>{}, std::true_type{}, (vectors - low) * L, 1);
    if constexpr (over > 0) {
        constexpr std::int64_t padded = (channels + L - 1) / L * L;
        for (int p = 0; p < over; ++p) {
            for (std::int64_t c = 0; c < channels; ++c) work[p * padded + c] = x[c * plane + plane - over + p];
            std::fill(work + p * padded + channels, work + (p + 1) * padded, T(0));
        }
        constexpr int most = L / over;
        constexpr auto whole = filters / most * most;
        const auto dots = [&](auto high, std::int64_t f) __attribute__((always_inline)) {
            pixels_by_dots<Key, over, high()>(work, w + f * channels, bias_from<Key>(bias, f),
                                              out + f * plane + plane - over, after);
        };
        for (std::int64_t f = 0; f < whole; f += most) dots(std::integral_constant<int, most>{}, f);
        if constexpr (whole < filters) dots(std::integral_constant<int, static_cast<int>(filters - whole)>{}, whole);
    }
}

} // namespace ahead::kernels::detail
