// SPDX-License-Identifier: MIT
// Convolutions of integers on grids: pixels of the result along the lanes, filters down the tile. The input is copied
// by quads of channels, with its padding, so that the offset between a pixel and the input of each of its taps is the
// same everywhere (device::quads_copied_for): the results of a block of filters are one long row of pixels; those
// between two rows of the result are discarded.
// Invariant: sums are exact, modulo 2^32. The input's bytes are from 0 to 255: those of i8 are stored with inverted
// sign bits, which adds 128 times the sum of the weights of a filter to all of its sums; the initial value of the sums
// compensates for it.
#pragma once
#include <ahead/device/quantised/quantized_convolution.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/quantised/sums.hpp>
#include <algorithm>
#include <array>
#include <cstring>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// The offset in the copy, in quads, of each tap of a filter.
template <device::quantized_convolution_key Key>
inline constexpr auto tap_places = [] {
    constexpr auto copied = device::quads_copied_for(Key);
    std::array<std::int64_t, static_cast<std::size_t>(Key.kernel_h * Key.kernel_w)> out{};
    for (std::int64_t h = 0; h < Key.kernel_h; ++h)
        for (std::int64_t w = 0; w < Key.kernel_w; ++w) {
            const auto y = h * Key.dilation_h, x = w * Key.dilation_w;
            const auto phase_h = copied.phases_h == 1 ? 0 : y % Key.stride_h;
            const auto phase_w = copied.phases_w == 1 ? 0 : x % Key.stride_w;
            out[static_cast<std::size_t>(h * Key.kernel_w + w)] =
                ((phase_h * copied.phases_w + phase_w) * copied.rows + y / Key.stride_h) * copied.pitch +
                x / Key.stride_w;
        }
    return out;
}();

/// Copies one row of one quad of channels: columns first, first + stride, .. of the rows of `count` channels, and
/// `around` outside of them. rows[q] are null above and below the input.
template <device::quantized_convolution_key Key>
inline void copy_row_of_quads(const std::int8_t* const (&rows)[4], int count, std::int64_t first, std::int8_t around,
                              std::uint8_t* to) {
    constexpr auto pitch = device::quads_copied_for(Key).pitch, stride = Key.stride_w;
    constexpr bool turned = Key.type == dtype::i8;
    constexpr std::int8_t nothing = turned ? -128 : 0; // stored as 0
    const auto from = rows[0] == nullptr || first >= 0 ? 0 : std::min(pitch, (-first + stride - 1) / stride);
    const auto end = rows[0] == nullptr ? 0 : std::clamp((Key.in_w - first + stride - 1) / stride, from, pitch);
    std::uint8_t outside[4];
    for (int q = 0; q < 4; ++q)
        outside[q] = static_cast<std::uint8_t>(q < count ? around : nothing) ^ std::uint8_t{turned ? 0x80 : 0};
    const auto fill = [&](std::int64_t begin, std::int64_t behind) {
        for (; begin < behind; ++begin) std::memcpy(to + 4 * begin, outside, 4);
    };
    fill(0, from);
    fill(end, pitch);
    std::int8_t copied[4][16];
    const std::int8_t* source[4];
    for (int q = 0; q < 4; ++q) {
        source[q] = copied[q];
        if (q >= count) std::fill_n(copied[q], 16, nothing);
    }
    const auto in_place = [&](std::int64_t at) __attribute__((always_inline)) { // 16 pixels
        for (int q = 0; q < count; ++q) {
            const auto* const row = rows[q] + first + at * stride;
            if constexpr (stride == 1) source[q] = row;
            else
                for (std::int64_t i = 0; i < 16; ++i) copied[q][i] = row[i * stride];
        }
        pack_vnni4<turned>(source, to + 4 * at);
    };
    if (end - from >= 16) {
        for (auto at = from; at + 16 < end; at += 16) in_place(at);
        return in_place(end - 16); // overlaps the previous ones
    }
    const auto few = end - from;
    for (int q = 0; q < count; ++q)
        for (std::int64_t i = 0; i < 16; ++i)
            copied[q][i] = i < few ? rows[q][first + (from + i) * stride] : std::int8_t{0};
    std::uint8_t made[64];
    pack_vnni4<turned>(source, made);
    if (few > 0) std::memcpy(to + 4 * from, made, static_cast<std::size_t>(4 * few));
}

