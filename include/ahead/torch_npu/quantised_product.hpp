// SPDX-License-Identifier: MIT
// torch_npu's products of i8, whose sums are exact integers, and the fused tail of a quantised layer.
#pragma once
#include <ahead/torch_npu/quantise.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

/// npu_quant_matmul(Tensor x1, Tensor x2, Tensor scale, *, Tensor? offset=None, Tensor? pertoken_scale=None, Tensor?
/// bias=None, int? output_dtype=None): x1 @ x2 * scale * pertoken_scale + bias, in f16 or bf16; or, with offset added
/// and rounded, in i8, which is the default output_dtype; a bias of i32 is added before the scale. x1: i8[.., m, k];
/// x2: i8[.., k, n]; scale: f32 or bf16[1 or n]; offset: f32[1 or n]; pertoken_scale: f32[m]; bias: [n]
struct npu_quant_matmul {
    static constexpr std::string_view name = "npu.npu_quant_matmul.default"sv;
    enum at : int { x1, x2, scale, offset, pertoken_scale, bias, output_dtype };
    static constexpr parameter schema[] = {required("x1", parameter_kind::tensor),
                                           required("x2", parameter_kind::tensor),
                                           required("scale", parameter_kind::tensor),
                                           defaulted("offset", parameter_kind::optional_tensor),
                                           defaulted("pertoken_scale", parameter_kind::optional_tensor),
                                           defaulted("bias", parameter_kind::optional_tensor),
                                           defaulted("output_dtype", parameter_kind::optional_integer)};
    static constexpr std::int32_t most_calls = 16;
    static constexpr std::int64_t exact_columns = 1024; // 2^24 / 2^14: f32 sums of that many products are exact

    static constexpr bool infer(infer_context& c) {
        auto type = dtype::i8;
        tensor_type out;
        if (!check_dtype(c, at::x1, dtype::i8) || !check_rank(c, at::x1, 2, 6) || !check_dtype(c, at::x2, dtype::i8) ||
            !check_rank(c, at::x2, 2, 6) || !aten::infer_matmul(c, c.tensor(at::x1), c.tensor(at::x2), out) ||
            !read_dtype(
                c, at::output_dtype, type, type,
                [](dtype d) { return d == dtype::i8 || d == dtype::f16 || d == dtype::bf16; }, "i8, f16 or bf16"))
            return false;
        const auto rows = out.size(out.rank - 2), columns = out.size(out.rank - 1);
        if (!detail::check_scale(c, at::scale) || !detail::check_row(c, at::scale, columns)) return false;
        if (c.is_given(at::offset) &&
            (!check_dtype(c, at::offset, dtype::f32) || !detail::check_row(c, at::offset, columns)))
            return false;
        if (c.is_given(at::offset) && type != dtype::i8)
            return c.refuse(fault::argument_has_wrong_kind, "offset: None, but for i8", "a tensor");
        if (c.is_given(at::pertoken_scale) &&
            (!check_dtype(c, at::pertoken_scale, dtype::f32) || !check_is(c, at::pertoken_scale, {rows})))
            return false;
        if (c.is_given(at::bias) && (!check_is(c, at::bias, {columns}) ||
                                     (c.tensor(at::bias).type != dtype::i32 && !check_floating(c, at::bias))))
            return false;
        return c.result(tensor_of(type, sizes_of(out)));
    }
    static constexpr void evaluate(auto& c) {
        const auto a = c.input(at::x1, std::int64_t{}), b = c.input(at::x2, std::int64_t{});
        const auto scale = c.input(at::scale, float{});
        const auto& type = c.result_type();
        const bool whole_bias = c.is_given(at::bias) && c.tensor(at::bias).type == dtype::i32;
        for_each_index(sizes_of(type), [&](const int_list& at) {
            const auto row = at[at.size - 2], column = at[at.size - 1];
            auto sum = aten::detail::matmul_element<std::int64_t>(a, b, at);
            if (whole_bias) sum += c.input(at::bias, std::int64_t{})[{column}];
            float made = static_cast<float>(sum) * detail::row_value(scale, column);
            if (c.is_given(at::pertoken_scale)) made *= c.input(at::pertoken_scale, float{})[{row}];
            if (c.is_given(at::bias) && !whole_bias) made += c.input(at::bias, float{})[{column}];
            if (c.is_given(at::offset)) made += detail::row_value(c.input(at::offset, float{}), column);
            if (type.type == dtype::i8) c.output(0, std::int64_t{}).put(at, detail::rounded_into(dtype::i8, made));
            else c.output(0, float{}).put(at, made);
        });
    }
    static constexpr void expand(decompose_context& c) {
        const auto& x = c.aten.tensor(at::x1);
        const bool has_bias = c.aten.is_given(at::bias);
        const bool whole_bias = has_bias && c.aten.tensor(at::bias).type == dtype::i32;
        const auto in = whole_bias || x.size(x.rank - 1) > exact_columns ? dtype::f64 : dtype::f32;
        auto made =
            c.call("aten.matmul.default", {as_type(c, c.operand(at::x1), in), as_type(c, c.operand(at::x2), in)});
        if (whole_bias) made = c.call(add, {made, as_type(c, c.operand(at::bias), in)});
        made = c.call(mul, {as_type(c, made, dtype::f32), wide(c, at::scale)});
        if (c.aten.is_given(at::pertoken_scale))
            made = c.call(mul, {made, c.call("aten.unsqueeze.default", {c.operand(at::pertoken_scale), 1})});
        if (has_bias && !whole_bias) made = c.call(add, {made, wide(c, at::bias)});
        if (c.aten.is_given(at::offset)) made = c.call(add, {made, c.operand(at::offset)});
        if (c.aten.result_type().type == dtype::i8) c.bind_result(detail::round_into(c, made, dtype::i8));
        else finish(c, made);
    }
};

