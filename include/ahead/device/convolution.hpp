// SPDX-License-Identifier: MIT
// npu.convolution: over one or two spatial dims, with packed weights, followed by element-wise steps. Its key is
// key/convolution_key.hpp.
#pragma once
#include <ahead/device/bounded.hpp>
#include <ahead/device/key/convolution_key.hpp>
#include <ahead/device/key/epilogue.hpp>
#include <ahead/device/pack_convolution.hpp>
#include <ahead/device/partition.hpp>
#include <ahead/device/product/matmul.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

/// A product of pixels and filters, where n is the dim that vectors run along; for Winograd, of tiles and filters at
/// each point. The copy of the input with its padding, transforms, and transposing the result are added to it.
constexpr machine::work work_of(const convolution_key& given) {
    const auto key = with_rows_merged(given);
    const auto groups = key.batch * key.groups;
    const auto channels = channels_per_group(key), filters = filters_per_group(key), pixels = out_pixels(key);
    const auto depth = channels * key.kernel_h * key.kernel_w;
    const auto copied_rows = groups * channels * detail::padded_rows(key);
    machine::work out;
    switch (algorithm_of(key)) {
    case convolution_algorithm::product: return times(key.groups, work_of(product_of(key)));
    case convolution_algorithm::tiny_map: {
        std::int64_t met = 0;
        for (std::int64_t h = 0; h < key.kernel_h; ++h)
            for (std::int64_t w = 0; w < key.kernel_w; ++w)
                for (std::int64_t p = 0; p < pixels; ++p) met += meets_input(key, h, w, p / out_w(key), p % out_w(key));
        out.cube = {groups, met, channels, filters};
        break;
    }
    case convolution_algorithm::winograd: {
        const auto tiles = winograd::tile_rows(key) * winograd::tile_columns(key);
        out.cube = {key.batch * winograd::points, tiles, channels, filters};
        out.vector = {key.batch * (channels + filters), tiles, 310, 0}; // the mean of 350 to a window, 270 back
        return out;
    }
    case convolution_algorithm::winograd_2x2:
        out.cube = {key.batch * winograd_2x2::points, winograd_2x2::tile_room, channels, filters};
        out.vector = {key.batch * (channels + filters), winograd_2x2::tile_room, 16, 0};
        return out;
    case convolution_algorithm::im2col:
        out.cube = {groups, filters, depth, pixels};
        out.scalar_steps = 4 * groups * depth * pixels;
        return out;
    case convolution_algorithm::channels_in_lanes:
        out.cube = {groups, pixels, depth, filters};
        if (detail::reads_padding(key)) out.vector = {copied_rows, detail::padded_columns(key), 2, 0};
        break;
    case convolution_algorithm::pixels_in_lanes: {
        const auto lanes = nominal_lanes(key.type);
        out.cube = {groups, filters, depth, out_h(key) * detail::vectors(out_w(key), lanes) * lanes};
        if (detail::copies_for_pixels(key))
            out.vector = {copied_rows * detail::phases(key), detail::phase_width(key), 2, 0};
        if (detail::copies_for_pixels(key) && key.stride_w > 1)
            out.scalar_steps = copied_rows * detail::phases(key) * detail::phase_width(key);
        return out;
    }
    }
    if (pixels > 1) out.scalar_steps += groups * pixels * filters;
    return out;
}