/// Copies the input that `out_rows` rows of the result from `y` on read, for one group.
template <device::quantized_convolution_key Key>
inline void copy_quads(const std::int8_t* x, std::int8_t around, std::int64_t y, std::int64_t out_rows,
                       std::uint8_t* to) {
    constexpr auto copied = device::quads_copied_for(Key);
    constexpr auto channels = device::channels_per_group(Key), plane = Key.in_h * Key.in_w;
    for (std::int64_t c = 0; c < channels; c += 4, to += 4 * copied.plane())
        for (std::int64_t h = 0; h < copied.phases_h; ++h)
            for (std::int64_t w = 0; w < copied.phases_w; ++w)
                for (std::int64_t r = 0; r < out_rows + copied.more_rows; ++r) {
                    const auto row = (y + r) * Key.stride_h + h - Key.pad_h;
                    const int count = static_cast<int>(std::min<std::int64_t>(4, channels - c));
                    const std::int8_t* rows[4]{};
                    if (row >= 0 && row < Key.in_h)
                        for (int q = 0; q < count; ++q) rows[q] = x + (c + q) * plane + row * Key.in_w;
                    copy_row_of_quads<Key>(rows, count, w - Key.pad_w, around,
                                           to + 4 * ((h * copied.phases_w + w) * copied.rows + r) * copied.pitch);
                }
}

/// Adds the products of Vectors vectors of pixels by Filters filters to `sum`.
template <device::quantized_convolution_key Key, int L, int Vectors, int Filters>
[[gnu::always_inline]] inline void add_taps(const std::uint8_t* from, const std::byte* weights,
                                            quads<L> (&sum)[Vectors][Filters]) {
    constexpr auto copied = device::quads_copied_for(Key);
    constexpr auto& taps = tap_places<Key>;
    for (std::int64_t c = 0; c < device::quads_of(device::channels_per_group(Key)); ++c, from += 4 * copied.plane())
        for (const auto tap : taps) {
            quads<L> x[Vectors];
            unroll<Vectors>([&](int v)
                                __attribute__((always_inline)) { x[v] = load_quads<L>(from + 4 * (tap + v * L)); });
            unroll<Filters>([&](int f) __attribute__((always_inline)) {
                const auto w = spread_quad<L>(weights + 4 * f);
                unroll<Vectors>(
                    [&](int v) __attribute__((always_inline)) { sum[v][f] = add_byte_products(sum[v][f], x[v], w); });
            });
            weights += 4 * device::filters_of_block;
        }
}

