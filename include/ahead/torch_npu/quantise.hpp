// SPDX-License-Identifier: MIT
// torch_npu's quantised operators of i8: scales and offsets are tensors, products are exact integers, and halves round
// to even. int4 packed in i32 is refused, which this library does not have, and so are 8-bit floats.
// Invariant: `evaluate` and expansion compute in f32 in the same order, so that they round equally.
#pragma once
#include <ahead/torch_npu/activation.hpp>
#include <ahead/torch_npu/dtype_number.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

namespace detail {

/// The least and largest f32 number that an integer dtype holds.
struct integer_range {
    double least, most;
};
constexpr integer_range range_of(dtype type) {
    if (type == dtype::i8) return {-128, 127};
    if (type == dtype::u8) return {0, 255};
    return {-2147483648.0, 2147483520.0};
}
constexpr std::int64_t rounded_into(dtype type, float x) {
    const auto range = range_of(type);
    if (math::isnan(x)) return 0;
    const double whole = aten::round::meaning(static_cast<double>(x));
    return static_cast<std::int64_t>(std::min(std::max(whole, range.least), range.most));
}
constexpr argument round_into(decompose_context& c, const argument& x, dtype type) {
    const auto range = range_of(type);
    const auto whole = c.call("aten.clamp.default", {c.call("aten.round.default", {x}), range.least, range.most});
    return as_type(c, whole, type);
}
/// Checks for one value, or one per element of the last dim.
constexpr bool check_row(infer_context& c, int i, std::int64_t size) {
    const auto& t = c.tensor(i);
    if (t.rank != 1) return c.refuse(fault::rank_is_wrong, "rank 1", print(t));
    return t.size(0) == 1 || t.size(0) == size ||
           c.refuse(fault::shapes_do_not_broadcast, short_text("1 or ") << size << " values", print(t));
}
constexpr bool check_scale(infer_context& c, int i) {
    const auto& t = c.tensor(i);
    return t.type == dtype::f32 || t.type == dtype::bf16 ||
           c.refuse(fault::dtype_is_unsupported, "f32 or bf16", print(t));
}
constexpr float row_value(const auto& row, std::int64_t place) { return row[{row.type().size(0) == 1 ? 0 : place}]; }

/// A scale is its row's largest absolute value over 127. The divisor is at least this, so that no row divides by 0.
inline constexpr float least_scale = std::numeric_limits<float>::min();
/// Binds result 0, i8, and result `scales`, the scale of each row, computed from x, f32.
constexpr void expand_dynamic(decompose_context& c, const argument& x, int scales = 1) {
    const auto largest = c.call("aten.amax.default", {c.call("aten.abs.default", {x}), int_list{-1}, true});
    const auto scale = c.call("aten.div.Tensor", {largest, 127.0});
    const auto divisor = c.call("aten.clamp_min.default", {scale, static_cast<double>(least_scale)});
    c.bind_result(round_into(c, c.call("aten.div.Tensor", {x, divisor}), dtype::i8));
    if (c.editor().ok() && c.is_result_used(scales))
        c.bind_result(c.call(reshape, {scale, sizes_of(c.aten.result_type(scales))}), scales);
}
/// value(index of result 0) is the number to quantise.
constexpr void evaluate_dynamic(auto& c, auto value, int scale = 1) {
    const auto out = c.output(0, std::int64_t{});
    const auto scales = c.output(scale, float{});
    auto rows = sizes_of(out.type());
    const auto columns = rows[--rows.size];
    for_each_index(rows, [&](const int_list& row) {
        auto at = row;
        at.push_back(0);
        float largest = 0;
        for (auto& k = at[row.size] = 0; k < columns; ++k) largest = std::max(largest, math::abs(value(at)));
        const float step = largest / 127.0f;
        scales.put(row, step);
        for (auto& k = at[row.size] = 0; k < columns; ++k)
            out.put(at, rounded_into(dtype::i8, value(at) / std::max(step, least_scale)));
    });
}

} // namespace detail

