// SPDX-License-Identifier: MIT
// The gradients of attention's kernels (attention.hpp): one meaning (attend_gradient.hpp) under their names, which
// differ in parameter order. Parameters that only describe nested operands are ignored: they may have any value.
// Source: aten/src/ATen/native/native_functions.yaml, torch/_meta_registrations.py.
#pragma once
#include <ahead/aten/product/attend_gradient.hpp>
#include <ahead/aten/product/attention.hpp>

namespace AHEAD_NAMESPACE::aten {

/// _scaled_dot_product_efficient_attention_backward(Tensor grad_out_, Tensor query, Tensor key, Tensor value, Tensor
/// attn_bias, Tensor out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, float dropout_p, bool[4]
/// grad_input_mask, bool is_causal=False, *, float? scale=None): (grad_query, grad_key, grad_value, grad_bias). The
/// first three are always computed; grad_bias is empty unless there is a bias and the mask requests it; its rows are
/// padded to a multiple of 16
struct scaled_dot_product_efficient_attention_backward
    : detail::attention_gradient<scaled_dot_product_efficient_attention_backward> {
    static constexpr std::string_view name = "aten._scaled_dot_product_efficient_attention_backward.default"sv;
    enum at : int {
        grad_out_,
        query,
        key,
        value,
        attn_bias,
        out,
        logsumexp,
        philox_seed,
        philox_offset,
        dropout_p,
        grad_input_mask,
        is_causal,
        scale
    };
    static constexpr parameter schema[] = {required("grad_out_", parameter_kind::tensor),
                                           required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           required("attn_bias", parameter_kind::optional_tensor),
                                           required("out", parameter_kind::tensor),
                                           required("logsumexp", parameter_kind::tensor),
                                           required("philox_seed", parameter_kind::optional_tensor),
                                           required("philox_offset", parameter_kind::optional_tensor),
                                           required("dropout_p", parameter_kind::real),
                                           required("grad_input_mask", parameter_kind::boolean_list),
                                           schemas::causal_option,
                                           schemas::scale_option};
    static constexpr auto attended = detail::attention_at<at>(at::attn_bias, false);
    static constexpr attention_gradient_parameters gradients{.out = at::out,
                                                             .logsumexp = at::logsumexp,
                                                             .output_mask = at::grad_input_mask,
                                                             .heads_inside = true,
                                                             .gives_bias = true,
                                                             .seed = at::philox_seed,
                                                             .offset = at::philox_offset};
    static constexpr bool infer(infer_context& c) {
        tensor_type bias;
        if (c.is_given(at::attn_bias)) {
            const auto& given = c.tensor(at::attn_bias);
            bias = tensor_of(given.type, sizes_of(given));
            if (bias.rank > 1) {
                std::int64_t step = (bias.size(bias.rank - 1) + 15) / 16 * 16;
                for (int d = bias.rank - 1; d-- > 0; step *= bias.size(d)) bias.strides.at[d] = step;
            }
        }
        return detail::infer_attention_gradient(c, attended, gradients, bias);
    }
};

/// _scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor
/// out, Tensor logsumexp, float dropout_p, bool is_causal, *, Tensor? attn_mask=None, float? scale=None): (grad_query,
/// grad_key, grad_value)
struct scaled_dot_product_flash_attention_for_cpu_backward
    : detail::attention_gradient<scaled_dot_product_flash_attention_for_cpu_backward> {
    static constexpr std::string_view name = "aten._scaled_dot_product_flash_attention_for_cpu_backward.default"sv;
    enum at : int { grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, attn_mask, scale };
    static constexpr parameter schema[] = {required("grad_out", parameter_kind::tensor),
                                           required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           required("out", parameter_kind::tensor),
                                           required("logsumexp", parameter_kind::tensor),
                                           required("dropout_p", parameter_kind::real),
                                           required("is_causal", parameter_kind::boolean),
                                           defaulted("attn_mask", parameter_kind::optional_tensor),
                                           schemas::scale_option};
    static constexpr auto attended = detail::attention_at<at>(at::attn_mask, false, false);
    static constexpr attention_gradient_parameters gradients{
        .out = at::out, .logsumexp = at::logsumexp, .heads_inside = true};
};

/// _scaled_dot_product_flash_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out,
/// Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal,
/// Tensor philox_seed, Tensor philox_offset, *, float? scale=None): (grad_query, grad_key, grad_value); with is_causal,
/// queries and keys must be equal in number, as for the forward kernel
struct scaled_dot_product_flash_attention_backward
    : detail::attention_gradient<scaled_dot_product_flash_attention_backward> {
    static constexpr std::string_view name = "aten._scaled_dot_product_flash_attention_backward.default"sv;
    enum at : int {
        grad_out,
        query,
        key,
        value,
        out,
        logsumexp,
        cum_seq_q,
        cum_seq_k,
        max_q,
        max_k,
        dropout_p,
        is_causal,
        philox_seed,
        philox_offset,
        scale
    };
    static constexpr parameter schema[] = {required("grad_out", parameter_kind::tensor),
                                           required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           required("out", parameter_kind::tensor),
                                           required("logsumexp", parameter_kind::tensor),
                                           required("cum_seq_q", parameter_kind::optional_tensor),
                                           required("cum_seq_k", parameter_kind::optional_tensor),
                                           required("max_q", parameter_kind::tensor_or_scalar),
                                           required("max_k", parameter_kind::tensor_or_scalar),
                                           required("dropout_p", parameter_kind::real),
                                           required("is_causal", parameter_kind::boolean),
                                           required("philox_seed", parameter_kind::optional_tensor),
                                           required("philox_offset", parameter_kind::optional_tensor),
                                           schemas::scale_option};
    static constexpr auto attended = detail::attention_at<at>(no_parameter, true);
    static constexpr attention_gradient_parameters gradients{
        .out = at::out, .logsumexp = at::logsumexp, .seed = at::philox_seed, .offset = at::philox_offset};
    static constexpr bool infer(infer_context& c) {
        return attention_gradient::infer(c) && detail::check_causal_square(c, attended);
    }
};

/// _scaled_dot_product_cudnn_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out,
/// Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, Tensor attn_bias, Tensor cum_seq_q, Tensor cum_seq_k,
/// SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, *, float? scale=None): (grad_query, grad_key,
/// grad_value)
struct scaled_dot_product_cudnn_attention_backward
    : detail::attention_gradient<scaled_dot_product_cudnn_attention_backward> {
    static constexpr std::string_view name = "aten._scaled_dot_product_cudnn_attention_backward.default"sv;
    enum at : int {
        grad_out,
        query,
        key,
        value,
        out,
        logsumexp,
        philox_seed,
        philox_offset,
        attn_bias,
        cum_seq_q,
        cum_seq_k,
        max_q,
        max_k,
        dropout_p,
        is_causal,
        scale
    };
    static constexpr parameter schema[] = {required("grad_out", parameter_kind::tensor),
                                           required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           required("out", parameter_kind::tensor),
                                           required("logsumexp", parameter_kind::tensor),
                                           required("philox_seed", parameter_kind::optional_tensor),
                                           required("philox_offset", parameter_kind::optional_tensor),
                                           required("attn_bias", parameter_kind::optional_tensor),
                                           required("cum_seq_q", parameter_kind::optional_tensor),
                                           required("cum_seq_k", parameter_kind::optional_tensor),
                                           required("max_q", parameter_kind::tensor_or_scalar),
                                           required("max_k", parameter_kind::tensor_or_scalar),
                                           required("dropout_p", parameter_kind::real),
                                           required("is_causal", parameter_kind::boolean),
                                           schemas::scale_option};
    static constexpr auto attended = detail::attention_at<at>(at::attn_bias, true);
    static constexpr attention_gradient_parameters gradients{
        .out = at::out, .logsumexp = at::logsumexp, .seed = at::philox_seed, .offset = at::philox_offset};
};

/// _scaled_dot_product_fused_attention_overrideable_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value,
/// Tensor attn_bias, bool[4] grad_input_mask, Tensor out, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt
/// max_q, SymInt max_k, float dropout_p, bool is_causal, Tensor philox_seed, Tensor philox_offset, *, float?
/// scale=None): (grad_query, grad_key, grad_value, grad_attn_bias); all are computed whatever the mask is;
/// grad_attn_bias is empty without a bias
struct scaled_dot_product_fused_attention_overrideable_backward
    : detail::attention_gradient<scaled_dot_product_fused_attention_overrideable_backward> {
    static constexpr std::string_view name = "aten._scaled_dot_product_fused_attention_overrideable_backward.default"sv;
    enum at : int {
        grad_out,
        query,
        key,
        value,
        attn_bias,
        grad_input_mask,
        out,
        logsumexp,
        cum_seq_q,
        cum_seq_k,
        max_q,
        max_k,
        dropout_p,
        is_causal,
        philox_seed,
        philox_offset,
        scale
    };
    static constexpr parameter schema[] = {required("grad_out", parameter_kind::tensor),
                                           required("query", parameter_kind::tensor),
                                           required("key", parameter_kind::tensor),
                                           required("value", parameter_kind::tensor),
                                           required("attn_bias", parameter_kind::optional_tensor),
                                           required("grad_input_mask", parameter_kind::boolean_list),
                                           required("out", parameter_kind::tensor),
                                           required("logsumexp", parameter_kind::tensor),
                                           required("cum_seq_q", parameter_kind::optional_tensor),
                                           required("cum_seq_k", parameter_kind::optional_tensor),
                                           required("max_q", parameter_kind::tensor_or_scalar),
                                           required("max_k", parameter_kind::tensor_or_scalar),
                                           required("dropout_p", parameter_kind::real),
                                           required("is_causal", parameter_kind::boolean),
                                           required("philox_seed", parameter_kind::optional_tensor),
                                           required("philox_offset", parameter_kind::optional_tensor),
                                           schemas::scale_option};
    static constexpr auto attended = detail::attention_at<at>(at::attn_bias, true);
    static constexpr attention_gradient_parameters gradients{.out = at::out,
                                                             .logsumexp = at::logsumexp,
                                                             .gives_bias = true,
                                                             .seed = at::philox_seed,
                                                             .offset = at::philox_offset};
};

using attention_gradient_ops =
    op_list<scaled_dot_product_efficient_attention_backward, scaled_dot_product_flash_attention_for_cpu_backward,
            scaled_dot_product_flash_attention_backward, scaled_dot_product_cudnn_attention_backward,
            scaled_dot_product_fused_attention_overrideable_backward>;

} // namespace ahead::aten
