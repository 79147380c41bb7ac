// SPDX-License-Identifier: MIT
// torchvision's deform_conv2d: a convolution whose taps lie where offsets say, weighted by a mask if there is one.
// Source: torchvision/csrc/ops/cpu/deform_conv2d_kernel.cpp.
#pragma once
#include <ahead/aten/product/product.hpp>
#include <ahead/core/checked.hpp>

namespace AHEAD_NAMESPACE::torchvision {

/// deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, SymInt
/// stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt groups, SymInt offset_groups,
/// bool use_mask): images [N, C, H, W] and weight [O, C / groups, h, w]; offset is [N, offset_groups * 2 * h * w, OH,
/// OW], y and x of each tap, mask [N, offset_groups * h * w, OH, OW], read where use_mask says so; bias is [O]. Between
/// elements it is read bilinearly, outside there are zeros
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
        const auto outputs = kernel.size(0) / c.integer(at::groups); // of a group
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

} // namespace ahead::torchvision