/// npu_quantize(Tensor self, Tensor scales, Tensor? zero_points, int dtype, int axis=1, bool div_mode=True): self /
/// scales + zero_points, or without div_mode self * scales + zero_points, rounded and clipped to the dtype: i8, u8 or
/// i32. scales and zero_points: of rank 1, with 1 element or the axis's size; else they broadcast to self. axis: with
/// div_mode any dim; else -2, the last but one; any other value means the last dim
struct npu_quantize {
    static constexpr std::string_view name = "npu.npu_quantize.default"sv;
    enum at : int { self, scales, zero_points, dtype, axis, div_mode };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("scales", parameter_kind::tensor),
                                           required("zero_points", parameter_kind::optional_tensor),
                                           required("dtype", parameter_kind::integer),
                                           defaulted("axis", parameter_kind::integer, argument::of(1)),
                                           defaulted("div_mode", parameter_kind::boolean, argument::of(true))};
    static constexpr std::int32_t most_calls = 12;
    static constexpr std::int64_t axis_of(const auto& c) {
        if (c.boolean(at::div_mode)) return c.integer(at::axis);
        return c.integer(at::axis) == -2 ? -2 : -1;
    }
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::self);
        auto type = ir::dtype::i8;
        int dim = 0;
        if (!check_floating(c, at::self) || !check_rank(c, at::self, 1, max_rank) ||
            !c.wrap_dim(axis_of(c), t.rank, dim) ||
            !read_dtype(
                c, at::dtype, type, type,
                [](ir::dtype d) { return d == ir::dtype::i8 || d == ir::dtype::u8 || d == ir::dtype::i32; },
                "i8, u8 or i32"))
            return false;
        for (int i : {at::scales, at::zero_points}) {
            if (!c.is_given(i)) continue;
            if (c.tensor(i).rank == 1 ? !detail::check_row(c, i, t.size(dim)) : !check_broadcasts_to(c, i, sizes_of(t)))
                return false;
        }
        if (!is_floating(c.tensor(at::scales).type))
            return c.refuse(fault::dtype_is_unsupported, "floating point", print(c.tensor(at::scales)));
        return c.result(like(t, type));
    }
    static constexpr void evaluate(auto& c) {
        const auto x = c.input(at::self, float{}), scales = c.input(at::scales, float{});
        const auto out = c.output(0, std::int64_t{});
        const int dim = wrapped_dim(axis_of(c), x.type().rank);
        const auto value = [&](const auto& of, const int_list& at) {
            return of.type().rank == 1 ? detail::row_value(of, at[dim]) : of[broadcast_index(of.type(), at)];
        };
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            auto made = c.boolean(at::div_mode) ? x[at] / value(scales, at) : x[at] * value(scales, at);
            if (c.is_given(at::zero_points)) made += value(c.input(at::zero_points, float{}), at);
            out.put(at, detail::rounded_into(out.type().type, made));
        });
    }
    static constexpr void expand(decompose_context& c) {
        const int rank = c.aten.tensor(at::self).rank, dim = wrapped_dim(axis_of(c.aten), rank);
        const auto along = [&](int i) {
            const auto x = as_type(c, c.operand(i), ir::dtype::f32);
            const auto& t = c.aten.tensor(i);
            if (t.rank != 1 || t.size(0) == 1 || dim == rank - 1) return x;
            int_list sizes{t.size(0)};
            for (int d = dim + 1; d < rank; ++d) sizes.push_back(1);
            return c.call(reshape, {x, sizes});
        };
        auto made =
            c.call(c.aten.boolean(at::div_mode) ? "aten.div.Tensor" : mul, {wide(c, at::self), along(at::scales)});
        if (c.aten.is_given(at::zero_points)) made = c.call(add, {made, along(at::zero_points)});
        c.bind_result(detail::round_into(c, made, c.aten.result_type().type));
    }
};

