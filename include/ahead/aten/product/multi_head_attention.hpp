// SPDX-License-Identifier: MIT
// Attention with its projections in one call; torch.nn.MultiheadAttention and TransformerEncoderLayer emit it if
// gradients are not required.
// Source: aten/src/ATen/native/transformers/attention.cpp.
// Invariant: sums accumulate in double and are rounded once.
#pragma once
#include <ahead/aten/product/product.hpp>
#include <ahead/core/math.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The dims of [batch, heads, queries, keys] that a mask covers: queries and keys, batch and keys, or all.
enum class attention_mask { none, of_queries, of_keys, of_all };

/// _native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor qkv_weight,
/// Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool need_weights=True, bool
/// average_attn_weights=True, int? mask_type=None): for operands [batch, sequence, embed_dim] of equal types:
/// proj(softmax(q @ k^T / sqrt(head dim)) @ v), where the thirds of qkv_weight project to q, k and v; a mask hides keys
/// where it is True. The second result is the weights, averaged over heads or per head; an empty tensor instead of None
/// if they are not needed. Errors: different shapes or dtypes, heads that do not divide embed_dim, a mask without its
/// type.
struct native_multi_head_attention {
    static constexpr std::string_view name = "aten._native_multi_head_attention.default"sv;
    enum at : int {
        query,
        key,
        value,
        embed_dim,
        num_head,
        qkv_weight,
        qkv_bias,
        proj_weight,
        proj_bias,
        mask,
        need_weights,
        average_attn_weights,
        mask_type
    };
    static constexpr parameter schema[] = {
        required("query", parameter_kind::tensor),
        required("key", parameter_kind::tensor),
        required("value", parameter_kind::tensor),
        required("embed_dim", parameter_kind::integer),
        required("num_head", parameter_kind::integer),
        required("qkv_weight", parameter_kind::tensor),
        required("qkv_bias", parameter_kind::tensor),
        required("proj_weight", parameter_kind::tensor),
        required("proj_bias", parameter_kind::tensor),
        defaulted("mask", parameter_kind::optional_tensor),
        defaulted("need_weights", parameter_kind::boolean, argument::of(true)),
        defaulted("average_attn_weights", parameter_kind::boolean, argument::of(true)),
        defaulted("mask_type", parameter_kind::optional_integer)};

