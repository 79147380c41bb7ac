// SPDX-License-Identifier: MIT
// Winograd convolutions: the sizes of their tiles, panels and workspaces, where they are possible and where they pay.
// Invariant: as convolution_shape.hpp. Read by convolution_key.hpp, and by kernels/convolution/.
#pragma once
#include <ahead/device/key/convolution_shape.hpp>

namespace AHEAD_NAMESPACE::device {

/// Winograd's F(4x4, 3x3), after Lavin and Gray, "Fast algorithms for convolutional neural networks", 2016: a window of
/// 6x6 elements makes a tile of 4x4 pixels with 36 multiplications for 144, one at each of 36 points.
namespace winograd {

inline constexpr std::int64_t points = 36;
/// Padding elements after those of a point or of a row: vectors may end there, and points do not all map to one set of
/// a cache.
inline constexpr std::int64_t gap = 16;

/// Rows of tiles that are computed.
constexpr std::int64_t tile_rows(const convolution_key& key) { return (rows_made(key) + 3) / 4; }
constexpr std::int64_t tile_columns(const convolution_key& key) { return (out_w(key) + 3) / 4; }

/// Rows of tiles that are computed together: as many as keep the transformed windows within 256 KiB, but at least 28
/// tiles, so that loading weights from an outer cache pays; all strips are as equal in height as possible.
constexpr std::int64_t strip_rows(const convolution_key& key) {
    const auto columns = tile_columns(key), rows = tile_rows(key);
    const auto most =
        std::max((std::int64_t{1} << 16) / (points * key.in_channels * columns), detail::vectors(28, columns));
    return detail::vectors(rows, detail::vectors(rows, most));
}
constexpr std::int64_t strip_tiles(const convolution_key& key) { return strip_rows(key) * tile_columns(key); }

/// Filters that are computed together: few if all tiles fit in the registers with them, so that each weight is read
/// once. The same for some rows as for all: they read the same weights.
constexpr std::int64_t panel_width(const convolution_key& key) {
    if (key.choice == convolution_choice::winograd_16) return 16;
    if (key.choice == convolution_choice::winograd_32) return 32;
    return strip_tiles(with_all_rows(key)) <= 24 ? 16 : 32;
}

/// Layout of the workspace: [point][tile][filter] of products; [point][channel][tile] of windows; for one channel, rows
/// of windows with a gap on both sides, [point][tile] before the last step, and a row of zeros. Products come first:
/// stores point by point make the hardware prefetch many points ahead. After the products that memory belongs to this
/// core; after the workspace another core's may begin.
constexpr std::int64_t padded_tiles(const convolution_key& key) { return detail::vectors(strip_tiles(key), gap) * gap; }
constexpr std::int64_t window_point(const convolution_key& key) { return key.in_channels * padded_tiles(key) + gap; }
constexpr std::int64_t product_point(const convolution_key& key) { return strip_tiles(key) * panel_width(key) + gap; }
constexpr std::int64_t row_width(const convolution_key& key) {
    return 4 * detail::vectors(tile_columns(key), gap) * gap + 2 * gap;
}
constexpr std::int64_t rows_elements(const convolution_key& key) {
    return 6 * strip_rows(key) * row_width(key) + gap + points * (padded_tiles(key) + gap) + key.in_w;
}
constexpr std::int64_t workspace_elements(const convolution_key& key) {
    return points * (product_point(key) + window_point(key)) + rows_elements(key);
}
constexpr std::int64_t packed_elements(const convolution_key& key) {
    const auto width = panel_width(key), filters = key.out_channels;
    return points * key.in_channels * (filters / width * width + padded_panel(filters % width));
}

/// Whether its errors are the documented ones: if padding is wider than 1, or the map is smaller than a tile, a pixel
/// may have just one term per channel, but the error of its whole tile.
constexpr bool is_exact_enough(const convolution_key& key) {
    return key.type == dtype::f32 && key.kernel_h == 3 && key.kernel_w == 3 && key.stride_h == 1 && key.stride_w == 1 &&
           key.dilation_h == 1 && key.dilation_w == 1 && key.groups == 1 && key.pad_h <= 1 && key.pad_w <= 1 &&
           out_h(key) >= 4 && out_w(key) >= 4;
}

/// Measured on builds for SSE2, AVX2 and AVX-512: from 16 channels, 16 filters and 12x12 pixels on it takes a quarter
/// to three quarters of the time of direct sums. Smaller maps have too few tiles to pay for reading four times as many
/// weights.
constexpr bool pays(const convolution_key& key) {
    return is_exact_enough(key) && key.in_channels >= 16 && key.out_channels >= 16 && out_h(key) >= 12 &&
           out_w(key) >= 12;
}

} // namespace winograd

/// The same with smaller tiles, F(2x2, 3x3), for maps whose tiles just about fill a vector: 16 multiplications for 36.
namespace winograd_2x2 {

inline constexpr std::int64_t points = 16, tile_room = 16, panel_width = 16;

constexpr std::int64_t tile_rows(const convolution_key& key) { return (out_h(key) + 1) / 2; }
constexpr std::int64_t tile_columns(const convolution_key& key) { return (out_w(key) + 1) / 2; }
constexpr std::int64_t panels(const convolution_key& key) { return detail::vectors(key.out_channels, panel_width); }
/// [point][channel][tile] of windows, [point][filter][tile] of products.
constexpr std::int64_t workspace_elements(const convolution_key& key) {
    return points * tile_room * (key.in_channels + panels(key) * panel_width);
}
constexpr std::int64_t packed_elements(const convolution_key& key) {
    return points * key.in_channels * panels(key) * panel_width;
}

/// Whether its tiles fit in one vector, and its errors are the documented ones.
constexpr bool is_possible(const convolution_key& key) {
    return key.type == dtype::f32 && key.kernel_h == 3 && key.kernel_w == 3 && key.stride_h == 1 && key.stride_w == 1 &&
           key.dilation_h == 1 && key.dilation_w == 1 && key.groups == 1 && key.pad_h <= 1 && key.pad_w <= 1 &&
           out_h(key) >= 2 && out_w(key) >= 2 && tile_rows(key) * tile_columns(key) <= tile_room;
}

/// Measured for AVX-512: at 7x7 pixels it takes 0.8 of the time of direct sums with 64 channels and filters, 0.7 with
/// 96 to 512, where weights stream from an outer cache; at 8x8, whose tiles are whole, half.
constexpr bool pays(const convolution_key& key) {
    const auto tiles = tile_rows(key) * tile_columns(key);
    return is_possible(key) && key.in_channels >= 64 && key.out_channels >= 64 && tiles >= 13 &&
           out_pixels(key) * 4 > tiles * 12;
}

} // namespace winograd_2x2

} // namespace ahead::device
