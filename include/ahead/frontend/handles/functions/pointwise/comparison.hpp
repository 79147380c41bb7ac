// SPDX-License-Identifier: MIT
// Comparisons on handles, of two tensors whose sizes broadcast, or of a tensor and a number, of any dtypes, which
// promote first; and tests of one tensor of any shape. The result is b8.
// Invariant: NaN is unequal to everything and unordered.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// x == y.
template <class A, class B>
constexpr auto eq(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::eq>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto eq(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::eq_scalar>(where, x, y);
}
/// x != y.
template <class A, class B>
constexpr auto ne(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::ne>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto ne(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::ne_scalar>(where, x, y);
}
/// x < y.
template <class A, class B>
constexpr auto lt(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::lt>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto lt(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::lt_scalar>(where, x, y);
}
/// x <= y.
template <class A, class B>
constexpr auto le(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::le>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto le(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::le_scalar>(where, x, y);
}
/// x > y.
template <class A, class B>
constexpr auto gt(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::gt>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto gt(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::gt_scalar>(where, x, y);
}
/// x >= y.
template <class A, class B>
constexpr auto ge(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::ge>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto ge(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::ge_scalar>(where, x, y);
}
/// Whether it is NaN; false for integers.
template <class A> constexpr auto isnan(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::isnan>(where, x);
}
/// Whether it is inf or -inf; false for integers.
template <class A> constexpr auto isinf(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::isinf>(where, x);
}
/// Whether its sign is minus, also for -0.
template <class A> constexpr auto signbit(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::signbit>(where, x);
}

} // namespace ahead::ops
