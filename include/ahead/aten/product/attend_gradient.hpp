// SPDX-License-Identifier: MIT
// The common part of the gradients of attention: checks and meaning. With P = exp(scores - logsumexp), which is the
// softmax, and D = P * (grad_out @ value^T - sum(grad_out * out)), the scores' gradient, the results are D @ key *
// scale, D^T @ query * scale, P^T @ grad_out, and D reduced to the bias's sizes. Query heads that share keys and values
// sum their gradients.
// If shares were dropped, P^T and grad_out @ value^T are dropped and scaled equally, by the numbers that the forward
// kernel reports as drawn.
// Invariant: out and logsumexp are assumed to be the forward kernel's results for these operands; a query that saw no
// key, whose logsumexp is infinite, contributes nothing. Sums accumulate in double and are rounded once.
// Source: aten/src/ATen/native/native_functions.yaml, torch/_meta_registrations.py.
#pragma once
#include <ahead/aten/product/attend.hpp>
#include <ahead/aten/reduce/gradient_sums.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Parameter numbers of a gradient of attention, in addition to the parameters of attention.
struct attention_gradient_parameters {
    int grad_out = 0, out, logsumexp;
    int output_mask = no_parameter; // bool[4]; the last one requests the bias's gradient; others are ignored
    bool heads_inside = false;      // memory order [batch, rows, heads, ...], or else that of the operand
    bool gives_bias = false;        // whether there is a fourth result
    int seed = no_parameter, offset = no_parameter; // of the drawn numbers
};

namespace detail {

/// The parameters of attention that all gradients have, from the operator's enum `at`.
template <class At> constexpr attention_parameters attention_at(int mask, bool shares_heads, bool drops = true) {
    return {.query = At::query,
            .key = At::key,
            .value = At::value,
            .dropout_p = At::dropout_p,
            .is_causal = At::is_causal,
            .scale = At::scale,
            .mask = mask,
            .shares_heads = shares_heads,
            .drops = drops};
}

constexpr bool wants_bias_gradient(const auto& c, const attention_parameters& of,
                                   const attention_gradient_parameters& to) {
    return to.gives_bias && c.is_given(of.mask) &&
           (to.output_mask == no_parameter || c.element(to.output_mask, 3).boolean());
}

constexpr bool check_attention_gradient(infer_context& c, const attention_parameters& of,
                                        const attention_gradient_parameters& to) {
    int_list sizes;
    if (!infer_attention(c, of, true, sizes)) return false;
    const auto& q = c.tensor(of.query);
    for (int i : {to.grad_out, to.out}) {
        const auto& t = c.tensor(i);
        if (t.type != q.type) return c.refuse(fault::dtypes_differ, print(q), print(t));
        if (sizes_of(t) != sizes)
            return c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(q.type, sizes)), print(t));
    }
    const auto& logs = c.tensor(to.logsumexp);
    if (logs.type != dtype::f32 && logs.type != q.type)
        return c.refuse(fault::dtype_is_unsupported, "logsumexp of f32", print(logs));
    const bool is_column = logs.rank == 4 && logs.size(3) == 1;
    if ((logs.rank != 3 && !is_column) || logs.size(0) != sizes[0] || logs.size(1) != sizes[1] ||
        logs.size(2) < sizes[2])
        return c.refuse(fault::shapes_do_not_broadcast,
                        short_text("logsumexp ") << print(tensor_of(dtype::f32, {sizes[0], sizes[1], sizes[2]})).view()
                                                 << ", or longer rows",
                        print(logs));
    if (c.real(of.dropout_p) != 0) {
        if (!c.is_given(to.seed) || !c.is_given(to.offset))
            return c.refuse(fault::argument_is_missing, "philox_seed and philox_offset, beside a dropout_p", "None");
    }
    for (int i : {to.seed, to.offset}) {
        if (i == no_parameter || !c.is_given(i)) continue;
        const auto& t = c.tensor(i);
        if (c.real(of.dropout_p) != 0 ? t.type != dtype::i64 || t.rank != 0 : is_only_moved(t.type))
            return c.refuse(fault::dtype_is_unsupported, "what the forward kernel drew, i64[]", print(t));
    }
    if (to.output_mask != no_parameter && c.list_size(to.output_mask) != 4)
        return c.refuse(fault::rank_is_wrong, "4 flags", short_text() << c.list_size(to.output_mask));
    return true;
}