/// Computes the results of one block of filters for `places` pixels; those of each filter are contiguous, filters are
/// `row` elements apart.
template <device::quantized_convolution_key Key> struct filter_block {
    using T = element_t<Key.out>;
    static constexpr int L = quad_lanes, all = static_cast<int>(device::filters_of_block);
    static constexpr int filters = vector_registers >= 32 ? all : all / 2;

    const std::uint8_t* from;
    const std::byte* weights;
    const std::int32_t *window_sums, *turned; // per pixel; per filter: the correction for inverted sign bits
    quantised_operands with;                  // of the block's first filter
    std::int64_t count;                       // number of valid filters
    T* to;
    std::int64_t row;

    template <int Vectors> [[gnu::always_inline]] void tile(std::int64_t place, int first) const {
        quads<L> sum[Vectors][filters];
        unroll<filters>([&](int f) __attribute__((always_inline)) {
            const auto at = std::min<std::int64_t>(first + f, count - 1);
            auto start = with.starts[at];
            if constexpr (Key.type == dtype::i8)
                start = static_cast<std::int32_t>(static_cast<std::uint32_t>(start) +
                                                  static_cast<std::uint32_t>(turned[at]));
            unroll<Vectors>([&](int v) __attribute__((always_inline)) { sum[v][f] = quads<L>::all(start); });
        });
        add_taps<Key>(from + 4 * place, weights + 4 * first, sum);
        const auto inverse = simd<float, L>::all(Key.out == dtype::f32 ? 1.f : *with.inverse);
        const auto zero = simd<float, L>::all(Key.out == dtype::f32 ? 0.f : *with.zero);
        unroll<filters>([&](int f) __attribute__((always_inline)) {
            const auto at = std::min<std::int64_t>(first + f, count - 1);
            const auto scale = simd<float, L>::all(with.scales[at]);
            auto bias = simd<float, L>::zero();
            if constexpr (Key.bias) bias = simd<float, L>::all(with.bias[at]);
            unroll<Vectors>([&](int v) __attribute__((always_inline)) {
                if constexpr (Key.weight_zeros)
                    sum[v][f] =
                        sum[v][f] - quads<L>::load(window_sums + place + v * L) * quads<L>::all(with.weight_zeros[at]);
                store_sums<Key, L>(sum[v][f], scale, bias, inverse, zero, to + (first + f) * row + place + v * L);
            });
        });
    }
    [[gnu::noinline]] void run(std::int64_t places) const {
        for (int first = 0; first < all && first < count; first += filters) {
            std::int64_t place = 0, left = (places + L - 1) / L;
            const auto next = [&](auto vectors) __attribute__((always_inline)) {
                tile<vectors>(place, first);
                place += vectors * L;
                left -= vectors;
            };
            while (left > 4 || left == 3) next(std::integral_constant<int, 3>{});
            while (left >= 2) next(std::integral_constant<int, 2>{});
            while (left > 0) next(std::integral_constant<int, 1>{});
        }
    }
};

/// The sum of the window of each pixel, of the signed values of its bytes.
template <device::quantized_convolution_key Key>
inline void sum_windows(const std::uint8_t* from, std::int32_t* sums, std::int64_t places) {
    constexpr int L = quad_lanes;
    constexpr auto copied = device::quads_copied_for(Key);
    constexpr auto channels = device::channels_per_group(Key);
    constexpr auto taken = -128 * channels * Key.kernel_h * Key.kernel_w;
    const auto ones = quads<L>::all(0x0101'0101);
    const auto some = [&](auto vectors, std::int64_t place) __attribute__((always_inline)) {
        quads<L> sum[vectors];
        for (auto& one : sum) one = quads<L>::all(Key.type == dtype::i8 ? static_cast<std::int32_t>(taken) : 0);
        for (std::int64_t c = 0; c < device::quads_of(channels); ++c)
            for (const auto tap : tap_places<Key>)
                unroll<vectors>([&](int v) __attribute__((always_inline)) {
                    const auto x = load_quads<L>(from + 4 * (c * copied.plane() + tap + place + v * L));
                    sum[v] = add_byte_products(sum[v], x, ones);
                });
        unroll<vectors>([&](int v) __attribute__((always_inline)) { sum[v].store(sums + place + v * L); });
    };
    constexpr int most = 8;
    std::int64_t place = 0;
    for (; place + most * L <= places; place += most * L) some(std::integral_constant<int, most>{}, place);
    for (; place < places; place += L) some(std::integral_constant<int, 1>{}, place);
}

} // namespace detail

/// Packs weights [out_channels, channels, taps] as device::filter_block_bytes describes.
template <device::quantised_filters_key Key> void pack_filters(const std::int8_t* weight, std::byte* packed) {
    constexpr auto per_group = Key.out_channels / Key.groups, filter = Key.channels * Key.taps;
    for (std::int64_t g = 0; g < Key.groups; ++g)
        for (std::int64_t block = 0; block < device::filter_blocks(Key); ++block)
            for (std::int64_t c = 0; c < device::quads_of(Key.channels); ++c)
                for (std::int64_t tap = 0; tap < Key.taps; ++tap)
                    for (std::int64_t f = 0; f < device::filters_of_block; ++f)
                        for (std::int64_t q = 4 * c; q < 4 * c + 4; ++q) {
                            const auto o = block * device::filters_of_block + f;
                            const bool is_one = o < per_group && q < Key.channels;
                            *packed++ = std::byte(static_cast<std::uint8_t>(
                                is_one ? weight[(g * per_group + o) * filter + q * Key.taps + tap] : 0));
                        }
    for (std::int64_t o = 0; o < Key.out_channels; ++o, packed += 4) {
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < filter; ++i) sum += weight[o * filter + i];
        const auto start = static_cast<std::int32_t>(Key.type == dtype::i8 ? -128 * sum : 0);
        std::memcpy(packed, &start, sizeof start);
    }
}

