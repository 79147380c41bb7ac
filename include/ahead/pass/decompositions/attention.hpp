// SPDX-License-Identifier: MIT
// Attention as two batches of products and a softmax between them, which is decomposed where it cannot be _softmax;
// with dropout also a product in between (pass/functionalise_random.hpp).
#pragma once
#include <ahead/pass/decompositions/names.hpp>

namespace AHEAD_NAMESPACE::decomposition {

namespace detail {

/// A tensor as [batch, rows, columns], with each of its heads repeated `shared` times.
constexpr argument as_batch(decompose_context& c, argument whole, const int_list& batch, std::int64_t shared) {
    auto sizes = sizes_of(c.type_of(whole));
    const auto rows = sizes[sizes.size - 2], columns = sizes[sizes.size - 1];
    if (shared != 1) {
        const int heads = sizes.size - 3;
        auto apart = sizes;
        apart[heads + 1] = shared;
        apart[heads + 2] = rows;
        apart.push_back(columns);
        sizes[heads] *= shared;
        whole = c.call("aten.unsqueeze.default", {whole, heads + 1});
        whole = c.call(reshape, {c.call(expand, {whole, apart}), sizes});
    }
    auto spread = batch;
    spread.push_back(rows);
    spread.push_back(columns);
    if (spread != sizes) whole = c.call(expand, {whole, spread});
    std::int64_t count = 1;
    for (auto size : batch) count *= size;
    return batch.size == 1 ? whole : c.call(reshape, {whole, int_list{count, rows, columns}});
}

/// [batch, queries, keys], with -infinity for each key that the mask hides from a query: an addend, as in PyTorch.
constexpr argument attention_scores(decompose_context& c, const aten::attention_parameters& of, const int_list& batch,
                                    const argument& queries, const argument& keys) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    auto scores = c.call(mul, {c.call(bmm, {queries, keys}), aten::scale_of(c.aten, of)});
    if (!c.editor().ok()) return scores;
    const auto flat = sizes_of(c.type_of(scores));
    const auto type = c.type_of(scores).type;
    if (c.aten.boolean(of.is_causal)) {
        const auto all = full_of(c, {flat[1], flat[2]}, argument::of(-infinity), type);
        return c.call(add, {scores, c.call("aten.triu.default", {all, 1})});
    }
    if (of.mask == no_parameter || !c.aten.is_given(of.mask)) return scores;
    auto apart = batch;
    apart.push_back(flat[1]);
    apart.push_back(flat[2]);
    auto mask = c.operand(of.mask);
    if (c.type_of(mask).type == dtype::b8) {
        mask = c.call("aten.where.Scalar", {mask, 0.0, -infinity});
        if (type != dtype::f32) mask = c.call("prims.convert_element_type.default", {mask, type});
    }
    return c.call(view, {c.call(add, {c.call(view, {scores, apart}), mask}), flat});
}

} // namespace detail

