// SPDX-License-Identifier: MIT
// torch_npu's fused operators: sum, RMS norm, and a cast or quantisation of the norm.
// Invariant: each equals the composition of its parts: the norm is rounded to the dtype of x1 before it is cast or
// quantised, so that the rules that fuse them (patterns.hpp) do not change any result.
#pragma once
#include <ahead/torch_npu/normalise.hpp>
#include <ahead/torch_npu/quantise.hpp>
#include <vector>

namespace AHEAD_NAMESPACE::torch_npu {

namespace detail {

/// The common part of the three operators; their first parameters are x1, x2, gamma.
struct add_rms_norm {
    enum at : int { x1, x2, gamma };
    static constexpr std::int32_t most_calls = 40;

    static constexpr bool check_operands(infer_context& c, tensor_type& rstd) {
        return infer_rms_norm(c, at::x1, at::gamma, rstd) && check_same_dtype(c, at::x2, at::x1) &&
               check_is(c, at::x2, sizes_of(c.tensor(at::x1)));
    }
    static constexpr std::int64_t place_of(const tensor_type& t, const int_list& i) {
        std::int64_t place = 0;
        for (int d = 0; d < t.rank; ++d) place = place * t.size(d) + i[d];
        return place;
    }
    /// Returns the rounded norm in row-major order; writes the sum to result `sum`.
    static constexpr std::vector<float> evaluate_norm(auto& c, double epsilon, int sum, auto put_root) {
        const auto a = c.input(at::x1, float{}), b = c.input(at::x2, float{});
        const auto x = c.output(sum, float{});
        const auto& t = c.tensor(at::x1);
        std::vector<float> y(static_cast<std::size_t>(element_count(t)));
        const auto element = [&](const int_list& i) { return ahead::detail::rounded<float>(t.type, a[i] + b[i]); };
        evaluate_rms_norm(
            c, at::x1, at::gamma, epsilon, 0, [&](const int_list& i) { return static_cast<double>(element(i)); },
            [&](const int_list& i, float made) {
                y[static_cast<std::size_t>(place_of(t, i))] = ahead::detail::rounded<float>(t.type, made);
            },
            put_root);
        for_each_index(sizes_of(t), [&](const int_list& i) { x.put(i, element(i)); });
        return y;
    }
    static constexpr std::vector<float> evaluate_norm(auto& c, double epsilon, int sum) {
        return evaluate_norm(c, epsilon, sum, [](const int_list&, float) {});
    }
    /// Returns the rounded norm and its reciprocal root; binds the sum to result `sum`.
    static constexpr rms_normed expand_norm(decompose_context& c, double epsilon, int sum) {
        const auto x = c.call(add, {c.operand(at::x1), c.operand(at::x2)});
        finish(c, x, sum);
        auto made = call_rms_norm(c, as_type(c, x, dtype::f32), at::gamma, epsilon, 0);
        if (c.editor().ok()) made.y = as_type(c, made.y, c.aten.tensor(at::x1).type);
        return made;
    }
    /// Binds zeros to result k, which belongs to the second set of scales.
    static constexpr void finish_zeros(decompose_context& c, int k) {
        if (!c.editor().ok() || !c.is_result_used(k)) return;
        const auto t = c.aten.result_type(k);
        c.bind_result(c.call("aten.full.default", {sizes_of(t), 0, t.type}), k);
    }
    static constexpr void put_zeros(auto& c, int k, auto zero) {
        const auto out = c.output(k, zero);
        for_each_index(sizes_of(out.type()), [&](const int_list& i) { out.put(i, zero); });
    }
    /// Refuses parameters that only Ascend's operators support.
    static constexpr bool refuse_others(infer_context& c, array_view<const parameter> schema,
                                        std::initializer_list<int> others) {
        for (int i : others)
            if (!refuse_given(c, i, schema[static_cast<std::size_t>(i)].name)) return false;
        return true;
    }
};

} // namespace detail

/// npu_add_rms_norm_cast(Tensor x1, Tensor x2, Tensor gamma, float epsilon=1e-06): (y as f32, y, rstd, x) with (y,
/// rstd, x) of npu_add_rms_norm
struct npu_add_rms_norm_cast : detail::add_rms_norm {
    static constexpr std::string_view name = "npu.npu_add_rms_norm_cast.default"sv;
    static constexpr int epsilon = 3;
    static constexpr auto& schema = npu_add_rms_norm::schema;
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::x1);
        tensor_type rstd;
        return check_operands(c, rstd) && c.results(4) && c.set(0, like(t, dtype::f32)) && c.set(1, like(t, t.type)) &&
               c.set(2, rstd) && c.set(3, like(t, t.type));
    }
    static constexpr void evaluate(auto& c) {
        const auto rstd = c.output(2, float{}), wide = c.output(0, float{}), y = c.output(1, float{});
        const auto made =
            evaluate_norm(c, c.real(epsilon), 3, [&](const int_list& row, float root) { rstd.put(row, root); });
        const auto& t = c.tensor(at::x1);
        for_each_index(sizes_of(t), [&](const int_list& i) {
            const auto value = made[static_cast<std::size_t>(place_of(t, i))];
            wide.put(i, value);
            y.put(i, value);
        });
    }
    static constexpr void expand(decompose_context& c) {
        const auto made = expand_norm(c, c.aten.real(epsilon), 3);
        finish(c, made.rstd, 2);
        finish(c, made.y, 1);
        if (c.editor().ok() && c.is_result_used(0)) // a tensor separate from result 1, also if both are f32
            c.bind_result(c.aten.tensor(at::x1).type == dtype::f32 ? c.call("aten.clone.default", {made.y})
                                                              : as_type(c, made.y, dtype::f32));
    }
};

