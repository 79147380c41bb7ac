// SPDX-License-Identifier: MIT
// Signs, rounding and squares on handles, of one tensor of any shape: the result has its sizes and its dtype, which,
// unless a function says otherwise, is any but b8.
// Invariant: integers stay integers, and rounding leaves them as they are.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE {

/// The magnitude; the smallest integer, which has none, stays as it is.
template <class A> constexpr auto abs(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::abs>(where, x);
}
/// -x; integers wrap.
template <class A> constexpr auto neg(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::neg>(where, x);
}
/// x itself.
template <class A> constexpr auto positive(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::positive>(where, x);
}
/// -1, 0 or 1, and true of a true bool: of any dtype. NaN gives 0.
template <class A> constexpr auto sign(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sign>(where, x);
}
/// The same as sign: dtypes are real.
template <class A> constexpr auto sgn(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sgn>(where, x);
}
/// The largest whole number that is not above.
template <class A> constexpr auto floor(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::floor>(where, x);
}
/// The smallest whole number that is not below.
template <class A> constexpr auto ceil(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::ceil>(where, x);
}
/// Without what is behind the point.
template <class A> constexpr auto trunc(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::trunc>(where, x);
}
/// The nearest whole number; halves go to the even one.
template <class A> constexpr auto round(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::round>(where, x);
}
/// x - trunc(x), with the sign of x; of floating point only.
template <class A> constexpr auto frac(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::frac>(where, x);
}
/// x * x; integers wrap.
template <class A> constexpr auto square(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::square>(where, x);
}

} // namespace ahead
