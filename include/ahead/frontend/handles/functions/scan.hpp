// SPDX-License-Identifier: MIT
// Further reductions on handles, over dims given as template arguments, and scans along one dim, in addition to
// reduce.hpp. torch.any, all, std and mode have other names here, because C++ and this library use those.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// Whether any element is not 0, in b8, over dims as in sum.
template <std::int64_t... Dims, class A>
    requires(sizeof...(Dims) > 0)
constexpr auto any_true(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::any_dims>(where, x, ints<Dims...>{});
}
template <class A> constexpr auto any_true(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::any>(where, x);
}
/// Whether all elements are nonzero, in b8, along one dim or over all.
template <std::int64_t Dim, class A>
constexpr auto all_true(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::all_dim>(where, x, integer<Dim>{});
}
template <class A> constexpr auto all_true(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::all>(where, x);
}
/// The sum of (x - mean)^2 divided by the number of elements minus the correction, over dims as in sum. Floating-point
/// tensors only.
template <std::int64_t... Dims, class A>
constexpr auto var(const handle<A>& x, double correction = 1, call_site where = call_site::current()) {
    return call<aten::var>(where, x, ints<Dims...>{}, keyword<"correction", double>{correction});
}
/// The square root of var.
template <std::int64_t... Dims, class A>
constexpr auto standard_deviation(const handle<A>& x, double correction = 1, call_site where = call_site::current()) {
    return call<aten::std_correction>(where, x, ints<Dims...>{}, keyword<"correction", double>{correction});
}
/// var with the mean: auto [v, m] = var_mean<1>(x).
template <std::int64_t... Dims, class A>
constexpr auto var_mean(const handle<A>& x, double correction = 1, call_site where = call_site::current()) {
    return call<aten::var_mean>(where, x, ints<Dims...>{}, keyword<"correction", double>{correction});
}
template <std::int64_t... Dims, class A>
constexpr auto std_mean(const handle<A>& x, double correction = 1, call_site where = call_site::current()) {
    return call<aten::std_mean>(where, x, ints<Dims...>{}, keyword<"correction", double>{correction});
}
/// The largest element along a dim, and its index in i64: auto [values, indices] = max<1>(x); or of all elements.
template <std::int64_t Dim, class A> constexpr auto max(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::max_dim>(where, x, integer<Dim>{});
}
template <class A> constexpr auto max(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::max>(where, x);
}
/// The same for the smallest.
template <std::int64_t Dim, class A> constexpr auto min(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::min_dim>(where, x, integer<Dim>{});
}
template <class A> constexpr auto min(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::min>(where, x);
}
/// The product along a dim, or of all elements; integers and bools in i64.
template <std::int64_t Dim, class A> constexpr auto prod(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::prod_dim>(where, x, integer<Dim>{});
}
template <class A> constexpr auto prod(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::prod>(where, x);
}
/// The index of the smallest element along a dim, which is removed, in i64.
template <std::int64_t Dim, class A> constexpr auto argmin(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::argmin>(where, x, integer<Dim>{});
}
/// The product of each element and those before it along a dim.
template <std::int64_t Dim, class A>
constexpr auto cumprod(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::cumprod>(where, x, integer<Dim>{});
}
/// The largest element so far, and its index: auto [values, indices] = cummax<1>(x).
template <std::int64_t Dim, class A> constexpr auto cummax(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::cummax>(where, x, integer<Dim>{});
}
template <std::int64_t Dim, class A> constexpr auto cummin(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::cummin>(where, x, integer<Dim>{});
}
/// log(sum of e^x) over dims. Floating-point tensors only.
template <std::int64_t... Dims, class A>
constexpr auto logsumexp(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::logsumexp>(where, x, ints<Dims...>{});
}
/// The p-norm over dims as in sum, p inf included. Floating-point tensors only.
template <std::int64_t... Dims, class A>
constexpr auto norm(const handle<A>& x, double p = 2, call_site where = call_site::current()) {
    return call<aten::linalg_vector_norm>(where, x, p, ints<Dims...>{});
}
/// The root of the sum of squares over dims; linalg_norm<>(x) over all dims, or another vector norm by its order.
template <std::int64_t... Dims, class A>
constexpr auto frobenius_norm(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::frobenius_norm>(where, x, ints<Dims...>{});
}
template <std::int64_t... Dims, class A>
    requires(sizeof...(Dims) > 0)
