// SPDX-License-Identifier: MIT
// Attention with its projections, as products and a softmax.
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

struct multi_head_attention {
    using op = aten::native_multi_head_attention;
    using at = op::at;
    static constexpr std::int32_t most_calls = 48;
    static constexpr bool when(const call_view& call) { return element_count(call.result_type()) > 0; }
    static constexpr void decompose(auto& c) {
        const auto& q = c.aten.tensor(at::query);
        const auto batch = q.size(0), places = q.size(1), width = q.size(2), heads = c.aten.integer(at::num_head),
                   part = width / heads;
        const int_list of_heads{batch * heads, places, part}, of_scores{batch, heads, places, places},
            of_batch{batch * heads, places, places};
        // [batch * heads, places, part]
        const auto projected = [&](int which) {
            const auto third = [&](int i) {
                return c.call("aten.slice.Tensor", {c.operand(i), 0, which * width, (which + 1) * width});
            };
            const auto made = linear(c, c.operand(at::query + which), third(at::qkv_weight), third(at::qkv_bias));
            const auto apart = c.call(view, {made, int_list{batch, places, heads, part}});
            return c.call(reshape, {c.call("aten.transpose.int", {apart, 1, 2}), of_heads});
        };
        const auto queries = c.call(mul, {projected(0), 1 / math::sqrt(static_cast<double>(part))});
        const auto keys = c.call("aten.transpose.int", {projected(1), 1, 2});
        auto scores = c.call(bmm, {queries, keys});
        if (c.aten.is_given(at::mask)) {
            auto mask = c.operand(at::mask);
            if (op::masked_by(c.aten) == aten::attention_mask::of_keys)
                mask = c.call(view, {mask, int_list{batch, 1, 1, places}});
            const auto seen = c.call("aten.masked_fill.Scalar", {c.call(view, {scores, of_scores}), mask,
                                                                 -std::numeric_limits<double>::infinity()});
            scores = c.call(view, {seen, of_batch});
        }
        const auto weights = c.call("aten._softmax.default", {scores, 2, false});
        auto out = c.call(view, {c.call(bmm, {weights, projected(2)}), int_list{batch, heads, places, part}});
        out = c.call(reshape, {c.call("aten.transpose.int", {out, 1, 2}), int_list{batch, places, width}});
        c.bind_result(linear(c, out, c.operand(at::proj_weight), c.operand(at::proj_bias)));
        if (c.is_result_used(1)) c.bind_result(seen_weights(c, c.call(view, {weights, of_scores})), 1);
    }

private:
    /// x @ w^T + b, by rows. pre: x is [batch, places, width]
    static constexpr argument linear(decompose_context& c, const argument& x, const argument& w, const argument& b) {
        const auto& q = c.aten.tensor(at::query);
        const auto rows = c.call(reshape, {x, int_list{q.size(0) * q.size(1), q.size(2)}});
        const auto made = c.call(add, {c.call(mm, {rows, c.call("aten.t.default", {w})}), b});
        return c.call(view, {made, sizes_of(q)});
    }
    static constexpr argument seen_weights(decompose_context& c, const argument& of_heads) {
        if (!c.aten.boolean(at::need_weights))
            return c.call("aten.new_zeros.default", {c.operand(at::query), int_list{0}});
        return c.aten.boolean(at::average_attn_weights) ? c.call(mean, {of_heads, int_list{1}, false}) : of_heads;
    }
};

} // namespace ahead::decomposition
