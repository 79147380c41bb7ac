// SPDX-License-Identifier: MIT
// Signs, rounding and squares on handles, for one tensor of any shape: the result has its sizes and its dtype, which is
// any but b8 unless stated otherwise.
// Invariant: integers stay integers, and rounding does not change them.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// The magnitude; the smallest integer, which has none, is unchanged.
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
/// -1, 0 or 1; true for a true bool. Any dtype. NaN gives 0.
template <class A> constexpr auto sign(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sign>(where, x);
}
/// The same as sign, because dtypes are real.
template <class A> constexpr auto sgn(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sgn>(where, x);
}
/// The largest whole number not above x.
template <class A> constexpr auto floor(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::floor>(where, x);
}
/// The smallest whole number not below x.
template <class A> constexpr auto ceil(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::ceil>(where, x);
}
/// x without its fraction.
template <class A> constexpr auto trunc(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::trunc>(where, x);
}
/// The nearest whole number; halves round to even.
template <class A> constexpr auto round(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::round>(where, x);
}
/// x - trunc(x), with the sign of x; floating point only.
template <class A> constexpr auto frac(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::frac>(where, x);
}
/// x * x; integers wrap.
template <class A> constexpr auto square(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::square>(where, x);
}

} // namespace ahead::ops
