// SPDX-License-Identifier: MIT
// The common part of attention operators: their parameters, checks, and meaning: softmax(query @ key^T * scale + mask)
// @ value. Hidden keys contribute nothing; a query that sees no key gives zeros, as in PyTorch since 2.5. dropout_p
// drops shares, the elements of the softmax, and scales the others up: share i in the row-major order of [.., queries,
// keys] uses number i of the call's draw.
// Invariant: nothing is drawn if dropout_p is 0. Sums accumulate in double and are rounded once.
// Source: aten/src/ATen/native/transformers/attention.cpp, torch/_meta_registrations.py.
#pragma once
#include <ahead/aten/create/copy.hpp>
#include <ahead/aten/product/product.hpp>
#include <ahead/core/decimal.hpp>
#include <ahead/core/random_numbers.hpp>

namespace AHEAD_NAMESPACE::aten {

/// Parameter numbers of attention; query, key and value are the first three unless set otherwise.
struct attention_parameters {
    int query = 0, key = 1, value = 2;
    int dropout_p, is_causal, scale, mask = no_parameter;
    int enable_gqa = no_parameter; // whether True: query heads share key heads ...
    bool shares_heads = false;     // ... or whether different head counts imply it
    bool drops = true;             // whether PyTorch's kernel supports dropout
};

/// The count of numbers that a call of attention draws: one per share.
constexpr std::int64_t attended_shares(const auto& c, const attention_parameters& of) {
    const auto &out = c.result_type(), &k = c.tensor(of.key);
    const auto width = out.size(out.rank - 1);
    return width == 0 ? 0 : element_count(out) / width * k.size(k.rank - 2);
}
/// Decides which shares are kept, and their scale factor.
struct share_dropout {
    random_numbers numbers{0, 0};
    double kept = 1;

