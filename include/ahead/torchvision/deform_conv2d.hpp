// SPDX-License-Identifier: MIT
// torchvision's deform_conv2d: a convolution whose taps are moved by offsets and optionally weighted by a mask.
// Source: torchvision/csrc/ops/cpu/deform_conv2d_kernel.cpp.
#pragma once
#include <ahead/aten/product/product.hpp>
#include <ahead/core/checked.hpp>
#include <ahead/pass/decompositions/sampling.hpp>

namespace AHEAD_NAMESPACE::torchvision {

/// deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, SymInt
/// stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups, SymInt offset_groups,
/// bool use_mask): images [N, C, H, W] and weight [O, C / groups, h, w]; offset [N, offset_groups * 2 * h * w, OH, OW]
/// has the y and x of each tap; mask [N, offset_groups * h * w, OH, OW] is read if use_mask; bias [O]. Values between
/// elements are interpolated bilinearly, values outside are 0
struct deform_conv2d {
    static constexpr std::string_view name = "torchvision.deform_conv2d.default"sv;
    enum at : int {
        input,
        weight,
        offset,
        mask,
        bias,
        stride_h,
        stride_w,
        pad_h,
        pad_w,
        dilation_h,
        dilation_w,
        groups,
        offset_groups,
        use_mask
    };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor),          required("weight", parameter_kind::tensor),
        required("offset", parameter_kind::tensor),         required("mask", parameter_kind::tensor),
        required("bias", parameter_kind::tensor),           required("stride_h", parameter_kind::integer),
        required("stride_w", parameter_kind::integer),      required("pad_h", parameter_kind::integer),
        required("pad_w", parameter_kind::integer),         required("dilation_h", parameter_kind::integer),
        required("dilation_w", parameter_kind::integer),    required("groups", parameter_kind::integer),
        required("offset_groups", parameter_kind::integer), required("use_mask", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto &x = c.tensor(at::input), &w = c.tensor(at::weight);
        if (!is_floating(x.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(x));
        for (const auto* t : {&x, &w})
            if (t->rank != 4) return c.refuse(fault::rank_is_wrong, "rank 4", print(*t));
        const auto parts = c.integer(at::groups), places = c.integer(at::offset_groups);
        if (parts < 1 || places < 1)
            return c.refuse(fault::stride_must_be_positive, "groups and offset_groups from 1",
                            short_text() << (parts < 1 ? parts : places));
        if (x.size(1) % parts != 0 || x.size(1) % places != 0 || w.size(0) % parts != 0)
            return c.refuse(fault::split_sizes_do_not_add_up, "channels that groups and offset_groups divide",
                            print(x));
        if (!aten::check_operand(c, w, tensor_of(x.type, {w.size(0), x.size(1) / parts, w.size(2), w.size(3)})))
            return false;
        int_list sizes{x.size(0), w.size(0)};
        for (int d = 0; d < 2; ++d) {
            const auto stride = c.integer(at::stride_h + d), pad = c.integer(at::pad_h + d),
                       dilation = c.integer(at::dilation_h + d);
            if (stride < 1 || dilation < 1)
                return c.refuse(fault::stride_must_be_positive, "strides and dilations from 1",
                                short_text() << (stride < 1 ? stride : dilation));
            if (pad < 0) return c.refuse(fault::size_is_negative, "padding from 0", short_text() << pad);
            const auto room = checked_int(2) * pad + x.size(2 + d) - (checked_int(dilation) * (w.size(2 + d) - 1) + 1);
            if (room.get() < 0)
                return c.refuse(fault::window_does_not_fit, "elements for a kernel, padding included", print(x));
            sizes.push_back((room / stride + 1).get());
        }
        const auto taps = w.size(2) * w.size(3) * places;
        const auto of_taps = [&](std::int64_t channels) {
            return tensor_of(x.type, {x.size(0), channels, sizes[2], sizes[3]});
        };
        return aten::check_operand(c, c.tensor(at::offset), of_taps(2 * taps)) &&
               (!c.boolean(at::use_mask) || aten::check_operand(c, c.tensor(at::mask), of_taps(taps))) &&
               aten::check_operand(c, c.tensor(at::bias), tensor_of(x.type, {w.size(0)})) &&
               c.result(tensor_of(x.type, sizes));
    }
    static constexpr void evaluate(auto& c) {
        const auto &image = c.tensor(at::input), &kernel = c.tensor(at::weight);
        const auto height = kernel.size(2), width = kernel.size(3), depth = kernel.size(1);
        const auto outputs = kernel.size(0) / c.integer(at::groups); // per group
        const auto sharing = image.size(1) / c.integer(at::offset_groups);
        const bool masked = c.boolean(at::use_mask);
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto x = c.input(at::input, as), w = c.input(at::weight, as), offset = c.input(at::offset, as),
                       mask = c.input(at::mask, as), bias = c.input(at::bias, as);
            const auto read = [&](std::int64_t n, std::int64_t channel, T y, T z) -> double {
                if (!(y > -1 && y < static_cast<T>(image.size(2)) && z > -1 && z < static_cast<T>(image.size(3))))
                    return 0;
                const T top = math::floor(y), left = math::floor(z);
                double sum = 0;
                for (int k = 0; k < 4; ++k) {
                    const auto row = static_cast<std::int64_t>(top) + k / 2,
                               column = static_cast<std::int64_t>(left) + k % 2;
                    if (row < 0 || row >= image.size(2) || column < 0 || column >= image.size(3)) continue;
                    const T weight = (k / 2 ? y - top : 1 - (y - top)) * (k % 2 ? z - left : 1 - (z - left));
                    sum += static_cast<double>(weight) * static_cast<double>(x[{n, channel, row, column}]);
                }
                return sum;
            };
            for_each_index(sizes_of(c.result_type()), [&](const int_list& at) {
                double sum = static_cast<double>(bias[{at[1]}]);
                for_each_index({depth, height, width}, [&](const int_list& tap) {
                    const auto channel = at[1] / outputs * depth + tap[0];
                    const auto place = (channel / sharing * height + tap[1]) * width + tap[2];
                    const auto along = [&](int d) {
                        return static_cast<T>(at[2 + d] * c.integer(deform_conv2d::stride_h + d) -
                                              c.integer(deform_conv2d::pad_h + d) +
                                              tap[1 + d] * c.integer(deform_conv2d::dilation_h + d)) +
                               offset[{at[0], 2 * place + d, at[2], at[3]}];
                    };
                    double value = read(at[0], channel, along(0), along(1)) *
                                   static_cast<double>(w[{at[1], tap[0], tap[1], tap[2]}]);
                    if (masked) value *= static_cast<double>(mask[{at[0], place, at[2], at[3]}]);
                    sum += value;
                });
                c.output(0, as).put(at, math::convert<T>(sum));
            });
        });
    }
};

