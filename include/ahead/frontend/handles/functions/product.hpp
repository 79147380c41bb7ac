// SPDX-License-Identifier: MIT
// Matrix products on handles. Both operands have the same numeric dtype, which is the result's; dtypes do not promote.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::frontend {

/// A query attends to the keys up to its position: scaled_dot_product_attention(q, k, v, is_causal).
inline constexpr flag<true> is_causal;

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::detail {

template <class Op, std::int64_t Layers, bool Bidirectional, bool BatchFirst, class A, class H, class... P>
constexpr auto recur(call_site where, const handle<A>& x, const H& states, const tensors<P...>& weights) {
    constexpr bool has_biases = sizeof...(P) >= static_cast<std::size_t>(Layers * (Bidirectional ? 2 : 1) * 4);
    return call<Op>(where, x, states, weights, flag<has_biases>{}, integer<Layers>{}, 0.0, flag<false>{},
                    flag<Bidirectional>{}, flag<BatchFirst>{});
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ops {

/// [m, k] by [k, n] is [m, n].
template <class A, class B>
constexpr auto mm(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::mm>(where, a, b);
}
/// [b, m, k] by [b, k, n] is [b, m, n].
template <class A, class B>
constexpr auto bmm(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::bmm>(where, a, b);
}
/// Python's a @ b: vectors, matrices, and batches of matrices that broadcast: [.., m, k] by [.., k, n] is [.., m, n].
template <class A, class B>
constexpr auto matmul(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::matmul>(where, a, b);
}
/// All products of the elements of [n] and [m], [n, m].
template <class A, class B>
constexpr auto outer(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::outer>(where, a, b);
}
/// bias + outer(a, b), where bias broadcasts to [n, m].
template <class C, class A, class B>
constexpr auto addr(const handle<C>& bias, const handle<A>& a, const handle<B>& b,
                    call_site where = call_site::current()) {
    return call<aten::addr>(where, bias, a, b);
}
/// bias + a @ b of [m, k] and [k, n], where bias broadcasts to [m, n].
template <class C, class A, class B>
constexpr auto addmm(const handle<C>& bias, const handle<A>& a, const handle<B>& b,
                     call_site where = call_site::current()) {
    return call<aten::addmm>(where, bias, a, b);
}
/// x @ weight^T + bias: [.., in] with weight [out, in] and bias [out] is [.., out].
template <class A, class W, class B>
constexpr auto linear(const handle<A>& x, const handle<W>& weight, const handle<B>& bias,
                      call_site where = call_site::current()) {
    return call<aten::linear>(where, x, weight, bias);
}
template <class A, class W>
constexpr auto linear(const handle<A>& x, const handle<W>& weight, call_site where = call_site::current()) {
    return call<aten::linear>(where, x, weight);
}

/// Products of elements with equal letters, summed over the letters that the result lacks: einsum<"bij,bjk->bik">(a,
/// b), or einsum<"i,j,k">(tensors(a, b, c)). Operands have one dtype.
template <core::fixed_string Equation, class... Types>
constexpr auto einsum(const tensors<Types...>& list, call_site where = call_site::current()) {
    return call<aten::einsum>(where, word<Equation>{}, list);
}
template <core::fixed_string Equation, class A>
constexpr auto einsum(const handle<A>& a, call_site where = call_site::current()) {
    return call<aten::einsum>(where, word<Equation>{}, tensors(a));
}
template <core::fixed_string Equation, class A, class B>
constexpr auto einsum(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::einsum>(where, word<Equation>{}, tensors(a, b));
}

/// Recurrent networks: x is [steps, batch, features], or [batch, steps, features]; states are [layers * directions,
/// batch, hidden]; weights has, for each direction of each layer, a weight of the input, one of the state, and both
/// biases or none: auto [y, hidden, cells] = lstm<1>(x, h, c, tensors(w, u, b, d)); y is [steps, batch, directions *
/// hidden]. For an lstm with projection a weight [hidden, cells] follows, by which the hidden states are multiplied.
template <std::int64_t Layers = 1, bool Bidirectional = false, bool BatchFirst = false, class A, class H, class C,
          class... P>
constexpr auto lstm(const handle<A>& x, const handle<H>& hidden, const handle<C>& cells, const tensors<P...>& weights,
                    call_site where = call_site::current()) {
    return detail::recur<aten::lstm, Layers, Bidirectional, BatchFirst>(where, x, tensors(hidden, cells), weights);
}
/// auto [y, hidden] = gru<1>(x, h, tensors(w, u, b, d)).
template <std::int64_t Layers = 1, bool Bidirectional = false, bool BatchFirst = false, class A, class H, class... P>
constexpr auto gru(const handle<A>& x, const handle<H>& hidden, const tensors<P...>& weights,
                   call_site where = call_site::current()) {
    return detail::recur<aten::gru, Layers, Bidirectional, BatchFirst>(where, x, hidden, weights);
}
/// auto [y, hidden] = rnn_tanh<1>(x, h, tensors(w, u, b, d)), and rnn_relu.
template <std::int64_t Layers = 1, bool Bidirectional = false, bool BatchFirst = false, class A, class H, class... P>
constexpr auto rnn_tanh(const handle<A>& x, const handle<H>& hidden, const tensors<P...>& weights,
                        call_site where = call_site::current()) {
    return detail::recur<aten::rnn_tanh, Layers, Bidirectional, BatchFirst>(where, x, hidden, weights);
}
template <std::int64_t Layers = 1, bool Bidirectional = false, bool BatchFirst = false, class A, class H, class... P>
constexpr auto rnn_relu(const handle<A>& x, const handle<H>& hidden, const tensors<P...>& weights,
                        call_site where = call_site::current()) {
    return detail::recur<aten::rnn_relu, Layers, Bidirectional, BatchFirst>(where, x, hidden, weights);
}

/// The cross product of vectors of three elements along a dim; the other dims broadcast. Not for bools.
template <std::int64_t Dim = -1, class A, class B>
constexpr auto cross(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::linalg_cross>(where, x, y, keyword<"dim", integer<Dim>>{});
}
/// One product for each group of rows: x [M, K] and a weight [G, K, N] give [M, N], where ends, [G] of i32, has the
/// exclusive end row of each group; also [G, M, K] and [K, N], and [M, K] and [K, N], see aten::grouped_mm.
template <class A, class B, class E>
constexpr auto grouped_mm(const handle<A>& x, const handle<B>& weight, const handle<E>& ends,
                          call_site where = call_site::current()) {
    return call<aten::grouped_mm>(where, x, weight, ends);
}

/// softmax(query @ key^T / sqrt(E)) @ value: [.., L, E], [.., S, E] and [.., S, F] give [.., L, F], of one
/// floating-point dtype. A mask broadcasts to [.., L, S]: b8, False where a query must not attend to a key, or numbers
/// added to the scores.
template <class Q, class K, class V>
constexpr auto scaled_dot_product_attention(const handle<Q>& query, const handle<K>& key, const handle<V>& value,
                                            call_site where = call_site::current()) {
    return call<aten::scaled_dot_product_attention>(where, query, key, value);
}
template <class Q, class K, class V, class M>
constexpr auto scaled_dot_product_attention(const handle<Q>& query, const handle<K>& key, const handle<V>& value,
                                            const handle<M>& mask, call_site where = call_site::current()) {
    return call<aten::scaled_dot_product_attention>(where, query, key, value, mask);
}
template <class Q, class K, class V>
constexpr auto scaled_dot_product_attention(const handle<Q>& query, const handle<K>& key, const handle<V>& value,
                                            flag<true>, call_site where = call_site::current()) {
    return call<aten::scaled_dot_product_attention>(where, query, key, value, keyword<"is_causal", flag<true>>{});
}
/// Attention of [batch, places, Width] with the given number of heads, with its projections, [3 * Width, Width] and
/// [Width, Width], and their biases; the weights are averaged over heads: auto [y, weights] =
/// native_multi_head_attention<64, 4>(x, x, x, w, b, v, c).
template <std::int64_t Width, std::int64_t Heads, class Q, class K, class V, class W, class B, class P, class C>
constexpr auto native_multi_head_attention(const handle<Q>& query, const handle<K>& key, const handle<V>& value,
                                           const handle<W>& qkv_weight, const handle<B>& qkv_bias,
                                           const handle<P>& proj_weight, const handle<C>& proj_bias,
                                           call_site where = call_site::current()) {
    return call<aten::native_multi_head_attention>(where, query, key, value, integer<Width>{}, integer<Heads>{},
                                                   qkv_weight, qkv_bias, proj_weight, proj_bias);
}

/// [m, k] by [k] is [m].
template <class A, class B>
constexpr auto mv(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::mv>(where, a, b);
}
/// The sum of products of two vectors.
template <class A, class B>
constexpr auto dot(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::dot>(where, a, b);
}
/// The sums of products along the last dims of both.
template <class A, class B>
constexpr auto inner(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::inner>(where, a, b);
}
/// The sum of products over pairs of dims of equal size: tensordot<ints<1>, ints<0>>(a, b).
template <class DimsA, class DimsB, class A, class B>
constexpr auto tensordot(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::tensordot>(where, a, b, DimsA{}, DimsB{});
}
/// For each row of both the sum of x_i w_oij y_j, plus a bias or none{}; the weight is [out, in1, in2].
template <class A, class B, class W, class C>
constexpr auto bilinear(const handle<A>& x, const handle<B>& y, const handle<W>& weight, const C& bias,
                        call_site where = call_site::current()) {
    return call<aten::bilinear>(where, x, y, weight, bias);
}
/// bias + bmm(a, b); addbmm sums the products of the batch.
template <class C, class A, class B>
constexpr auto baddbmm(const handle<C>& bias, const handle<A>& a, const handle<B>& b,
                       call_site where = call_site::current()) {
    return call<aten::baddbmm>(where, bias, a, b);
}
template <class C, class A, class B>
constexpr auto addbmm(const handle<C>& bias, const handle<A>& a, const handle<B>& b,
                      call_site where = call_site::current()) {
    return call<aten::addbmm>(where, bias, a, b);
}
/// bias + mv(a, b).
template <class C, class A, class B>
constexpr auto addmv(const handle<C>& bias, const handle<A>& a, const handle<B>& b,
                     call_site where = call_site::current()) {
    return call<aten::addmv>(where, bias, a, b);
}
/// x = u @ diag(s) @ vh: auto [u, s, vh] = svd(x); aten::linalg_svd states which decomposition. f32 and f64 only.
template <bool FullMatrices = false, class A>
constexpr auto svd(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::linalg_svd>(where, x, flag<FullMatrices>{});
}
/// The inverses of square matrices, f32 or f64; a singular matrix causes the run to be refused.
template <class A> constexpr auto linalg_inv(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::linalg_inv>(where, x);
}
/// The same, but NaN for singular matrices, which have a nonzero info: auto [inverse, info] = linalg_inv_ex(x).
template <class A> constexpr auto linalg_inv_ex(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::linalg_inv_ex>(where, x);
}
/// a @ b for matrices of i8, in i32.
template <class A, class B>
constexpr auto int_mm(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::int_mm>(where, a, b);
}

} // namespace ahead::ops

namespace AHEAD_NAMESPACE {
using frontend::is_causal;
} // namespace ahead
