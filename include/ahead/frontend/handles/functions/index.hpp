// SPDX-License-Identifier: MIT
// Operators on handles that read or write at positions from data. Indices are i64 or i32; an index out of range is
// refused at run time.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// Rows of a weight of [rows, D]: indices of [..] give [.., D].
template <class W, class Indices>
constexpr auto embedding(const handle<W>& weight, const handle<Indices>& indices,
                         call_site where = call_site::current()) {
    return call<aten::embedding>(where, weight, indices);
}
/// Rows of the identity matrix, in i64: classes of [..], from 0 to Classes - 1, give [.., Classes].
template <std::int64_t Classes, class Indices>
constexpr auto one_hot(const handle<Indices>& classes, call_site where = call_site::current()) {
    return call<aten::one_hot>(where, classes, integer<Classes>{});
}
/// x with the slices of a dim selected by an index of [n], in i64, filled with a number. Negative indices count from
/// the end.
template <std::int64_t Dim, class A, class Indices, frontend::number N>
constexpr auto index_fill(const handle<A>& x, const handle<Indices>& index, N value,
                          call_site where = call_site::current()) {
    return call<aten::index_fill>(where, x, integer<Dim>{}, index, value);
}
/// The gradient of a weight with Rows rows, from the gradient [.., D] of the rows at [..]; an index equal to Padding
/// adds nothing.
template <std::int64_t Rows, std::int64_t Padding = -1, class G, class Indices>
constexpr auto embedding_dense_backward(const handle<G>& gradient, const handle<Indices>& indices,
                                        call_site where = call_site::current()) {
    return call<aten::embedding_dense_backward>(where, gradient, indices, integer<Rows>{}, integer<Padding>{},
                                                flag<false>{});
}
/// The sum, mean or maximum of the rows in each bag: indices [n], where bag b begins at offsets[b], give [bags, D].
template <aten::bag_reduction By = aten::bag_reduction::sum, class W, class Indices, class O>
constexpr auto embedding_bag(const handle<W>& weight, const handle<Indices>& indices, const handle<O>& offsets,
                             call_site where = call_site::current()) {
    return frontend::call_result<0, aten::embedding_bag>(where, weight, indices, offsets, flag<false>{},
                                                         integer<static_cast<std::int64_t>(By)>{});
}
/// x where the mask, of bools, is false, and otherwise the next element of source, which has x's dtype; x and mask
/// broadcast.
template <class A, class M, class S>
constexpr auto masked_scatter(const handle<A>& x, const handle<M>& mask, const handle<S>& source,
                              call_site where = call_site::current()) {
    return call<aten::masked_scatter>(where, x, mask, source);
}
/// The indices of the first Size elements that are not 0, [Size, rank] in i64; unused rows at the end contain Fill.
template <std::int64_t Size, std::int64_t Fill = -1, class A>
constexpr auto nonzero_static(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::nonzero_static>(where, x, keyword<"size", integer<Size>>{},
                                      keyword<"fill_value", integer<Fill>>{});
}

/// The position of each element of x in a sorted row of boundaries, before equal ones, in i64.
template <class A, class B>
constexpr auto bucketize(const handle<A>& x, const handle<B>& boundaries, call_site where = call_site::current()) {
    return call<aten::bucketize>(where, x, boundaries);
}
/// Whether the elements of x are among those of y, in b8; not for bools.
template <class A, class B>
constexpr auto isin(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::isin>(where, x, y);
}
/// How often 0, 1, .. Size - 1 occur in x, integers of rank 1, in i64; other values are refused at run time.
template <std::int64_t Size, class A>
constexpr auto bincount(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::bincount>(where, x, none{}, integer<Size>{});
}
/// The number of elements of x, in f32 or f64, in each of Bins equal bins from low to high.
template <std::int64_t Bins, class A>
constexpr auto histc(const handle<A>& x, double low, double high, call_site where = call_site::current()) {
    return call<aten::histc>(where, x, integer<Bins>{}, low, high);
}

} // namespace ahead::ops