    static constexpr attention_mask masked_by(const auto& c) {
        return c.is_given(at::mask) ? static_cast<attention_mask>(c.integer(at::mask_type) + 1) : attention_mask::none;
    }
    static constexpr bool infer(infer_context& c) {
        const auto q = c.tensor(at::query);
        const auto width = c.integer(at::embed_dim), heads = c.integer(at::num_head);
        if (!is_floating(q.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(q));
        if (q.rank != 3) return c.refuse(fault::rank_is_wrong, "rank 3", print(q));
        if (heads < 1 || width % heads != 0)
            return c.refuse(fault::option_is_out_of_range, short_text("heads that divide ") << width,
                            short_text() << heads);
        const auto batch = q.size(0), places = q.size(1);
        const auto check_shape = [&](int i, const tensor_type& wanted) {
            return check_operand(c, c.tensor(i), wanted);
        };
        for (int i : {at::query, at::key, at::value})
            if (!check_shape(i, tensor_of(q.type, {batch, places, width}))) return false;
        if (!check_shape(at::qkv_weight, tensor_of(q.type, {3 * width, width})) ||
            !check_shape(at::qkv_bias, tensor_of(q.type, {3 * width})) ||
            !check_shape(at::proj_weight, tensor_of(q.type, {width, width})) ||
            !check_shape(at::proj_bias, tensor_of(q.type, {width})))
            return false;
        if (c.is_given(at::mask)) {
            if (!c.is_given(at::mask_type))
                return c.refuse(fault::argument_is_missing, "mask_type beside a mask", "none");
            if (c.integer(at::mask_type) < 0 || c.integer(at::mask_type) > 2)
                return c.refuse(fault::option_is_out_of_range, "a mask_type from 0 to 2",
                                short_text() << c.integer(at::mask_type));
            const auto by = masked_by(c);
            if (!check_shape(at::mask, tensor_of(dtype::b8, by == attention_mask::of_queries ? int_list{places, places}
                                                            : by == attention_mask::of_keys
                                                                ? int_list{batch, places}
                                                                : int_list{batch, heads, places, places})))
                return false;
        }
        const auto weights = !c.boolean(at::need_weights)          ? int_list{0}
                             : c.boolean(at::average_attn_weights) ? int_list{batch, places, places}
                                                                   : int_list{batch, heads, places, places};
        return c.results(2) && c.set(0, tensor_of(q.type, {batch, places, width})) &&
               c.set(1, tensor_of(q.type, weights));
    }

    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        const auto& q = c.tensor(at::query);
        return 8 * q.size(1) * (4 * q.size(2) + c.integer(at::num_head) * q.size(1) + 1);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            const auto weight = c.input(at::qkv_weight, as), bias = c.input(at::qkv_bias, as);
            const auto& q = c.tensor(at::query);
            const auto places = q.size(1), width = q.size(2), heads = c.integer(at::num_head), part = width / heads;
            auto made = c.scratch(places * 3 * width, 0.0), seen = c.scratch(places * width, 0.0),
                 weights = c.scratch(heads * places * places, 0.0), row = c.scratch(places, 0.0);
            const auto of = [](auto& all, std::int64_t i) -> double& { return all[static_cast<std::size_t>(i)]; };
            for (std::int64_t b = 0; b < q.size(0); ++b) {
                for (int which = 0; which < 3; ++which) {
                    const auto x = c.input(at::query + which, as);
                    for (std::int64_t t = 0; t < places; ++t)
                        for (std::int64_t e = which * width; e < (which + 1) * width; ++e) {
                            auto sum = static_cast<double>(bias[int_list{e}]);
                            for (std::int64_t k = 0; k < width; ++k)
                                sum += static_cast<double>(x[int_list{b, t, k}]) *
                                       static_cast<double>(weight[int_list{e, k}]);
                            of(made, t * 3 * width + e) = sum;
                        }
                }
                for (std::int64_t h = 0; h < heads; ++h)
                    for (std::int64_t t = 0; t < places; ++t) {
                        double largest = -math::detail::infinity, total = 0;
                        for (std::int64_t s = 0; s < places; ++s) {
                            double sum = 0;
                            for (std::int64_t k = h * part; k < (h + 1) * part; ++k)
                                sum += of(made, t * 3 * width + k) * of(made, s * 3 * width + width + k);
                            if (!sees(c, b, h, t, s)) sum = -math::detail::infinity;
                            else sum /= math::sqrt(static_cast<double>(part));
                            of(row, s) = sum;
                            if (sum > largest || math::isnan(sum)) largest = sum;
                        }
                        for (std::int64_t s = 0; s < places; ++s) total += of(row, s) = math::exp(of(row, s) - largest);
                        for (std::int64_t s = 0; s < places; ++s)
                            of(weights, (h * places + t) * places + s) = of(row, s) / total;
                        for (std::int64_t k = h * part; k < (h + 1) * part; ++k) {
                            double sum = 0;
                            for (std::int64_t s = 0; s < places; ++s)
                                sum += of(row, s) * of(made, s * 3 * width + 2 * width + k);
                            of(seen, t * width + k) = sum / total;
                        }
                    }
                project(c, as, b, seen);
                if (c.boolean(at::need_weights)) put_weights(c, as, b, weights);
            }
        });
    }

private:
    static constexpr bool sees(auto& c, std::int64_t b, std::int64_t h, std::int64_t t, std::int64_t s) {
        const auto by = masked_by(c);
        if (by == attention_mask::none) return true;
        return !c.input(at::mask, bool{})[by == attention_mask::of_queries ? int_list{t, s}
                                          : by == attention_mask::of_keys  ? int_list{b, s}
                                                                           : int_list{b, h, t, s}];
    }
    static constexpr void project(auto& c, auto as, std::int64_t b, auto& seen) {
        const auto weight = c.input(at::proj_weight, as), bias = c.input(at::proj_bias, as);
        const auto out = c.output(0, as);
        const auto places = out.type().size(1), width = out.type().size(2);
        for (std::int64_t t = 0; t < places; ++t)
            for (std::int64_t e = 0; e < width; ++e) {
                auto sum = static_cast<double>(bias[int_list{e}]);
                for (std::int64_t k = 0; k < width; ++k)
                    sum += seen[static_cast<std::size_t>(t * width + k)] * static_cast<double>(weight[int_list{e, k}]);
                out.put(int_list{b, t, e}, math::convert<decltype(as)>(sum));
            }
    }
    static constexpr void put_weights(auto& c, auto as, std::int64_t b, auto& weights) {
        const auto out = c.output(1, as);
        const bool is_average = c.boolean(at::average_attn_weights);
        const auto heads = c.integer(at::num_head), places = out.type().size(out.type().rank - 1);
        for (std::int64_t t = 0; t < places; ++t)
            for (std::int64_t s = 0; s < places; ++s) {
                double total = 0;
                for (std::int64_t h = 0; h < heads; ++h) {
                    const auto one = weights[static_cast<std::size_t>((h * places + t) * places + s)];
                    if (!is_average) out.put(int_list{b, h, t, s}, math::convert<decltype(as)>(one));
                    total += one;
                }
                if (is_average)
                    out.put(int_list{b, t, s}, math::convert<decltype(as)>(total / static_cast<double>(heads)));
            }
    }
};

using multi_head_ops = op_list<native_multi_head_attention>;

} // namespace ahead::aten
