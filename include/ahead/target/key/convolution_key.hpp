// SPDX-License-Identifier: MIT
// What names one convolution: the key that kernel/convolution/convolution.hpp is instantiated by, the algorithm it
// takes, and the sizes that follow.
// Invariant: everything here depends on the key alone, never on the host's vector width: a plan made on one machine
// holds on another. Read by convert/ (to choose), plan/ (to size) and kernel/ (to run).
#pragma once
#include <ahead/ir/type/dtype.hpp>
#include <ahead/target/key/matmul_key.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace AHEAD_NAMESPACE::target {

/// Which of a convolution's kernels runs: the one that algorithm_of and panel_width take, or the one that was measured
/// to be the fastest (target/choices.hpp). All but Winograd's have the same errors.
enum class convolution_choice : std::uint8_t {
    by_rule,
    pixels_in_lanes,
    tiny_map,
    filters_by_1, ///< channels_in_lanes, so many vectors of filters in a panel of weights
    filters_by_2,
    filters_by_4,
    winograd_16, ///< so many filters in a panel of products
    winograd_32,
};

/// NCHW, contiguous: x[batch, in_channels, in_h, in_w] * w[out_channels, in_channels / groups, kernel_h, kernel_w].
/// One spatial dimension: in_h = kernel_h = stride_h = dilation_h = 1 and pad_h = 0. Floating types.
struct convolution_key {
    dtype type = dtype::f32;
    std::int64_t batch = 1, in_channels = 1, in_h = 1, in_w = 1, out_channels = 1, kernel_h = 1, kernel_w = 1;
    std::int64_t stride_h = 1, stride_w = 1, pad_h = 0, pad_w = 0, dilation_h = 1, dilation_w = 1, groups = 1;
    bool bias = false;
    convolution_choice choice = convolution_choice::by_rule; // one that the key allows
    friend constexpr bool operator==(const convolution_key&, const convolution_key&) = default;
};
/// f(name, value, default) for each field.
constexpr void fields(const convolution_key& k, const convolution_key& usual, auto f) {
    f("type", k.type, usual.type);
    f("batch", k.batch, usual.batch);
    f("in_channels", k.in_channels, usual.in_channels);
    f("in_h", k.in_h, usual.in_h);
    f("in_w", k.in_w, usual.in_w);
    f("out_channels", k.out_channels, usual.out_channels);
    f("kernel_h", k.kernel_h, usual.kernel_h);
    f("kernel_w", k.kernel_w, usual.kernel_w);
    f("stride_h", k.stride_h, usual.stride_h);
    f("stride_w", k.stride_w, usual.stride_w);
    f("pad_h", k.pad_h, usual.pad_h);
    f("pad_w", k.pad_w, usual.pad_w);
    f("dilation_h", k.dilation_h, usual.dilation_h);
    f("dilation_w", k.dilation_w, usual.dilation_w);
    f("groups", k.groups, usual.groups);
    f("bias", k.bias, usual.bias);
    f("choice", k.choice, usual.choice);
}

constexpr std::int64_t out_h(const convolution_key& key) {
    return (key.in_h + 2 * key.pad_h - key.dilation_h * (key.kernel_h - 1) - 1) / key.stride_h + 1;
}
constexpr std::int64_t out_w(const convolution_key& key) {
    return (key.in_w + 2 * key.pad_w - key.dilation_w * (key.kernel_w - 1) - 1) / key.stride_w + 1;
}
constexpr std::int64_t out_pixels(const convolution_key& key) { return out_h(key) * out_w(key); }
constexpr std::int64_t channels_per_group(const convolution_key& key) { return key.in_channels / key.groups; }
constexpr std::int64_t filters_per_group(const convolution_key& key) { return key.out_channels / key.groups; }

constexpr bool is_pointwise(const convolution_key& key) {
    return key.kernel_h == 1 && key.kernel_w == 1 && key.stride_h == 1 && key.stride_w == 1 && key.pad_h == 0 &&
           key.pad_w == 0;
}

/// A 1x1 kernel that moves pixel by pixel does not see rows: its map is one long row.
constexpr convolution_key with_rows_merged(convolution_key key) {
    if (is_pointwise(key)) {
        key.in_w *= key.in_h;
        key.in_h = 1;
    }
    return key;
}

/// True where tap (h, w) of the kernel meets the input, not its padding, when it makes pixel (y, x).
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