/// npu_add_rms_norm_quant(Tensor x1, Tensor x2, Tensor gamma, Tensor scales1, Tensor? zero_points1=None, Tensor?
/// beta=None, Tensor? scales2=None, Tensor? zero_points2=None, *, int axis=-1, float epsilon=1e-06, bool
/// div_mode=True): (y1, y2, x): y1 is npu_quantize of npu_add_rms_norm's y to i8, y2 is zeros, x = x1 + x2. scales1 and
/// zero_points1 have 1 element or the size of the last dim. beta, scales2 and zero_points2 are refused
struct npu_add_rms_norm_quant : detail::add_rms_norm {
    static constexpr std::string_view name = "npu.npu_add_rms_norm_quant.default"sv;
    enum option : int { scales1 = 3, zero_points1, beta, scales2, zero_points2, axis, epsilon, div_mode };
    static constexpr parameter schema[] = {required("x1", parameter_kind::tensor),
                                           required("x2", parameter_kind::tensor),
                                           required("gamma", parameter_kind::tensor),
                                           required("scales1", parameter_kind::tensor),
                                           defaulted("zero_points1", parameter_kind::optional_tensor),
                                           defaulted("beta", parameter_kind::optional_tensor),
                                           defaulted("scales2", parameter_kind::optional_tensor),
                                           defaulted("zero_points2", parameter_kind::optional_tensor),
                                           defaulted("axis", parameter_kind::integer, argument::of(-1)),
                                           defaulted("epsilon", parameter_kind::real, argument::of(1e-06)),
                                           defaulted("div_mode", parameter_kind::boolean, argument::of(true))};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::x1);
        tensor_type rstd;
        if (!check_operands(c, rstd) || !refuse_others(c, schema, {beta, scales2, zero_points2})) return false;
        if (c.integer(axis) != -1)
            return c.refuse(fault::dimension_is_out_of_range, "axis: -1", short_text() << c.integer(axis));
        for (int i : {scales1, zero_points1})
            if (c.is_given(i) && !detail::check_row(c, i, t.size(t.rank - 1))) return false;
        if (!is_floating(c.tensor(scales1).type))
            return c.refuse(fault::dtype_is_unsupported, "floating point", print(c.tensor(scales1)));
        return c.results(3) && c.set(0, like(t, dtype::i8)) && c.set(1, like(t, dtype::i8)) &&
               c.set(2, like(t, t.type));
    }
    static constexpr void evaluate(auto& c) {
        const auto y = evaluate_norm(c, c.real(epsilon), 2);
        const auto scales = c.input(scales1, float{});
        const auto out = c.output(0, std::int64_t{});
        const auto& t = c.tensor(at::x1);
        for_each_index(sizes_of(t), [&](const int_list& i) {
            const auto value = y[static_cast<std::size_t>(place_of(t, i))],
                       scale = detail::row_value(scales, i[i.size - 1]);
            auto made = c.boolean(div_mode) ? value / scale : value * scale;
            if (c.is_given(zero_points1)) made += detail::row_value(c.input(zero_points1, float{}), i[i.size - 1]);
            out.put(i, detail::rounded_into(dtype::i8, made));
        });
        put_zeros(c, 1, std::int64_t{});
    }
    static constexpr void expand(decompose_context& c) {
        const auto y = as_type(c, expand_norm(c, c.aten.real(epsilon), 2).y, dtype::f32);
        const auto of = [&](int i) { return as_type(c, c.operand(i), dtype::f32); };
        auto made = c.call(c.aten.boolean(div_mode) ? "aten.div.Tensor" : mul, {y, of(scales1)});
        if (c.aten.is_given(zero_points1)) made = c.call(add, {made, of(zero_points1)});
        c.bind_result(detail::round_into(c, made, dtype::i8));
        finish_zeros(c, 1);
    }
};

