// SPDX-License-Identifier: MIT
// Attention: one meaning (attend.hpp) under the names of PyTorch's kernels, which differ in their parameters and in
// their additional results. Source: aten/src/ATen/native/native_functions.yaml, torch/_meta_registrations.py.
#pragma once
#include <ahead/aten/product/attend.hpp>

namespace AHEAD_NAMESPACE::aten {

namespace schemas {
inline constexpr parameter dropout_option = defaulted("dropout_p", parameter_kind::real, argument::of(0.0));
inline constexpr parameter causal_option = defaulted("is_causal", parameter_kind::boolean, argument::of(false));
inline constexpr parameter debug_mask_option =
    defaulted("return_debug_mask", parameter_kind::boolean, argument::of(false));
inline constexpr parameter scale_option = defaulted("scale", parameter_kind::optional_real);
} // namespace schemas

/// scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0,
/// bool is_causal=False, *, float? scale=None, bool enable_gqa=False): [.., L, E], [.., S, E], [.., S, F] -> [.., L,
/// F]; leading dims broadcast. attn_mask broadcasts to [.., L, S]: b8, False hides a key from a query, or numbers added
/// to the scores
struct scaled_dot_product_attention {
    static constexpr std::string_view name = "aten.scaled_dot_product_attention.default"sv;
    enum at : int { query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa };
    static constexpr parameter schema[] = {required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           defaulted("attn_mask", parameter_kind::optional_tensor),
                                           schemas::dropout_option,
                                           schemas::causal_option,
                                           schemas::scale_option,
                                           defaulted("enable_gqa", parameter_kind::boolean, argument::of(false))};
    static constexpr attention_parameters attended{.dropout_p = at::dropout_p,
                                                   .is_causal = at::is_causal,
                                                   .scale = at::scale,
                                                   .mask = at::attn_mask,
                                                   .enable_gqa = at::enable_gqa};
    static constexpr effects effect{.draws_where = at::dropout_p};
    static constexpr int sums = no_parameter;
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        return detail::infer_attention(c, attended, false, sizes) &&
               c.result(detail::lying_as(c.tensor(at::query), sizes));
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_attention(c, attended); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return detail::attention_scratch_bytes(c); }
};

/// _scaled_dot_product_efficient_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, bool
/// compute_log_sumexp, float dropout_p=0.0, bool is_causal=False, *, float? scale=None): (output, log_sumexp,
/// philox_seed, philox_offset); log_sumexp is f32[batch, heads, L], with L rounded up to a multiple of 32, or empty
struct scaled_dot_product_efficient_attention {
    static constexpr std::string_view name = "aten._scaled_dot_product_efficient_attention.default"sv;
    enum at : int { query, key, value, attn_bias, compute_log_sumexp, dropout_p, is_causal, scale };
    static constexpr parameter schema[] = {required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           required("attn_bias", parameter_kind::optional_tensor),
                                           required("compute_log_sumexp", parameter_kind::boolean),
                                           schemas::dropout_option,
                                           schemas::causal_option,
                                           schemas::scale_option};
    static constexpr attention_parameters attended{
        .dropout_p = at::dropout_p, .is_causal = at::is_causal, .scale = at::scale, .mask = at::attn_bias};
    static constexpr effects effect{.draws_where = at::dropout_p};
    static constexpr int sums = 1;
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        if (!detail::infer_attention(c, attended, true, sizes)) return false;
        const auto type = c.tensor(at::query).type;
        const auto rows = c.boolean(at::compute_log_sumexp) ? (sizes[2] + 31) / 32 * 32 : 0;
        return c.results(4) && c.set(0, detail::heads_inside(tensor_of(type, sizes))) &&
               c.set(1, tensor_of(dtype::f32, {sizes[0], sizes[1], rows})) && c.set(2, tensor_of(dtype::i64, {})) &&
               c.set(3, tensor_of(dtype::i64, {}));
    }
    static constexpr void evaluate(auto& c) {
        detail::evaluate_seeds(c, detail::evaluate_attention(c, attended, sums), 2, 3);
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return detail::attention_scratch_bytes(c); }
};