    constexpr explicit share_dropout(double dropped) : kept(1 - dropped) {}
    constexpr bool drops() const { return kept != 1; }
    constexpr double factor(std::int64_t share) {
        if (!drops()) return 1;
        return kept > 0 && numbers.template uniform<float>(share) < static_cast<float>(kept) ? 1 / kept : 0;
    }
};

/// The number of query heads that share one head of keys and values.
constexpr std::int64_t shared_heads(const auto& c, const attention_parameters& of) {
    if (of.enable_gqa != no_parameter ? !c.boolean(of.enable_gqa) : !of.shares_heads) return 1;
    const auto &q = c.tensor(of.query), &k = c.tensor(of.key);
    return k.size(k.rank - 3) > 0 ? q.size(q.rank - 3) / k.size(k.rank - 3) : 1;
}

/// The factor of the scores: 1 / sqrt(head dim) unless it is given.
constexpr double scale_of(const auto& c, const attention_parameters& of) {
    const auto& q = c.tensor(of.query);
    return c.is_given(of.scale) ? c.real(of.scale) : 1 / math::sqrt(static_cast<double>(q.size(q.rank - 1)));
}

namespace detail {

/// The type of keys or values with heads expanded to those of the queries.
constexpr tensor_type with_shared_heads(tensor_type t, std::int64_t shared) {
    if (shared != 1) t.sizes.at[t.rank - 3] = t.size(t.rank - 3) * shared;
    return t;
}
constexpr tensor_type leading(const tensor_type& t) {
    int_list sizes;
    for (int d = 0; d + 2 < t.rank; ++d) sizes.push_back(t.size(d));
    return tensor_of(t.type, sizes);
}

constexpr bool check_attended(infer_context& c, const attention_parameters& of, int least_rank, int most_rank) {
    const auto& q = c.tensor(of.query);
    for (int i : {of.query, of.key, of.value}) {
        const auto& t = c.tensor(i);
        if (t.rank < least_rank || t.rank > most_rank)
            return c.refuse(fault::rank_is_wrong,
                            short_text("rank ") << least_rank << (most_rank > least_rank ? " at least" : ""), print(t));
        if (!is_floating(t.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(t));
        if (t.type != q.type) return c.refuse(fault::dtypes_differ, print(q), print(t));
    }
    const auto &k = c.tensor(of.key), &v = c.tensor(of.value);
    if (q.size(q.rank - 1) != k.size(k.rank - 1))
        return c.refuse(fault::matmul_inner_extents_differ,
                        short_text("keys of ") << q.size(q.rank - 1) << " elements, as queries", print(k));
    if (k.size(k.rank - 2) != v.size(v.rank - 2))
        return c.refuse(fault::matmul_inner_extents_differ,
                        short_text() << k.size(k.rank - 2) << " values, as many as keys", print(v));
    return true;
}
constexpr bool check_dropout(infer_context& c, const attention_parameters& of) {
    const double p = c.real(of.dropout_p);
    if (of.drops ? !(p >= 0 && p <= 1) : p != 0)
        return c.refuse(fault::distribution_is_impossible,
                        of.drops ? "a dropout_p from 0 to 1" : "dropout_p=0: PyTorch's kernel has no dropout",
                        print_decimal(std::bit_cast<std::int64_t>(p)).view());
    if (c.boolean(of.is_causal) && of.mask != no_parameter && c.is_given(of.mask))
        return c.refuse(fault::argument_has_wrong_kind, "is_causal=False beside a mask", "True");
    return true;
}
/// sizes: the scores' sizes, to which a mask must broadcast.
constexpr bool check_mask(infer_context& c, const attention_parameters& of, const int_list& sizes, bool takes_bool) {
    if (of.mask == no_parameter || !c.is_given(of.mask)) return true;
    const auto &mask = c.tensor(of.mask), &q = c.tensor(of.query);
    if (mask.type != q.type && (mask.type != dtype::f32 || q.type == dtype::f64) &&
        !(takes_bool && mask.type == dtype::b8))
        return c.refuse(fault::dtype_is_unsupported,
                        short_text("a mask of ") << facts_of(q.type).annotation << (takes_bool ? " or b8" : ""),
                        print(mask));
    auto with_mask = sizes;
    if (!broadcast_into(c, with_mask, mask)) return false;
    return with_mask == sizes || c.refuse(fault::shapes_do_not_broadcast, print(tensor_of(q.type, sizes)), print(mask));
}

/// Infers the sizes of result 0 and checks the operands.
constexpr bool infer_attention(infer_context& c, const attention_parameters& of, bool is_kernel, int_list& sizes) {
    const auto q = c.tensor(of.query), k = c.tensor(of.key), v = c.tensor(of.value);
    if (!check_attended(c, of, is_kernel ? 4 : 2, is_kernel ? 4 : max_rank) || !check_dropout(c, of))
        return false;
    const bool shares = of.enable_gqa != no_parameter ? c.boolean(of.enable_gqa) : of.shares_heads;
    if (shares && (q.rank < 3 || k.rank < 3 || v.rank < 3))
        return c.refuse(fault::rank_is_wrong, "rank 3 at least: a dim of heads", print(q));
    const auto shared = shared_heads(c, of);
    const auto keys = leading(with_shared_heads(k, shared)), values = leading(with_shared_heads(v, shared));
    sizes = sizes_of(leading(q));
    if (is_kernel) {
        for (const auto* t : {&keys, &values})
            if (sizes_of(*t) != sizes)
                return c.refuse(fault::shapes_do_not_broadcast, short_text("batch and heads of ") << print(q).view(),
                                print(t == &keys ? k : v));
    }
    if (!broadcast_into(c, sizes, keys)) return false;
    auto scores = sizes;
    if (!broadcast_into(c, sizes, values)) return false;
    if (sizes.size + 2 > max_rank) return c.refuse(fault::rank_is_wrong, "at most 8 dims", print(q));
    scores.push_back(q.size(q.rank - 2));
    scores.push_back(k.size(k.rank - 2));
    sizes.push_back(q.size(q.rank - 2));
    sizes.push_back(v.size(v.rank - 1));
    return check_mask(c, of, scores, !is_kernel);
}

/// For kernels that align the causal mask to the last query and key, unlike this library.
constexpr bool check_causal_square(infer_context& c, const attention_parameters& of) {
    const auto queries = c.tensor(of.query).size(2);
    return !c.boolean(of.is_causal) || c.tensor(of.key).size(2) == queries ||
           c.refuse(fault::shapes_do_not_broadcast, short_text() << queries << " keys, as many as queries",
                    print(c.tensor(of.key)));
}

/// A dense result of these sizes with the queries' order of strides.
constexpr tensor_type lying_as(const tensor_type& q, const int_list& sizes) {
    if (sizes == sizes_of(q)) return like(q, q.type);
    auto out = tensor_of(q.type, sizes);
    const tensor_type* operands[] = {&q};
    if (sizes.size == q.rank) set_result_strides(out, operands);
    return out;
}
/// Sizes [batch, heads, queries, ...] with the memory order [batch, queries, heads, ...].
constexpr tensor_type heads_inside(tensor_type t) {
    std::swap(t.sizes.at[1], t.sizes.at[2]);
    make_contiguous(t);
    std::swap(t.sizes.at[1], t.sizes.at[2]);
    std::swap(t.strides.at[1], t.strides.at[2]);
    return t;
}

/// The index of element `e` of row `s` in query, key or value for row `at` of the queries: leading dims broadcast, and
/// `shared` query heads share one head of `t`.
constexpr int_list attended_index(const tensor_type& t, int_list at, std::int64_t shared, std::int64_t s,
                                  std::int64_t e) {
    const int batch = at.size - 1;
    if (shared != 1) at[batch - 1] = at[batch - 1] / shared;
    auto own = broadcast_index(t, at, t.rank - 2, batch);
    own.push_back(s);
    own.push_back(e);
    return own;
}

/// Returns a function (query row `at`, key s) -> score; -infinity if the key is hidden.
constexpr auto attention_scores(auto& c, const attention_parameters& of, auto as) {
    const auto q = c.input(of.query, as), k = c.input(of.key, as);
    const double scale = scale_of(c, of);
    const auto shared = shared_heads(c, of);
    const bool causal = c.boolean(of.is_causal), masked = of.mask != no_parameter && c.is_given(of.mask);
    return [=, &c](const int_list& at, std::int64_t s) {
        const int batch = at.size - 1;
        if (causal && s > at[batch]) return -math::detail::infinity;
        double sum = 0;
        for (std::int64_t e = 0; e < q.type().size(q.type().rank - 1); ++e)
            sum += static_cast<double>(q[attended_index(q.type(), at, 1, at[batch], e)]) *
                   static_cast<double>(k[attended_index(k.type(), at, shared, s, e)]);
        sum *= scale;
        if (!masked) return sum;
        auto of_score = at;
        of_score.push_back(s);
        const auto& mask = c.tensor(of.mask);
        const auto i = broadcast_index(mask, of_score);
        if (mask.type == dtype::b8) return c.input(of.mask, bool{})[i] ? sum : -math::detail::infinity;
        return sum + static_cast<double>(c.input(of.mask, as)[i]);
    };
}

/// Writes result 0, and result `sums`, if any: logsumexp of each query's row; infinity in padding rows without a query.
/// Returns the drawn numbers.
constexpr random_numbers evaluate_attention(auto& c, const attention_parameters& of, int sums = no_parameter) {
    share_dropout dropout(c.real(of.dropout_p));
    if (dropout.drops()) dropout.numbers = c.draw(attended_shares(c, of));
    std::int64_t shares = 0; // shares of the rows before
    c.compute_real([&](auto as) {
        const auto v = c.input(of.value, as);
        const auto out = c.output(0, as);
        const auto shared = shared_heads(c, of), count = c.tensor(of.key).size(c.tensor(of.key).rank - 2),
                   width = out.type().size(out.type().rank - 1);
        const auto score = attention_scores(c, of, as);
        auto row = c.scratch(count, 0.0);
        auto rows = sizes_of(out.type());
        --rows.size;
        const int batch = rows.size - 1;
        for_each_index(rows, [&](const int_list& at) {
            double largest = -math::detail::infinity, total = 0;
            for (std::int64_t s = 0; s < count; ++s) {
                const double x = row[static_cast<std::size_t>(s)] = score(at, s);
                if (x > largest || math::isnan(x)) largest = x;
            }
            const bool sees_nothing = largest == -math::detail::infinity;
            for (std::int64_t s = 0; s < count; ++s) {
                auto& x = row[static_cast<std::size_t>(s)];
                x = sees_nothing ? 0 : math::exp(x - largest);
                total += x;
                x *= dropout.factor(shares + s);
            }
            shares += count;
            for (std::int64_t e = 0; e < width; ++e) {
                double sum = 0;
                for (std::int64_t s = 0; s < count; ++s)
                    sum += row[static_cast<std::size_t>(s)] *
                           static_cast<double>(v[attended_index(v.type(), at, shared, s, e)]);
                auto i = at;
                i.push_back(e);
                out.put(i, math::convert<decltype(as)>(sees_nothing ? 0 : sum / total));
            }
            if (sums == no_parameter || element_count(c.result_type(sums)) == 0) return;
            auto i = at;
            if (c.result_type(sums).rank == 4) i.push_back(0);
            c.output(sums, double{}).put(i, sees_nothing ? largest : largest + math::log(total));
        });
        if (sums == no_parameter || element_count(c.result_type(sums)) == 0) return;
        for_each_index(sizes_of(c.result_type(sums)), [&](const int_list& at) {
            if (at[batch] >= rows[batch]) c.output(sums, double{}).put(at, math::detail::infinity);
        });
    });
    return dropout.numbers;
}

/// Writes zeros to results from `from` to `to`, which only a backward pass reads; operands are never nested.
constexpr void evaluate_unread(auto& c, int from, int to) {
    for (int k = from; k < to; ++k)
        if (const auto& t = c.result_type(k); element_count(t) > 0) c.output(k, std::int64_t{}).put({}, 0);
}

/// Writes results `seed` and `offset`, which tell the backward pass what was drawn: the run's seed, and the offset of
/// the call's numbers. Zeros if nothing was drawn.
constexpr void evaluate_seeds(auto& c, const random_numbers& numbers, int seed, int offset) {
    c.output(seed, std::int64_t{}).put({}, numbers.seed());
    c.output(offset, std::int64_t{}).put({}, numbers.offset());
}

/// For one row of scores.
constexpr std::int64_t attention_scratch_bytes(const call_view& c) {
    const auto& k = c.tensor(attention_parameters{}.key);
    return 8 * k.size(k.rank - 2);
}

} // namespace detail

} // namespace ahead::aten
