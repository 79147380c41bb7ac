// SPDX-License-Identifier: MIT
// Every operator that can be written with handles: constants, copy_, pointwise, random, shapes, windows, and here
// products and reductions.
#pragma once
#include <ahead/frontend/handles/functions/constant.hpp>
#include <ahead/frontend/handles/functions/copy.hpp>
#include <ahead/frontend/handles/functions/pointwise.hpp>
#include <ahead/frontend/handles/functions/print.hpp>
#include <ahead/frontend/handles/functions/random.hpp>
#include <ahead/frontend/handles/functions/shape.hpp>
#include <ahead/frontend/handles/functions/stream.hpp>
#include <ahead/frontend/handles/functions/window.hpp>

namespace AHEAD_NAMESPACE {

/// [m, k] by [k, n] is [m, n].
template <class A, class B>
constexpr auto mm(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::mm>(where, a, b);
}
/// [b, m, k] by [b, k, n] is [b, m, n].
template <class A, class B>
constexpr auto bmm(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::bmm>(where, a, b);
}
/// Python's a @ b: vectors, matrices, and batches of matrices that broadcast.
template <class A, class B>
constexpr auto matmul(const handle<A>& a, const handle<B>& b, call_site where = call_site::current()) {
    return call<aten::matmul>(where, a, b);
}
/// bias + a @ b, where bias broadcasts to [m, n].
template <class C, class A, class B>
constexpr auto addmm(const handle<C>& bias, const handle<A>& a, const handle<B>& b,
                     call_site where = call_site::current()) {
    return call<aten::addmm>(where, bias, a, b);
}
/// x @ weight^T + bias: [.., in] with weight [out, in] and bias [out] is [.., out].
template <class A, class W, class B>
constexpr auto linear(const handle<A>& x, const handle<W>& weight, const handle<B>& bias,
                      call_site where = call_site::current()) {
    return call<aten::linear>(where, x, weight, bias);
}
template <class A, class W>
constexpr auto linear(const handle<A>& x, const handle<W>& weight, call_site where = call_site::current()) {
    return call<aten::linear>(where, x, weight);
}

/// Keeps the reduced dims as dims of size 1: mean<1>(x, keepdim).
inline constexpr flag<true> keepdim{};

/// Over the given dims, or over all elements: sum<0, 1>(x), sum(x). Integers add up in i64.
template <std::int64_t... Dims, class A>
constexpr auto sum(const handle<A>& x, call_site where = call_site::current()) {
    if constexpr (sizeof...(Dims) == 0) return call<aten::sum>(where, x);
    else return call<aten::sum_dims>(where, x, ints<Dims...>{});
}
template <std::int64_t... Dims, class A>
constexpr auto sum(const handle<A>& x, flag<true>, call_site where = call_site::current()) {
    return call<aten::sum_dims>(where, x, ints<Dims...>{}, keepdim);
}
/// Of floating-point tensors only.
template <std::int64_t... Dims, class A>
constexpr auto mean(const handle<A>& x, call_site where = call_site::current()) {
    if constexpr (sizeof...(Dims) == 0) return call<aten::mean>(where, x);
    else return call<aten::mean_dims>(where, x, ints<Dims...>{});
}
template <std::int64_t... Dims, class A>
constexpr auto mean(const handle<A>& x, flag<true>, call_site where = call_site::current()) {
    return call<aten::mean_dims>(where, x, ints<Dims...>{}, keepdim);
}
/// The largest elements; NaN is largest. amax(x) is over all dims.
template <std::int64_t... Dims, class A>
constexpr auto amax(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::amax>(where, x, ints<Dims...>{});
}
template <std::int64_t... Dims, class A>
constexpr auto amax(const handle<A>& x, flag<true>, call_site where = call_site::current()) {
    return call<aten::amax>(where, x, ints<Dims...>{}, keepdim);
}
/// The smallest elements; NaN is smallest. amin(x) is over all dims.
template <std::int64_t... Dims, class A>
constexpr auto amin(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::amin>(where, x, ints<Dims...>{});
}
template <std::int64_t... Dims, class A>
constexpr auto amin(const handle<A>& x, flag<true>, call_site where = call_site::current()) {
    return call<aten::amin>(where, x, ints<Dims...>{}, keepdim);
}
/// The index of the largest element along a dim, in i64.
template <std::int64_t Dim, class A>
constexpr auto argmax(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::argmax>(where, x, integer<Dim>{});
}
template <std::int64_t Dim, class A>
constexpr auto cumsum(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::cumsum>(where, x, integer<Dim>{});
}
/// e^x along a dim, divided by its sum.
template <std::int64_t Dim, class A>
constexpr auto softmax(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::softmax>(where, x, integer<Dim>{}, flag<false>{});
}
template <std::int64_t Dim, class A>
constexpr auto log_softmax(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::log_softmax>(where, x, integer<Dim>{}, flag<false>{});
}

} // namespace ahead