/// _scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float dropout_p=0.0, bool
/// is_causal=False, *, Tensor? attn_mask=None, float? scale=None): (output, logsumexp); logsumexp is [batch, heads, L],
/// f64 for f64, else f32
struct scaled_dot_product_flash_attention_for_cpu {
    static constexpr std::string_view name = "aten._scaled_dot_product_flash_attention_for_cpu.default"sv;
    enum at : int { query, key, value, dropout_p, is_causal, attn_mask, scale };
    static constexpr parameter schema[] = {required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           schemas::dropout_option,
                                           schemas::causal_option,
                                           defaulted("attn_mask", parameter_kind::optional_tensor),
                                           schemas::scale_option};
    static constexpr attention_parameters attended{.dropout_p = at::dropout_p,
                                                   .is_causal = at::is_causal,
                                                   .scale = at::scale,
                                                   .mask = at::attn_mask,
                                                   .drops = false};
    static constexpr int sums = 1;
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        const auto& q = c.tensor(at::query);
        return detail::infer_attention(c, attended, true, sizes) && c.results(2) &&
               c.set(0, detail::lying_as(q, sizes)) &&
               c.set(1, detail::heads_inside(tensor_of(q.type == dtype::f64 ? dtype::f64 : dtype::f32,
                                                       {sizes[0], sizes[1], sizes[2]})));
    }
    static constexpr void evaluate(auto& c) { detail::evaluate_attention(c, attended, sums); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return detail::attention_scratch_bytes(c); }
};

namespace detail {

/// The kernels with nine results: (output, logsumexp, cum_seq_q, cum_seq_k, max_q, max_k, philox_seed, philox_offset,
/// debug_attn_mask). Results that are None or empty in PyTorch are empty here; PyTorch's ints, the seed and the offset
/// are i64[] (CUDA's flash kernel prints the last two as one u64[2]: legalize/composite).
template <class Op> struct nine_results {
    static constexpr int sums = 1;
    static constexpr bool infer(infer_context& c) {
        int_list sizes;
        if (!infer_attention(c, Op::attended, true, sizes)) return false;
        if (c.boolean(Op::at::return_debug_mask))
            return c.refuse(fault::argument_has_wrong_kind, "return_debug_mask=False", "True");
        const auto& q = c.tensor(Op::at::query);
        int_list rows{sizes[0], sizes[1], sizes[2]};
        if constexpr (requires { Op::sums_are_columns; }) rows.push_back(1);
        bool ok = c.results(9) && c.set(0, lying_as(q, sizes)) && c.set(1, tensor_of(dtype::f32, rows)) &&
                  c.set(8, tensor_of(q.type, {0}));
        for (int k = 2; k < 8; ++k) ok = ok && c.set(k, tensor_of(dtype::i64, k < 4 ? int_list{0} : int_list{}));
        return ok;
    }
    static constexpr void evaluate(auto& c) {
        evaluate_seeds(c, evaluate_attention(c, Op::attended, sums), 6, 7);
        evaluate_unread(c, 2, 6);
        for (int i : {Op::at::query, Op::at::key})
            c.output(i == Op::at::query ? 4 : 5, std::int64_t{}).put({}, c.tensor(i).size(2));
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return attention_scratch_bytes(c); }
};

/// Whether the text annotates a result of the call as u64.
constexpr bool prints_u64(const auto& g, node_id id) {
    for (auto use = g[id].first_use; use.exists(); use = g[use].next_use)
        if (const auto& n = g[g[use].owner]; n.kind == node_kind::call && n.annotation.starts_with("u64[")) return true;
    return false;
}

} // namespace detail