/// Taps that meet the input at least once; on a tiny map many only ever see padding.
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
/// Rows of pixels whose input is copied for pixels_in_lanes at a time: a near cache holds it while all filters pass.
constexpr std::int64_t copied_rows(const convolution_key& key) {
    const auto row = bytes_of(key.type, channels_per_group(key) * phases(key) * phase_width(key));
    const auto most =
        std::max<std::int64_t>(4, (std::int64_t{64} << 10) / std::max<std::int64_t>(1, row * key.stride_h));
    const auto pieces = (out_h(key) + most - 1) / std::max<std::int64_t>(1, most);
    return pieces > 0 ? (out_h(key) + pieces - 1) / pieces : 0;
}
constexpr std::int64_t padded_columns(const convolution_key& key) {
    return (out_w(key) - 1) * key.stride_w + (key.kernel_w - 1) * key.dilation_w + 1;
}

} // namespace detail

/// Winograd's F(4x4, 3x3), after Lavin and Gray, "Fast algorithms for convolutional neural networks", 2016: a window of
/// 6x6 elements makes a tile of 4x4 pixels with 36 multiplications for 144, one at each of 36 points.
namespace winograd {

inline constexpr std::int64_t points = 36;
/// Elements behind those of a point, or of a row: vectors may end there, and points do not all meet in one set of a
/// cache.
inline constexpr std::int64_t gap = 16;

constexpr std::int64_t tile_rows(const convolution_key& key) { return (out_h(key) + 3) / 4; }
constexpr std::int64_t tile_columns(const convolution_key& key) { return (out_w(key) + 3) / 4; }

/// Rows of tiles that go through together: what keeps the transformed windows within 256 KiB, but at least 28 tiles, so
/// that weights are worth their way from an outer cache; all strips are as high as can be made alike.
constexpr std::int64_t strip_rows(const convolution_key& key) {
    const auto columns = tile_columns(key), rows = tile_rows(key);
    const auto most =
        std::max((std::int64_t{1} << 16) / (points * key.in_channels * columns), detail::vectors(28, columns));
    return detail::vectors(rows, detail::vectors(rows, most));
}
constexpr std::int64_t strip_tiles(const convolution_key& key) { return strip_rows(key) * tile_columns(key); }

/// Filters that go through together: few where all tiles fit in the registers with them, so that each weight is read
/// once.
constexpr std::int64_t panel_width(const convolution_key& key) {
    if (key.choice == convolution_choice::winograd_16) return 16;
    if (key.choice == convolution_choice::winograd_32) return 32;
    return strip_tiles(key) <= 24 ? 16 : 32;
}

/// What the workspace holds: [point][channel][tile] of windows; [point][tile][filter] of products; of a channel, rows
/// of windows with a gap on both sides, [point][tile] before the last step, and a row of zeros.
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
    return points * (window_point(key) + product_point(key)) + rows_elements(key);
}
constexpr std::int64_t packed_elements(const convolution_key& key) {
    const auto width = panel_width(key), filters = key.out_channels;
    return points * key.in_channels * (filters / width * width + padded_panel(filters % width));
}

/// Whether its errors are those that are documented: where padding is wider than 1, or the map no tile, a pixel may
/// have but a term a channel, and the error of all its tile.
constexpr bool is_exact_enough(const convolution_key& key) {
    return key.type == dtype::f32 && key.kernel_h == 3 && key.kernel_w == 3 && key.stride_h == 1 && key.stride_w == 1 &&
           key.dilation_h == 1 && key.dilation_w == 1 && key.groups == 1 && key.pad_h <= 1 && key.pad_w <= 1 &&
           out_h(key) >= 4 && out_w(key) >= 4;
}

/// Measured on builds for SSE2, AVX2 and AVX-512: from 16 channels, 16 filters and 12x12 pixels on it takes a quarter
/// to three quarters of the time that sums take. Smaller maps fill too few tiles for weights that are four times as
/// many.
constexpr bool pays(const convolution_key& key) {
    return is_exact_enough(key) && key.in_channels >= 16 && key.out_channels >= 16 && out_h(key) >= 12 &&
           out_w(key) >= 12;
}

} // namespace winograd

/// The same of smaller tiles, F(2x2, 3x3), for maps whose tiles just about fill a vector: 16 multiplications for 36.
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

