// SPDX-License-Identifier: MIT
// torch_npu's attention for training; also returns the tensors that its backward pass reads.
#pragma once
#include <ahead/torch_npu/attention.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

/// npu_fusion_attention(Tensor query, Tensor key, Tensor value, int head_num, str input_layout, Tensor? pse=None,
/// Tensor? padding_mask=None, Tensor? atten_mask=None, float scale=1., float keep_prob=1., int pre_tockens=2147483647,
/// int next_tockens=2147483647, int inner_precise=0, int[]? prefix=None, int[]? actual_seq_qlen=None, int[]?
/// actual_seq_kvlen=None): (attention_out, softmax_max, softmax_sum, softmax_out, seed, offset, numels). softmax_max
/// and softmax_sum: the largest score and the denominator of each query, repeated eight times, f32[B, N, S, 8];
/// softmax_out is empty; the last three are zeros, i64[], since nothing is drawn: keep_prob must be 1. pse is added to
/// the scaled scores: query's dtype, [B, N, S, keys], where batch and queries may be 1. Runs on the AI CPU if the
/// second or third result is read
struct npu_fusion_attention : detail::attention<npu_fusion_attention> {
    static constexpr std::string_view name = "npu.npu_fusion_attention.default"sv;
    enum at : int {
        query,
        key,
        value,
        head_num,
        input_layout,
        pse,
        padding_mask,
        atten_mask,
        scale,
        keep_prob,
        pre_tockens,
        next_tockens,
        inner_precise,
        prefix,
        actual_seq_qlen,
        actual_seq_kvlen
    };
    static constexpr parameter schema[] = {required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           required("head_num", parameter_kind::integer),
                                           one_of<attention_layout>(required("input_layout", parameter_kind::string)),
                                           defaulted("pse", parameter_kind::optional_tensor),
                                           defaulted("padding_mask", parameter_kind::optional_tensor),
                                           defaulted("atten_mask", parameter_kind::optional_tensor),
                                           defaulted("scale", parameter_kind::real, argument::of(1.0)),
                                           defaulted("keep_prob", parameter_kind::real, argument::of(1.0)),
                                           detail::option("pre_tockens", detail::everything),
                                           detail::option("next_tockens", detail::everything),
                                           detail::option("inner_precise", 0),
                                           defaulted("prefix", parameter_kind::optional_int_list),
                                           defaulted("actual_seq_qlen", parameter_kind::optional_int_list),
                                           defaulted("actual_seq_kvlen", parameter_kind::optional_int_list)};
    static constexpr attention_parameters parameters{.mask = at::atten_mask,
                                                     .heads = at::head_num,
                                                     .scale = at::scale,
                                                     .layout = at::input_layout,
                                                     .before = at::pre_tockens,
                                                     .after = at::next_tockens,
                                                     .shift = at::pse};
    static constexpr std::int64_t repeats = 8;
    static constexpr bool infer(infer_context& c) {
        detail::attended a;
        tensor_type out;
        for (int i : {at::padding_mask, at::prefix, at::actual_seq_qlen, at::actual_seq_kvlen})
            if (c.is_given(i))
                return c.refuse(fault::argument_has_wrong_kind, short_text(schema[i].name) << ": None", "a value");
        if (c.real(at::keep_prob) != 1)
            return c.refuse(fault::argument_has_wrong_kind, "keep_prob: 1, since nothing is drawn", "another one");
        if (!detail::infer_attention(c, parameters, a, out)) return false;
        const auto rows = tensor_of(dtype::f32, {a.batch, a.heads, a.queries, repeats});
        bool ok =
            c.results(7) && c.set(0, out) && c.set(1, rows) && c.set(2, rows) && c.set(3, tensor_of(out.type, {0}));
        for (int k = 4; k < 7; ++k) ok = ok && c.set(k, tensor_of(dtype::i64, {}));
        return ok;
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_attention(c, parameters, [&](auto b, auto n, auto i, double largest, double total) {
            for (std::int64_t k = 0; k < repeats; ++k) {
                c.output(1, float{}).put({b, n, i, k}, static_cast<float>(largest));
                c.output(2, float{}).put({b, n, i, k}, static_cast<float>(total));
            }
        });
        for (int k = 4; k < 7; ++k) c.output(k, std::int64_t{}).put({}, 0);
    }
    static constexpr bool expands(const call_view& c) {
        return !is_result_used(c.in(), c.id(), 1) && !is_result_used(c.in(), c.id(), 2);
    }
    static constexpr void expand(decompose_context& c) {
        attention::expand(c);
        if (c.is_result_used(3)) finish(c, c.call("aten.full.default", {int_list{0}, 0.0}), 3);
        for (int k = 4; k < 7; ++k)
            if (c.is_result_used(k)) c.bind_result(c.call("aten.full.default", {int_list{}, 0}), k);
    }
};

using training_attention_ops = op_list<npu_fusion_attention>;

} // namespace ahead::torch_npu
