// SPDX-License-Identifier: MIT
// Reductions on handles, over dims given as template arguments; negative ones count from the last.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::frontend {

/// Keeps the reduced dims as dims of size 1: mean<1>(x, keepdim).
inline constexpr flag<true> keepdim{};

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::ops {

/// Over the given dims, which are removed, or over all elements: sum<0, 1>(x), sum(x). Integers and bools are summed in
/// i64.
template <std::int64_t... Dims, class A>
constexpr auto sum(const handle<A>& x, call_site where = call_site::current()) {
    if constexpr (sizeof...(Dims) == 0) return call<aten::sum>(where, x);
    else return call<aten::sum_dims>(where, x, ints<Dims...>{});
}
template <std::int64_t... Dims, class A>
constexpr auto sum(const handle<A>& x, flag<true>, call_site where = call_site::current()) {
    return call<aten::sum_dims>(where, x, ints<Dims...>{}, frontend::keepdim);
}
/// The sum divided by the number of elements, over dims as in sum. Floating-point tensors only.
template <std::int64_t... Dims, class A>
constexpr auto mean(const handle<A>& x, call_site where = call_site::current()) {
    if constexpr (sizeof...(Dims) == 0) return call<aten::mean>(where, x);
    else return call<aten::mean_dims>(where, x, ints<Dims...>{});
}
template <std::int64_t... Dims, class A>
constexpr auto mean(const handle<A>& x, flag<true>, call_site where = call_site::current()) {
    return call<aten::mean_dims>(where, x, ints<Dims...>{}, frontend::keepdim);
}
/// The largest elements, in the dtype of x, over dims as in sum; NaN counts as largest.
template <std::int64_t... Dims, class A>
constexpr auto amax(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::amax>(where, x, ints<Dims...>{});
}
template <std::int64_t... Dims, class A>
constexpr auto amax(const handle<A>& x, flag<true>, call_site where = call_site::current()) {
    return call<aten::amax>(where, x, ints<Dims...>{}, frontend::keepdim);
}
/// The smallest elements, in the dtype of x, over dims as in sum; NaN counts as smallest.
template <std::int64_t... Dims, class A>
constexpr auto amin(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::amin>(where, x, ints<Dims...>{});
}
template <std::int64_t... Dims, class A>
constexpr auto amin(const handle<A>& x, flag<true>, call_site where = call_site::current()) {
    return call<aten::amin>(where, x, ints<Dims...>{}, frontend::keepdim);
}
/// The smallest and the largest elements, in the dtype of x, along a dim, which is removed, or over all elements: auto
/// [low, high] = aminmax<1>(x). If there is a NaN, both are NaN.
template <std::int64_t... Dim, class A>
    requires(sizeof...(Dim) <= 1)
constexpr auto aminmax(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::aminmax>(where, x, keyword<"dim", integer<Dim>>{}...);
}
template <std::int64_t... Dim, class A>
    requires(sizeof...(Dim) <= 1)
constexpr auto aminmax(const handle<A>& x, flag<true>, call_site where = call_site::current()) {
    return call<aten::aminmax>(where, x, keyword<"dim", integer<Dim>>{}..., keyword<"keepdim", flag<true>>{});
}
/// The p-norms of the differences of rows: for [.., P, M] and [.., R, M], which broadcast, [.., P, R]. p >= 0, inf
/// included. Floating-point tensors only.
template <class A, class B>
constexpr auto cdist(const handle<A>& x, const handle<B>& y, double p = 2, call_site where = call_site::current()) {
    return call<aten::cdist_forward>(where, x, y, p, none{});
}
/// The same for all pairs of rows of [N, M]: N (N - 1) / 2 norms, first to second, first to third, and so on.
template <class A> constexpr auto pdist(const handle<A>& x, double p = 2, call_site where = call_site::current()) {
    return call<aten::pdist_forward>(where, x, p);
}
/// y (log y - x) for log-probabilities x and probabilities y, of one shape: their mean, or By: none, sum.
template <aten::loss_reduction By = aten::loss_reduction::mean, class A, class B>
constexpr auto kl_div(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::kl_div>(where, x, y, integer<static_cast<std::int64_t>(By)>{});
}
/// The p-norm of x - y, which broadcast; rank 0. p >= 0, inf included. Floating-point tensors only.
template <class A, class B>
constexpr auto dist(const handle<A>& x, const handle<B>& y, double p = 2, call_site where = call_site::current()) {
    return call<aten::dist>(where, x, y, p);
}
/// The lower median along a dim, and its index in i64: auto [values, indices] = median<1>(x). NaN if there is any;
/// nanmedian ignores NaN.
template <std::int64_t Dim, class A> constexpr auto median(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::median_dim>(where, x, integer<Dim>{});
}
template <std::int64_t Dim, class A>
constexpr auto nanmedian(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::nanmedian_dim>(where, x, integer<Dim>{});
}
/// The index of the largest element along a dim, which is removed, in i64; the first of several, and NaN counts as
/// largest.
template <std::int64_t Dim, class A> constexpr auto argmax(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::argmax>(where, x, integer<Dim>{});
}
/// The sum of each element and those before it along a dim, in the sizes of x. Integers and bools are summed in i64.
template <std::int64_t Dim, class A> constexpr auto cumsum(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::cumsum>(where, x, integer<Dim>{});
}
/// The logarithm of the cumulative sum of e^x along a dim. Floating-point tensors only.
template <std::int64_t Dim, class A>
constexpr auto logcumsumexp(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::logcumsumexp>(where, x, integer<Dim>{});
}
/// e^x divided by its sum along a dim, in the sizes and dtype of x. Floating-point tensors only.
template <std::int64_t Dim, class A>
constexpr auto softmax(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::softmax>(where, x, integer<Dim>{}, flag<false>{});
}
/// The same in another dtype, to which x is converted first: softmax<1, dtype::f32>(x).
template <std::int64_t Dim, dtype Type, class A>
constexpr auto softmax(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::softmax_int>(where, x, integer<Dim>{}, dtype_is<Type>{});
}
template <std::int64_t Dim, dtype Type, class A>
constexpr auto log_softmax(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::log_softmax_int>(where, x, integer<Dim>{}, dtype_is<Type>{});
}
/// The logarithm of softmax<Dim>(x), exact also where softmax is near 0. Floating-point tensors only.
template <std::int64_t Dim, class A>
constexpr auto log_softmax(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::log_softmax>(where, x, integer<Dim>{}, flag<false>{});
}

} // namespace ahead::ops

namespace AHEAD_NAMESPACE {
using frontend::keepdim;
} // namespace ahead