constexpr bool infer_attention_gradient(infer_context& c, const attention_parameters& of,
                                        const attention_gradient_parameters& to, const tensor_type& bias) {
    if (!check_attention_gradient(c, of, to) || !c.results(to.gives_bias ? 4 : 3)) return false;
    for (int i : {of.query, of.key, of.value}) {
        const auto& t = c.tensor(i);
        if (!c.set(i - of.query, to.heads_inside ? heads_inside(tensor_of(t.type, sizes_of(t))) : like(t, t.type)))
            return false;
    }
    return !to.gives_bias || c.set(3, wants_bias_gradient(c, of, to) ? bias : tensor_of(c.tensor(of.query).type, {0}));
}

constexpr void evaluate_attention_gradient(auto& c, const attention_parameters& of,
                                           const attention_gradient_parameters& to) {
    c.compute_real([&](auto as) {
        const auto q = c.input(of.query, as), k = c.input(of.key, as), v = c.input(of.value, as);
        const auto given = c.input(to.grad_out, as), out = c.input(to.out, as);
        const auto score = attention_scores(c, of, as);
        const double scale = scale_of(c, of);
        const auto shared = shared_heads(c, of), keys = k.type().size(2), head = q.type().size(3),
                   width = v.type().size(3);
        const bool wants_bias = wants_bias_gradient(c, of, to);
        auto to_query = sums_beside(c, q.type()), to_key = sums_beside(c, k.type());
        auto to_value = sums_beside(c, v.type());
        auto to_bias = sums_beside(c, wants_bias ? c.tensor(of.mask) : tensor_of(dtype::f64, {0}));
        const auto sum_of = [&](int_list at) {
            if (c.tensor(to.logsumexp).rank == 4) at.push_back(0);
            return c.tensor(to.logsumexp).type == dtype::f64 ? c.input(to.logsumexp, double{})[at]
                                                             : static_cast<double>(c.input(to.logsumexp, float{})[at]);
        };
        share_dropout dropout(c.real(of.dropout_p));
        if (dropout.drops()) {
            const auto seed = c.input(to.seed, std::int64_t{}), offset = c.input(to.offset, std::int64_t{});
            dropout.numbers = {seed[{}], offset[{}]};
        }
        std::int64_t before = -keys; // shares of the rows before
        for_each_index({q.type().size(0), q.type().size(1), q.type().size(2)}, [&](const int_list& at) {
            before += keys;
            const double logarithm = sum_of(at);
            if (logarithm == -math::detail::infinity || logarithm == math::detail::infinity) return;
            const auto in_row = [&](const auto& t, std::int64_t e) {
                return static_cast<double>(t[{at[0], at[1], at[2], e}]);
            };
            double level = 0;
            for (std::int64_t e = 0; e < width; ++e) level += in_row(given, e) * in_row(out, e);
            for (std::int64_t s = 0; s < keys; ++s) {
                const double p = math::exp(score(at, s) - logarithm);
                const double factor = dropout.factor(before + s);
                double slope = 0;
                for (std::int64_t e = 0; e < width; ++e) {
                    const auto i = attended_index(v.type(), at, shared, s, e);
                    slope += in_row(given, e) * static_cast<double>(v[i]);
                    to_value.add(i, p * factor * in_row(given, e));
                }
                slope = (slope * factor - level) * p;
                if (wants_bias) to_bias.add(broadcast_index(to_bias.type, {at[0], at[1], at[2], s}), slope);
                for (std::int64_t e = 0; e < head; ++e) {
                    const auto i = attended_index(k.type(), at, shared, s, e);
                    to_query.add({at[0], at[1], at[2], e}, scale * slope * static_cast<double>(k[i]));
                    to_key.add(i, scale * slope * in_row(q, e));
                }
            }
        });
        to_query.round_into(c.output(0, as), as);
        to_key.round_into(c.output(1, as), as);
        to_value.round_into(c.output(2, as), as);
        if (wants_bias) to_bias.round_into(c.output(3, as), as);
    });
}

/// The common part, except for name and schema. A bias's gradient has the bias's strides.
template <class Op> struct attention_gradient {
    static constexpr bool infer(infer_context& c) {
        const auto& of = Op::attended;
        const bool has_bias = of.mask != no_parameter && c.is_given(of.mask);
        return infer_attention_gradient(c, of, Op::gradients,
                                        has_bias ? like(c.tensor(of.mask), c.tensor(of.mask).type) : tensor_type{});
    }
    static constexpr void evaluate(auto& c) { evaluate_attention_gradient(c, Op::attended, Op::gradients); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        const auto& of = Op::attended;
        std::int64_t count = 0;
        for (int i : {of.query, of.key, of.value}) count += element_count(c.tensor(i));
        return 8 * (count + (wants_bias_gradient(c, of, Op::gradients) ? element_count(c.tensor(of.mask)) : 0));
    }
};

} // namespace detail

} // namespace ahead::aten
