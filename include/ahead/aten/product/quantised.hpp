// SPDX-License-Identifier: MIT
// Products and convolutions of quantised integers (pointwise/quantise.hpp), which
// pass/fuse_quantized/fuse_quantized.hpp makes of dequantize -> linear or convolution -> relu -> quantize. PyTorch's
// texts do not contain them.
// Law: sums are exact integers. A sum is rounded to f32, and then processed in f32: times its channel's scale, plus
// bias, relu, and quantised to the result's grid.
// Source: torch/ao/quantization/fx/_decomposed.py, and Inductor's qlinear_pointwise and qconv_pointwise.
#pragma once
#include <ahead/aten/pointwise/activation.hpp>
#include <ahead/aten/pointwise/rounding.hpp>
#include <ahead/aten/product/convolution.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Sums of more products than this, each at most 255 * 255, may exceed 32 bits.
inline constexpr std::int64_t most_quantized_products = ((std::int64_t{1} << 31) - 1) / (255 * 255);

namespace detail {

/// The common part. input: i8 or u8; weight: i8[n, ..]. Sums input * (weight - weight_zero_points[n]), starting from
/// starts[n]; both are i32[n]; starts has the contribution of the input's zero point. scales, bias: f32[n]. If dtype is
/// f32 the result is the numbers; if it is i8 or u8 they are multiplied by inverse, f32[1], rounded to even, shifted by
/// zero_point, f32[1], and clamped to [quant_min, quant_max].
template <class Op> struct quantized_sums {
    /// The type rule for a result of these sizes; checks the operands.
    static constexpr bool infer_sums(infer_context& c, int_list sizes) {
        using at = typename Op::at;
        const auto &x = c.tensor(at::input), &w = c.tensor(at::weight);
        if (x.type != dtype::i8 && x.type != dtype::u8)
            return c.refuse(fault::dtype_is_unsupported, "i8 or u8", print(x));
        if (w.type != dtype::i8) return c.refuse(fault::dtype_is_unsupported, "i8", print(w));
        const auto is_row = [&](int i, dtype type, std::int64_t count) {
            if (!c.is_given(i)) return true;
            const auto wanted = tensor_of(type, {count});
            const auto& found = c.tensor(i);
            if (found.type != type) return c.refuse(fault::dtypes_differ, print(wanted), print(found));
            return sizes_of(found) == int_list{count} ||
                   c.refuse(fault::element_counts_differ, print(wanted), print(found));
        };
        const auto n = w.size(0);
        for (int i : {at::starts, at::weight_zero_points})
            if (!is_row(i, dtype::i32, n)) return false;
        for (int i : {at::scales, at::bias})
            if (!is_row(i, dtype::f32, n)) return false;
        for (int i : {at::inverse, at::zero_point})
            if (!is_row(i, dtype::f32, 1)) return false;
        const auto type = c.type(at::dtype);
        if (type != dtype::f32 && type != dtype::i8 && type != dtype::u8)
            return c.refuse(fault::dtype_is_unsupported, "f32, i8 or u8", facts_of(type).annotation);
        const bool on_grid = type != dtype::f32;
        if (c.is_given(at::inverse) != on_grid || c.is_given(at::zero_point) != on_grid)
            return c.refuse(fault::argument_has_wrong_kind,
                            "inverse and zero_point where dtype is i8 or u8, and there alone",
                            facts_of(type).annotation);
        const auto low = c.integer(at::quant_min), high = c.integer(at::quant_max);
        const std::int64_t least = type == dtype::u8 ? 0 : -128, most = type == dtype::u8 ? 255 : 127;
        if (on_grid && (low > high || low < least || high > most))
            return c.refuse(fault::argument_has_wrong_kind, "quant_min up to quant_max, numbers of dtype",
                            short_text() << low << " up to " << high);
        return c.result(tensor_of(type, sizes));
    }
    /// Writes element `at` of channel n of the result, computed from its sum.
    static constexpr void put_sum(auto& c, const int_list& at, std::int64_t n, std::int64_t sum) {
        using p = typename Op::at;
        float y = static_cast<float>(sum) * c.input(p::scales, float{})[{n}];
        if (c.is_given(p::bias)) y += c.input(p::bias, float{})[{n}];
        if (c.boolean(p::relu)) y = relu::meaning(y);
        if (c.result_type().type == dtype::f32) return c.output(0, float{}).put(at, y);
        y = round::meaning(y * c.input(p::inverse, float{})[{0}]) + c.input(p::zero_point, float{})[{0}];
        const auto least = static_cast<float>(c.integer(p::quant_min)),
                   most = static_cast<float>(c.integer(p::quant_max));
        y = !(y > least) ? least : y > most ? most : y;
        c.output(0, std::int64_t{}).put(at, math::convert<std::int64_t>(y));
    }
    static constexpr std::int64_t start_of(auto& c, std::int64_t n) {
        return c.input(Op::at::starts, std::int64_t{})[{n}];
    }
    static constexpr std::int64_t weight_zero_of(auto& c, std::int64_t n) {
        using at = typename Op::at;
        return c.is_given(at::weight_zero_points) ? c.input(at::weight_zero_points, std::int64_t{})[{n}] : 0;
    }
};

} // namespace detail

