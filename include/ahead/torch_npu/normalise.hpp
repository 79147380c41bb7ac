// SPDX-License-Identifier: MIT
// torch_npu's norms and softmax for f16, bf16 and f32; sums accumulate in double.
#pragma once
#include <ahead/torch_npu/expansion.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

namespace detail {

/// Normalises the last dims, those of gamma. rstd, 1 / root of the mean of squares, is f32 and has size 1 there.
constexpr bool infer_rms_norm(infer_context& c, int x, int gamma, tensor_type& rstd) {
    const auto &t = c.tensor(x), &g = c.tensor(gamma);
    if (!check_floating(c, x) || !check_same_dtype(c, gamma, x)) return false;
    if (g.rank == 0 || g.rank > t.rank)
        return c.refuse(fault::rank_is_wrong, short_text("rank 1 to ") << t.rank, print(g));
    const auto dims = aten::last_dims(t.rank, g.rank);
    rstd = tensor_of(dtype::f32, aten::sizes_without(t, dims, true));
    return check_is(c, gamma, aten::detail::last_of(sizes_of(t), g.rank));
}
/// element(index) is the input. put(index, y) takes the normalised element, put_root(row, rstd) the reciprocal root.
constexpr void evaluate_rms_norm(auto& c, int x, int gamma, double epsilon, double shift, auto element, auto put,
                                 auto put_root) {
    const auto& t = c.tensor(x);
    const auto g = c.input(gamma, float{});
    const auto dims = aten::last_dims(t.rank, g.type().rank);
    aten::for_each_reduced(t, dims, true, [&](const int_list& row, auto walk) {
        double sum = 0;
        walk([&](const int_list& i) { sum += element(i) * element(i); });
        const double scale = 1 / math::sqrt(sum / static_cast<double>(aten::reduced_count(t, dims)) + epsilon);
        put_root(row, static_cast<float>(scale));
        walk([&](const int_list& i) {
            const double factor = shift + static_cast<double>(g[aten::detail::last_of(i, g.type().rank)]);
            put(i, static_cast<float>(element(i) * scale * factor));
        });
    });
}
/// Writes results 0 and 1.
constexpr void evaluate_rms_norm(auto& c, int x, int gamma, double epsilon, double shift, auto element) {
    const auto y = c.output(0, float{}), rstd = c.output(1, float{});
    evaluate_rms_norm(
        c, x, gamma, epsilon, shift, element, [&](const int_list& i, float made) { y.put(i, made); },
        [&](const int_list& row, float made) { rstd.put(row, made); });
}
/// Both are f32.
struct rms_normed {
    argument y, rstd;
};
/// The norm of x, in f32.
constexpr rms_normed call_rms_norm(decompose_context& c, const argument& x, int gamma, double epsilon, double shift) {
    if (!c.editor().ok()) return {};
    const int rank = c.type_of(x).rank;
    const auto dims = decomposition::dims_of(aten::last_dims(rank, c.aten.tensor(gamma).rank), rank);
    const auto squares = c.call(mean, {c.call(mul, {x, x}), dims, true});
    const auto rstd = c.call("aten.rsqrt.default", {c.call(add, {squares, epsilon})});
    const auto factor = shift == 0 ? wide(c, gamma) : c.call(add, {wide(c, gamma), shift});
    return {c.call(mul, {c.call(mul, {x, rstd}), factor}), rstd};
}
/// Binds results 0 and 1.
constexpr void expand_rms_norm(decompose_context& c, const argument& x, int gamma, double epsilon, double shift) {
    const auto made = call_rms_norm(c, x, gamma, epsilon, shift);
    finish(c, made.y);
    finish(c, made.rstd, 1);
}

/// Shift is added to gamma.
template <class Op, int Shift> struct rms_norm {
    enum at : int { self, gamma, epsilon };
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor),
                                           required("gamma", parameter_kind::tensor),
                                           defaulted("epsilon", parameter_kind::real, argument::of(1e-06))};
    static constexpr std::int32_t most_calls = 11;
    static constexpr bool infer(infer_context& c) {
        tensor_type rstd;
        return infer_rms_norm(c, at::self, at::gamma, rstd) && c.results(2) &&
               c.set(0, like(c.tensor(at::self), c.tensor(at::self).type)) && c.set(1, rstd);
    }
    static constexpr void evaluate(auto& c) {
        const auto x = c.input(at::self, float{});
        evaluate_rms_norm(c, at::self, at::gamma, c.real(at::epsilon), Shift,
                          [&](const int_list& i) { return static_cast<double>(x[i]); });
    }
    static constexpr void expand(decompose_context& c) {
        expand_rms_norm(c, wide(c, at::self), at::gamma, c.aten.real(at::epsilon), Shift);
    }
};

} // namespace detail

