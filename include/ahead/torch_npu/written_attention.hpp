// SPDX-License-Identifier: MIT
// Replaces an attention subgraph by npu_fusion_attention: softmax(query @ key^T * scale + mask) @ value of f32[B, N, S,
// D], by matmul, as torch.export prints it, or by bmm, as tracing decomposes matmul. The mask is additive and becomes
// pse, broadcast over the heads; TorchAir treats it as a boolean mask.
// Law: preserves results but for the order of sums; a row that -infinity hides entirely gives zeros instead of NaN.
// Source: npu_fusion_attention.py in python/torchair/_utils/npu_fx_passes of TorchAir.
#pragma once
#include <ahead/pass/rewrite.hpp>
#include <ahead/torch_npu/match_words.hpp>

namespace AHEAD_NAMESPACE::torch_npu::detail {

/// B, N, S, K, D of the query; width: D of the value.
struct attention_sizes {
    std::int64_t batch = 0, heads = 0, queries = 0, keys = 0, depth = 0, width = 0;
};
/// Whether "q", "k" and "v" are f32 with matching sizes; sets `out` to the sizes.
constexpr bool read_attention_sizes(const match& m, attention_sizes& out) {
    for (std::string_view name : {"q", "k", "v"})
        if (!is_tensor(m, name) || m.type(name).type != dtype::f32 || m.type(name).rank != 4) return false;
    const auto &q = m.type("q"), &k = m.type("k"), &v = m.type("v");
    out = {q.size(0), q.size(1), q.size(2), k.size(2), q.size(3), v.size(3)};
    return sizes_of(k) == int_list{out.batch, out.heads, out.keys, out.depth} &&
           sizes_of(v) == int_list{out.batch, out.heads, out.keys, out.width};
}
/// Whether the operand is this list; -1 in the operand's list means an inferred size.
constexpr bool says(const match& m, std::string_view name, const int_list& sizes) {
    const auto& list = m.operand(name);
    if (list.children.count != sizes.size) return false;
    const auto g = m.graph();
    for (std::int32_t k = 0; k < sizes.size; ++k) {
        const auto& a = g[list.children[k]];
        if (a.kind != argument_kind::integer || (a.integer() != sizes[k] && a.integer() != -1)) return false;
    }
    return true;
}
constexpr bool is_mask(const match& m, const attention_sizes& s) {
    if (!is_tensor(m, "mask") || m.type("mask").type != dtype::f32 || m.type("mask").rank > 4) return false;
    const auto& t = m.type("mask");
    const int_list scores{s.batch, s.heads, s.queries, s.keys};
    for (int d = 0; d < t.rank; ++d)
        if (t.size(d) != 1 && t.size(d) != scores[4 - t.rank + d]) return false;
    return true;
}
constexpr double number_of(const match& m, std::string_view name) {
    return basic_call<false>::to_real(m.operand(name));
}
/// The common condition: sizes, the last two dims of the key swapped, softmax along the keys, a numeric factor.
template <bool Masked, bool Divides> constexpr bool is_attention(const match& m) {
    attention_sizes s;
    if (!read_attention_sizes(m, s) || !is_number(m, "factor") || !is_last(m, "dim", 4)) return false;
    if (Divides && number_of(m, "factor") == 0) return false;
    const auto a = dim_of(m, "a", 4), b = dim_of(m, "b", 4);
    return ((a == 2 && b == 3) || (a == 3 && b == 2)) && (!Masked || is_mask(m, s));
}
/// Whether matmul was decomposed to plain batches of matrices, without broadcasting.
constexpr bool are_batches_of_matrices(const match& m) {
    attention_sizes s;
    if (!read_attention_sizes(m, s)) return false;
    const auto all = s.batch * s.heads;
    return says(m, "q4", {s.batch, s.heads, s.queries, s.depth}) && says(m, "q3", {all, s.queries, s.depth}) &&
           says(m, "k4", {s.batch, s.heads, s.depth, s.keys}) && says(m, "k3", {all, s.depth, s.keys}) &&
           says(m, "w4", {s.batch, s.heads, s.queries, s.keys}) && says(m, "w3", {all, s.queries, s.keys}) &&
           says(m, "s4", {s.batch, s.heads, s.queries, s.keys}) && says(m, "v4", {s.batch, s.heads, s.keys, s.width}) &&
           says(m, "v3", {all, s.keys, s.width}) && says(m, "o4", {s.batch, s.heads, s.queries, s.width});
}

template <bool Masked, bool Divides>
constexpr auto shifted_scores(const auto& products, any<"factor"> factor, any<"mask"> mask) {
    const auto scaled = [&] {
        if constexpr (Divides) return joined<aten::div>(products, factor);
        else return joined<aten::mul>(products, factor);
    }();
    if constexpr (Masked) return joined<aten::add>(scaled, mask);
    else return scaled;
}
template <bool Masked>
constexpr auto fused_attention(any<"q"> q, any<"k"> k, any<"v"> v, any<"mask"> mask, any<"heads"> heads,
                               any<"scores"> scores, any<"scale"> scale) {
    constexpr word<"BNSD"> layout{};
    const keyword<"scale", any<"scale">> scaled{scale};
    if constexpr (Masked)
        return pick<0>(
            joined<npu_fusion_attention>(q, k, v, heads, layout, joined<aten::expand>(mask, scores), scaled));
    else return pick<0>(joined<npu_fusion_attention>(q, k, v, heads, layout, scaled));
}

inline constexpr auto heads_of = [](const match& m) { return m.type("q").size(1); };
inline constexpr auto sizes_of_scores = [](const match& m) {
    attention_sizes s;
    read_attention_sizes(m, s);
    return int_list{s.batch, s.heads, s.queries, s.keys};
};
template <bool Divides>
inline constexpr auto scale_in =
    [](const match& m) { return Divides ? 1 / number_of(m, "factor") : number_of(m, "factor"); };

/// torch.softmax(torch.matmul(q, k.transpose(2, 3)) / factor + mask, -1) @ v
template <bool Masked, bool Divides, fixed_string Name>
inline constexpr auto written_attention =
    pass::rule<Name>([](any<"q"> q, any<"k"> k, any<"v"> v, any<"mask"> mask, any<"a"> a, any<"b"> b,
                        any<"factor"> factor, any<"dim"> dim, any<"type"> type, any<"heads"> heads,
                        any<"scores"> scores, any<"scale"> scale) {
        const auto products = joined<aten::matmul>(q, joined<aten::transpose>(k, a, b));
        const auto weights =
            joined<aten::softmax_int>(shifted_scores<Masked, Divides>(products, factor, mask), dim, type);
        return rewrite(joined<aten::matmul>(weights, v), fused_attention<Masked>(q, k, v, mask, heads, scores, scale));
    })
        .when([](const match& m) {
            const auto& type = m.operand("type");
            return is_attention<Masked, Divides>(m) && (type.kind == argument_kind::none || type.type() == dtype::f32);
        })
        .template with<"heads">(heads_of)
        .template with<"scores">(sizes_of_scores)
        .template with<"scale">(scale_in<Divides>);

/// The same with each matmul decomposed to a bmm of expanded and viewed batches.
template <bool Masked, bool Divides, fixed_string Name>
inline constexpr auto traced_attention =
    pass::rule<Name>([](any<"q"> q, any<"k"> k, any<"v"> v, any<"mask"> mask, any<"a"> a, any<"b"> b,
                        any<"factor"> factor, any<"dim"> dim, any<"q4"> q4, any<"q3"> q3, any<"k4"> k4, any<"k3"> k3,
                        any<"s4"> s4, any<"w4"> w4, any<"w3"> w3, any<"v4"> v4, any<"v3"> v3, any<"o4"> o4,
                        any<"heads"> heads, any<"scores"> scores, any<"scale"> scale) {
        const auto batches = [](const auto& x, const auto& spread, const auto& flat) {
            return joined<aten::view>(joined<aten::expand>(x, spread), flat);
        };
        const auto products = joined<aten::view>(
            joined<aten::bmm>(batches(q, q4, q3), batches(joined<aten::transpose>(k, a, b), k4, k3)), s4);
        const auto weights =
            joined<aten::softmax>(shifted_scores<Masked, Divides>(products, factor, mask), dim, flag<false>{});
        return rewrite(joined<aten::view>(joined<aten::bmm>(batches(weights, w4, w3), batches(v, v4, v3)), o4),
                       fused_attention<Masked>(q, k, v, mask, heads, scores, scale));
    })
        .when([](const match& m) { return is_attention<Masked, Divides>(m) && are_batches_of_matrices(m); })
        .template with<"heads">(heads_of)
        .template with<"scores">(sizes_of_scores)
        .template with<"scale">(scale_in<Divides>);

inline constexpr auto written_attentions =
    written_attention<true, true, "fusion_attention_masked"> |
    written_attention<true, false, "fusion_attention_masked_times"> |
    written_attention<false, true, "fusion_attention"> | written_attention<false, false, "fusion_attention_times"> |
    traced_attention<true, true, "traced_attention_masked"> |
    traced_attention<true, false, "traced_attention_masked_times"> | traced_attention<false, true, "traced_attention"> |
    traced_attention<false, false, "traced_attention_times">;

} // namespace ahead::torch_npu::detail