/// npu_dequant_swiglu_quant(Tensor x, *, Tensor? weight_scale=None, Tensor? activation_scale=None, Tensor?
/// quant_scale=None, bool activate_left=False, int quant_mode=0): (i8[rows, H], f32[rows]): dequantises x *
/// weight_scale * activation_scale, computes a * silu(b) of its halves, or with activate_left silu(a) * b, multiplies
/// by quant_scale, and quantises like npu_dynamic_quant. x: i32, f16 or bf16[rows, 2 H]; weight_scale: f32[2 H] or [1,
/// 2 H]; activation_scale: f32[rows] or [rows, 1]; quant_scale: f32[H] or [1, H]. quant_mode must be 1, dynamic;
/// groups, a bias and an offset are refused
struct npu_dequant_swiglu_quant {
    static constexpr std::string_view name = "npu.npu_dequant_swiglu_quant.default"sv;
    enum at : int { x, weight_scale, activation_scale, quant_scale, activate_left, quant_mode };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           defaulted("weight_scale", parameter_kind::optional_tensor),
                                           defaulted("activation_scale", parameter_kind::optional_tensor),
                                           defaulted("quant_scale", parameter_kind::optional_tensor),
                                           defaulted("activate_left", parameter_kind::boolean, argument::of(false)),
                                           defaulted("quant_mode", parameter_kind::integer, argument::of(0))};
    static constexpr std::int32_t most_calls = 22;
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::x);
        if (t.type != dtype::i32 && !check_floating(c, at::x)) return false;
        if (!check_rank(c, at::x, 2, 2)) return false;
        if (c.integer(at::quant_mode) != 1)
            return c.refuse(fault::argument_has_wrong_kind, "quant_mode: 1, dynamic",
                            short_text() << c.integer(at::quant_mode));
        if (t.size(1) % 2 != 0)
            return c.refuse(fault::split_sizes_do_not_add_up, "two halves of a last dim of even size", print(t));
        const int_list counts{0, t.size(1), t.size(0), t.size(1) / 2};
        for (int i : {at::weight_scale, at::activation_scale, at::quant_scale}) {
            if (!c.is_given(i)) continue;
            const auto& s = c.tensor(i);
            if (!check_dtype(c, i, dtype::f32) || !check_rank(c, i, 1, 2)) return false;
            const bool is_row = i != at::activation_scale;
            if (s.rank == 2 ? !check_is(c, i, is_row ? int_list{1, counts[i]} : int_list{counts[i], 1})
                            : !check_is(c, i, {counts[i]}))
                return false;
        }
        return c.results(2) && c.set(0, tensor_of(dtype::i8, {t.size(0), t.size(1) / 2})) &&
               c.set(1, tensor_of(dtype::f32, {t.size(0)}));
    }
    static constexpr void evaluate(auto& c) {
        const auto in = c.input(at::x, float{});
        const auto half = in.type().size(1) / 2;
        const bool left = c.boolean(at::activate_left);
        const auto value = [&](int i, std::int64_t place) {
            if (!c.is_given(i)) return 1.0f;
            const auto of = c.input(i, float{});
            if (of.type().rank == 1) return of[{place}];
            return i == at::activation_scale ? of[{place, 0}] : of[{0, place}];
        };
        const auto real = [&](std::int64_t row, std::int64_t column) {
            return in[{row, column}] * value(at::weight_scale, column) * value(at::activation_scale, row);
        };
        detail::evaluate_dynamic(c, [&](const int_list& at) {
            const float a = real(at[0], at[1]), b = real(at[0], at[1] + half);
            const float bent = left ? aten::silu::meaning(a) * b : a * aten::silu::meaning(b);
            return bent * value(at::quant_scale, at[1]);
        });
    }
    static constexpr void expand(decompose_context& c) {
        auto x = as_type(c, c.operand(at::x), dtype::f32);
        if (c.aten.is_given(at::weight_scale)) x = c.call(mul, {x, c.operand(at::weight_scale)});
        if (c.aten.is_given(at::activation_scale)) {
            const int_list column{c.aten.tensor(at::x).size(0), 1};
            x = c.call(mul, {x, c.call(reshape, {c.operand(at::activation_scale), column})});
        }
        if (!c.editor().ok()) return;
        const auto half = detail::halves_of(c, x, 1);
        const bool left = c.aten.boolean(at::activate_left);
        const auto bent = c.call("aten.silu.default", {left ? half.first : half.second});
        auto made = c.call(mul, {bent, left ? half.second : half.first});
        if (c.aten.is_given(at::quant_scale)) made = c.call(mul, {made, c.operand(at::quant_scale)});
        detail::expand_dynamic(c, made);
    }
};

using quantised_product_ops = op_list<npu_quant_matmul, npu_dequant_swiglu_quant>;

} // namespace ahead::torch_npu
