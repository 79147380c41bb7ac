// SPDX-License-Identifier: MIT
// The common part of torch_npu's attention operators: layouts, masks in which True hides, bands of visible keys, groups
// of query heads that share a key head; and their meaning, softmax(query @ key^T * scale) @ value.
// Invariant: hidden keys contribute nothing; a query without visible keys gives zeros. Quantised keys, pages, padding
// and sequence lengths are not supported: a call that passes one is refused, and the error names the parameter.
// Source: docs/zh/custom_APIs/torch_npu/torch_npu-npu_fused_infer_attention_score.md of op-plugin.
#pragma once
#include <ahead/torch_npu/expansion.hpp>

namespace AHEAD_NAMESPACE::torch_npu {

/// B: batch, S: sequence, H: heads * head size, N: heads, D: head size. BNSD_BSND: operands BNSD, result BSND.
enum class attention_layout { BSH, BNSD, BSND, BNSD_BSND };

/// Parameter numbers of an attention operator; the first three parameters are query, key and value.
struct attention_parameters {
    enum at : int { query, key, value };
    int mask = no_parameter, heads = no_parameter;
    int key_heads = no_parameter; // value 0: same as heads; without the parameter: taken from the key
    int scale = no_parameter, layout = no_parameter;
    int before = no_parameter, after = no_parameter; // number of keys visible before and after the query's position
    int sparse_mode = no_parameter, sums = no_parameter;
    int shift = no_parameter; // added to the scores
};

namespace detail {

inline constexpr std::int64_t everything = 2147483647; // value of before and after that means no limit
inline constexpr std::int64_t side_of_known_mask = 2048;

/// The numbers that define the computation of a call.
struct attended {
    attention_layout layout{};
    std::int64_t batch = 0, heads = 0, key_heads = 0, queries = 0, keys = 0, depth = 0, width = 0;
    bool is_masked = false, is_banded = false; // by a mask tensor; by position: lowest <= key - query <= highest
    bool is_shifted = false;
    std::int64_t lowest = 0, highest = 0;

    constexpr bool is_flat() const { return layout == attention_layout::BSH; }
    constexpr bool heads_first() const {
        return layout == attention_layout::BNSD || layout == attention_layout::BNSD_BSND;
    }
    /// The index of an element of query, key or value, whose head size is `per_head`.
    constexpr int_list place(std::int64_t b, std::int64_t n, std::int64_t s, std::int64_t d,
                             std::int64_t per_head) const {
        if (is_flat()) return {b, s, n * per_head + d};
        return heads_first() ? int_list{b, n, s, d} : int_list{b, s, n, d};
    }
    constexpr bool sees(std::int64_t query, std::int64_t key) const {
        return !is_banded || (key - query >= lowest && key - query <= highest);
    }
};

/// The number of key heads. pre: the ranks are those of the layout
constexpr std::int64_t key_heads_of(const auto& c, const attention_parameters& of) {
    const auto heads = c.integer(of.heads);
    if (of.key_heads != no_parameter) return c.integer(of.key_heads) == 0 ? heads : c.integer(of.key_heads);
    const auto& k = c.tensor(of.key);
    const auto layout = c.template word<attention_layout>(of.layout);
    if (layout != attention_layout::BSH) return k.size(layout == attention_layout::BSND ? 2 : 1);
    const auto& q = c.tensor(of.query);
    const auto depth = heads > 0 ? q.size(2) / heads : 0;
    return depth > 0 ? k.size(2) / depth : heads;
}

/// pre: the ranks are those of the layout
constexpr attended attended_by(const auto& c, const attention_parameters& of) {
    attended out;
    out.layout = c.template word<attention_layout>(of.layout);
    const auto &q = c.tensor(of.query), &k = c.tensor(of.key), &v = c.tensor(of.value);
    out.heads = c.integer(of.heads);
    out.key_heads = key_heads_of(c, of);
    const int places = out.heads_first() ? 2 : 1;
    out.batch = q.size(0);
    out.queries = q.size(places);
    out.keys = k.size(places);
    out.depth = q.size(q.rank - 1) / (out.is_flat() ? out.heads : 1);
    out.width = v.size(v.rank - 1) / (out.is_flat() ? out.key_heads : 1);
    const auto sparse = of.sparse_mode != no_parameter ? c.integer(of.sparse_mode) : 0;
    out.is_masked = c.is_given(of.mask) && sparse < 2;
    out.is_shifted = of.shift != no_parameter && c.is_given(of.shift);
    if (out.queries == 1) return out; // decoding: modes and bands have no effect
    if (sparse >= 2) {
        out.is_banded = true;
        out.lowest = -out.queries;
        out.highest = sparse == 2 ? 0 : out.keys - out.queries;
    } else if (sparse == 0 && out.is_masked && of.before != no_parameter) {
        out.lowest = -c.integer(of.before);
        out.highest = c.integer(of.after);
        out.is_banded = out.lowest > 1 - out.queries || out.highest < out.keys - 1;
    }
    return out;
}
/// The sizes of a mask for broadcasting to [B, N, S, keys]; empty if it does not fit.
constexpr int_list mask_sizes(const tensor_type& mask, const attended& a) {
    int_list out;
    if (mask.rank == 2 && a.queries == 1 && mask.size(0) == a.batch) return {a.batch, 1, 1, mask.size(1)};
    if (mask.rank < 2 || mask.rank > 4) return out;
    const bool has_batch = mask.rank > 2;
    out = {has_batch ? mask.size(0) : 1, mask.rank == 4 ? mask.size(1) : 1, mask.size(mask.rank - 2),
           mask.size(mask.rank - 1)};
    const int_list all{a.batch, a.heads, a.queries, a.keys};
    for (int d = 0; d < 4; ++d)
        if (out[d] != all[d] && (d > 1 || out[d] != 1)) return {};
    return out;
}

constexpr bool check_mask(infer_context& c, const attention_parameters& of, const attended& a) {
    const auto sparse = of.sparse_mode != no_parameter ? c.integer(of.sparse_mode) : 0;
    if (sparse < 0 || sparse > 3)
        return c.refuse(fault::argument_has_wrong_kind, "sparse_mode: 0 to 3", short_text() << sparse);
    if (!c.is_given(of.mask))
        return sparse == 0 ||
               c.refuse(fault::argument_is_missing, short_text("a mask for sparse_mode ") << sparse, "nothing");
    const auto& mask = c.tensor(of.mask);
    if (mask.type != dtype::b8 && mask.type != dtype::i8 && mask.type != dtype::u8)
        return c.refuse(fault::dtype_is_unsupported, "a mask of b8, i8 or u8", print(mask));
    if (sparse >= 2)
        return (mask.rank >= 2 && mask.size(mask.rank - 1) == side_of_known_mask &&
                element_count(mask) == side_of_known_mask * side_of_known_mask) ||
               c.refuse(fault::shapes_do_not_broadcast, "a mask of [2048, 2048]", print(mask));
    return mask_sizes(mask, a).size == 4 ||
           c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(mask.type, {a.batch, a.heads, a.queries, a.keys})),
                    print(mask));
}

