// SPDX-License-Identifier: MIT
// Quantisation: quantize, to integers; dequantize, back; fake_quantize, both. A grid has a scale, its step, and a
// zero_point, the integer that represents 0; for the whole tensor or for each index of a dim.
// Source: torch/ao/quantization/fx/_decomposed.py, aten/src/ATen/native/quantized/cpu/kernels/QuantizedOpKernels.cpp.
#pragma once
#include <ahead/aten/create/copy.hpp>
#include <ahead/aten/pointwise/rounding.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The operation on an element.
enum class grid_step { quantize, dequantize, both };

namespace detail {

/// Parameters 1 and 2 are the grid, numbers or tensors; then an axis, if the grid is per index of a dim, and the
/// bounds. Op::at names the dtype of the integers, if they are visible.
template <class Op, grid_step Step> struct on_grid {
    static constexpr int step_at = 1, zero_at = 2;
    static constexpr int low_at() {
        return requires { Op::at::axis; } ? 4 : 3;
    }
    static constexpr int axis_of(const auto& c) {
        if constexpr (requires { Op::at::axis; }) return wrapped_dim(c.integer(Op::at::axis), c.tensor(0).rank);
        else return no_parameter;
    }
    static constexpr dtype type_of(const infer_context& c) {
        if constexpr (Step == grid_step::quantize) return c.type(Op::at::dtype);
        else if constexpr (Step == grid_step::both) return c.tensor(0).type;
        else return c.is_given(Op::at::out_dtype) ? c.type(Op::at::out_dtype) : dtype::f32;
    }
    static constexpr bool check_grid(infer_context& c, int i, bool is_scale) {
        if (!c.is_tensor(i)) return true;
        const auto &t = c.tensor(0), &grid = c.tensor(i);
        int along = 0;
        if (is_scale != is_floating(grid.type) && (Step != grid_step::both || is_scale))
            return c.refuse(fault::dtype_is_unsupported,
                            is_scale ? "a scale of floating point" : "an integer zero_point", print(grid));
        if constexpr (requires { Op::at::axis; }) {
            if (t.rank == 0) return c.refuse(fault::rank_is_wrong, "rank 1 at least", print(t));
            if (!c.wrap_dim(c.integer(Op::at::axis), t.rank, along)) return false;
            return sizes_of(grid) == int_list{t.size(along)} ||
                   c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(grid.type, {t.size(along)})), print(grid));
        } else {
            return element_count(grid) == 1 || c.refuse(fault::element_counts_differ, "1 element", print(grid));
        }
    }
    static constexpr bool infer(infer_context& c) {
        const auto& t = c.tensor(0);
        const auto low = c.integer(low_at()), high = c.integer(low_at() + 1);
        if (low > high)
            return c.refuse(fault::argument_has_wrong_kind, "quant_min up to quant_max", short_text() << low);
        if (Step != grid_step::dequantize && !is_floating(t.type))
            return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if constexpr (Step != grid_step::both) {
            const auto whole = c.type(Op::at::dtype);
            if (is_floating(whole) || whole == dtype::b8)
                return c.refuse(fault::dtype_is_unsupported, "integers", facts_of(whole).annotation);
            if (Step == grid_step::dequantize && t.type != whole)
                return c.refuse(fault::dtypes_differ, facts_of(whole).annotation, print(t));
        }
        if (!is_floating(type_of(c)) && Step == grid_step::dequantize)
            return c.refuse(fault::dtype_is_unsupported, "floating point", facts_of(type_of(c)).annotation);
        if (!c.is_tensor(step_at) && !(c.real(step_at) >= 0)) // 0 is a placeholder for a lambda's value
            return c.refuse(fault::argument_has_wrong_kind, "a scale from 0 on", "another number");
        return check_grid(c, step_at, true) && check_grid(c, zero_at, false) && c.result(like(t, type_of(c)));
    }
    static constexpr void evaluate(auto& c) {
        const int axis = axis_of(c);
        const auto low = c.integer(low_at()), high = c.integer(low_at() + 1);
        const auto grid = [&](int i, const int_list& at, auto as) {
            if (!c.is_given(i)) return decltype(as){};
            if (!c.is_tensor(i)) return c.number(i, as);
            const auto all = c.input(i, as);
            return all[axis == no_parameter ? index_of(all.type(), 0) : int_list{at[axis]}];
        };
        const auto each = [&](auto as, auto whole) { // computed as floats, stored as integers
            using T = decltype(as);
            const auto out = c.output(0, whole);
            for_each_index(sizes_of(c.tensor(0)), [&](const int_list& at) {
                const T scale = math::convert<T>(grid(step_at, at, double{}));
                const auto zero = math::convert<T>(grid(zero_at, at, std::int64_t{}));
                T x = c.input(0, as)[at];
                if (Step != grid_step::dequantize) {
                    x = round::meaning(x * (1 / scale)) + zero;
                    const auto least = math::convert<T>(low), most = math::convert<T>(high);
                    x = !(x > least) ? least : x > most ? most : x;
                }
                if (Step != grid_step::quantize) x = (x - zero) * scale;
                out.put(at, math::convert<decltype(whole)>(x));
            });
        };
        if constexpr (Step == grid_step::quantize) {
            if (c.tensor(0).type == dtype::f64) each(double{}, std::int64_t{});
            else each(float{}, std::int64_t{});
        } else {
            c.compute_real([&](auto as) { each(as, as); });
        }
    }
};

} // namespace detail

/// quantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype):
/// input / scale, rounded to even, plus zero_point, clamped to the bounds
struct quantize_per_tensor : detail::on_grid<quantize_per_tensor, grid_step::quantize> {
    static constexpr std::string_view name = "quantized_decomposed.quantize_per_tensor.default"sv;
    enum at : int { input, scale, zero_point, quant_min, quant_max, dtype };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor),       required("scale", parameter_kind::real),
        required("zero_point", parameter_kind::integer), required("quant_min", parameter_kind::integer),
        required("quant_max", parameter_kind::integer),  required("dtype", parameter_kind::dtype)};
};
/// quantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, int quant_max, ScalarType
/// dtype)
struct quantize_per_tensor_tensor : detail::on_grid<quantize_per_tensor, grid_step::quantize> {
    static constexpr std::string_view name = "quantized_decomposed.quantize_per_tensor.tensor"sv;
    using at = quantize_per_tensor::at;
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor),      required("scale", parameter_kind::tensor),
        required("zero_point", parameter_kind::tensor), required("quant_min", parameter_kind::integer),
        required("quant_max", parameter_kind::integer), required("dtype", parameter_kind::dtype)};
};
/// quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int quant_min, int quant_max,
/// ScalarType dtype)
struct quantize_per_channel : detail::on_grid<quantize_per_channel, grid_step::quantize> {
    static constexpr std::string_view name = "quantized_decomposed.quantize_per_channel.default"sv;
    enum at : int { input, scales, zero_points, axis, quant_min, quant_max, dtype };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor),       required("scales", parameter_kind::tensor),
        required("zero_points", parameter_kind::tensor), required("axis", parameter_kind::integer),
        required("quant_min", parameter_kind::integer),  required("quant_max", parameter_kind::integer),
        required("dtype", parameter_kind::dtype)};
};

/// dequantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype, *,
/// ScalarType? out_dtype=None): (input - zero_point) * scale, in f32; dtype is input's
struct dequantize_per_tensor : detail::on_grid<dequantize_per_tensor, grid_step::dequantize> {
    static constexpr std::string_view name = "quantized_decomposed.dequantize_per_tensor.default"sv;
    enum at : int { input, scale, zero_point, quant_min, quant_max, dtype, out_dtype };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("scale", parameter_kind::real),
                                           required("zero_point", parameter_kind::integer),
                                           required("quant_min", parameter_kind::integer),
                                           required("quant_max", parameter_kind::integer),
                                           required("dtype", parameter_kind::dtype),
                                           defaulted("out_dtype", parameter_kind::optional_dtype)};
};
/// dequantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, int quant_max, ScalarType
/// dtype, *, ScalarType? out_dtype=None)
struct dequantize_per_tensor_tensor : detail::on_grid<dequantize_per_tensor, grid_step::dequantize> {
    static constexpr std::string_view name = "quantized_decomposed.dequantize_per_tensor.tensor"sv;
    using at = dequantize_per_tensor::at;
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("scale", parameter_kind::tensor),
                                           required("zero_point", parameter_kind::tensor),
                                           required("quant_min", parameter_kind::integer),
                                           required("quant_max", parameter_kind::integer),
                                           required("dtype", parameter_kind::dtype),
                                           defaulted("out_dtype", parameter_kind::optional_dtype)};
};
/// dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int axis, int quant_min, int quant_max,
/// ScalarType dtype, *, ScalarType? out_dtype=None)
struct dequantize_per_channel : detail::on_grid<dequantize_per_channel, grid_step::dequantize> {
    static constexpr std::string_view name = "quantized_decomposed.dequantize_per_channel.default"sv;
    enum at : int { input, scales, zero_points, axis, quant_min, quant_max, dtype, out_dtype };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("scales", parameter_kind::tensor),
                                           required("zero_points", parameter_kind::optional_tensor),
                                           required("axis", parameter_kind::integer),
                                           required("quant_min", parameter_kind::integer),
                                           required("quant_max", parameter_kind::integer),
                                           required("dtype", parameter_kind::dtype),
                                           defaulted("out_dtype", parameter_kind::optional_dtype)};
};

/// fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int quant_max): the nearest
/// number on the grid
struct fake_quantize_per_tensor : detail::on_grid<fake_quantize_per_tensor, grid_step::both> {
    static constexpr std::string_view name = "aten.fake_quantize_per_tensor_affine.default"sv;
    enum at : int { self, scale, zero_point, quant_min, quant_max };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("scale", parameter_kind::real),
        required("zero_point", parameter_kind::integer), required("quant_min", parameter_kind::integer),
        required("quant_max", parameter_kind::integer)};
};
/// fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int
/// quant_max)
struct fake_quantize_per_channel : detail::on_grid<fake_quantize_per_channel, grid_step::both> {
    static constexpr std::string_view name = "aten.fake_quantize_per_channel_affine.default"sv;
    enum at : int { self, scale, zero_point, axis, quant_min, quant_max };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor),       required("scale", parameter_kind::tensor),
        required("zero_point", parameter_kind::tensor), required("axis", parameter_kind::integer),
        required("quant_min", parameter_kind::integer), required("quant_max", parameter_kind::integer)};
};

namespace detail {

/// Operators whose result has a quantised dtype, which is not supported here: refused.
template <class Op> struct quantised_result {
    static constexpr std::string_view instead = "integers: quantized_decomposed.quantize_per_tensor"sv;
    static constexpr bool infer(infer_context& c) {
        return c.refuse(fault::dtype_is_unsupported, Op::instead, c.at(Op::at::dtype).text);
    }
};

} // namespace detail

/// quantize_per_tensor(Tensor self, float scale, int zero_point, ScalarType dtype): refused
struct to_quantised : detail::quantised_result<to_quantised> {
    static constexpr std::string_view name = "aten.quantize_per_tensor.default"sv;
    enum at : int { self, scale, zero_point, dtype };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("scale", parameter_kind::real),
        required("zero_point", parameter_kind::integer), required("dtype", parameter_kind::string)};
};
/// quantize_per_tensor.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, ScalarType dtype): refused
struct to_quantised_tensor : detail::quantised_result<to_quantised_tensor> {
    static constexpr std::string_view name = "aten.quantize_per_tensor.tensor_qparams"sv;
    using at = to_quantised::at;
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("scale", parameter_kind::tensor),
        required("zero_point", parameter_kind::tensor), required("dtype", parameter_kind::string)};
};
/// quantize_per_tensor_dynamic(Tensor self, ScalarType dtype, bool reduce_range): refused
struct to_quantised_dynamic : detail::quantised_result<to_quantised_dynamic> {
    static constexpr std::string_view name = "aten.quantize_per_tensor_dynamic.default"sv;
    enum at : int { self, dtype, reduce_range };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("dtype", parameter_kind::string),
                                           required("reduce_range", parameter_kind::boolean)};
};
/// quantize_per_channel(Tensor self, Tensor scales, Tensor zero_points, int axis, ScalarType dtype): refused
struct to_quantised_channels : detail::quantised_result<to_quantised_channels> {
    static constexpr std::string_view name = "aten.quantize_per_channel.default"sv;
    static constexpr std::string_view instead = "integers: quantized_decomposed.quantize_per_channel"sv;
    enum at : int { self, scales, zero_points, axis, dtype };
    static constexpr parameter schema[] = {
        required("self", parameter_kind::tensor), required("scales", parameter_kind::tensor),
        required("zero_points", parameter_kind::tensor), required("axis", parameter_kind::integer),
        required("dtype", parameter_kind::string)};
};

using quantise_ops =
    op_list<to_quantised, to_quantised_tensor, to_quantised_dynamic, to_quantised_channels, quantize_per_tensor,
            quantize_per_tensor_tensor, quantize_per_channel, dequantize_per_tensor, dequantize_per_tensor_tensor,
            dequantize_per_channel, fake_quantize_per_tensor, fake_quantize_per_channel>;

} // namespace ahead::aten