/// npu_rms_norm(Tensor self, Tensor gamma, float epsilon=1e-06): (self / root * gamma, 1 / root), where root =
/// sqrt(mean of squares + epsilon) over the last dims, those of gamma
struct npu_rms_norm : detail::rms_norm<npu_rms_norm, 0> {
    static constexpr std::string_view name = "npu.npu_rms_norm.default"sv;
};

/// npu_gemma_rms_norm(Tensor self, Tensor gamma, float epsilon=1e-06): the same with 1 + gamma instead of gamma
struct npu_gemma_rms_norm : detail::rms_norm<npu_gemma_rms_norm, 1> {
    static constexpr std::string_view name = "npu.npu_gemma_rms_norm.default"sv;
};

/// npu_add_rms_norm(Tensor x1, Tensor x2, Tensor gamma, float epsilon=1e-06): (y, rstd, x) with x = x1 + x2, rounded,
/// and (y, rstd) = npu_rms_norm(x)
struct npu_add_rms_norm {
    static constexpr std::string_view name = "npu.npu_add_rms_norm.default"sv;
    enum at : int { x1, x2, gamma, epsilon };
    static constexpr parameter schema[] = {
        required("x1", parameter_kind::tensor), required("x2", parameter_kind::tensor),
        required("gamma", parameter_kind::tensor), defaulted("epsilon", parameter_kind::real, argument::of(1e-06))};
    static constexpr std::int32_t most_calls = 15;
    static constexpr bool infer(infer_context& c) {
        const auto t = c.tensor(at::x1);
        tensor_type rstd;
        return detail::infer_rms_norm(c, at::x1, at::gamma, rstd) && check_same_dtype(c, at::x2, at::x1) &&
               check_is(c, at::x2, sizes_of(t)) && c.results(3) && c.set(0, like(t, t.type)) && c.set(1, rstd) &&
               c.set(2, like(t, t.type));
    }
    static constexpr void evaluate(auto& c) {
        const auto a = c.input(at::x1, float{}), b = c.input(at::x2, float{});
        const auto type = c.tensor(at::x1).type;
        const auto sum = [&](const int_list& i) { return ahead::detail::rounded<float>(type, a[i] + b[i]); };
        detail::evaluate_rms_norm(c, at::x1, at::gamma, c.real(at::epsilon), 0,
                                  [&](const int_list& i) { return static_cast<double>(sum(i)); });
        for_each_index(sizes_of(c.tensor(at::x1)), [&](const int_list& i) { c.output(2, float{}).put(i, sum(i)); });
    }
    static constexpr void expand(decompose_context& c) {
        const auto x = c.call(add, {c.operand(at::x1), c.operand(at::x2)});
        detail::expand_rms_norm(c, as_type(c, x, dtype::f32), at::gamma, c.aten.real(at::epsilon), 0);
        finish(c, x, 2);
    }
};