/// Checks the shift: [B, N, S, keys], where batch and queries may be 1.
constexpr bool check_shift(infer_context& c, const attention_parameters& of, const attended& a) {
    if (!a.is_shifted) return true;
    if (!check_same_dtype(c, of.shift, of.query)) return false;
    const auto& shift = c.tensor(of.shift);
    const int_list all{a.batch, a.heads, a.queries, a.keys};
    bool fits = shift.rank == 4;
    for (int d = 0; d < 4 && fits; ++d) fits = shift.size(d) == all[d] || (shift.size(d) == 1 && (d == 0 || d == 2));
    return fits || c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(shift.type, all)), print(shift));
}

/// Infers the result's type and fills `a`; false if the operands are not supported.
constexpr bool infer_attention(infer_context& c, const attention_parameters& of, attended& a, tensor_type& out) {
    const int rank = c.word<attention_layout>(of.layout) == attention_layout::BSH ? 3 : 4;
    for (int i : {of.query, of.key, of.value})
        if (!check_floating(c, i) || !check_rank(c, i, rank, rank) || !check_same_dtype(c, i, of.query)) return false;
    const auto heads = c.integer(of.heads), key_heads = key_heads_of(c, of);
    if (heads < 1 || key_heads < 1 || heads % key_heads != 0)
        return c.refuse(fault::argument_has_wrong_kind, "heads of queries, a multiple of those of keys",
                        short_text() << heads << " and " << key_heads);
    const auto &q = c.tensor(of.query), &k = c.tensor(of.key), &v = c.tensor(of.value);
    for (int i : {of.query, of.key, of.value}) {
        const auto own = i == of.query ? heads : key_heads;
        const auto& t = c.tensor(i);
        const int dim = c.word<attention_layout>(of.layout) == attention_layout::BSND ? 2 : 1;
        if (rank == 3 ? t.size(2) % own != 0 : t.size(dim) != own)
            return c.refuse(fault::channels_differ, short_text() << own << " heads", print(t));
        if (t.size(0) != q.size(0))
            return c.refuse(fault::shapes_do_not_broadcast, short_text("the batch of ") << print(q).view(), print(t));
    }
    a = attended_by(c, of);
    if (k.size(rank - 1) / (rank == 3 ? key_heads : 1) != a.depth)
        return c.refuse(fault::matmul_inner_extents_differ,
                        short_text("keys of ") << a.depth << " elements for each head, as queries", print(k));
    if (v.size(a.heads_first() ? 2 : 1) != a.keys)
        return c.refuse(fault::matmul_inner_extents_differ, short_text() << a.keys << " values, as many as keys",
                        print(v));
    out = tensor_of(q.type, a.is_flat()                          ? int_list{a.batch, a.queries, a.heads * a.width}
                            : a.layout == attention_layout::BNSD ? int_list{a.batch, a.heads, a.queries, a.width}
                                                                 : int_list{a.batch, a.queries, a.heads, a.width});
    return check_mask(c, of, a) && check_shift(c, of, a);
}

