// SPDX-License-Identifier: MIT
// torch_npu's attention operators, expanded into ATen's scaled_dot_product_attention.
#pragma once
#include <ahead/torch_npu/attend.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

namespace detail {

/// An operand as f32[B, heads, S, D].
constexpr argument by_heads(decompose_context& c, int i, const attended& a, std::int64_t heads) {
    auto x = wide(c, i);
    if (!c.editor().ok() || a.heads_first()) return x;
    const auto t = c.type_of(x);
    if (a.is_flat()) x = c.call(reshape, {x, int_list{t.size(0), t.size(1), heads, t.size(2) / heads}});
    return c.call("aten.transpose.int", {x, 1, 2});
}
/// A b8 mask that is True where a query sees a key, or f32 to add to the scores; none if all keys are visible.
constexpr call_argument seen_by(decompose_context& c, const attention_parameters& of, const attended& a) {
    argument seen;
    if (a.is_masked) {
        seen = c.operand(of.mask);
        seen = c.aten.tensor(of.mask).type == dtype::b8 ? c.call("aten.logical_not.default", {seen})
                                                        : c.call("aten.eq.Scalar", {seen, 0});
        seen = c.call(reshape, {seen, mask_sizes(c.aten.tensor(of.mask), a)});
    }
    if (a.is_banded) {
        auto band = c.call("aten.full.default", {int_list{a.queries, a.keys}, true});
        band = c.call("aten.tril.default", {band, std::min(a.highest, a.keys)});
        band = c.call("aten.triu.default", {band, std::max(a.lowest, -a.queries)});
        seen = a.is_masked ? c.call("aten.logical_and.default", {seen, band}) : band;
    }
    if (a.is_shifted) {
        const auto shift = wide(c, of.shift);
        if (!a.is_masked && !a.is_banded) return shift;
        return c.call("aten.where.ScalarOther", {seen, shift, -std::numeric_limits<double>::infinity()});
    }
    return a.is_masked || a.is_banded ? call_argument(seen) : call_argument{};
}

/// pre: Op has `parameters`
template <class Op> struct attention {
    static constexpr std::int32_t most_calls = 28;
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        return attention_scratch_bytes(c, Op::parameters);
    }
    static constexpr bool has_sums(const auto& c) {
        return Op::parameters.sums != no_parameter && c.boolean(Op::parameters.sums);
    }
    static constexpr bool infer(infer_context& c) {
        attended a;
        tensor_type out;
        if (!infer_attention(c, Op::parameters, a, out)) return false;
        if constexpr (Op::parameters.sums == no_parameter) return c.result(out);
        else
            return c.results(2) && c.set(0, out) &&
                   c.set(1,
                         tensor_of(dtype::f32, has_sums(c) ? int_list{a.batch, a.heads, a.queries, 1} : int_list{0}));
    }
    static constexpr void evaluate(auto& c) {
        evaluate_attention(c, Op::parameters, [&](auto b, auto n, auto i, double largest, double total) {
            if (has_sums(c)) c.output(1, float{}).put({b, n, i, 0}, static_cast<float>(largest + math::log(total)));
        });
    }
    static constexpr void expand(decompose_context& c) {
        constexpr auto of = Op::parameters;
        const auto a = attended_by(c.aten, of);
        const auto q = by_heads(c, of.query, a, a.heads), k = by_heads(c, of.key, a, a.key_heads),
                   v = by_heads(c, of.value, a, a.key_heads);
        const auto seen = seen_by(c, of, a);
        const double scale = c.aten.real(of.scale);
        argument made;
        if (!has_sums(c.aten)) {
            made = c.call("aten.scaled_dot_product_attention.default",
                          {q, k, v, seen, 0.0, false, scale, a.heads != a.key_heads});
            if (of.sums != no_parameter && c.is_result_used(1))
                c.bind_result(c.call("aten.full.default", {int_list{0}, 0.0}), 1);
        } else {
            call_argument bias{};
            if (a.is_masked || a.is_banded) {
                const auto zeros = c.call("aten.full.default", {int_list{1}, 0.0});
                bias = c.call("aten.where.ScalarOther", {seen, zeros, -std::numeric_limits<double>::infinity()});
            }
            const auto both = c.call("aten._scaled_dot_product_cudnn_attention.default",
                                     {q, k, v, bias, true, 0.0, false, false, scale});
            made = c.pick(both, 0);
            finish(c, c.call(reshape, {c.pick(both, 1), sizes_of(c.aten.result_type(1))}), 1);
        }
        if (a.layout != attention_layout::BNSD) made = c.call("aten.transpose.int", {made, 1, 2});
        if (a.is_flat()) made = c.call(reshape, {made, sizes_of(c.aten.result_type())});
        finish(c, made);
    }
};