/// air.quantized_linear(Tensor input, Tensor weight, Tensor starts, Tensor scales, Tensor? weight_zero_points, Tensor?
/// bias, Tensor? inverse, Tensor? zero_point, int quant_min, int quant_max, bool relu, ScalarType dtype): input[.., k]
/// and weight[n, k] give [.., n]
struct quantized_linear : detail::quantized_sums<quantized_linear> {
    static constexpr std::string_view name = "air.quantized_linear.default"sv;
    enum at : int {
        input,
        weight,
        starts,
        scales,
        weight_zero_points,
        bias,
        inverse,
        zero_point,
        quant_min,
        quant_max,
        relu,
        dtype
    };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("weight", parameter_kind::tensor),
                                           required("starts", parameter_kind::tensor),
                                           required("scales", parameter_kind::tensor),
                                           required("weight_zero_points", parameter_kind::optional_tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("inverse", parameter_kind::optional_tensor),
                                           required("zero_point", parameter_kind::optional_tensor),
                                           required("quant_min", parameter_kind::integer),
                                           required("quant_max", parameter_kind::integer),
                                           required("relu", parameter_kind::boolean),
                                           required("dtype", parameter_kind::dtype)};
    static constexpr bool infer(infer_context& c) {
        const auto &x = c.tensor(at::input), &w = c.tensor(at::weight);
        if (x.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(x));
        if (w.rank != 2) return c.refuse(fault::rank_is_wrong, "rank 2", print(w));
        if (x.size(x.rank - 1) != w.size(1))
            return c.refuse(fault::matmul_inner_extents_differ, short_text() << x.size(x.rank - 1) << " columns",
                            print(w));
        auto sizes = sizes_of(x);
        sizes[x.rank - 1] = w.size(0);
        return infer_sums(c, sizes);
    }
    static constexpr void evaluate(auto& c) {
        const auto x = c.input(at::input, std::int64_t{}), w = c.input(at::weight, std::int64_t{});
        for_each_index(sizes_of(c.result_type()), [&](const int_list& at) {
            const auto n = at[at.size - 1];
            auto sum = start_of(c, n);
            const auto zero = weight_zero_of(c, n);
            auto from = at;
            for (std::int64_t k = 0; k < w.type().size(1); ++k) {
                from[from.size - 1] = k;
                sum += x[from] * (w[{n, k}] - zero);
            }
            put_sum(c, at, n, sum);
        });
    }
};