/// npu_add_rms_norm_dynamic_quant(Tensor x1, Tensor x2, Tensor gamma, *, Tensor? smooth_scale1=None, Tensor?
/// smooth_scale2=None, Tensor? beta=None, float epsilon=1e-06): (y1, y2, x, scale1, scale2): (y1, scale1) is
/// npu_dynamic_quant of npu_add_rms_norm's y; y2 and scale2 are zeros; x = x1 + x2. beta and smooth_scale2 are refused
struct npu_add_rms_norm_dynamic_quant : detail::add_rms_norm {
    static constexpr std::string_view name = "npu.npu_add_rms_norm_dynamic_quant.default"sv;
    enum option : int { smooth_scale1 = 3, smooth_scale2, beta, epsilon };
    static constexpr parameter schema[] = {required("x1", parameter_kind::tensor),
                                           required("x2", parameter_kind::tensor),
                                           required("gamma", parameter_kind::tensor),
                                           defaulted("smooth_scale1", parameter_kind::optional_tensor),
                                           defaulted("smooth_scale2", parameter_kind::optional_tensor),
                                           defaulted("beta", parameter_kind::optional_tensor),
                                           defaulted("epsilon", parameter_kind::real, argument::of(1e-06))};
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::x1);
        tensor_type rstd;
        if (!check_operands(c, rstd) || !check_rank(c, at::x1, 2, max_rank) ||
            !refuse_others(c, schema, {smooth_scale2, beta}))
            return false;
        if (c.is_given(smooth_scale1) &&
            (!check_is(c, smooth_scale1, {t.size(t.rank - 1)}) || !check_same_dtype(c, smooth_scale1, at::x1)))
            return false;
        const auto rows = tensor_of(dtype::f32, aten::sizes_without(t, 1u << (t.rank - 1), false));
        return c.results(5) && c.set(0, like(t, dtype::i8)) && c.set(1, like(t, dtype::i8)) &&
               c.set(2, like(t, t.type)) && c.set(3, rows) && c.set(4, rows);
    }
    static constexpr void evaluate(auto& c) {
        const auto y = evaluate_norm(c, c.real(epsilon), 2);
        const auto& t = c.tensor(at::x1);
        detail::evaluate_dynamic(
            c,
            [&](const int_list& i) {
                const auto value = y[static_cast<std::size_t>(place_of(t, i))];
                return c.is_given(smooth_scale1) ? value * c.input(smooth_scale1, float{})[{i[i.size - 1]}] : value;
            },
            3);
        put_zeros(c, 1, std::int64_t{});
        put_zeros(c, 4, 0.0f);
    }
    static constexpr void expand(decompose_context& c) {
        auto y = as_type(c, expand_norm(c, c.aten.real(epsilon), 2).y, dtype::f32);
        if (c.aten.is_given(smooth_scale1)) y = c.call(mul, {y, wide(c, smooth_scale1)});
        detail::expand_dynamic(c, y, 3);
        finish_zeros(c, 1);
        finish_zeros(c, 4);
    }
};

using add_rms_norm_ops = op_list<npu_add_rms_norm_cast, npu_add_rms_norm_quant, npu_add_rms_norm_dynamic_quant>;

} // namespace ahead::torch_npu