inline constexpr parameter layout_option = one_of<attention_layout>(
    defaulted("input_layout", parameter_kind::string, argument_of_word<attention_layout::BSH>()));
constexpr parameter option(std::string_view name, std::int64_t value) {
    return defaulted(name, parameter_kind::integer, argument::of(value));
}

} // namespace detail

/// npu_fused_infer_attention_score(Tensor query, Tensor key, Tensor value, *, Tensor? atten_mask=None, int num_heads=1,
/// float scale=1.0, int pre_tokens=2147483647, int next_tokens=2147483647, str input_layout="BSH", int
/// num_key_value_heads=0, int sparse_mode=0, int inner_precise=0, bool softmax_lse_flag=False): (attention_out,
/// softmax_lse); softmax_lse is f32[B, N, S, 1], or empty without softmax_lse_flag.
/// atten_mask: b8, i8 or u8 of [S, keys], [1 or B, S, keys], [1 or B, 1 or N, S, keys], for one query also [B, keys];
/// nonzero hides. sparse_mode 0: the mask; if it is given, visible keys are also limited to pre_tokens before and
/// next_tokens after the query's position; 1: the mask alone; 2: causal; 3: causal, aligned to the last query and key;
/// 2 and 3 require a mask of [2048, 2048] and do not read it. num_key_value_heads 0: same as num_heads
struct npu_fused_infer_attention_score : detail::attention<npu_fused_infer_attention_score> {
    static constexpr std::string_view name = "npu.npu_fused_infer_attention_score.default"sv;
    enum at : int {
        query,
        key,
        value,
        atten_mask,
        num_heads,
        scale,
        pre_tokens,
        next_tokens,
        input_layout,
        num_key_value_heads,
        sparse_mode,
        inner_precise,
        softmax_lse_flag
    };
    static constexpr parameter schema[] = {required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           defaulted("atten_mask", parameter_kind::optional_tensor),
                                           detail::option("num_heads", 1),
                                           defaulted("scale", parameter_kind::real, argument::of(1.0)),
                                           detail::option("pre_tokens", detail::everything),
                                           detail::option("next_tokens", detail::everything),
                                           detail::layout_option,
                                           detail::option("num_key_value_heads", 0),
                                           detail::option("sparse_mode", 0),
                                           detail::option("inner_precise", 0),
                                           defaulted("softmax_lse_flag", parameter_kind::boolean, argument::of(false))};
    static constexpr attention_parameters parameters{.mask = at::atten_mask,
                                                     .heads = at::num_heads,
                                                     .key_heads = at::num_key_value_heads,
                                                     .scale = at::scale,
                                                     .layout = at::input_layout,
                                                     .before = at::pre_tokens,
                                                     .after = at::next_tokens,
                                                     .sparse_mode = at::sparse_mode,
                                                     .sums = at::softmax_lse_flag};
};

/// npu_fused_infer_attention_score_v2: the same, with num_query_heads, softmax_scale and return_softmax_lse
struct npu_fused_infer_attention_score_v2 : detail::attention<npu_fused_infer_attention_score_v2> {
    static constexpr std::string_view name = "npu.npu_fused_infer_attention_score_v2.default"sv;
    enum at : int {
        query,
        key,
        value,
        atten_mask,
        num_query_heads,
        num_key_value_heads,
        softmax_scale,
        pre_tokens,
        next_tokens,
        input_layout,
        sparse_mode,
        inner_precise,
        return_softmax_lse
    };
    static constexpr parameter schema[] = {
        required("query", parameter_kind::tensor),
        required("key", parameter_kind::tensor),
        required("value", parameter_kind::tensor),
        defaulted("atten_mask", parameter_kind::optional_tensor),
        detail::option("num_query_heads", 1),
        detail::option("num_key_value_heads", 0),
        defaulted("softmax_scale", parameter_kind::real, argument::of(1.0)),
        detail::option("pre_tokens", detail::everything),
        detail::option("next_tokens", detail::everything),
        detail::layout_option,
        detail::option("sparse_mode", 0),
        detail::option("inner_precise", 0),
        defaulted("return_softmax_lse", parameter_kind::boolean, argument::of(false))};
    static constexpr attention_parameters parameters{.mask = at::atten_mask,
                                                     .heads = at::num_query_heads,
                                                     .key_heads = at::num_key_value_heads,
                                                     .scale = at::softmax_scale,
                                                     .layout = at::input_layout,
                                                     .before = at::pre_tokens,
                                                     .after = at::next_tokens,
                                                     .sparse_mode = at::sparse_mode,
                                                     .sums = at::return_softmax_lse};
};