/// Measured for AVX-512: at 7x7 pixels it takes 0.8 of the time that sums take with 64 channels and filters, 0.7 with 96
/// to 512, where weights stream from an outer cache; at 8x8, whose tiles are whole, half.
constexpr bool pays(const convolution_key& key) {
    const auto tiles = tile_rows(key) * tile_columns(key);
    return key.type == dtype::f32 && key.kernel_h == 3 && key.kernel_w == 3 && key.stride_h == 1 && key.stride_w == 1 &&
           key.dilation_h == 1 && key.dilation_w == 1 && key.groups == 1 && key.pad_h <= 1 && key.pad_w <= 1 &&
           key.in_channels >= 64 && key.out_channels >= 64 && tiles >= 13 && tiles <= tile_room &&
           out_pixels(key) * 4 > tiles * 12;
}

} // namespace winograd_2x2

/// So many pixels of a pointwise map are dot products along channels, where they stand over its whole vectors.
inline constexpr std::int64_t most_pixels_over = 4;

constexpr bool is_product(const convolution_key& key) {
    return key.in_h == 1 && key.in_w == 1 && out_pixels(key) == 1 && (key.groups == 1 || key.batch == 1);
}
/// Whether all of a map fits into registers, which is worth it where there is padding to be left out.
constexpr bool is_tiny(const convolution_key& key) {
    return detail::reads_padding(key) && out_pixels(key) <= 8 && key.kernel_h * key.kernel_w <= 25;
}

/// The algorithm for a key whose rows are merged where they can be: the one that was chosen, else by a count of vector
/// operations.
constexpr convolution_algorithm algorithm_of(const convolution_key& key) {
    if (is_product(key)) return convolution_algorithm::product;
    switch (key.choice) {
    case convolution_choice::by_rule: break;
    case convolution_choice::pixels_in_lanes: return convolution_algorithm::pixels_in_lanes;
    case convolution_choice::tiny_map: return convolution_algorithm::tiny_map;
    case convolution_choice::filters_by_1:
    case convolution_choice::filters_by_2:
    case convolution_choice::filters_by_4: return convolution_algorithm::channels_in_lanes;
    case convolution_choice::winograd_16:
    case convolution_choice::winograd_32: return convolution_algorithm::winograd;
    }
    if (winograd::pays(key)) return convolution_algorithm::winograd;
    if (winograd_2x2::pays(key)) return convolution_algorithm::winograd_2x2;
    const auto lanes = nominal_lanes(key.type);
    const auto depth = channels_per_group(key) * key.kernel_h * key.kernel_w;
    const auto filters = filters_per_group(key);
    const auto channels = out_pixels(key) * detail::vectors(filters, lanes) * depth + out_pixels(key) * filters;
    const auto copied = detail::copies_for_pixels(key)
                            ? channels_per_group(key) * detail::padded_rows(key) * detail::padded_columns(key) / 4
                            : 0;
    const auto over = out_w(key) % lanes;
    const bool by_dots = is_pointwise(key) && out_w(key) >= lanes && over <= most_pixels_over;
    const auto row =
        by_dots ? out_w(key) / lanes * depth + over * (depth / lanes + 8) : detail::vectors(out_w(key), lanes) * depth;
    const auto pixels = filters * out_h(key) * row + copied;
    if (pixels < channels) return convolution_algorithm::pixels_in_lanes;
    return is_tiny(key) ? convolution_algorithm::tiny_map : convolution_algorithm::channels_in_lanes;
}

/// The matrix product that `product` means: weights as b, at the one tap that meets the input.
constexpr matmul_key product_of(const convolution_key& key) {
    const auto taps = key.kernel_h * key.kernel_w;
    const auto depth = channels_per_group(key), filters = filters_per_group(key);
    return {key.type,        key.batch, filters, depth,        key.bias, true,
            key.in_channels, 1,         taps,    depth * taps, 0,        key.bias ? 1 : 0};
}

/// Filters in one full panel of packed weights: 4 vectors where few pixels share them, else 2, 1 if there are no more.
constexpr std::int64_t panel_width(const convolution_key& key) {
    if (algorithm_of(key) == convolution_algorithm::winograd_2x2) return winograd_2x2::panel_width;
    const auto lanes = nominal_lanes(key.type);
    if (key.choice == convolution_choice::filters_by_1) return lanes;
    if (key.choice == convolution_choice::filters_by_2) return 2 * lanes;
    if (key.choice == convolution_choice::filters_by_4) return 4 * lanes;
    const auto wanted = detail::vectors(filters_per_group(key), lanes);
    const bool few = algorithm_of(key) == convolution_algorithm::tiny_map ? out_pixels(key) <= 6
                                                                          : out_w(key) <= 6 && out_pixels(key) <= 6;
    return lanes * std::max<std::int64_t>(1, std::min<std::int64_t>(wanted, few ? 4 : 2));
}