/// npu.convolution(Tensor x, Tensor packed, Tensor? bias, int[] weight, int[] stride, int[] padding, int[] dilation,
/// int groups, Tensor? r0, Tensor? r1, Tensor? r2, Scalar[]? program, int? choice, int? row_begin, int? row_count): the
/// convolution, then the steps of the program. Images of x are row-major; there may be gaps between them, as in a slice
/// of channels. With row_begin and row_count, the result is only these rows, at their offsets in the whole result: with
/// gaps between the planes for the other rows.
struct convolution : takes_epilogue<convolution> {
    static constexpr std::string_view name = "npu.convolution"sv;
    enum at : int {
        x,
        packed,
        bias,
        weight,
        stride,
        padding,
        dilation,
        groups,
        r0,
        r1,
        r2,
        program,
        choice,
        row_begin,
        row_count
    };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("packed", parameter_kind::tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("weight", parameter_kind::int_list),
                                           required("stride", parameter_kind::int_list),
                                           required("padding", parameter_kind::int_list),
                                           required("dilation", parameter_kind::int_list),
                                           required("groups", parameter_kind::integer),
                                           defaulted("r0", parameter_kind::optional_tensor),
                                           defaulted("r1", parameter_kind::optional_tensor),
                                           defaulted("r2", parameter_kind::optional_tensor),
                                           defaulted("program", parameter_kind::real_list),
                                           defaulted("choice", parameter_kind::optional_integer),
                                           defaulted("row_begin", parameter_kind::optional_integer),
                                           defaulted("row_count", parameter_kind::optional_integer)};
    template <class Call> static constexpr convolution_key key_of(const Call& c) {
        auto key = convolution_key_of(c.tensor(at::x), c.ints(at::weight), c.ints(at::stride), c.ints(at::padding),
                                      c.ints(at::dilation), c.integer(at::groups), c.is_given(at::bias));
        key.choice = choice_of<convolution_choice>(c, at::choice);
        if (c.is_given(at::row_begin)) key.row_begin = c.integer(at::row_begin);
        if (c.is_given(at::row_count)) key.row_count = c.integer(at::row_count);
        const auto& x = c.tensor(at::x);
        const auto image = key.in_channels * key.in_h * key.in_w;
        if (key.batch > 1 && x.stride(0) != image) key.in_image = x.stride(0);
        return key;
    }
    static constexpr bool infer(infer_context& c) {
        if (c.in().is_typed(c.id())) return true; // typed as its epilogue's result, which may have another shape
        const auto k = key_of(c);
        int_list sizes{k.batch, k.out_channels};
        if (c.tensor(at::x).rank == 4) sizes.push_back(out_h(k));
        sizes.push_back(out_w(k));
        auto made = tensor_of(k.type, sizes);
        if (!makes_all_rows(k)) made.sizes[2] = k.row_count;
        return c.result(made);
    }
    static constexpr convolution_key key(const call_view& c) { return key_of(c); }
    static constexpr std::int64_t workspace(const convolution_key& k) {
        return static_cast<std::int64_t>(workspace_bytes(k));
    }
    using kernel_choice = convolution_choice;
    using packer = pack_convolution;
    static constexpr int packed_operand = at::packed;
    static constexpr operand_sizes operands(const convolution_key& k) {
        return {.type = k.type,
                .x = (k.batch - 1) * image_of_input(k) + k.in_channels * k.in_h * k.in_w,
                .weight = k.out_channels * channels_per_group(k) * k.kernel_h * k.kernel_w,
                .bias = k.bias ? k.out_channels : 0,
                .out = k.batch * k.out_channels * out_pixels(k),
                .packed = packed_elements(k),
                .columns = k.out_channels};
    }
    /// Partitioned by images, else by filters, which for groups includes their channels. Winograd convolutions are
    /// partitioned by rows of tiles, so that each core transforms only its own windows: by filters each core would
    /// transform all of them.
    static constexpr partition find_partition(const call_view& c) {
        const auto own = key(c);
        const auto merged = with_rows_merged(own);
        if (!is_packed_by<packer>(c, at::packed)) return {};
        if (algorithm_of(merged) == convolution_algorithm::product)
            return own.batch > 1 ? partition{own.batch, fewest_rows, 0} : partition{};
        if (own.batch > 1) return {own.batch, 1, 0};
        if (by_rows(own)) return {out_h(own), 4, 2};
        if (own.groups > 1) return {own.out_channels, filters_per_group(own), 1};
        return {own.out_channels, panel_width(merged), 1};
    }
    /// Whether the sums of a part are those of the whole.
    static constexpr bool is_same_part(const call_view& c, slice_bounds s) {
        const auto own = key(c);
        const auto whole = with_rows_merged(own), of_part = with_rows_merged(key_of_part(own, s));
        return algorithm_of(whole) == algorithm_of(of_part) &&
               (algorithm_of(whole) == convolution_algorithm::pixels_in_lanes ||
                algorithm_of(whole) == convolution_algorithm::im2col || panel_width(whole) == panel_width(of_part)) &&
               (own.batch == 1 || packed_elements(whole) == packed_elements(of_part));
    }
    static constexpr node_id part(auto& p, const call_view& c, slice_bounds s) {
        const auto own = key(c);
        const auto of_part = key_of_part(own, s);
        const bool images = own.batch > 1;
        const auto channels = channels_per_group(own), filters = filters_per_group(own);
        const bool rows = by_rows(own);
        if (images) {
            p.slice(at::x, 0, s);
        } else if (rows) {
            p.extend_to(at::row_count + 1);
            p.set(at::row_begin, argument::of(s.begin));
            p.set(at::row_count, argument::of(s.count));
        } else {
            if (own.groups > 1) p.slice(at::x, 1, {s.begin / filters * channels, of_part.in_channels});
            auto packed = p.maker_of(at::packed);
            packed.slice(packer::at::weight, 0, s);
            packed.set_entry(packer::at::input, 1, of_part.in_channels);
            packed.set(packer::at::groups, of_part.groups);
            p.set(at::packed, argument::of(packed.make()));
            if (own.bias) p.slice(at::bias, 0, s);
            p.set_entry(at::weight, 0, s.count);
            p.set(at::groups, of_part.groups);
        }
        const auto pixels = out_pixels(own), per_place = images ? own.out_channels * pixels : pixels;
        int_list sizes{of_part.batch, of_part.out_channels};
        if (p.type(at::x).rank == 4) sizes.push_back(out_h(own));
        sizes.push_back(out_w(own));
        for (int i = at::r0; i < at::program && p.is_tensor(i); ++i) {
            const auto count = element_count(p.type(i));
            const bool is_place = count == own.batch * own.out_channels * pixels;
            if (is_place && rows) p.slice_as(i, sizes, 2, s);
            else if (is_place) p.block(i, s.begin * per_place, sizes);
            else if (!images && !rows && count == own.out_channels) p.block(i, s.begin, {s.count});
        }
        return p.make();
    }
    /// Fewer images, one at a time; fewer rows if an image is a row of a product.
    static constexpr bounded_call bounded(const auto& c) {
        if (!c.is_sound()) return {};
        const auto key = c.template key<convolution>();
        const auto x = c.given(at::x);
        bool ok =
            c.follows(at::x) && x.dim == 0 && x.has_fixed_strides && c.are_results_prefixes() && c.result().dim == 0;
        for (const int i : {at::packed, at::bias}) ok = ok && !c.follows(i);
        if (!ok || !has_bounded_epilogue(c, at::r0, at::program))
            return c.refuse("images that follow the symbol", ahead::print(c.result_type()));
        const auto algorithm = algorithm_of(with_rows_merged(key));
        if (algorithm == convolution_algorithm::product) return {.how = bounded_call::way::dynamic, .rows = x.each};
        auto one = key;
        one.batch = x.each;
        if (algorithm != algorithm_of(with_rows_merged(one)) || packed_elements(key) != packed_elements(one))
            return c.refuse("weights that are packed alike for one image", ahead::print(c.result_type()));
        return c.pieces();
    }

private:
    /// The most bytes of weights that each core may read through its own cache.
    static constexpr std::int64_t most_shared_weights = std::int64_t{1} << 20;
    /// False if there are too few rows of tiles for an even partition, if the weights, which each core then reads in
    /// full, exceed its cache, or if rows have so few tiles that the order of summation would change.
    static constexpr bool by_rows(const convolution_key& key) {
        return key.batch == 1 && algorithm_of(key) == convolution_algorithm::winograd &&
               winograd::tile_rows(key) >= 8 && winograd::tile_columns(key) >= fewest_rows &&
               bytes_of(key.type, packed_elements(key)) <= most_shared_weights;
    }
    /// The key of a part.
    static constexpr convolution_key key_of_part(convolution_key key, slice_bounds s) {
        if (key.batch > 1) {
            key.batch = s.count;
        } else if (by_rows(key)) {
            key.row_begin = s.begin, key.row_count = s.count;
        } else {
            key.in_channels =
                key.groups > 1 ? s.count / filters_per_group(key) * channels_per_group(key) : key.in_channels;
            key.groups = key.groups > 1 ? s.count / filters_per_group(key) : 1;
            key.out_channels = s.count;
        }
        return key;
    }
};

} // namespace ahead::device