/// Calls kept(batch, head, query, largest score, softmax denominator) for each row.
constexpr void evaluate_attention(auto& c, const attention_parameters& of, auto kept) {
    const auto a = attended_by(c, of);
    const auto q = c.input(of.query, float{}), k = c.input(of.key, float{}), v = c.input(of.value, float{});
    const auto out = c.output(0, float{});
    const double scale = c.real(of.scale);
    const auto shown = a.is_masked ? mask_sizes(c.tensor(of.mask), a) : int_list{};
    const auto hides = [&](std::int64_t b, std::int64_t n, std::int64_t i, std::int64_t j) {
        if (!a.is_masked) return false;
        const auto mask = c.input(of.mask, std::int64_t{});
        const int_list all{shown[0] == 1 ? 0 : b, shown[1] == 1 ? 0 : n, shown[2] == 1 ? 0 : i, j};
        int_list at;
        const int rank = mask.type().rank;
        if (rank == 2 && a.queries == 1 && shown[0] == a.batch && mask.type().size(0) == a.batch) at = {all[0], j};
        else
            for (int d = rank == 4 ? 0 : rank == 3 ? 0 : 2; d < 4; ++d)
                if (rank == 4 || d != 1) at.push_back(all[d]);
        return mask[at] != 0;
    };
    const auto shift_of = [&](std::int64_t b, std::int64_t n, std::int64_t i, std::int64_t j) -> double {
        if (!a.is_shifted) return 0;
        const auto shift = c.input(of.shift, float{});
        const auto& sizes = shift.type();
        return static_cast<double>(shift[{sizes.size(0) == 1 ? 0 : b, n, sizes.size(2) == 1 ? 0 : i, j}]);
    };
    auto row = c.scratch(a.keys, 0.0);
    for_each_index({a.batch, a.heads, a.queries}, [&](const int_list& at) {
        const auto b = at[0], n = at[1], i = at[2], shared = n / (a.heads / a.key_heads);
        double largest = -math::detail::infinity, total = 0;
        for (std::int64_t j = 0; j < a.keys; ++j) {
            double sum = 0;
            for (std::int64_t d = 0; d < a.depth; ++d)
                sum += static_cast<double>(q[a.place(b, n, i, d, a.depth)]) *
                       static_cast<double>(k[a.place(b, shared, j, d, a.depth)]);
            const bool is_seen = a.sees(i, j) && !hides(b, n, i, j);
            auto& x = row[static_cast<std::size_t>(j)] =
                is_seen ? sum * scale + shift_of(b, n, i, j) : -math::detail::infinity;
            largest = std::max(largest, x);
        }
        const bool sees_nothing = largest == -math::detail::infinity;
        for (std::int64_t j = 0; j < a.keys; ++j) {
            auto& x = row[static_cast<std::size_t>(j)];
            x = sees_nothing ? 0 : math::exp(x - largest);
            total += x;
        }
        for (std::int64_t d = 0; d < a.width; ++d) {
            double sum = 0;
            for (std::int64_t j = 0; j < a.keys; ++j)
                sum += row[static_cast<std::size_t>(j)] * static_cast<double>(v[a.place(b, shared, j, d, a.width)]);
            auto to = a.place(b, n, i, d, a.width);
            if (a.layout == attention_layout::BNSD_BSND) to = {b, i, n, d};
            out.put(to, static_cast<float>(sees_nothing ? 0 : sum / total));
        }
        kept(b, n, i, largest, total);
    });
}
/// For one row of scores.
constexpr std::int64_t attention_scratch_bytes(const call_view& c, const attention_parameters& of) {
    return 8 * attended_by(c, of).keys;
}

} // namespace detail

} // namespace ahead::torch_npu