/// Weight elements of one filter and channel that are kept.
constexpr std::int64_t packed_taps(const convolution_key& key) {
    return algorithm_of(key) == convolution_algorithm::tiny_map ? live_taps(key) : key.kernel_h * key.kernel_w;
}

constexpr std::int64_t packed_group_elements(const convolution_key& merged) {
    switch (algorithm_of(merged)) {
    case convolution_algorithm::product: return packed_elements(product_of(merged));
    case convolution_algorithm::pixels_in_lanes:
        return filters_per_group(merged) * channels_per_group(merged) * packed_taps(merged);
    case convolution_algorithm::winograd: return winograd::packed_elements(merged);
    case convolution_algorithm::winograd_2x2: return winograd_2x2::packed_elements(merged);
    case convolution_algorithm::channels_in_lanes:
    case convolution_algorithm::tiny_map: break;
    }
    const auto width = panel_width(merged), filters = filters_per_group(merged);
    return channels_per_group(merged) * packed_taps(merged) * (filters / width * width + padded_panel(filters % width));
}

/// Elements that pack_convolution writes.
constexpr std::int64_t packed_elements(const convolution_key& key) {
    return key.groups * packed_group_elements(with_rows_merged(key));
}

constexpr std::size_t workspace_bytes(const convolution_key& key) {
    const auto merged = with_rows_merged(key);
    const auto lanes = nominal_lanes(key.type);
    const auto bytes = [&](std::int64_t rows, std::int64_t row) {
        return static_cast<std::size_t>(channels_per_group(merged) * rows * row) * bytes_of(key.type);
    };
    switch (algorithm_of(merged)) {
    case convolution_algorithm::product: return workspace_bytes(product_of(merged));
    case convolution_algorithm::tiny_map: return 0;
    case convolution_algorithm::winograd:
        return static_cast<std::size_t>(winograd::workspace_elements(merged)) * bytes_of(key.type);
    case convolution_algorithm::winograd_2x2:
        return static_cast<std::size_t>(winograd_2x2::workspace_elements(merged)) * bytes_of(key.type);
    case convolution_algorithm::channels_in_lanes:
        return detail::reads_padding(merged) ? bytes(detail::padded_rows(merged), detail::padded_columns(merged)) : 0;
    case convolution_algorithm::pixels_in_lanes:
        if (is_pointwise(merged) && !detail::copies_for_pixels(merged)) // what stands over, of whole vectors
            return static_cast<std::size_t>(most_pixels_over * (channels_per_group(merged) + lanes)) *
                   bytes_of(key.type);
        return detail::copies_for_pixels(merged) ? bytes(detail::padded_rows(merged, detail::copied_rows(merged)),
                                                         detail::phases(merged) * detail::phase_width(merged))
                                                 : 0;
    }
    return 0;
}

/// Whether a convolution may be computed so, with the errors that are documented.
constexpr bool allows(const convolution_key& given, convolution_choice choice) {
    const auto key = with_rows_merged(given);
    const bool is_free = !is_product(key) && !is_half(key.type) && out_pixels(key) > 0;
    const auto wanted = detail::vectors(filters_per_group(key), nominal_lanes(key.type));
    switch (choice) {
    case convolution_choice::by_rule: return true;
    case convolution_choice::pixels_in_lanes:
    case convolution_choice::filters_by_1: return is_free;
    case convolution_choice::filters_by_2: return is_free && wanted > 1;
    case convolution_choice::filters_by_4: return is_free && wanted > 2;
    case convolution_choice::tiny_map: return is_free && is_tiny(key);
    case convolution_choice::winograd_16: return is_free && winograd::is_exact_enough(key);
    case convolution_choice::winograd_32: return is_free && winograd::is_exact_enough(key) && key.out_channels > 16;
    }
    return false;
}
/// Whether it is what the rule takes anyway. pre: allowed
constexpr bool is_by_rule(const convolution_key& given, convolution_choice choice) {
    auto key = with_rows_merged(given), chosen = key;
    key.choice = convolution_choice::by_rule;
    chosen.choice = choice;
    const auto algorithm = algorithm_of(key);
    if (algorithm != algorithm_of(chosen)) return false;
    switch (algorithm) {
    case convolution_algorithm::channels_in_lanes: return panel_width(key) == panel_width(chosen);
    case convolution_algorithm::winograd: return winograd::panel_width(key) == winograd::panel_width(chosen);
    default: return true;
    }
}

} // namespace ahead::target
