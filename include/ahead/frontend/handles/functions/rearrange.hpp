// SPDX-License-Identifier: MIT
// Operators on handles that move elements, in addition to shape.hpp; any dtype, except for tril and triu.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// Repeats x along every dim; new dims are added in front.
template <std::int64_t... Times, class A>
constexpr auto repeat(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::repeat>(where, x, ints<Times...>{});
}
/// The same, where fewer numbers than dims apply to the last ones.
template <std::int64_t... Times, class A>
constexpr auto tile(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::tile>(where, x, ints<Times...>{});
}
/// Dims in reverse order.
template <std::int64_t... Dims, class A>
constexpr auto flip(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::flip>(where, x, ints<Dims...>{});
}
/// Rotated along a dim.
template <std::int64_t Shift, std::int64_t Dim, class A>
constexpr auto roll(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::roll>(where, x, ints<Shift>{}, ints<Dim>{});
}
/// Rotated by a multiple of 90 degrees, from one dim towards the other.
template <std::int64_t Turns = 1, std::int64_t From = 0, std::int64_t To = 1, class A>
constexpr auto rot90(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::rot90>(where, x, integer<Turns>{}, ints<From, To>{});
}
/// Zeros above a diagonal, or below.
template <std::int64_t Diagonal = 0, class A>
constexpr auto tril(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::tril>(where, x, integer<Diagonal>{});
}
template <std::int64_t Diagonal = 0, class A>
constexpr auto triu(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::triu>(where, x, integer<Diagonal>{});
}
/// For a row, the matrix with this diagonal; for a matrix, its diagonal.
template <std::int64_t Diagonal = 0, class A>
constexpr auto diag(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::diag>(where, x, integer<Diagonal>{});
}
/// The last dim becomes the diagonal of two new ones.
template <std::int64_t Offset = 0, class A>
constexpr auto diag_embed(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::diag_embed>(where, x, integer<Offset>{});
}
/// The diagonal of two dims, as the last dim; a view.
template <std::int64_t Offset = 0, std::int64_t Dim0 = 0, std::int64_t Dim1 = 1, class A>
constexpr auto diagonal(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::diagonal>(where, x, integer<Offset>{}, integer<Dim0>{}, integer<Dim1>{});
}
/// Moves a dim to another place; the others keep their order.
template <std::int64_t From, std::int64_t To, class A>
constexpr auto movedim(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::movedim_int>(where, x, integer<From>{}, integer<To>{});
}
/// Reshaped to rank 1; a copy only if strides do not allow a view.
template <class A> constexpr auto ravel(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::ravel>(where, x);
}
/// Splits a dim into several.
template <std::int64_t Dim, std::int64_t... Sizes, class A>
constexpr auto unflatten(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::unflatten>(where, x, integer<Dim>{}, ints<Sizes...>{});
}
/// The given number of elements of a dim, starting at an index; a view.
template <std::int64_t Dim, std::int64_t Begin, std::int64_t Length, class A>
constexpr auto narrow(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::narrow>(where, x, integer<Dim>{}, integer<Begin>{}, integer<Length>{});
}
/// Windows along a dim; their elements become the last dim; a view.
template <std::int64_t Dim, std::int64_t Size, std::int64_t Step, class A>
constexpr auto unfold(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::unfold>(where, x, integer<Dim>{}, integer<Size>{}, integer<Step>{});
}
/// Dims of size 1 repeated to the sizes of y, or to Sizes.
template <class A, class B>
constexpr auto expand_as(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::expand_as>(where, x, y);
}
template <std::int64_t... Sizes, class A>
constexpr auto broadcast_to(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::broadcast_to>(where, x, ints<Sizes...>{});
}
/// The given number of parts of a dim, the first ones larger by one element: auto [a, b] = tensor_split<2>(x).
template <std::int64_t Pieces, std::int64_t Dim = 0, class A>
constexpr auto tensor_split(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::tensor_split_sections>(where, x, integer<Pieces>{}, integer<Dim>{});
}
/// Each vector along a separate dim, expanded to the sizes of all: auto [a, b] = meshgrid(tensors(x, y)).
template <class... Types>
constexpr auto meshgrid(const tensors<Types...>& list, call_site where = call_site::current()) {
    return call<aten::meshgrid>(where, list);
}
/// Concatenation: horizontally, vertically, in depth.
template <class... Types> constexpr auto hstack(const tensors<Types...>& list, call_site where = call_site::current()) {
    return call<aten::hstack>(where, list);
}
template <class... Types> constexpr auto vstack(const tensors<Types...>& list, call_site where = call_site::current()) {
    return call<aten::vstack>(where, list);
}
template <class... Types> constexpr auto dstack(const tensors<Types...>& list, call_site where = call_site::current()) {
    return call<aten::dstack>(where, list);
}
/// Matrices along the diagonal, zeros elsewhere.
template <class... Types>
constexpr auto block_diag(const tensors<Types...>& list, call_site where = call_site::current()) {
    return call<aten::block_diag>(where, list);
}
/// [.., C r r, H, W] becomes [.., C, H r, W r], and the inverse.
template <std::int64_t Factor, class A>
constexpr auto pixel_shuffle(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::pixel_shuffle>(where, x, integer<Factor>{});
}
template <std::int64_t Factor, class A>
constexpr auto pixel_unshuffle(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::pixel_unshuffle>(where, x, integer<Factor>{});
}
/// Channels of [N, g k, ..], taken in turn from each of g groups.
template <std::int64_t Groups, class A>
constexpr auto channel_shuffle(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::channel_shuffle>(where, x, integer<Groups>{});
}
/// x with a slice, one index, or a diagonal replaced by another tensor.
template <std::int64_t Dim, std::int64_t Begin, std::int64_t End, std::int64_t Step = 1, class A, class S>
constexpr auto slice_scatter(const handle<A>& x, const handle<S>& source, call_site where = call_site::current()) {
    return call<aten::slice_scatter>(where, x, source, integer<Dim>{}, integer<Begin>{}, integer<End>{},
                                     integer<Step>{});
}
template <std::int64_t Dim, std::int64_t Index, class A, class S>
constexpr auto select_scatter(const handle<A>& x, const handle<S>& source, call_site where = call_site::current()) {
    return call<aten::select_scatter>(where, x, source, integer<Dim>{}, integer<Index>{});
}
template <std::int64_t Offset = 0, class A, class S>
constexpr auto diagonal_scatter(const handle<A>& x, const handle<S>& source, call_site where = call_site::current()) {
    return call<aten::diagonal_scatter>(where, x, source, integer<Offset>{});
}

} // namespace ahead::ops