constexpr auto linalg_norm(const handle<A>& x, double order, call_site where = call_site::current()) {
    return call<aten::linalg_norm>(where, x, order, ints<Dims...>{});
}
template <std::int64_t... Dims, class A>
constexpr auto linalg_norm(const handle<A>& x, call_site where = call_site::current()) {
    if constexpr (sizeof...(Dims) == 0) return call<aten::linalg_norm>(where, x);
    else return call<aten::linalg_norm>(where, x, none{}, ints<Dims...>{});
}
/// The sum with NaN counted as 0.
template <std::int64_t... Dims, class A>
constexpr auto nansum(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::nansum>(where, x, ints<Dims...>{});
}
/// The number of nonzero elements, in i64.
template <std::int64_t... Dims, class A>
    requires(sizeof...(Dims) > 0)
constexpr auto count_nonzero(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::count_nonzero_dims>(where, x, ints<Dims...>{});
}
template <class A> constexpr auto count_nonzero(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::count_nonzero>(where, x);
}
/// The sum of a matrix's diagonal; named so because trace() records a graph.
template <class A> constexpr auto diagonal_sum(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::trace>(where, x);
}
/// The area under a line through points at equal steps, or at the positions x.
template <std::int64_t Dim = -1, class A>
constexpr auto trapezoid(const handle<A>& y, double step = 1, call_site where = call_site::current()) {
    return call<aten::trapezoid_dx>(where, y, keyword<"dx", double>{step}, keyword<"dim", integer<Dim>>{});
}
template <std::int64_t Dim = -1, class A, class B>
constexpr auto trapezoid(const handle<A>& y, const handle<B>& x, call_site where = call_site::current()) {
    return call<aten::trapezoid_x>(where, y, x, keyword<"dim", integer<Dim>>{});
}
/// Slices along a dim, scaled down to this P-norm if theirs is larger.
template <std::int64_t Dim, std::int64_t P = 2, class A>
constexpr auto renorm(const handle<A>& x, double largest, call_site where = call_site::current()) {
    return call<aten::renorm>(where, x, integer<P>{}, integer<Dim>{}, largest);
}
/// The sum of x y along a dim, divided by both norms, each at least eps.
template <std::int64_t Dim = 1, class A, class B>
constexpr auto cosine_similarity(const handle<A>& x, const handle<B>& y, double eps = 1e-8,
                                 call_site where = call_site::current()) {
    return call<aten::cosine_similarity>(where, x, y, integer<Dim>{}, eps);
}
/// torch.mode: the most frequent element along a dim, and an index of it.
template <std::int64_t Dim = -1, class A>
constexpr auto most_frequent(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::mode>(where, x, integer<Dim>{});
}
/// The K-th smallest element along a dim, counted from 1, and its index.
template <std::int64_t K, std::int64_t Dim = -1, class A>
constexpr auto kthvalue(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::kthvalue>(where, x, integer<K>{}, integer<Dim>{});
}
/// The K largest, or smallest, in order, and their indices: auto [values, indices] = topk<3>(x).
template <std::int64_t K, std::int64_t Dim = -1, bool Largest = true, class A>
constexpr auto topk(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::topk>(where, x, integer<K>{}, integer<Dim>{}, flag<Largest>{});
}
/// Sorted along a dim, and the original indices: auto [values, indices] = sort(x); equal elements keep their order.
template <std::int64_t Dim = -1, bool Descending = false, class A>
constexpr auto sort(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sort>(where, x, integer<Dim>{}, flag<Descending>{});
}
template <std::int64_t Dim = -1, bool Descending = false, class A>
constexpr auto argsort(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::argsort>(where, x, integer<Dim>{}, flag<Descending>{});
}

} // namespace ahead::ops
