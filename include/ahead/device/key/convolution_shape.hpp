// SPDX-License-Identifier: MIT
// The key of one convolution, and the sizes that follow from it for every algorithm.
// Invariant: everything here depends on the key alone, never on the host's vector width. Read by the key's other files.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/kernel_choice.hpp>
#include <ahead/device/key/matmul_key.hpp>
#include <ahead/ir/type/dtype.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace AHEAD_NAMESPACE::device {

/// Which of a convolution's kernels runs: the one that algorithm_of and panel_width select, or the one that was
/// measured to be the fastest (device/choices.hpp). All but Winograd's have the same errors.
enum class convolution_choice : std::uint8_t {
    by_rule,
    pixels_in_lanes,
    tiny_map,
    filters_by_1, ///< channels_in_lanes, with this many vectors of filters in a panel of weights
    filters_by_2,
    filters_by_4,
    winograd_16, ///< this many filters in a panel of products
    winograd_32,
    winograd_2x2,
    eigen, ///< im2col, and Eigen's product (kernels/eigen/products.hpp)
};
inline constexpr std::array<std::string_view, 10> convolution_choice_names{
    "by_rule",      "pixels_in_lanes", "tiny_map",    "filters_by_1", "filters_by_2",
    "filters_by_4", "winograd_16",     "winograd_32", "winograd_2x2", "eigen"};
constexpr array_view<const std::string_view> names_of(convolution_choice) { return convolution_choice_names; }

/// NCHW, contiguous: x[batch, in_channels, in_h, in_w] * w[out_channels, in_channels / groups, kernel_h, kernel_w].
/// One spatial dimension: in_h = kernel_h = stride_h = dilation_h = 1 and pad_h = 0. Floating types.
struct convolution_key {
    dtype type = dtype::f32;
    std::int64_t batch = 1, in_channels = 1, in_h = 1, in_w = 1, out_channels = 1, kernel_h = 1, kernel_w = 1;
    std::int64_t stride_h = 1, stride_w = 1, pad_h = 0, pad_w = 0, dilation_h = 1, dilation_w = 1, groups = 1;
    bool bias = false;
    convolution_choice choice = convolution_choice::by_rule; // one that the key allows
    // The result's rows of pixels that are computed, from row_begin on; row_count 0: all. Only Winograd's F(4x4, 3x3)
    // may compute some of the rows, and these are whole tiles, from a whole tile on. They are written at their offsets
    // in the whole result, so planes are as far apart as in it.
    std::int64_t row_begin = 0, row_count = 0;
    std::int64_t in_image = 0; // elements from one image of x to the next; 0: images are contiguous
    friend constexpr bool operator==(const convolution_key&, const convolution_key&) = default;
};
AHEAD_FIELDS(convolution_key, type, batch, in_channels, in_h, in_w, out_channels, kernel_h, kernel_w, stride_h,
             stride_w, pad_h, pad_w, dilation_h, dilation_w, groups, bias, choice, row_begin, row_count, in_image)

constexpr std::int64_t out_h(const convolution_key& key) {
    return (key.in_h + 2 * key.pad_h - key.dilation_h * (key.kernel_h - 1) - 1) / key.stride_h + 1;
}
constexpr std::int64_t out_w(const convolution_key& key) {
    return (key.in_w + 2 * key.pad_w - key.dilation_w * (key.kernel_w - 1) - 1) / key.stride_w + 1;
}
constexpr std::int64_t out_pixels(const convolution_key& key) { return out_h(key) * out_w(key); }
/// Rows of pixels that are computed.
constexpr std::int64_t rows_made(const convolution_key& key) { return key.row_count > 0 ? key.row_count : out_h(key); }
constexpr bool makes_all_rows(const convolution_key& key) { return key.row_count == 0; }
constexpr convolution_key with_all_rows(convolution_key key) {
    key.row_begin = key.row_count = 0;
    return key;
}
constexpr std::int64_t channels_per_group(const convolution_key& key) { return key.in_channels / key.groups; }
constexpr std::int64_t filters_per_group(const convolution_key& key) { return key.out_channels / key.groups; }

constexpr bool is_pointwise(const convolution_key& key) {
    return key.kernel_h == 1 && key.kernel_w == 1 && key.stride_h == 1 && key.stride_w == 1 && key.pad_h == 0 &&
           key.pad_w == 0;
}