/// out[batch, out_channels, out_h, out_w] = x by the weights that were packed by pack_filters<filters_of(Key)>.
/// Semantics: air.quantized_convolution. workspace: device::space_of(Key), 64-byte aligned.
template <device::quantized_convolution_key Key>
inline void quantized_convolution(const std::int8_t* x, const std::byte* packed, std::int32_t around,
                                  const quantised_operands& with, element_t<Key.out>* out, std::byte* workspace) {
    constexpr auto filters = device::filters_of(Key);
    constexpr auto copied = device::quads_copied_for(Key);
    constexpr auto space = device::space_of(Key);
    constexpr auto rows = device::out_h(Key), columns = device::out_w(Key);
    constexpr auto per_group = device::filters_per_group(Key), channels = device::channels_per_group(Key);
    constexpr auto blocks = device::filter_blocks(filters), block_bytes = device::filter_block_bytes(filters);
    constexpr auto all = device::filters_of_block;
    constexpr auto row =
        (copied.out_rows * copied.pitch + device::most_places - 1) / device::most_places * device::most_places;
    const auto quads_at = reinterpret_cast<std::uint8_t*>(workspace);
    const auto sums = reinterpret_cast<std::int32_t*>(workspace + space.sums);
    const auto made = reinterpret_cast<element_t<Key.out>*>(workspace + space.made);
    const auto turned = reinterpret_cast<const std::int32_t*>(packed + Key.groups * blocks * block_bytes);
    for (std::int64_t b = 0; b < Key.batch; ++b)
        for (std::int64_t g = 0; g < Key.groups; ++g)
            for (std::int64_t y = 0; y < rows; y += copied.out_rows) {
                const auto here = std::min(copied.out_rows, rows - y), places = here * copied.pitch;
                detail::copy_quads<Key>(x + (b * Key.in_channels + g * channels) * Key.in_h * Key.in_w,
                                        static_cast<std::int8_t>(around), y, here, quads_at);
                if constexpr (Key.weight_zeros) detail::sum_windows<Key>(quads_at, sums, places);
                for (std::int64_t block = 0; block < blocks; ++block) {
                    const auto o = g * per_group + block * all, count = std::min(all, per_group - block * all);
                    auto mine = with;
                    mine.starts += o;
                    mine.scales += o;
                    if constexpr (Key.weight_zeros) mine.weight_zeros += o;
                    if constexpr (Key.bias) mine.bias += o;
                    detail::filter_block<Key>{
                        quads_at, packed + (g * blocks + block) * block_bytes, sums, turned + o, mine, count, made, row}
                        .run(places);
                    for (std::int64_t f = 0; f < count; ++f) {
                        auto* to = out + ((b * Key.out_channels + o + f) * rows + y) * columns;
                        const auto* from = made + f * row;
                        if constexpr (copied.pitch == columns) std::copy_n(from, here * columns, to);
                        else
                            for (std::int64_t r = 0; r < here; ++r, to += columns, from += copied.pitch)
                                std::copy_n(from, columns, to);
                    }
                }
            }
}

template <> struct kernel_for<device::pack_filters> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        kernels::pack_filters<Key>(at.template in<std::int8_t>(0), at.template out<std::byte>());
    }
};

template <> struct kernel_for<device::quantized_convolution> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        kernels::quantized_convolution<Key>(at.template in<std::int8_t>(0), at.template in<std::byte>(1),
                                            *at.template in<std::int32_t>(2), kernels::operands_of_sums<Key>(at, 3),
                                            at.template out<element_t<Key.out>>(), at.workspace);
    }
};

} // namespace ahead::kernels