/// air.quantized_convolution(Tensor input, Tensor weight, Tensor starts, Tensor scales, Tensor? weight_zero_points,
/// Tensor? bias, Tensor? inverse, Tensor? zero_point, int quant_min, int quant_max, bool relu, ScalarType dtype, Tensor
/// input_zero_point, int[] stride, int[] padding, int[] dilation, int groups): input[N, C, H, W] by weight[n, C /
/// groups, h, w], or with one dim less. The input is padded with input_zero_point, i32[1]
struct quantized_convolution : detail::quantized_sums<quantized_convolution> {
    static constexpr std::string_view name = "air.quantized_convolution.default"sv;
    enum at : int {
        input,
        weight,
        starts,
        scales,
        weight_zero_points,
        bias,
        inverse,
        zero_point,
        quant_min,
        quant_max,
        relu,
        dtype,
        input_zero_point,
        stride,
        padding,
        dilation,
        groups
    };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("weight", parameter_kind::tensor),
                                           required("starts", parameter_kind::tensor),
                                           required("scales", parameter_kind::tensor),
                                           required("weight_zero_points", parameter_kind::optional_tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("inverse", parameter_kind::optional_tensor),
                                           required("zero_point", parameter_kind::optional_tensor),
                                           required("quant_min", parameter_kind::integer),
                                           required("quant_max", parameter_kind::integer),
                                           required("relu", parameter_kind::boolean),
                                           required("dtype", parameter_kind::dtype),
                                           required("input_zero_point", parameter_kind::tensor),
                                           required("stride", parameter_kind::int_list),
                                           required("padding", parameter_kind::int_list),
                                           required("dilation", parameter_kind::int_list),
                                           required("groups", parameter_kind::integer)};
    static constexpr convolution_window window(const auto& c) {
        const int spatial = c.tensor(at::weight).rank - 2;
        int_list none;
        for (int d = 0; d < spatial; ++d) none.push_back(0);
        return {spread(c, at::stride, spatial),
                spread(c, at::padding, spatial),
                spread(c, at::dilation, spatial),
                none,
                false,
                c.integer(at::groups)};
    }
    static constexpr bool infer(infer_context& c) {
        const auto &x = c.tensor(at::input), &w = c.tensor(at::weight), &zero = c.tensor(at::input_zero_point);
        const int spatial = w.rank - 2;
        if (spatial < 1 || spatial > 2) return c.refuse(fault::rank_is_wrong, "a weight of rank 3 or 4", print(w));
        if (x.rank != w.rank) return c.refuse(fault::rank_is_wrong, short_text() << "rank " << int(w.rank), print(x));
        if (zero.type != dtype::i32 || sizes_of(zero) != int_list{1})
            return c.refuse(fault::element_counts_differ, print(tensor_of(dtype::i32, {1})), print(zero));
        for (int i : {at::stride, at::padding, at::dilation})
            if (!check_spatial(c, i, spatial)) return false;
        const auto win = window(c);
        if (!c.check_sizes(win.padding, "paddings from 0")) return false;
        const auto of_groups = (checked_int(w.size(1)) * win.groups).get();
        if (win.groups < 1 || x.size(1) != of_groups || w.size(0) % win.groups != 0)
            return c.refuse(fault::channels_differ, short_text() << of_groups << " channels",
                            short_text() << x.size(1));
        int_list sizes{x.size(0), w.size(0)};
        for (int d = 0; d < spatial; ++d) {
            if (win.stride[d] < 1 || win.dilation[d] < 1)
                return c.refuse(fault::stride_must_be_positive, "strides and dilations from 1",
                                short_text() << win.stride[d]);
            const auto reach = checked_int(win.dilation[d]) * (w.size(2 + d) - 1) + 1;
            const auto room = checked_int(2) * win.padding[d] + x.size(2 + d) - reach;
            if (room.get() < 0)
                return c.refuse(fault::window_does_not_fit,
                                short_text() << reach.get() << " elements, padding included", print(x));
            sizes.push_back((room / win.stride[d] + 1).get());
        }
        return infer_sums(c, sizes);
    }
    static constexpr void evaluate(auto& c) {
        const auto x = c.input(at::input, std::int64_t{}), w = c.input(at::weight, std::int64_t{});
        const auto around = c.input(at::input_zero_point, std::int64_t{})[{0}];
        const auto win = window(c);
        const int spatial = win.stride.size;
        const auto per_group = w.type().size(0) / win.groups, channels = w.type().size(1);
        int_list taps;
        for (int d = 0; d < spatial; ++d) taps.push_back(w.type().size(2 + d));
        for_each_index(sizes_of(c.result_type()), [&](const int_list& at) {
            const auto n = at[1];
            auto sum = start_of(c, n);
            const auto zero = weight_zero_of(c, n);
            auto from = at, by = at;
            by[0] = n;
            for_each_index(taps, [&](const int_list& tap) {
                bool inside = true;
                for (int d = 0; d < spatial; ++d) {
                    by[2 + d] = tap[d];
                    from[2 + d] = at[2 + d] * win.stride[d] - win.padding[d] + tap[d] * win.dilation[d];
                    inside = inside && from[2 + d] >= 0 && from[2 + d] < x.type().size(2 + d);
                }
                for (std::int64_t k = 0; k < channels; ++k) {
                    from[1] = n / per_group * channels + k;
                    by[1] = k;
                    sum += (inside ? x[from] : around) * (w[by] - zero);
                }
            });
            put_sum(c, at, n, sum);
        });
    }
};

using quantised_product_ops = op_list<quantized_linear, quantized_convolution>;

} // namespace ahead::aten