/// npu_dynamic_quant(Tensor input, *, Tensor? smooth_scales=None, Tensor? group_index=None, int? dst_type=None, str
/// quant_mode="pertoken"): (i8 of input's sizes, f32 scales of its rows): input * smooth_scales [columns] = result *
/// scale, where scale is the row's largest absolute value over 127; a row of zeros gives zeros
struct npu_dynamic_quant {
    static constexpr std::string_view name = "npu.npu_dynamic_quant.default"sv;
    enum at : int { input, smooth_scales, group_index, dst_type, quant_mode };
    static constexpr std::string_view modes[] = {"pertoken"};
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor), defaulted("smooth_scales", parameter_kind::optional_tensor),
        defaulted("group_index", parameter_kind::optional_tensor),
        defaulted("dst_type", parameter_kind::optional_integer),
        one_of(modes,
               defaulted("quant_mode", parameter_kind::string, {.kind = argument_kind::string, .text = "pertoken"}))};
    static constexpr std::int32_t most_calls = 12;
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::input);
        auto type = dtype::i8;
        if (!check_floating(c, at::input) || !check_rank(c, at::input, 2, max_rank) ||
            !refuse_given(c, at::group_index, "group_index") ||
            !read_dtype(c, at::dst_type, type, type, [](dtype d) { return d == dtype::i8; }, "i8"))
            return false;
        if (c.is_given(at::smooth_scales) && (!check_is(c, at::smooth_scales, {t.size(t.rank - 1)}) ||
                                              !check_same_dtype(c, at::smooth_scales, at::input)))
            return false;
        return c.results(2) && c.set(0, like(t, dtype::i8)) &&
               c.set(1, tensor_of(dtype::f32, aten::sizes_without(t, 1u << (t.rank - 1), false)));
    }
    static constexpr void evaluate(auto& c) {
        const auto x = c.input(at::input, float{});
        detail::evaluate_dynamic(c, [&](const int_list& at) {
            return c.is_given(at::smooth_scales) ? x[at] * c.input(at::smooth_scales, float{})[{at[at.size - 1]}]
                                                 : x[at];
        });
    }
    static constexpr void expand(decompose_context& c) {
        auto x = wide(c, at::input);
        if (c.aten.is_given(at::smooth_scales)) x = c.call(mul, {x, wide(c, at::smooth_scales)});
        detail::expand_dynamic(c, x);
    }
};

/// npu_anti_quant(Tensor x, Tensor scale, *, Tensor? offset=None, int? dst_dtype=None, int? src_dtype=None): (x +
/// offset) * scale, in f16, or in bf16 if dst_dtype is bf16. x: i8; scale and offset: 1 element or the last dim's size
struct npu_anti_quant {
    static constexpr std::string_view name = "npu.npu_anti_quant.default"sv;
    enum at : int { x, scale, offset, dst_dtype, src_dtype };
    static constexpr parameter schema[] = {
        required("x", parameter_kind::tensor), required("scale", parameter_kind::tensor),
        defaulted("offset", parameter_kind::optional_tensor), defaulted("dst_dtype", parameter_kind::optional_integer),
        defaulted("src_dtype", parameter_kind::optional_integer)};
    static constexpr std::int32_t most_calls = 6;
    static constexpr bool infer(infer_context& c) {
        auto type = dtype::f16, from = dtype::i8;
        const auto t = c.tensor(at::x);
        if (!check_dtype(c, at::x, dtype::i8) || !check_rank(c, at::x, 1, max_rank) ||
            !read_dtype(c, at::dst_dtype, type, type, is_half, "f16 or bf16") ||
            !read_dtype(c, at::src_dtype, from, from, [](dtype d) { return d == dtype::i8; }, "i8"))
            return false;
        for (int i : {at::scale, at::offset})
            if (c.is_given(i) && (!detail::check_scale(c, i) || !detail::check_row(c, i, t.size(t.rank - 1))))
                return false;
        return c.result(like(t, type));
    }
    static constexpr void evaluate(auto& c) {
        const auto in = c.input(at::x, float{}), scale = c.input(at::scale, float{});
        const auto out = c.output(0, float{});
        for_each_index(sizes_of(out.type()), [&](const int_list& at) {
            const auto place = at[at.size - 1];
            const auto shift = c.is_given(at::offset) ? detail::row_value(c.input(at::offset, float{}), place) : 0.0f;
            out.put(at, (in[at] + shift) * detail::row_value(scale, place));
        });
    }
    static constexpr void expand(decompose_context& c) {
        auto x = as_type(c, c.operand(at::x), dtype::f32);
        if (c.aten.is_given(at::offset)) x = c.call(add, {x, wide(c, at::offset)});
        finish(c, c.call(mul, {x, wide(c, at::scale)}));
    }
};

using quantise_ops = op_list<npu_quantize, npu_dynamic_quant, npu_anti_quant>;

} // namespace ahead::torch_npu
