// SPDX-License-Identifier: MIT
// + - * / of a handle and a number, in either order: x * 2, 1 - x. For two handles see tensor.hpp.
// Invariant: they record the same operators as add, sub, rsub, mul and div.
#pragma once
#include <ahead/frontend/handles/functions/pointwise/arithmetic.hpp>
#include <ahead/frontend/handles/functions/pointwise/elementary.hpp>

namespace AHEAD_NAMESPACE::ops {

/// A number as an operand of + - * / with a handle, with its place in the user's source. Whole numbers keep a tensor's
/// integer dtype, real ones do not.
struct whole_operand {
    std::int64_t value;
    call_site where;
    template <std::integral N>
        requires(!std::same_as<N, bool>)
    constexpr whole_operand(N number, call_site at = call_site::current())
        : value(static_cast<std::int64_t>(number)), where(at) {}
};
struct real_operand {
    double value;
    call_site where;
    template <std::floating_point N>
    constexpr real_operand(N number, call_site at = call_site::current())
        : value(static_cast<double>(number)), where(at) {}
};
template <class A> constexpr auto operator+(const handle<A>& x, whole_operand n) { return add(x, n.value, n.where); }
template <class A> constexpr auto operator-(const handle<A>& x, whole_operand n) { return sub(x, n.value, n.where); }
template <class A> constexpr auto operator*(const handle<A>& x, whole_operand n) { return mul(x, n.value, n.where); }
template <class A> constexpr auto operator/(const handle<A>& x, whole_operand n) { return div(x, n.value, n.where); }
template <class A> constexpr auto operator+(whole_operand n, const handle<A>& x) { return add(x, n.value, n.where); }
template <class A> constexpr auto operator-(whole_operand n, const handle<A>& x) { return rsub(x, n.value, n.where); }
template <class A> constexpr auto operator*(whole_operand n, const handle<A>& x) { return mul(x, n.value, n.where); }
template <class A> constexpr auto operator/(whole_operand n, const handle<A>& x) {
    return mul(reciprocal(x, n.where), n.value, n.where);
}
template <class A> constexpr auto operator+(const handle<A>& x, real_operand n) { return add(x, n.value, n.where); }
template <class A> constexpr auto operator-(const handle<A>& x, real_operand n) { return sub(x, n.value, n.where); }
template <class A> constexpr auto operator*(const handle<A>& x, real_operand n) { return mul(x, n.value, n.where); }
template <class A> constexpr auto operator/(const handle<A>& x, real_operand n) { return div(x, n.value, n.where); }
template <class A> constexpr auto operator+(real_operand n, const handle<A>& x) { return add(x, n.value, n.where); }
template <class A> constexpr auto operator-(real_operand n, const handle<A>& x) { return rsub(x, n.value, n.where); }
template <class A> constexpr auto operator*(real_operand n, const handle<A>& x) { return mul(x, n.value, n.where); }
template <class A> constexpr auto operator/(real_operand n, const handle<A>& x) {
    return mul(reciprocal(x, n.where), n.value, n.where);
}

} // namespace ahead::ops
