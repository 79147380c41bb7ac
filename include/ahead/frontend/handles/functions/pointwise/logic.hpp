// SPDX-License-Identifier: MIT
// Logic on handles: on truth values, where every number but 0 is true and the result is b8; and bitwise, on integers
// and bools, where the result has the operands' promoted dtype. Two operands are tensors whose sizes broadcast.
// Invariant: floating-point tensors have truth values, but not bitwise operations.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// Whether x is 0, as b8.
template <class A> constexpr auto logical_not(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::logical_not>(where, x);
}
/// Whether both are true.
template <class A, class B>
constexpr auto logical_and(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::logical_and>(where, x, y);
}
/// Whether at least one is true.
template <class A, class B>
constexpr auto logical_or(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::logical_or>(where, x, y);
}
/// Whether exactly one is true.
template <class A, class B>
constexpr auto logical_xor(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::logical_xor>(where, x, y);
}
/// ~x; the negation of a bool.
template <class A> constexpr auto bitwise_not(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::bitwise_not>(where, x);
}
/// x & y.
template <class A, class B>
constexpr auto bitwise_and(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::bitwise_and>(where, x, y);
}
/// x | y.
template <class A, class B>
constexpr auto bitwise_or(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::bitwise_or>(where, x, y);
}
/// x ^ y.
template <class A, class B>
constexpr auto bitwise_xor(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::bitwise_xor>(where, x, y);
}

/// x 2^y for integers; 0 if y is not a valid bit count.
template <class A, class B>
constexpr auto bitwise_left_shift(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::bitwise_left_shift>(where, x, y);
}
/// x / 2^y for integers, rounded down.
template <class A, class B>
constexpr auto bitwise_right_shift(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::bitwise_right_shift>(where, x, y);
}

} // namespace ahead::ops
