// SPDX-License-Identifier: MIT
// The keys of quantised integer products and convolutions, by which the kernels in kernels/quantised/ are instantiated,
// and the sizes that follow from them. Scales and zero points are data, not part of a key: layers of one shape share a
// kernel.
// Invariant: all operands are contiguous; sizes depend on the key alone, never on the host's vector width.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/key/matmul_key.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::device {

/// x[m, k] of type i8 or u8 by weights of i8, packed.
struct quantized_matmul_key {
    dtype type = dtype::i8;
    std::int64_t m = 0, n = 0, k = 0;
    dtype out = dtype::f32;
    bool weight_zeros = false, bias = false, relu = false;
    std::int64_t low = 0, high = 0; // the range of i8 or u8 results
    friend constexpr bool operator==(const quantized_matmul_key&, const quantized_matmul_key&) = default;
};
AHEAD_FIELDS(quantized_matmul_key, type, m, n, k, out, weight_zeros, bias, relu, low, high)
constexpr matmul_key product_of(const quantized_matmul_key& key) {
    return contiguous_matmul(key.type, key.m, key.n, key.k, false, true);
}

/// Weights [out_channels, channels, taps], for filters that are multiplied with i8 or u8.
struct quantised_filters_key {
    dtype type = dtype::i8;
    std::int64_t out_channels = 1, channels = 1, taps = 1, groups = 1;
    friend constexpr bool operator==(const quantised_filters_key&, const quantised_filters_key&) = default;
};
AHEAD_FIELDS(quantised_filters_key, type, out_channels, channels, taps, groups)
/// The number of filters that are stored next to each other.
inline constexpr std::int64_t filters_of_block = 8;
constexpr std::int64_t quads_of(std::int64_t channels) { return (channels + 3) / 4; }
constexpr std::int64_t filter_blocks(const quantised_filters_key& key) {
    return (key.out_channels / key.groups + filters_of_block - 1) / filters_of_block;
}
/// Bytes of one block: [quads of channels][taps][filters_of_block][4].
constexpr std::int64_t filter_block_bytes(const quantised_filters_key& key) {
    return quads_of(key.channels) * key.taps * filters_of_block * 4;
}
/// Bytes of the packed weights: all blocks of all groups, then the initial value of each filter's sums,
/// i32[out_channels].
constexpr std::int64_t packed_bytes(const quantised_filters_key& key) {
    return key.groups * filter_blocks(key) * filter_block_bytes(key) + 4 * key.out_channels;
}

/// x[batch, in_channels, in_h, in_w] of type i8 or u8. One spatial dim: in_h = kernel_h = stride_h = dilation_h = 1 and
/// pad_h = 0.
struct quantized_convolution_key {
    dtype type = dtype::i8;
    std::int64_t batch = 1, in_channels = 1, in_h = 1, in_w = 1, out_channels = 1, kernel_h = 1, kernel_w = 1;
    std::int64_t stride_h = 1, stride_w = 1, pad_h = 0, pad_w = 0, dilation_h = 1, dilation_w = 1, groups = 1;
    dtype out = dtype::f32;
    bool weight_zeros = false, bias = false, relu = false;
    std::int64_t low = 0, high = 0; // the range of i8 or u8 results
    friend constexpr bool operator==(const quantized_convolution_key&, const quantized_convolution_key&) = default;
};
AHEAD_FIELDS(quantized_convolution_key, type, batch, in_channels, in_h, in_w, out_channels, kernel_h, kernel_w,
             stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, out, weight_zeros, bias, relu, low, high)
constexpr std::int64_t out_h(const quantized_convolution_key& key) {
    return (key.in_h + 2 * key.pad_h - key.dilation_h * (key.kernel_h - 1) - 1) / key.stride_h + 1;
}
constexpr std::int64_t out_w(const quantized_convolution_key& key) {
    return (key.in_w + 2 * key.pad_w - key.dilation_w * (key.kernel_w - 1) - 1) / key.stride_w + 1;
}
constexpr std::int64_t channels_per_group(const quantized_convolution_key& key) { return key.in_channels / key.groups; }
constexpr std::int64_t filters_per_group(const quantized_convolution_key& key) { return key.out_channels / key.groups; }
constexpr quantised_filters_key filters_of(const quantized_convolution_key& key) {
    return {key.type, key.out_channels, channels_per_group(key), key.kernel_h * key.kernel_w, key.groups};
}

/// The layout of the input copy of one group: quads of channels, the four bytes of each pixel adjacent, with padding
/// around the pixels; pixels that are a stride apart are adjacent. [quads][phases_h][phases_w][rows][pitch]: the offset
/// from a place of the result to what each tap reads is the same everywhere. Copied for `out_rows` rows of the result
/// at a time.
struct copied_quads {
    std::int64_t phases_h, phases_w, more_rows, pitch, out_rows, rows;
    constexpr std::int64_t plane() const { return phases_h * phases_w * rows * pitch; } // quads
};
constexpr copied_quads quads_copied_for(const quantized_convolution_key& key) {
    copied_quads out{};
    out.phases_h = key.kernel_h == 1 ? 1 : key.stride_h;
    out.phases_w = key.kernel_w == 1 ? 1 : key.stride_w;
    out.more_rows = (key.kernel_h - 1) * key.dilation_h / key.stride_h;
    out.pitch = out_w(key) + (key.kernel_w - 1) * key.dilation_w / key.stride_w;
    // as many rows as keep the copy in a near cache, but enough to pay for the rows that are copied twice
    const auto row = 4 * quads_of(channels_per_group(key)) * out.phases_h * out.phases_w * out.pitch;
    const auto most = std::max<std::int64_t>(512 * 1024 / std::max<std::int64_t>(1, row) - out.more_rows, 4);
    const auto strips = (out_h(key) + most - 1) / most;
    out.out_rows = (out_h(key) + strips - 1) / strips;
    out.rows = out.out_rows + out.more_rows;
    return out;
}
/// The most places that a kernel's vector covers; it may read up to this many beyond the last place.
inline constexpr std::int64_t most_places = 16;
struct quantized_convolution_space {
    std::int64_t sums, made, bytes; // where the sums of windows and the block's results begin; the size
};
constexpr quantized_convolution_space space_of(const quantized_convolution_key& key) {
    const auto copied = quads_copied_for(key);
    const auto whole = [](std::int64_t bytes) { return (bytes + 63) / 64 * 64; };
    const auto places = (copied.out_rows * copied.pitch + most_places - 1) / most_places * most_places;
    quantized_convolution_space out{};
    out.sums = whole(4 * (quads_of(channels_per_group(key)) * copied.plane() + most_places + copied.pitch));
    out.made = out.sums + (key.weight_zeros ? 4 * places : 0);
    out.bytes = out.made + filters_of_block * places * bytes_of(key.out, 1);
    return out;
}

} // namespace ahead::device
