// SPDX-License-Identifier: MIT
// The gradients of the attention kernels, as batches of products: the softmax is recomputed from the logarithms of the
// sums that the forward kernel returned.
#pragma once
#include <ahead/pass/decompositions/attention.hpp>

namespace AHEAD_NAMESPACE::decomposition {

/// As defined in aten/product/attend_gradient.hpp. If a bias may hide all keys from a query, the logarithm is clamped
/// to at least the lowest finite number: such a row gives zeros.
template <class Op> struct attention_gradient {
    using op = Op;
    static constexpr auto of = Op::attended;
    static constexpr auto to = Op::gradients;
    static constexpr std::int32_t most_calls = 64;
    static constexpr bool when(const call_view& call) {
        for (int i : {of.query, of.key, of.value})
            if (element_count(call.tensor(i)) == 0) return false;
        return true;
    }
    static constexpr void decompose(auto& c) {
        const auto &q = c.aten.tensor(of.query), &k = c.aten.tensor(of.key);
        const int_list batch{q.size(0), q.size(1)};
        const auto shared = aten::shared_heads(c.aten, of);
        const auto transposed = [&](const argument& x) { return c.call("aten.transpose.int", {x, 1, 2}); };
        const auto queries = detail::as_batch(c, c.operand(of.query), batch, 1);
        const auto keys = detail::as_batch(c, c.operand(of.key), batch, shared);
        const auto values = detail::as_batch(c, c.operand(of.value), batch, shared);
        const auto given = detail::as_batch(c, c.operand(to.grad_out), batch, 1);
        const auto scores = detail::attention_scores(c, of, batch, queries, transposed(keys));
        const auto powers = c.call("aten.exp.default", {c.call(sub, {scores, logarithms(c)})});
        const auto out = detail::as_batch(c, c.operand(to.out), batch, 1);
        const auto level = c.call(sum, {c.call(mul, {given, out}), int_list{2}, true});
        const auto kept = factors(c);
        const auto dropped = [&](const argument& x) {
            return kept.kind == argument_kind::node ? c.call(mul, {x, kept}) : x;
        };
        const auto rising = c.call(sub, {dropped(c.call(bmm, {given, transposed(values)})), level});
        const auto slopes = c.call(mul, {powers, rising});
        if (!c.editor().ok()) return;
        const double scale = aten::scale_of(c.aten, of);
        if (c.is_result_used(0))
            c.bind_result(c.call(view, {c.call(mul, {c.call(bmm, {slopes, keys}), scale}), sizes_of(q)}), 0);
        if (c.is_result_used(1))
            finish_shared(c, c.call(mul, {c.call(bmm, {transposed(slopes), queries}), scale}), k, shared, 1);
        if (c.is_result_used(2))
            finish_shared(c, c.call(bmm, {transposed(dropped(powers)), given}), c.aten.tensor(of.value), shared, 2);
        if (to.gives_bias && c.is_result_used(3))
            finish_bias(c, slopes, {batch[0], batch[1], q.size(2), k.size(2)});
    }

private:
    /// The scale of each attention weight, [batch, queries, keys]: 0 if it was dropped, from the forward kernel's
    /// random numbers. None: no dropout.
    static constexpr argument factors([[maybe_unused]] decompose_context& c) {
        if constexpr (to.seed == aten::no_parameter) {
            return {}; // PyTorch's kernel has no dropout
        } else {
            const double p = c.aten.real(of.dropout_p);
            if (p == 0) return {};
            const auto &q = c.aten.tensor(of.query), &k = c.aten.tensor(of.key);
            const auto shares = tensor_of(dtype::f32, {q.size(0) * q.size(1), q.size(2), k.size(2)});
            const auto drawn =
                c.call("philox.uniform.default", {c.operand(to.seed), c.operand(to.offset), 0, sizes_of(shares),
                                                  strides_of(shares), 0.0, 1.0, dtype::f32});
            const auto kept = c.call("aten.lt.Scalar", {drawn, 1 - p});
            return c.call("aten.where.Scalar", {kept, p < 1 ? 1 / (1 - p) : 0.0, 0.0});
        }
    }
    /// The logarithms as [batch, queries, 1], without padding.
    static constexpr argument logarithms(decompose_context& c) {
        const auto& q = c.aten.tensor(of.query);
        auto logs = c.operand(to.logsumexp);
        if (c.aten.tensor(to.logsumexp).size(2) != q.size(2))
            logs = c.call("aten.slice.Tensor", {logs, 2, 0, q.size(2)});
        logs = c.call(reshape, {logs, int_list{q.size(0) * q.size(1), q.size(2), 1}});
        if (of.mask == no_parameter || !c.aten.is_given(of.mask)) return logs;
        const bool is_double = c.aten.tensor(to.logsumexp).type == dtype::f64;
        return c.call("aten.clamp_min.default",
                      {logs, is_double ? std::numeric_limits<double>::lowest()
                                       : static_cast<double>(std::numeric_limits<float>::lowest())});
    }
    /// Binds a gradient of keys or values, summed over the `shared` query heads that read each of their heads.
    static constexpr void finish_shared(decompose_context& c, argument made, const tensor_type& t, std::int64_t shared,
                                        std::int32_t k) {
        if (shared != 1) {
            made = c.call(view, {made, int_list{t.size(0), t.size(1), shared, t.size(2), t.size(3)}});
            made = c.call(sum, {made, int_list{2}, false});
        } else {
            made = c.call(view, {made, sizes_of(t)});
        }
        c.bind_result(made, k);
    }
    /// The scores' gradient, of [batch, heads, queries, keys], summed to the bias's sizes; empty if not requested.
    static constexpr void finish_bias(decompose_context& c, argument made, const int_list& whole) {
        const auto type = c.aten.result_type(3);
        if (element_count(type) == 0) {
            made = c.call("aten.full.default", {sizes_of(type), 0.0});
            if (type.type != dtype::f32) made = c.call("prims.convert_element_type.default", {made, type.type});
            c.bind_result(made, 3);
            return;
        }
        made = c.call(view, {made, whole});
        int_list spread;
        for (int d = 0; d < whole.size; ++d) {
            const int own = d - (whole.size - type.rank);
            if (own < 0 || (type.size(own) == 1 && whole[d] != 1)) spread.push_back(d);
        }
        if (spread.size > 0) made = c.call(sum, {made, spread, true});
        c.bind_result(type.rank == whole.size ? made : c.call(view, {made, sizes_of(type)}), 3);
    }
};

} // namespace ahead::decomposition