/// npu_prompt_flash_attention(Tensor query, Tensor key, Tensor value, *, Tensor? atten_mask=None, int num_heads=1,
/// float scale_value=1.0, int pre_tokens=2147483647, int next_tokens=0, str input_layout="BSH", int
/// num_key_value_heads=0, int sparse_mode=0): attention_out; with a mask, a query sees keys after its position only as
/// far as next_tokens allows
struct npu_prompt_flash_attention : detail::attention<npu_prompt_flash_attention> {
    static constexpr std::string_view name = "npu.npu_prompt_flash_attention.default"sv;
    enum at : int {
        query,
        key,
        value,
        atten_mask,
        num_heads,
        scale_value,
        pre_tokens,
        next_tokens,
        input_layout,
        num_key_value_heads,
        sparse_mode
    };
    static constexpr parameter schema[] = {required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           defaulted("atten_mask", parameter_kind::optional_tensor),
                                           detail::option("num_heads", 1),
                                           defaulted("scale_value", parameter_kind::real, argument::of(1.0)),
                                           detail::option("pre_tokens", detail::everything),
                                           detail::option("next_tokens", 0),
                                           detail::layout_option,
                                           detail::option("num_key_value_heads", 0),
                                           detail::option("sparse_mode", 0)};
    static constexpr attention_parameters parameters{.mask = at::atten_mask,
                                                     .heads = at::num_heads,
                                                     .key_heads = at::num_key_value_heads,
                                                     .scale = at::scale_value,
                                                     .layout = at::input_layout,
                                                     .before = at::pre_tokens,
                                                     .after = at::next_tokens,
                                                     .sparse_mode = at::sparse_mode};
};

/// npu_incre_flash_attention(Tensor query, Tensor key, Tensor value, *, Tensor? atten_mask=None, int num_heads=1, float
/// scale_value=1.0, str input_layout="BSH", int num_key_value_heads=0, int inner_precise=1): attention_out for one
/// query
struct npu_incre_flash_attention : detail::attention<npu_incre_flash_attention> {
    static constexpr std::string_view name = "npu.npu_incre_flash_attention.default"sv;
    enum at : int {
        query,
        key,
        value,
        atten_mask,
        num_heads,
        scale_value,
        input_layout,
        num_key_value_heads,
        inner_precise
    };
    static constexpr parameter schema[] = {required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           defaulted("atten_mask", parameter_kind::optional_tensor),
                                           detail::option("num_heads", 1),
                                           defaulted("scale_value", parameter_kind::real, argument::of(1.0)),
                                           detail::layout_option,
                                           detail::option("num_key_value_heads", 0),
                                           detail::option("inner_precise", 1)};
    static constexpr attention_parameters parameters{.mask = at::atten_mask,
                                                     .heads = at::num_heads,
                                                     .key_heads = at::num_key_value_heads,
                                                     .scale = at::scale_value,
                                                     .layout = at::input_layout};
    static constexpr bool infer(infer_context& c) {
        if (!attention::infer(c)) return false;
        const auto queries = detail::attended_by(c, parameters).queries;
        return queries == 1 || c.refuse(fault::shapes_do_not_broadcast, "one query", short_text() << queries);
    }
};

using attention_ops = op_list<npu_fused_infer_attention_score, npu_fused_infer_attention_score_v2,
                              npu_prompt_flash_attention, npu_incre_flash_attention>;

} // namespace ahead::torch_npu