/// _scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, float dropout_p=0.0, bool
/// is_causal=False, bool return_debug_mask=False, *, float? scale=None): nine results; with is_causal, queries and keys
/// must be equal in number, because this kernel aligns the mask to the last ones
struct scaled_dot_product_flash_attention : detail::nine_results<scaled_dot_product_flash_attention> {
    static constexpr std::string_view name = "aten._scaled_dot_product_flash_attention.default"sv;
    enum at : int { query, key, value, dropout_p, is_causal, return_debug_mask, scale };
    static constexpr parameter schema[] = {required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           schemas::dropout_option,
                                           schemas::causal_option,
                                           schemas::debug_mask_option,
                                           schemas::scale_option};
    static constexpr attention_parameters attended{
        .dropout_p = at::dropout_p, .is_causal = at::is_causal, .scale = at::scale, .shares_heads = true};
    static constexpr effects effect{.draws_where = at::dropout_p};
    static constexpr bool infer(infer_context& c) {
        if (detail::prints_u64(c.in(), c.id()))
            return c.refuse(fault::dtype_is_unsupported, "seed and offset as two i64[]", "u64");
        return nine_results::infer(c) && detail::check_causal_square(c, attended);
    }
};

/// _scaled_dot_product_cudnn_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, bool
/// compute_log_sumexp, float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, float? scale=None):
/// nine results; logsumexp is f32[batch, heads, L, 1], whatever compute_log_sumexp is
struct scaled_dot_product_cudnn_attention : detail::nine_results<scaled_dot_product_cudnn_attention> {
    static constexpr std::string_view name = "aten._scaled_dot_product_cudnn_attention.default"sv;
    enum at : int { query, key, value, attn_bias, compute_log_sumexp, dropout_p, is_causal, return_debug_mask, scale };
    static constexpr parameter schema[] = {required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           required("attn_bias", parameter_kind::optional_tensor),
                                           required("compute_log_sumexp", parameter_kind::boolean),
                                           schemas::dropout_option,
                                           schemas::causal_option,
                                           schemas::debug_mask_option,
                                           schemas::scale_option};
    static constexpr attention_parameters attended{.dropout_p = at::dropout_p,
                                                   .is_causal = at::is_causal,
                                                   .scale = at::scale,
                                                   .mask = at::attn_bias,
                                                   .shares_heads = true};
    static constexpr effects effect{.draws_where = at::dropout_p};
    static constexpr bool sums_are_columns = true;
};

/// _scaled_dot_product_fused_attention_overrideable(Tensor query, Tensor key, Tensor value, Tensor? attn_bias=None,
/// float dropout_p=0.0, bool is_causal=False, bool return_debug_mask=False, *, float? scale=None): nine results
struct scaled_dot_product_fused_attention_overrideable
    : detail::nine_results<scaled_dot_product_fused_attention_overrideable> {
    static constexpr std::string_view name = "aten._scaled_dot_product_fused_attention_overrideable.default"sv;
    enum at : int { query, key, value, attn_bias, dropout_p, is_causal, return_debug_mask, scale };
    static constexpr parameter schema[] = {required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           defaulted("attn_bias", parameter_kind::optional_tensor),
                                           schemas::dropout_option,
                                           schemas::causal_option,
                                           schemas::debug_mask_option,
                                           schemas::scale_option};
    static constexpr attention_parameters attended{.dropout_p = at::dropout_p,
                                                   .is_causal = at::is_causal,
                                                   .scale = at::scale,
                                                   .mask = at::attn_bias,
                                                   .shares_heads = true};
    static constexpr effects effect{.draws_where = at::dropout_p};
};

using attention_ops = op_list<scaled_dot_product_attention, scaled_dot_product_efficient_attention,
                              scaled_dot_product_flash_attention_for_cpu, scaled_dot_product_flash_attention,
                              scaled_dot_product_cudnn_attention, scaled_dot_product_fused_attention_overrideable>;

} // namespace ahead::aten
