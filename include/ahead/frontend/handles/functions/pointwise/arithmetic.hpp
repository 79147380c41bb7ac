// SPDX-License-Identifier: MIT
// Arithmetic on handles, for two tensors whose sizes broadcast, or for a tensor and a number.
// Invariant: dtypes promote as in ATen: a floating-point tensor makes the result floating point, the larger dtype of a
// category wins, and a number changes a tensor's dtype only if its category is higher. Integers wrap.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// x + y; "or" for bools.
template <class A, class B>
constexpr auto add(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::add>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto add(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::add>(where, x, y);
}
/// x - y; not for bools.
template <class A, class B>
constexpr auto sub(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::sub>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto sub(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::sub>(where, x, y);
}
/// y - x; not for bools.
template <class A, frontend::number N>
constexpr auto rsub(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::rsub_scalar>(where, x, y);
}
/// x * y; "and" for bools.
template <class A, class B>
constexpr auto mul(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::mul>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto mul(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::mul>(where, x, y);
}
/// x / y; integers and bools give f32.
template <class A, class B>
constexpr auto div(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::div>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto div(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::div>(where, x, y);
}
/// x / y, rounded down; not for bools. Integer division by 0 gives 0.
template <class A, class B>
constexpr auto floor_divide(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::floor_divide>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto floor_divide(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::floor_divide>(where, x, y);
}
/// The remainder with the sign of x; not for bools. An integer modulo 0 gives 0.
template <class A, class B>
constexpr auto fmod(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::fmod>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto fmod(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::fmod_scalar>(where, x, y);
}
/// The remainder with the sign of y, as Python's %; not for bools. An integer modulo 0 gives 0.
template <class A, class B>
constexpr auto remainder(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::remainder>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto remainder(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::remainder_scalar>(where, x, y);
}
/// x^y; not for bools.
template <class A, class B>
constexpr auto pow(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::pow_tensor>(where, x, y);
}
template <class A, frontend::number N>
constexpr auto pow(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::pow_tensor_scalar>(where, x, y);
}
/// The larger one; NaN if either is NaN.
template <class A, class B>
constexpr auto maximum(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::maximum>(where, x, y);
}
/// The smaller one; NaN if either is NaN.
template <class A, class B>
constexpr auto minimum(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::minimum>(where, x, y);
}
/// The angle in radians whose tangent is x / y, in the quadrant of the point (y, x); integers and bools give f32.
template <class A, class B>
constexpr auto atan2(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::atan2>(where, x, y);
}
/// The greatest common divisor, not negative. Integers only.
template <class A, class B>
constexpr auto gcd(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::gcd>(where, x, y);
}
/// The least common multiple, not negative. Integers only.
template <class A, class B>
constexpr auto lcm(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::lcm>(where, x, y);
}
/// The next number towards y. f32 and f64 only.
template <class A, class B>
constexpr auto nextafter(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::nextafter>(where, x, y);
}
/// The regularised lower incomplete gamma function of a and x, NaN below 0. Floating-point tensors only.
template <class A, class B>
constexpr auto igamma(const handle<A>& a, const handle<B>& x, call_site where = call_site::current()) {
    return call<aten::igamma>(where, a, x);
}

/// The larger one; if one is NaN, the other.
template <class A, class B>
constexpr auto fmax(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::fmax>(where, x, y);
}
/// The smaller one; if one is NaN, the other.
template <class A, class B>
constexpr auto fmin(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::fmin>(where, x, y);
}
/// The root of x^2 + y^2.
template <class A, class B>
constexpr auto hypot(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::hypot>(where, x, y);
}
/// |x| with the sign of y.
template <class A, class B>
constexpr auto copysign(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::copysign>(where, x, y);
}
/// 0 below 0, 1 above, and y at 0; both have one dtype.
template <class A, class B>
constexpr auto heaviside(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::heaviside>(where, x, y);
}
/// x log y; 0 if x is 0 and y is not NaN.
template <class A, class B>
constexpr auto xlogy(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::xlogy>(where, x, y);
}
/// log(e^x + e^y).
template <class A, class B>
constexpr auto logaddexp(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::logaddexp>(where, x, y);
}
/// log2(2^x + 2^y).
template <class A, class B>
constexpr auto logaddexp2(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::logaddexp2>(where, x, y);
}
/// 1 - igamma(x, y), the upper part.
template <class A, class B>
constexpr auto igammac(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::igammac>(where, x, y);
}
/// x y + z, rounded once.
template <class A, class B, class C>
constexpr auto fma(const handle<A>& x, const handle<B>& y, const handle<C>& z, call_site where = call_site::current()) {
    return call<aten::fma>(where, x, y, z);
}
/// x + factor y z.
template <class A, class B, class C>
constexpr auto addcmul(const handle<A>& x, const handle<B>& y, const handle<C>& z, double factor = 1,
                       call_site where = call_site::current()) {
    return call<aten::addcmul>(where, x, y, z, keyword<"value", double>{factor});
}
/// x + factor y / z.
template <class A, class B, class C>
constexpr auto addcdiv(const handle<A>& x, const handle<B>& y, const handle<C>& z, double factor = 1,
                       call_site where = call_site::current()) {
    return call<aten::addcdiv>(where, x, y, z, keyword<"value", double>{factor});
}
/// x + w (y - x).
template <class A, class B, class C>
constexpr auto lerp(const handle<A>& x, const handle<B>& y, const handle<C>& w,
                    call_site where = call_site::current()) {
    return call<aten::lerp_tensor>(where, x, y, w);
}
template <class A, class B, frontend::number N>
constexpr auto lerp(const handle<A>& x, const handle<B>& y, N w, call_site where = call_site::current()) {
    return call<aten::lerp_scalar>(where, x, y, w);
}

} // namespace ahead::ops