/// npu_layer_norm_eval(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05)
struct npu_layer_norm_eval {
    static constexpr std::string_view name = "npu.npu_layer_norm_eval.default"sv;
    enum at : int { input, normalized_shape, weight, bias, eps };
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor), required("normalized_shape", parameter_kind::int_list),
        defaulted("weight", parameter_kind::optional_tensor), defaulted("bias", parameter_kind::optional_tensor),
        defaulted("eps", parameter_kind::real, argument::of(1e-05))};
    static constexpr std::int32_t most_calls = 5;
    static constexpr bool infer(infer_context& c) {
        const auto shape = c.ints(at::normalized_shape);
        return check_floating(c, at::input) && aten::detail::check_normalized_shape(c, c.tensor(at::input), shape) &&
               aten::check_affine(c, at::weight, shape) && aten::check_affine(c, at::bias, shape) &&
               c.result(like(c.tensor(at::input), c.tensor(at::input).type));
    }
    static constexpr void evaluate(auto& c) {
        aten::detail::evaluate_layer_norm(c, c.ints(at::normalized_shape).size,
                                          {.weight = at::weight, .bias = at::bias}, c.real(at::eps), false);
    }
    static constexpr void expand(decompose_context& c) {
        const auto given = [&](int i) { return c.aten.is_given(i) ? call_argument(wide(c, i)) : call_argument{}; };
        const auto weight = given(at::weight), bias = given(at::bias);
        finish(c, c.call("aten.layer_norm.default",
                         {wide(c, at::input), c.aten.ints(at::normalized_shape), weight, bias, c.aten.real(at::eps)}));
    }
};

/// npu_scaled_masked_softmax(Tensor x, Tensor mask, Scalar scale=1, bool fixed_triu_mask=False): the softmax over the
/// last dim of x * scale, with -10000 where mask is True; mask is b8 and broadcasts to x. With fixed_triu_mask, -10000
/// above the diagonal, and mask is ignored. x: [N, C, H, W]
struct npu_scaled_masked_softmax {
    static constexpr std::string_view name = "npu.npu_scaled_masked_softmax.default"sv;
    enum at : int { x, mask, scale, fixed_triu_mask };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("mask", parameter_kind::tensor),
                                           defaulted("scale", parameter_kind::scalar, argument::of(1)),
                                           defaulted("fixed_triu_mask", parameter_kind::boolean, argument::of(false))};
    static constexpr double hidden = -10000;
    static constexpr std::int32_t most_calls = 7;
    static constexpr bool infer(infer_context& c) {
        return check_floating(c, at::x) && check_rank(c, at::x, 4, 4) && check_dtype(c, at::mask, dtype::b8) &&
               check_broadcasts_to(c, at::mask, sizes_of(c.tensor(at::x))) &&
               c.result(like(c.tensor(at::x), c.tensor(at::x).type));
    }
    static constexpr void evaluate(auto& c) {
        const auto in = c.input(at::x, float{});
        const auto mask = c.input(at::mask, bool{});
        const auto out = c.output(0, float{});
        const bool fixed = c.boolean(at::fixed_triu_mask);
        const auto scale = c.real(at::scale);
        const auto score = [&](const int_list& i) {
            const bool is_hidden = fixed ? i[3] > i[2] : mask[broadcast_index(mask.type(), i)];
            return is_hidden ? hidden : static_cast<double>(in[i]) * scale;
        };
        aten::for_each_reduced(in.type(), 1u << 3, true, [&](const int_list&, auto walk) {
            double largest = -math::detail::infinity, sum = 0;
            walk([&](const int_list& i) { largest = std::max(largest, score(i)); });
            walk([&](const int_list& i) { sum += math::exp(score(i) - largest); });
            walk([&](const int_list& i) { out.put(i, static_cast<float>(math::exp(score(i) - largest) / sum)); });
        });
    }
    static constexpr void expand(decompose_context& c) {
        const auto& t = c.aten.tensor(at::x);
        const int_list square{t.size(2), t.size(3)};
        const auto mask = c.aten.boolean(at::fixed_triu_mask)
                              ? c.call("aten.triu.default", {c.call("aten.full.default", {square, true}), 1})
                              : c.operand(at::mask);
        const auto scaled = c.call(mul, {wide(c, at::x), c.aten.real(at::scale)});
        const auto seen = c.call("aten.masked_fill.Scalar", {scaled, mask, hidden});
        finish(c, c.call("aten._softmax.default", {seen, -1, false}));
    }
};

using normalise_ops =
    op_list<npu_rms_norm, npu_gemma_rms_norm, npu_add_rms_norm, npu_layer_norm_eval, npu_scaled_masked_softmax>;

} // namespace ahead::torch_npu