namespace detail {

constexpr void finish_sums(decompose_context& c, const aten::attention_parameters& of, const argument& largest,
                           const argument& total, int sums) {
    const auto& type = c.aten.result_type(sums);
    auto sizes = sizes_of(type);
    const auto places = sizes[2];
    sizes[2] = c.aten.tensor(of.query).size(2);
    auto made = c.call(view, {c.call(add, {c.call("aten.log.default", {total}), largest}), sizes});
    if (!c.editor().ok()) return;
    if (c.type_of(made).type != type.type) made = c.call("prims.convert_element_type.default", {made, type.type});
    if (places != sizes[2])
        made = c.call("aten.constant_pad_nd.default", {made, int_list{0, places - sizes[2]},
                                                       places > 0 ? std::numeric_limits<double>::infinity() : 0.0});
    c.bind_result(made, sums);
}
/// The decomposed softmax of scores; if `sums` is a used result, also binds the logarithms of its sums.
constexpr argument written_softmax(decompose_context& c, const aten::attention_parameters& of, const argument& scores,
                                   bool is_masked, int sums) {
    auto largest = c.call("aten.amax.default", {scores, int_list{2}, true});
    if (is_masked) {
        const bool is_double = c.aten.result_type().type == dtype::f64;
        largest = c.call("aten.clamp_min.default",
                         {largest, is_double ? std::numeric_limits<double>::lowest()
                                             : static_cast<double>(std::numeric_limits<float>::lowest())});
    }
    const auto powers = c.call("aten.exp.default", {c.call(sub, {scores, largest})});
    const auto total = c.call(sum, {powers, int_list{2}, true});
    const auto divisor = is_masked ? c.call("aten.clamp_min.default", {total, 1}) : total;
    if (sums != no_parameter) finish_sums(c, of, largest, total, sums);
    return c.call("aten.div.Tensor", {powers, divisor});
}
/// Binds result k, which only a backward pass needs, if no numbers were drawn: the counts of queries and keys, zeros,
/// or empty tensors.
constexpr void finish_unread(decompose_context& c, const aten::attention_parameters& of, std::int32_t k) {
    const auto& type = c.aten.result_type(k);
    const bool counts = type.rank == 0 && c.editor()[c.aten.id()].values.count == 9 && k < 6;
    const auto number = counts ? c.aten.tensor(k == 4 ? of.query : of.key).size(2) : 0;
    c.bind_result(type.type == dtype::i64 ? c.call("aten.full.default", {sizes_of(type), number})
                                     : c.call("aten.new_zeros.default", {c.operand(of.query), sizes_of(type)}),
             k);
}

} // namespace detail

/// drop.shares(x): the softmax after dropout, scaled; drop.drawn(k): result k from 2 on if it describes the drawn
/// numbers, else None. `sums`: the result that holds the logarithms of the sums.
constexpr void decompose_attention(decompose_context& c, const aten::attention_parameters& of, int sums, auto drop) {
    const auto out = sizes_of(c.aten.result_type());
    const auto shared = aten::shared_heads(c.aten, of);
    auto batch = out;
    batch.size -= 2;
    const auto queries = detail::as_batch(c, c.operand(of.query), batch, 1);
    const auto keys = c.call("aten.transpose.int", {detail::as_batch(c, c.operand(of.key), batch, shared), 1, 2});
    const auto values = detail::as_batch(c, c.operand(of.value), batch, shared);
    const auto scores = detail::attention_scores(c, of, batch, queries, keys);
    if (!c.editor().ok()) return;
    const bool is_masked = of.mask != no_parameter && c.aten.is_given(of.mask);
    const bool sums_up = sums != no_parameter && c.is_result_used(sums);
    const auto shares = is_masked || sums_up
                            ? detail::written_softmax(c, of, scores, is_masked, sums_up ? sums : no_parameter)
                            : c.call("aten._softmax.default", {scores, 2, false});
    const auto made = c.call(bmm, {drop.shares(shares), values});
    c.bind_result(batch.size == 1 ? made : c.call(view, {made, out}));
    for (std::int32_t k = 2; k < c.editor()[c.aten.id()].values.count; ++k) {
        if (!c.is_result_used(k)) continue;
        if (const auto drawn = drop.drawn(k); drawn.kind == argument_kind::node) c.bind_result(drawn, k);
        else detail::finish_unread(c, of, k);
    }
}

/// softmax(query @ key^T * scale + mask) @ value. If a mask may hide all keys from a query, the largest score is
/// clamped to at least the lowest finite number and the sum to at least 1, which changes no other row: such a row gives
/// zeros. Such a softmax, and one whose sums are a result, is decomposed.
template <class Op> struct attention {
    using op = Op;
    static constexpr std::int32_t most_calls = 40;
    static constexpr bool when(const call_view& call) {
        constexpr auto of = Op::attended;
        for (int i : {of.query, of.key, of.value})
            if (element_count(call.tensor(i)) == 0 || call.tensor(i).rank == max_rank) return false;
        return true;
    }
    static constexpr void decompose(auto& c) {
        struct nothing_dropped {
            static constexpr argument shares(const argument& x) { return x; }
            static constexpr argument drawn(std::int32_t) { return {}; }
        };
        decompose_attention(c, Op::attended, Op::sums, nothing_dropped{});
    }
};

} // namespace ahead::decomposition
