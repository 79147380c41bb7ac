// SPDX-License-Identifier: MIT
// Selection between elements on handles: by size, or by a mask, a tensor of b8. Sizes broadcast, dtypes promote.
// Invariant: elements that are not selected, NaN included, do not affect the result.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// min(max(x, low), high) with two numbers, of any dtype but b8; NaN stays NaN.
template <class A, frontend::number L, frontend::number H>
constexpr auto clamp(const handle<A>& x, L low, H high, call_site where = call_site::current()) {
    return call<aten::clamp>(where, x, low, high);
}
/// max(x, low), of any dtype but b8.
template <class A, frontend::number N>
constexpr auto clamp_min(const handle<A>& x, N low, call_site where = call_site::current()) {
    return call<aten::clamp_min>(where, x, low);
}
/// min(x, high), of any dtype but b8.
template <class A, frontend::number N>
constexpr auto clamp_max(const handle<A>& x, N high, call_site where = call_site::current()) {
    return call<aten::clamp_max>(where, x, high);
}
/// x where the condition, a tensor of bools, is true; y elsewhere. Dtypes promote.
template <class C, class A, class B>
constexpr auto where(const handle<C>& condition, const handle<A>& x, const handle<B>& y,
                     call_site at = call_site::current()) {
    return call<aten::where>(at, condition, x, y);
}
/// The value where the mask, a tensor of bools, is true; x elsewhere; in the dtype of x.
template <class A, class M, frontend::number N>
constexpr auto masked_fill(const handle<A>& x, const handle<M>& mask, N value, call_site where = call_site::current()) {
    return call<aten::masked_fill_scalar>(where, x, mask, value);
}

} // namespace ahead::ops
