// SPDX-License-Identifier: MIT
// npu.quantized_convolution: a quantised integer convolution and the conversion of its sums. Its key is
// key/quantised_key.hpp. npu.pack_filters: its weights, in the layout that the kernel reads.
// Invariant: as of npu.quantized_matmul.
#pragma once
#include <ahead/device/bounded.hpp>
#include <ahead/device/convolution.hpp>
#include <ahead/device/quantised/quantized_matmul.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.pack_filters(Tensor weight, int groups, ScalarType dtype): weight[n, channels / groups, ..] of i8 for an input
/// of dtype.
struct pack_filters {
    static constexpr std::string_view name = "npu.pack_filters"sv;
    static constexpr bool is_prepared_for_bound = true;
    enum at : int { weight, groups, dtype };
    static constexpr parameter schema[] = {required("weight", parameter_kind::tensor),
                                           required("groups", parameter_kind::integer),
                                           required("dtype", parameter_kind::dtype)};
    template <class Call> static constexpr quantised_filters_key key_in(const Call& c) {
        const auto& w = c.tensor(at::weight);
        quantised_filters_key key{c.type(at::dtype), w.size(0), w.size(1), 1, c.integer(at::groups)};
        for (int d = 2; d < w.rank; ++d) key.taps *= w.size(d);
        return key;
    }
    static constexpr bool infer(infer_context& c) {
        return c.result(packed_tensor(ir::dtype::i8, packed_bytes(key_in(c))));
    }
    static constexpr quantised_filters_key key(const call_view& c) { return key_in(c); }
};

/// npu.quantized_convolution(Tensor x, Tensor packed, Tensor around, Tensor starts, Tensor scales, Tensor?
/// weight_zeros, Tensor? bias, Tensor? inverse, Tensor? zero, int[] weight, int[] stride, int[] padding, int[]
/// dilation, int groups, int[] end): air.quantized_convolution of x, its weight packed; around: the value of padding
/// pixels, the zero point of x.
struct quantized_convolution : takes_quantised_end<quantized_convolution> {
    static constexpr std::string_view name = "npu.quantized_convolution"sv;
    enum at : int {
        x,
        packed,
        around,
        starts,
        scales,
        weight_zeros,
        bias,
        inverse,
        zero,
        weight,
        stride,
        padding,
        dilation,
        groups,
        end
    };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("packed", parameter_kind::tensor),
                                           required("around", parameter_kind::tensor),
                                           required("starts", parameter_kind::tensor),
                                           required("scales", parameter_kind::tensor),
                                           required("weight_zeros", parameter_kind::optional_tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("inverse", parameter_kind::optional_tensor),
                                           required("zero", parameter_kind::optional_tensor),
                                           required("weight", parameter_kind::int_list),
                                           required("stride", parameter_kind::int_list),
                                           required("padding", parameter_kind::int_list),
                                           required("dilation", parameter_kind::int_list),
                                           required("groups", parameter_kind::integer),
                                           required("end", parameter_kind::int_list)};
    template <class Call> static constexpr quantized_convolution_key key_of(const Call& c) {
        const auto k = convolution_key_of(c.tensor(at::x), c.ints(at::weight), c.ints(at::stride), c.ints(at::padding),
                                          c.ints(at::dilation), c.integer(at::groups), false);
        quantized_convolution_key key{};
        key.type = k.type;
        key.batch = k.batch;
        key.in_channels = k.in_channels;
        key.in_h = k.in_h;
        key.in_w = k.in_w;
        key.out_channels = k.out_channels;
        key.kernel_h = k.kernel_h;
        key.kernel_w = k.kernel_w;
        key.stride_h = k.stride_h;
        key.stride_w = k.stride_w;
        key.pad_h = k.pad_h;
        key.pad_w = k.pad_w;
        key.dilation_h = k.dilation_h;
        key.dilation_w = k.dilation_w;
        key.groups = k.groups;
        read_end(c, key);
        // A 1x1 kernel with stride 1 does not depend on rows.
        if (key.kernel_h == 1 && key.kernel_w == 1 && key.stride_h == 1 && key.stride_w == 1 && key.pad_h == 0 &&
            key.pad_w == 0) {
            key.in_w *= key.in_h;
            key.in_h = 1;
        }
        return key;
    }
    static constexpr bool infer(infer_context& c) {
        const auto k = convolution_key_of(c.tensor(at::x), c.ints(at::weight), c.ints(at::stride), c.ints(at::padding),
                                          c.ints(at::dilation), c.integer(at::groups), false);
        int_list sizes{k.batch, k.out_channels};
        if (c.tensor(at::x).rank == 4) sizes.push_back(out_h(k));
        sizes.push_back(out_w(k));
        return c.result(tensor_of(out_of(c), sizes));
    }
    static constexpr quantized_convolution_key key(const call_view& c) { return key_of(c); }
    static constexpr machine::work work(const call_view& c) {
        const auto k = key(c);
        const auto copied = quads_copied_for(k);
        const auto places = out_h(k) * copied.pitch, quads = quads_of(channels_per_group(k));
        return {.cube = {k.batch * k.groups, filters_per_group(k), 4 * quads * k.kernel_h * k.kernel_w, places},
                .vector = {k.batch * k.groups * quads, copied.plane(), 4, 0},
                .after = {k.batch * k.out_channels, places, steps_of(k), 0}};
    }
    static constexpr std::int64_t workspace(const quantized_convolution_key& k) {
        return space_of(k).bytes;
    }
    static constexpr bounded_call bounded(const auto& c) {
        return follows_in_first_operand(c, at::weight) ? c.pieces() : bounded_call{};
    }
};

} // namespace ahead::device