/// A 1x1 kernel with stride 1 does not depend on rows: its map is one long row.
constexpr convolution_key with_rows_merged(convolution_key key) {
    if (is_pointwise(key)) {
        key.in_w *= key.in_h;
        key.in_h = 1;
    }
    return key;
}

/// Whether tap (h, w) of the kernel overlaps the input, not its padding, for pixel (y, x).
constexpr bool meets_input(const convolution_key& key, std::int64_t h, std::int64_t w, std::int64_t y, std::int64_t x) {
    const auto row = y * key.stride_h - key.pad_h + h * key.dilation_h;
    const auto column = x * key.stride_w - key.pad_w + w * key.dilation_w;
    return row >= 0 && row < key.in_h && column >= 0 && column < key.in_w;
}

constexpr bool is_live(const convolution_key& key, std::int64_t h, std::int64_t w) {
    for (std::int64_t y = 0; y < out_h(key); ++y)
        for (std::int64_t x = 0; x < out_w(key); ++x)
            if (meets_input(key, h, w, y, x)) return true;
    return false;
}

/// Taps that overlap the input for at least one pixel; on a tiny map many taps see only padding.
constexpr std::int64_t live_taps(const convolution_key& key) {
    std::int64_t count = 0;
    for (std::int64_t h = 0; h < key.kernel_h; ++h)
        for (std::int64_t w = 0; w < key.kernel_w; ++w) count += is_live(key, h, w);
    return count;
}

enum class convolution_algorithm : std::uint8_t {
    product,           ///< one pixel in, one out: a matrix product [batch, channels] @ [channels, filters]
    channels_in_lanes, ///< filters across a vector, pixels down the tile; weights in panels
    tiny_map, ///< the same with the whole padded map in registers: padding is skipped at compile time, dead taps are
              ///< not packed
    pixels_in_lanes, ///< pixels of a row across a vector, filters down the tile; weights as they are
    winograd, ///< 3x3 by products of transformed 6x6 windows, each of which makes 4x4 pixels; weights are transformed
              ///< ahead
    im2col,   ///< the filters times the columns of the input that they meet, some pixels at a time; weights as they are
    winograd_2x2, ///< 3x3 of small maps by products of transformed 4x4 windows, each of which makes 2x2 pixels
};

namespace detail {

constexpr std::int64_t vectors(std::int64_t count, std::int64_t lanes) { return (count + lanes - 1) / lanes; }

constexpr bool reads_padding(const convolution_key& key) { return key.pad_h > 0 || key.pad_w > 0; }

constexpr bool copies_for_pixels(const convolution_key& key) {
    return reads_padding(key) || key.stride_w > 1 || out_w(key) < nominal_lanes(key.type);
}

/// Rows and row length of the input copied for pixels_in_lanes: columns apart by their phase modulo the stride, padded
/// to whole vectors.
constexpr std::int64_t phase_width(const convolution_key& key) {
    return std::max(out_w(key), nominal_lanes(key.type)) + (key.kernel_w - 1) * key.dilation_w / key.stride_w;
}
constexpr std::int64_t phases(const convolution_key& key) {
    return std::min(key.stride_w, (key.kernel_w - 1) * key.dilation_w + 1);
}
constexpr std::int64_t padded_rows(const convolution_key& key, std::int64_t rows_of_out) {
    return (rows_of_out - 1) * key.stride_h + (key.kernel_h - 1) * key.dilation_h + 1;
}
constexpr std::int64_t padded_rows(const convolution_key& key) { return padded_rows(key, out_h(key)); }
/// Rows of pixels whose input is copied for pixels_in_lanes at a time: a near cache holds the copy while all filters
/// are computed.
constexpr std::int64_t copied_rows(const convolution_key& key) {
    const auto row = bytes_of(key.type, channels_per_group(key) * phases(key) * phase_width(key));
    const auto most =
        std::max<std::int64_t>(4, (std::int64_t{64} << 10) / std::max<std::int64_t>(1, row) / key.stride_h);
    const auto pieces = (out_h(key) + most - 1) / std::max<std::int64_t>(1, most);
    return pieces > 0 ? (out_h(key) + pieces - 1) / pieces : 0;
}
constexpr std::int64_t padded_columns(const convolution_key& key) {
    return (out_w(key) - 1) * key.stride_w + (key.kernel_w - 1) * key.dilation_w + 1;
}

} // namespace detail

} // namespace ahead::device
