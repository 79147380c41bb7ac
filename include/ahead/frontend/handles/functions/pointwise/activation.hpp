// SPDX-License-Identifier: MIT
// Activations on handles, for one tensor of any shape: the result has its sizes and dtype, floating point unless stated
// otherwise. Numbers with a default may be left out.
// Invariant: each is one operator of ATen, even if a pass expands it to several.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// max(x, 0), of any dtype but b8.
template <class A> constexpr auto relu(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::relu>(where, x);
}
/// min(max(x, 0), 6), of any dtype but b8.
template <class A> constexpr auto relu6(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::relu6>(where, x);
}
/// x, times `slope` below zero.
template <class A>
constexpr auto leaky_relu(const handle<A>& x, double slope = 0.01, call_site where = call_site::current()) {
    return call<aten::leaky_relu>(where, x, slope);
}
/// x; alpha * (e^x - 1) below zero.
template <class A> constexpr auto elu(const handle<A>& x, double alpha = 1, call_site where = call_site::current()) {
    return call<aten::elu>(where, x, alpha);
}
/// x, times a weight below zero: [] or [1] for all elements, or [C] for each channel of [N, C, ..].
template <class A, class W>
constexpr auto prelu(const handle<A>& x, const handle<W>& weight, call_site where = call_site::current()) {
    return call<aten::prelu>(where, x, weight);
}
/// The first half of a dim times the sigmoid of the second half; the dim becomes half as large.
template <std::int64_t Dim = -1, class A>
constexpr auto glu(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::glu>(where, x, integer<Dim>{});
}
/// The gradient of x, from that of the result.
template <std::int64_t Dim = -1, class G, class A>
constexpr auto glu_backward(const handle<G>& gradient, const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::glu_backward>(where, gradient, x, integer<Dim>{});
}
/// elu's gradient of x, from that of the result.
template <class G, class A>
constexpr auto elu_backward(const handle<G>& gradient, const handle<A>& x, double alpha = 1,
                            call_site where = call_site::current()) {
    return call<aten::elu_backward>(where, gradient, alpha, 1, 1, flag<false>{}, x);
}
/// elu with the scale and alpha of self-normalising networks, 1.0507 and 1.6733.
template <class A> constexpr auto selu(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::selu>(where, x);
}
/// x times the probability that a normal variable is less than x: gelu(x) uses erf, gelu<"tanh">(x) an approximation.
template <core::fixed_string Approximate = "none", class A>
constexpr auto gelu(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::gelu>(where, x, keyword<"approximate", word<Approximate>>{});
}
/// x, but 0 from -limit to limit.
template <class A>
constexpr auto hardshrink(const handle<A>& x, double limit = 0.5, call_site where = call_site::current()) {
    return call<aten::hardshrink>(where, x, limit);
}
/// 0 from -limit to limit; elsewhere x moved towards 0 by limit.
template <class A>
constexpr auto softshrink(const handle<A>& x, double limit = 0.5, call_site where = call_site::current()) {
    return call<aten::softshrink>(where, x, limit);
}
/// x * sigmoid(x).
template <class A> constexpr auto silu(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::silu>(where, x);
}
/// x * tanh(log(1 + e^x)).
template <class A> constexpr auto mish(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::mish>(where, x);
}
/// 1 / (1 + e^-x); integers and bools give f32.
template <class A> constexpr auto sigmoid(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sigmoid>(where, x);
}
/// relu6(x + 3) / 6.
template <class A> constexpr auto hardsigmoid(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::hardsigmoid>(where, x);
}
/// x * relu6(x + 3) / 6.
template <class A> constexpr auto hardswish(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::hardswish>(where, x);
}
/// min(max(x, low), high), of any dtype but b8.
template <class A>
constexpr auto hardtanh(const handle<A>& x, double low = -1, double high = 1, call_site where = call_site::current()) {
    return call<aten::hardtanh>(where, x, low, high);
}

/// log(1 + e^(beta x)) / beta; x itself where beta x is above the threshold.
template <class A>
constexpr auto softplus(const handle<A>& x, double beta = 1, double threshold = 20,
                        call_site where = call_site::current()) {
    return call<aten::softplus>(where, x, beta, threshold);
}
/// x above 0, and alpha (e^(x / alpha) - 1) below.
template <class A> constexpr auto celu(const handle<A>& x, double alpha = 1, call_site where = call_site::current()) {
    return call<aten::celu>(where, x, alpha);
}
/// leaky_relu with the mean of both slopes: draws no random numbers.
template <class A>
constexpr auto rrelu(const handle<A>& x, double low = 0.125, double high = 1.0 / 3,
                     call_site where = call_site::current()) {
    return call<aten::rrelu>(where, x, low, high);
}
/// x above the limit, and a value elsewhere.
template <class A>
constexpr auto threshold(const handle<A>& x, double limit, double value, call_site where = call_site::current()) {
    return call<aten::threshold>(where, x, limit, value);
}

} // namespace ahead::ops