/// Samples all taps at once, as columns, then multiplies by the weight; the channels of an offset group form an image.
struct sampled_columns {
    using op = deform_conv2d;
    using at = op::at;
    static constexpr std::int32_t most_calls = decomposition::most_sample_calls + 60;
    static constexpr tensor_type images_of(const call_view& call) {
        const auto& x = call.tensor(at::input);
        const auto parts = call.integer(at::offset_groups);
        return tensor_of(x.type, {x.size(0) * parts, x.size(1) / parts, x.size(2), x.size(3)});
    }
    static constexpr bool when(const call_view& call) {
        return decomposition::can_sample(images_of(call), call.result_type()) &&
               element_count(call.tensor(at::weight)) > 0;
    }
    static constexpr void decompose(auto& c) {
        using decomposition::add, decomposition::mul, decomposition::reshape, decomposition::counted;
        const auto w = c.aten.tensor(at::weight), images = images_of(c.aten);
        const auto out = sizes_of(c.aten.result_type());
        const auto type = images.type;
        const auto batch = out[0], channels = w.size(1), taps = w.size(2) * w.size(3);
        const auto groups = c.aten.integer(at::groups), parts = c.aten.integer(at::offset_groups);
        const auto permuted = [&](const argument& x, const int_list& order) {
            return c.call("aten.permute.default", {x, order});
        };
        // [N, parts * taps * count, OH, OW], as given, to `count` tensors of [N, OH, OW, taps, parts]
        const auto of_places = [&](int which, std::int64_t count) {
            const auto given = c.call(reshape, {c.operand(which), int_list{batch, parts, taps, count, out[2], out[3]}});
            return c.call("aten.contiguous.default", {permuted(given, {3, 0, 4, 5, 2, 1})});
        };
        const auto one_of = [&](const argument& all, int k) { return c.call("aten.select.int", {all, 0, k}); };
        const auto offsets = of_places(at::offset, 2);
        decomposition::sampled_dim dims[2];
        for (int d = 0; d < 2; ++d) {
            const auto line = counted(c, 0, c.aten.integer(at::dilation_h + d), w.size(2 + d), type, d, 2);
            const auto tap = c.call(reshape, {c.call("aten.expand.default", {line, int_list{w.size(2), w.size(3)}}),
                                              int_list{1, 1, 1, taps, 1}});
            const auto window = counted(c, -c.aten.integer(at::pad_h + d), c.aten.integer(at::stride_h + d), out[2 + d],
                                        type, 1 + d, 5);
            const auto whole =
                c.call("aten.expand.default", {c.call(add, {window, tap}), int_list{1, out[2], out[3], taps, 1}});
            auto place = c.call(add, {c.call("aten.contiguous.default", {whole}), one_of(offsets, d)});
            dims[d].size = images.size(2 + d);
            decomposition::read_both(c, c.call("aten.nan_to_num.default", {place, -9.0}), type, d, 7, dims[d]);
        }
        if (c.aten.boolean(at::use_mask))
            dims[0].weight = c.call(mul, {dims[0].weight, one_of(of_places(at::mask, 1), 0)});
        const auto first = c.call(add, {counted(c, 0, parts, batch, type, 2, 7), counted(c, 0, 1, parts, type, 6, 7)});
        const auto columns =
            decomposition::sampled(c, c.call(reshape, {c.operand(at::input), sizes_of(images)}), first, dims);
        const auto rows = batch * out[2] * out[3], outputs = out[1] / groups, depth = taps * channels;
        const auto left = permuted(c.call(reshape, {columns, int_list{rows, taps, groups, channels}}), {2, 0, 1, 3}),
                   right = permuted(c.call(reshape, {c.operand(at::weight), int_list{groups, outputs, channels, taps}}),
                                    {0, 3, 2, 1});
        argument product;
        if (groups == 1) {
            product = c.call(decomposition::mm, {c.call(reshape, {left, int_list{rows, depth}}),
                                                 c.call(reshape, {right, int_list{depth, outputs}})});
        } else {
            product = c.call(decomposition::bmm, {c.call(reshape, {left, int_list{groups, rows, depth}}),
                                                  c.call(reshape, {right, int_list{groups, depth, outputs}})});
            product = c.call(reshape, {permuted(product, {1, 0, 2}), int_list{rows, out[1]}});
        }
        c.bind_result(decomposition::channels_first(c, c.call(add, {product, c.operand(at::bias)}), out));
    }
};

} // namespace ahead::torchvision
