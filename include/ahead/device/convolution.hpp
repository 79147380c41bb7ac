// SPDX-License-Identifier: MIT
// npu.convolution: over one or two spatial dims, with packed weights, followed by element-wise steps. Its key is
// key/convolution_key.hpp.
#pragma once
#include <ahead/device/key/convolution_key.hpp>
#include <ahead/device/key/epilogue.hpp>
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
};

} // namespace ahead::device
