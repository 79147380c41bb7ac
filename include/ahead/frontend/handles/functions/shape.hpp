// SPDX-License-Identifier: MIT
// Operators on handles that move or regroup elements, of any dtype; only to<>() converts them. Values that determine a
// shape are template arguments: view<1, 400>(x), permute<1, 0>(x). Dims count from -rank to rank - 1, as in PyTorch.
// Invariant: no element is computed. view, permute, transpose, t, expand, squeeze, unsqueeze, slice, select, split and
// similar operators are views of x; the others may copy.
#pragma once
#include <ahead/frontend/handles/call.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::frontend {

/// The end of a slice up to the last element.
inline constexpr std::int64_t to_the_end = std::numeric_limits<std::int64_t>::max();

} // namespace ahead::frontend
namespace AHEAD_NAMESPACE::detail {

/// The number of parts of a size in a dim, as for split. 0 if the tensor has no such dim, or is unknown.
template <class A> constexpr std::size_t parts_of(std::int64_t dim, std::int64_t size) {
    if constexpr (!std::same_as<A, unknown>) {
        const auto d = dim < 0 ? dim + A::type.rank : dim;
        if (d >= 0 && d < A::type.rank && size > 0)
            return static_cast<std::size_t>(aten::pieces_of(A::type.size(static_cast<int>(d)), size));
    }
    return 0;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ops {

/// The same elements with other sizes, one of which may be -1; strides must allow it.
template <std::int64_t... Sizes, class A>
constexpr auto view(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::view>(where, x, ints<Sizes...>{});
}
/// As view, but copies where the strides do not allow it.
template <std::int64_t... Sizes, class A>
constexpr auto reshape(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::reshape>(where, x, ints<Sizes...>{});
}
/// Merges dims First to Last; a copy only if the strides do not allow a view.
template <std::int64_t First = 0, std::int64_t Last = -1, class A>
constexpr auto flatten(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::flatten>(where, x, integer<First>{}, integer<Last>{});
}
/// Dim i of the result is dim Dims[i] of x.
template <std::int64_t... Dims, class A>
constexpr auto permute(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::permute>(where, x, ints<Dims...>{});
}
/// Dims Dim0 and Dim1 change places.
template <std::int64_t Dim0, std::int64_t Dim1, class A>
constexpr auto transpose(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::transpose>(where, x, integer<Dim0>{}, integer<Dim1>{});
}
/// [m, n] as [n, m]; a tensor of rank 0 or 1 unchanged.
template <class A> constexpr auto t(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::t>(where, x);
}
/// Dims of size 1 repeated; -1 keeps a size, new dims are added in front.
template <std::int64_t... Sizes, class A>
constexpr auto expand(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::expand>(where, x, ints<Sizes...>{});
}
/// Removes the given dims if their size is 1; squeeze<>(x) removes all dims of size 1.
template <std::int64_t... Dims, class A>
constexpr auto squeeze(const handle<A>& x, call_site where = call_site::current()) {
    if constexpr (sizeof...(Dims) == 0) return call<aten::squeeze>(where, x);
    else if constexpr (sizeof...(Dims) == 1) return call<aten::squeeze_dim>(where, x, integer<Dims>{}...);
    else return call<aten::squeeze_dims>(where, x, ints<Dims...>{});
}
/// Inserts a dim of size 1 at Dim.
template <std::int64_t Dim, class A>
constexpr auto unsqueeze(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::unsqueeze>(where, x, integer<Dim>{});
}
/// Elements Start, Start + Step, ... before End of a dim. Negative Start and End count from the end, and are clamped.
template <std::int64_t Dim, std::int64_t Start, std::int64_t End = frontend::to_the_end, std::int64_t Step = 1, class A>
constexpr auto slice(const handle<A>& x, call_site where = call_site::current()) {
    if constexpr (Step == 1) return call<aten::slice>(where, x, integer<Dim>{}, integer<Start>{}, integer<End>{});
    else return call<aten::slice>(where, x, integer<Dim>{}, integer<Start>{}, integer<End>{}, integer<Step>{});
}
/// One element of a dim; the dim is removed.
template <std::int64_t Dim, std::int64_t Index, class A>
constexpr auto select(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::select>(where, x, integer<Dim>{}, integer<Index>{});
}
/// The gradient of a slice of a tensor of Sizes, from that of the slice: slice_backward<ints<5, 3>, 0, 1, 3>(g).
template <class Sizes, std::int64_t Dim, std::int64_t Start, std::int64_t End = frontend::to_the_end,
          std::int64_t Step = 1, class G>
constexpr auto slice_backward(const handle<G>& gradient, call_site where = call_site::current()) {
    return call<aten::slice_backward>(where, gradient, Sizes{}, integer<Dim>{}, integer<Start>{}, integer<End>{},
                                      integer<Step>{});
}
/// The same for one element of a dim.
template <class Sizes, std::int64_t Dim, std::int64_t Index, class G>
constexpr auto select_backward(const handle<G>& gradient, call_site where = call_site::current()) {
    return call<aten::select_backward>(where, gradient, Sizes{}, integer<Dim>{}, integer<Index>{});
}
/// Parts of Size along a dim, the last one may be smaller: auto [a, b] = split<2>(x).
template <std::int64_t Size, std::int64_t Dim = 0, class A>
constexpr auto split(const handle<A>& x, call_site where = call_site::current()) {
    return frontend::call_all<aten::split, detail::parts_of<A>(Dim, Size)>(where, x, integer<Size>{}, integer<Dim>{});
}
/// The same, PyTorch's form for parts that are not written to.
template <std::int64_t Size, std::int64_t Dim = 0, class A>
constexpr auto unsafe_split(const handle<A>& x, call_site where = call_site::current()) {
    return frontend::call_all<aten::unsafe_split, detail::parts_of<A>(Dim, Size)>(where, x, integer<Size>{},
                                                                                  integer<Dim>{});
}
/// Parts of the given sizes along a dim: split_with_sizes<ints<1, 3>, 1>(x).
template <class Sizes, std::int64_t Dim = 0, class A>
constexpr auto split_with_sizes(const handle<A>& x, call_site where = call_site::current()) {
    return frontend::call_all<aten::split_with_sizes, Sizes::size>(where, x, Sizes{}, integer<Dim>{});
}
/// Count parts of equal size along a dim, the last one may be smaller.
template <std::int64_t Count, std::int64_t Dim = 0, class A>
constexpr auto chunk(const handle<A>& x, call_site where = call_site::current()) {
    return frontend::call_all<aten::chunk, static_cast<std::size_t>(Count)>(where, x, integer<Count>{}, integer<Dim>{});
}
/// Every element of a dim as a separate tensor.
template <std::int64_t Dim = 0, class A>
constexpr auto unbind(const handle<A>& x, call_site where = call_site::current()) {
    return frontend::call_all<aten::unbind, detail::parts_of<A>(Dim, 1)>(where, x, integer<Dim>{});
}

/// Concatenates tensors along a dim: cat<1>(a, b), or cat<1>(tensors(a, b, c, d, e)). Dtypes promote.
template <std::int64_t Dim = 0, class... Types>
constexpr auto cat(const tensors<Types...>& list, call_site where = call_site::current()) {
    return call<aten::cat>(where, list, integer<Dim>{});
}
template <std::int64_t Dim = 0, class A, class B>
constexpr auto cat(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::cat>(where, tensors(a, b), integer<Dim>{});
}
template <std::int64_t Dim = 0, class A, class B, class C>
constexpr auto cat(const handle<A>& a, const handle<B>& b, const handle<C>& c, call_site where = call_site::current()) {
    return call<aten::cat>(where, tensors(a, b, c), integer<Dim>{});
}
/// Tensors of equal sizes along a new dim: stack<0>(tensors(a, b)).
template <std::int64_t Dim = 0, class... Types>
constexpr auto stack(const tensors<Types...>& list, call_site where = call_site::current()) {
    return call<aten::stack>(where, list, integer<Dim>{});
}
/// A row-major copy, or the tensor itself if it is row-major.
template <class A> constexpr auto contiguous(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::contiguous>(where, x);
}
/// A copy in the sizes of x and, if x is dense, with its strides.
template <class A> constexpr auto clone(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::clone>(where, x);
}
/// The elements converted to another dtype: to<dtype::f64>(x).
template <dtype Type, class A> constexpr auto to(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::to_copy>(where, x, keyword<"dtype", dtype_is<Type>>{});
}
/// The elements of x's memory, from Offset on, with these strides: as_strided<ints<2, 2>, ints<1, 1>>(x).
template <class Sizes, class Strides, std::int64_t Offset = 0, class A>
constexpr auto as_strided(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::as_strided>(where, x, Sizes{}, Strides{}, integer<Offset>{});
}
/// x with `part` in place of the elements that as_strided would select.
template <class Sizes, class Strides, std::int64_t Offset = 0, class A, class B>
constexpr auto as_strided_scatter(const handle<A>& x, const handle<B>& part, call_site where = call_site::current()) {
    return call<aten::as_strided_scatter>(where, x, part, Sizes{}, Strides{}, integer<Offset>{});
}

} // namespace ahead::ops

namespace AHEAD_NAMESPACE {
using frontend::to_the_end;
} // namespace ahead
