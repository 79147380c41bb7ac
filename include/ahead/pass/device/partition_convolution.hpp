// SPDX-License-Identifier: MIT
// How convolutions are partitioned into parts that cores compute in parallel, as core_partitions.hpp does for all other
// calls: by images, by filters, or by rows of Winograd's tiles.
// Law: as there. Called by split_over_cores.hpp.
#pragma once
#include <ahead/device/convolution.hpp>
#include <ahead/device/pack_convolution.hpp>
#include <ahead/pass/device/core_partitions.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// The most bytes of weights that each core may read through its own cache.
inline constexpr std::int64_t most_shared_weights = std::int64_t{1} << 20;

/// Partitioned by images, else by filters, which for groups includes their channels. Winograd convolutions are
/// partitioned by rows of tiles, so that each core transforms only its own windows: by filters each core would
/// transform all of them.
struct partition_convolution {
    using op = device::convolution;
    using pack = device::pack_convolution;
    static constexpr partition find(const call_view& c) {
        const auto key = op::key(c);
        const auto merged = device::with_rows_merged(key);
        if (!packer_of(c, op::at::packed, pack::name).exists()) return {};
        if (device::algorithm_of(merged) == device::convolution_algorithm::product)
            return key.batch > 1 ? partition{key.batch, fewest_rows, 0} : partition{};
        if (key.batch > 1) return {key.batch, 1, 0};
        if (by_rows(key)) return {device::out_h(key), 4, 2};
        if (key.groups > 1) return {key.out_channels, device::filters_per_group(key), 1};
        return {key.out_channels, device::panel_width(merged), 1};
    }
    /// False if there are too few rows of tiles for an even partition, if the weights, which each core then reads in
    /// full, exceed its cache, or if rows have so few tiles that the order of summation would change.
    static constexpr bool by_rows(const device::convolution_key& key) {
        return key.batch == 1 && device::algorithm_of(key) == device::convolution_algorithm::winograd &&
               device::winograd::tile_rows(key) >= 8 && device::winograd::tile_columns(key) >= fewest_rows &&
               bytes_of(key.type, device::packed_elements(key)) <= most_shared_weights;
    }
    /// The key of a part.
    static constexpr device::convolution_key key_of_part(device::convolution_key key, slice_bounds s) {
        if (key.batch > 1) {
            key.batch = s.count;
        } else if (by_rows(key)) {
            key.row_begin = s.begin, key.row_count = s.count;
        } else {
            key.in_channels = key.groups > 1
                                  ? s.count / device::filters_per_group(key) * device::channels_per_group(key)
                                  : key.in_channels;
            key.groups = key.groups > 1 ? s.count / device::filters_per_group(key) : 1;
            key.out_channels = s.count;
        }
        return key;
    }
    /// Whether the sums of a part are those of the whole.
    static constexpr bool is_same(const call_view& c, slice_bounds s) {
        const auto key = op::key(c);
        const auto whole = device::with_rows_merged(key), part = device::with_rows_merged(key_of_part(key, s));
        return device::algorithm_of(whole) == device::algorithm_of(part) &&
               (device::algorithm_of(whole) == device::convolution_algorithm::pixels_in_lanes ||
                device::panel_width(whole) == device::panel_width(part)) &&
               (key.batch == 1 || device::packed_elements(whole) == device::packed_elements(part));
    }
    static constexpr node_id part(partitioned_call& p, const call_view& c, slice_bounds s) {
        const auto key = op::key(c);
        const auto own = key_of_part(key, s);
        const bool images = key.batch > 1;
        const auto channels = device::channels_per_group(key), filters = device::filters_per_group(key);
        const bool rows = by_rows(key);
        if (images) {
            p.slice(op::at::x, 0, s);
        } else if (rows) {
            p.extend_to(op::at::row_count + 1);
            p.set(op::at::row_begin, argument::of(s.begin));
            p.set(op::at::row_count, argument::of(s.count));
        } else {
            if (key.groups > 1) p.slice(op::at::x, 1, {s.begin / filters * channels, own.in_channels});
            partitioned_call packed(p.editor(), p.known(), p.at(op::at::packed).node());
            packed.slice(pack::at::weight, 0, s);
            packed.set_entry(pack::at::input, 1, own.in_channels);
            packed.set(pack::at::groups, own.groups);
            p.set(op::at::packed, argument::of(packed.make()));
            if (key.bias) p.slice(op::at::bias, 0, s);
            p.set_entry(op::at::weight, 0, s.count);
            p.set(op::at::groups, own.groups);
        }
        const auto pixels = device::out_pixels(key), per_place = images ? key.out_channels * pixels : pixels;
        int_list sizes{own.batch, own.out_channels};
        if (p.type(op::at::x).rank == 4) sizes.push_back(device::out_h(key));
        sizes.push_back(device::out_w(key));
        for (int i = op::at::r0; i < op::at::program && p.is_tensor(i); ++i) {
            const auto count = element_count(p.type(i));
            const bool is_place = count == key.batch * key.out_channels * pixels;
            if (is_place && rows) p.slice_as(i, sizes, 2, s);
            else if (is_place) p.block(i, s.begin * per_place, sizes);
            else if (!images && !rows && count == key.out_channels) p.block(i, s.begin, {s.count});
        }
        return p.make();
    }
};

} // namespace ahead::pass::detail
