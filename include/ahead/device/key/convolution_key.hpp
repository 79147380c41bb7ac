// SPDX-License-Identifier: MIT
// The key of one convolution, by which kernels/convolution/convolution.hpp is instantiated, the algorithm that it
// selects, and the sizes that follow from it.
// Invariant: everything here depends on the key alone, never on the host's vector width: a plan made on one machine
// holds on another. Read by convert/ (to choose), plan/ (to size) and kernels/ (to run).
#pragma once
#include <ahead/device/key/winograd.hpp>
#include <cstddef>
#include <cstdint>

namespace AHEAD_NAMESPACE::device {

/// Elements from one image of x to the next.
constexpr std::int64_t image_of_input(const convolution_key& key) {
    return key.in_image > 0 ? key.in_image : key.in_channels * key.in_h * key.in_w;
}

/// The last columns of a pointwise map, up to this many beyond its whole vectors, are computed as dot products along
/// channels.
inline constexpr std::int64_t most_pixels_over = 4;

constexpr bool is_product(const convolution_key& key) {
    return key.in_h == 1 && key.in_w == 1 && out_pixels(key) == 1 && (key.groups == 1 || key.batch == 1);
}
/// Whether the whole map fits into registers, which pays if there is padding to skip.
constexpr bool is_tiny(const convolution_key& key) {
    return detail::reads_padding(key) && out_pixels(key) <= 8 && key.kernel_h * key.kernel_w <= 25;
}

/// The algorithm for a key whose rows are merged where possible: the chosen one, else by a count of vector operations.
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
    case convolution_choice::winograd_2x2: return convolution_algorithm::winograd_2x2;
    case convolution_choice::eigen: return convolution_algorithm::im2col;
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

/// The matrix product of algorithm `product`: weights as b, at the only tap that overlaps the input.
constexpr matmul_key product_of(const convolution_key& key) {
    const auto taps = key.kernel_h * key.kernel_w;
    const auto depth = channels_per_group(key), filters = filters_per_group(key);
    return {key.type, key.batch, filters,      depth, key.bias,        true, image_of_input(key),
            1,        taps,      depth * taps, 0,     key.bias ? 1 : 0};
}

/// Pixels whose input is copied for im2col at a time.
inline constexpr std::int64_t im2col_pixels = 64;

/// Filters in one full panel of packed weights: 4 vectors if few pixels share them, else 2, or 1 if there are no more.
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

/// Weight elements per filter and channel that are packed.
constexpr std::int64_t packed_taps(const convolution_key& key) {
    return algorithm_of(key) == convolution_algorithm::tiny_map ? live_taps(key) : key.kernel_h * key.kernel_w;
}

constexpr std::int64_t packed_group_elements(const convolution_key& merged) {
    switch (algorithm_of(merged)) {
    case convolution_algorithm::product: return packed_elements(product_of(merged));
    case convolution_algorithm::im2col:
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
    case convolution_algorithm::im2col: return bytes(merged.kernel_h * merged.kernel_w, im2col_pixels);
    case convolution_algorithm::winograd:
        return static_cast<std::size_t>(winograd::workspace_elements(merged)) * bytes_of(key.type);
    case convolution_algorithm::winograd_2x2:
        return static_cast<std::size_t>(winograd_2x2::workspace_elements(merged)) * bytes_of(key.type);
    case convolution_algorithm::channels_in_lanes:
        return detail::reads_padding(merged) ? bytes(detail::padded_rows(merged), detail::padded_columns(merged)) : 0;
    case convolution_algorithm::pixels_in_lanes:
        if (is_pointwise(merged) && !detail::copies_for_pixels(merged)) // the pixels beyond whole vectors
            return static_cast<std::size_t>(most_pixels_over * (channels_per_group(merged) + lanes)) *
                   bytes_of(key.type);
        return detail::copies_for_pixels(merged) ? bytes(detail::padded_rows(merged, detail::copied_rows(merged)),
                                                         detail::phases(merged) * detail::phase_width(merged))
                                                 : 0;
    }
    return 0;
}

/// Whether a convolution may be computed by this choice within the documented errors.
constexpr bool allows(const convolution_key& given, convolution_choice choice) {
    const auto key = with_rows_merged(given);
    const bool is_free = !is_product(key) && !is_half(key.type) && out_pixels(key) > 0;
    const auto wanted = detail::vectors(filters_per_group(key), nominal_lanes(key.type));
    if (!makes_all_rows(key) && choice != convolution_choice::winograd_16 && choice != convolution_choice::winograd_32)
        return choice == convolution_choice::by_rule;
    switch (choice) {
    case convolution_choice::by_rule: return true;
    case convolution_choice::pixels_in_lanes:
    case convolution_choice::filters_by_1: return is_free;
    case convolution_choice::filters_by_2: return is_free && wanted > 1;
    case convolution_choice::filters_by_4: return is_free && wanted > 2;
    case convolution_choice::tiny_map: return is_free && is_tiny(key);
    case convolution_choice::winograd_16: return is_free && winograd::is_exact_enough(key);
    case convolution_choice::winograd_32: return is_free && winograd::is_exact_enough(key) && key.out_channels > 16;
    case convolution_choice::winograd_2x2: return is_free && winograd_2x2::is_possible(key);
    case convolution_choice::eigen: return is_free;
    }
    return false;
}
/// Whether the choice selects the same kernel as the rule. pre: allowed
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

/// The key of a convolution of x by weights of these sizes. Attributes are those of aten.convolution: stride, padding,
/// dilation, groups.
constexpr convolution_key convolution_key_of(const tensor_type& x, const int_list& weight, const int_list& stride,
                                             const int_list& padding, const int_list& dilation, std::int64_t groups,
                                             bool bias) {
    const int last = x.rank - 1;
    const bool plane = x.rank == 4;
    const int w = stride.size - 1;
    convolution_key key{};
    key.type = x.type;
    key.batch = x.size(0);
    key.in_channels = x.size(1);
    key.in_h = plane ? x.size(2) : 1;
    key.in_w = x.size(last);
    key.out_channels = weight[0];
    key.kernel_h = plane ? weight[2] : 1;
    key.kernel_w = weight[last];
    key.stride_h = plane ? stride[0] : 1;
    key.stride_w = stride[w];
    key.pad_h = plane ? padding[0] : 0;
    key.pad_w = padding[padding.size - 1];
    key.dilation_h = plane ? dilation[0] : 1;
    key.dilation_w = dilation[dilation.size - 1];
    key.groups = groups;
    key.bias = bias;
    return key;
}

} // namespace ahead::device
