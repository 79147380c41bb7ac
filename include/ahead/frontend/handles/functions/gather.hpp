// SPDX-License-Identifier: MIT
// Operators on handles that read elements at given indices, or write them there, along one dim or several. Indices are
// i64, and also i32 where PyTorch accepts it; an index out of range is refused at run time.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// out[i][j] = x[index[i][j]][j] for dim 0, in the sizes of index.
template <std::int64_t Dim, class A, class Indices>
constexpr auto gather(const handle<A>& x, const handle<Indices>& index, call_site where = call_site::current()) {
    return call<aten::gather>(where, x, integer<Dim>{}, index);
}
/// The slices of a dim selected by an index of [n].
template <std::int64_t Dim, class A, class Indices>
constexpr auto index_select(const handle<A>& x, const handle<Indices>& index, call_site where = call_site::current()) {
    return call<aten::index_select>(where, x, integer<Dim>{}, index);
}
/// Elements by row-major index.
template <class A, class Indices>
constexpr auto take(const handle<A>& x, const handle<Indices>& index, call_site where = call_site::current()) {
    return call<aten::take>(where, x, index);
}
/// As NumPy's x[i, j]: index(x, tensors(i, j)); indices broadcast.
template <class A, class... Types>
constexpr auto index(const handle<A>& x, const tensors<Types...>& list, call_site where = call_site::current()) {
    return call<aten::index>(where, x, list);
}
/// x with values written to x[i, j], or added there.
template <bool Accumulate = false, class A, class... Types, class V>
constexpr auto index_put(const handle<A>& x, const tensors<Types...>& list, const handle<V>& values,
                         call_site where = call_site::current()) {
    return call<aten::index_put>(where, x, list, values, flag<Accumulate>{});
}
/// x with the slices of source added at the positions of an index, or copied there.
template <std::int64_t Dim, class A, class Indices, class S>
constexpr auto index_add(const handle<A>& x, const handle<Indices>& index, const handle<S>& source,
                         call_site where = call_site::current()) {
    return call<aten::index_add>(where, x, integer<Dim>{}, index, source);
}
template <std::int64_t Dim, class A, class Indices, class S>
constexpr auto index_copy(const handle<A>& x, const handle<Indices>& index, const handle<S>& source,
                          call_site where = call_site::current()) {
    return call<aten::index_copy>(where, x, integer<Dim>{}, index, source);
}
/// The same with a word: "prod", "mean", "amax", "amin".
template <std::int64_t Dim, core::fixed_string By, class A, class Indices, class S>
constexpr auto index_reduce(const handle<A>& x, const handle<Indices>& index, const handle<S>& source,
                            call_site where = call_site::current()) {
    return call<aten::index_reduce>(where, x, integer<Dim>{}, index, source, word<By>{});
}
/// x with the elements of source at these row-major indices.
template <bool Accumulate = false, class A, class Indices, class S>
constexpr auto put(const handle<A>& x, const handle<Indices>& index, const handle<S>& source,
                   call_site where = call_site::current()) {
    return call<aten::put>(where, x, index, source, flag<Accumulate>{});
}
/// out[index[i][j]][j] = source[i][j] for dim 0, and x elsewhere; or a number in place of source.
template <std::int64_t Dim, class A, class Indices, class S>
constexpr auto scatter(const handle<A>& x, const handle<Indices>& index, const handle<S>& source,
                       call_site where = call_site::current()) {
    return call<aten::scatter_src>(where, x, integer<Dim>{}, index, source);
}
template <std::int64_t Dim, class A, class Indices, frontend::number N>
constexpr auto scatter(const handle<A>& x, const handle<Indices>& index, N value,
                       call_site where = call_site::current()) {
    return call<aten::scatter_value>(where, x, integer<Dim>{}, index, value);
}
/// The same, added; or with a word: "sum", "prod", "mean", "amax", "amin".
template <std::int64_t Dim, class A, class Indices, class S>
constexpr auto scatter_add(const handle<A>& x, const handle<Indices>& index, const handle<S>& source,
                           call_site where = call_site::current()) {
    return call<aten::scatter_add>(where, x, integer<Dim>{}, index, source);
}
template <std::int64_t Dim, core::fixed_string By, class A, class Indices, class S>
constexpr auto scatter_reduce(const handle<A>& x, const handle<Indices>& index, const handle<S>& source,
                              call_site where = call_site::current()) {
    return call<aten::scatter_reduce>(where, x, integer<Dim>{}, index, source, word<By>{});
}
/// The positions of x in the corresponding row of a sorted tensor, or in its only row, in i64.
template <bool Right = false, class S, class A>
constexpr auto searchsorted(const handle<S>& sorted, const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::searchsorted>(where, sorted, x, keyword<"right", flag<Right>>{});
}
template <bool Right = false, class S, frontend::number N>
constexpr auto searchsorted(const handle<S>& sorted, N x, call_site where = call_site::current()) {
    return call<aten::searchsorted_scalar>(where, sorted, x, keyword<"right", flag<Right>>{});
}
/// Each slice of a dim, repeated a given number of times.
template <std::int64_t Times, std::int64_t Dim, class A>
constexpr auto repeat_interleave(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::repeat_interleave>(where, x, integer<Times>{}, integer<Dim>{});
}
/// Index k of a dim repeated repeats[k] times, or repeats[0] times if repeats has one element; Total is their sum.
template <std::int64_t Total, std::int64_t Dim, class A, class R>
constexpr auto repeat_interleave(const handle<A>& x, const handle<R>& repeats, call_site where = call_site::current()) {
    return call<aten::repeat_interleave_self>(where, x, repeats, integer<Dim>{},
                                              keyword<"output_size", integer<Total>>{});
}

} // namespace ahead::ops
