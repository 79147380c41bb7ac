// SPDX-License-Identifier: MIT
// Arithmetic on handles, of two tensors whose sizes broadcast, or of a tensor and a number.
// Invariant: dtypes promote as ATen's: a floating-point tensor makes the result floating point, the larger dtype of a
// kind wins, and a number changes a tensor's dtype only where it is of a higher kind. Integers wrap.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE {

/// x + y; bools "or".
template <class A, class B>
constexpr auto add(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::add>(where, x, y);
}
template <class A, number N> constexpr auto add(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::add>(where, x, y);
}
/// x - y; no bools.
template <class A, class B>
constexpr auto sub(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::sub>(where, x, y);
}
template <class A, number N> constexpr auto sub(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::sub>(where, x, y);
}
/// y - x; no bools.
template <class A, number N> constexpr auto rsub(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::rsub_scalar>(where, x, y);
}
/// x * y; bools "and".
template <class A, class B>
constexpr auto mul(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::mul>(where, x, y);
}
template <class A, number N> constexpr auto mul(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::mul>(where, x, y);
}
/// x / y; integers and bools give f32.
template <class A, class B>
constexpr auto div(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::div>(where, x, y);
}
template <class A, number N> constexpr auto div(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::div>(where, x, y);
}
/// x / y, rounded down; no bools. An integer by 0 gives 0.
template <class A, class B>
constexpr auto floor_divide(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::floor_divide>(where, x, y);
}
template <class A, number N>
constexpr auto floor_divide(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::floor_divide>(where, x, y);
}
/// The remainder with the sign of x; no bools. An integer by 0 gives 0.
template <class A, class B>
constexpr auto fmod(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::fmod>(where, x, y);
}
template <class A, number N> constexpr auto fmod(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::fmod_scalar>(where, x, y);
}
/// The remainder with the sign of y, as Python's %; no bools. An integer by 0 gives 0.
template <class A, class B>
constexpr auto remainder(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::remainder>(where, x, y);
}
template <class A, number N> constexpr auto remainder(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::remainder_scalar>(where, x, y);
}
/// x^y; no bools.
template <class A, class B>
constexpr auto pow(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::pow_tensor>(where, x, y);
}
template <class A, number N> constexpr auto pow(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::pow_tensor_scalar>(where, x, y);
}
/// The larger one; NaN where one is.
template <class A, class B>
constexpr auto maximum(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::maximum>(where, x, y);
}
/// The smaller one; NaN where one is.
template <class A, class B>
constexpr auto minimum(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::minimum>(where, x, y);
}
/// The angle in radians whose tangent is x / y, in the quadrant of the point (y, x); integers and bools give f32.
template <class A, class B>
constexpr auto atan2(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::atan2>(where, x, y);
}
/// The greatest common divisor, from 0 on. Of integers only.
template <class A, class B>
constexpr auto gcd(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::gcd>(where, x, y);
}
/// The least common multiple, from 0 on. Of integers only.
template <class A, class B>
constexpr auto lcm(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::lcm>(where, x, y);
}
/// The next number towards y. Of f32 and f64 only.
template <class A, class B>
constexpr auto nextafter(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::nextafter>(where, x, y);
}
/// The regularised lower incomplete gamma function of a and x, NaN below 0. Of floating-point tensors only.
template <class A, class B>
constexpr auto igamma(const handle<A>& a, const handle<B>& x, call_site where = call_site::current()) {
    return call<aten::igamma>(where, a, x);
}

} // namespace ahead
