// SPDX-License-Identifier: MIT
// Pointwise operators on handles, found by argument-dependent lookup: relu(x), add(x, y), x * 2. Names, overloads,
// broadcasting and promotion are ATen's; each function records the one operator that its body names.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE {

// One tensor of any shape; the result has its sizes.
template <class A>
constexpr auto acos(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::acos>(where, x);
}
template <class A>
constexpr auto acosh(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::acosh>(where, x);
}
template <class A>
constexpr auto asin(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::asin>(where, x);
}
template <class A>
constexpr auto asinh(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::asinh>(where, x);
}
template <class A>
constexpr auto atan(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::atan>(where, x);
}
template <class A>
constexpr auto atanh(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::atanh>(where, x);
}
template <class A>
constexpr auto cos(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::cos>(where, x);
}
template <class A>
constexpr auto cosh(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::cosh>(where, x);
}
template <class A>
constexpr auto erf(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::erf>(where, x);
}
template <class A>
constexpr auto erfc(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::erfc>(where, x);
}
template <class A>
constexpr auto exp(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::exp>(where, x);
}
template <class A>
constexpr auto exp2(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::exp2>(where, x);
}
template <class A>
constexpr auto expm1(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::expm1>(where, x);
}
template <class A>
constexpr auto log(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::log>(where, x);
}
template <class A>
constexpr auto log10(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::log10>(where, x);
}
template <class A>
constexpr auto log1p(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::log1p>(where, x);
}
template <class A>
constexpr auto log2(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::log2>(where, x);
}
template <class A>
constexpr auto sin(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sin>(where, x);
}
template <class A>
constexpr auto sinh(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sinh>(where, x);
}
template <class A>
constexpr auto sqrt(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sqrt>(where, x);
}
template <class A>
constexpr auto tan(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::tan>(where, x);
}
template <class A>
constexpr auto tanh(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::tanh>(where, x);
}
template <class A>
constexpr auto lgamma(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::lgamma>(where, x);
}
template <class A>
constexpr auto digamma(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::digamma>(where, x);
}
template <class A>
constexpr auto reciprocal(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::reciprocal>(where, x);
}
template <class A>
constexpr auto rsqrt(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::rsqrt>(where, x);
}
template <class A>
constexpr auto sigmoid(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sigmoid>(where, x);
}
template <class A>
constexpr auto abs(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::abs>(where, x);
}
template <class A>
constexpr auto ceil(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::ceil>(where, x);
}
template <class A>
constexpr auto floor(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::floor>(where, x);
}
template <class A>
constexpr auto trunc(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::trunc>(where, x);
}
template <class A>
constexpr auto round(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::round>(where, x);
}
template <class A>
constexpr auto frac(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::frac>(where, x);
}
template <class A>
constexpr auto neg(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::neg>(where, x);
}
template <class A>
constexpr auto positive(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::positive>(where, x);
}
template <class A>
constexpr auto relu(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::relu>(where, x);
}
template <class A>
constexpr auto sign(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sign>(where, x);
}
template <class A>
constexpr auto sgn(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::sgn>(where, x);
}
template <class A>
constexpr auto square(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::square>(where, x);
}
template <class A>
constexpr auto silu(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::silu>(where, x);
}
template <class A>
constexpr auto mish(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::mish>(where, x);
}
template <class A>
constexpr auto selu(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::selu>(where, x);
}
template <class A>
constexpr auto relu6(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::relu6>(where, x);
}
template <class A>
constexpr auto hardsigmoid(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::hardsigmoid>(where, x);
}
template <class A>
constexpr auto hardswish(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::hardswish>(where, x);
}
template <class A>
constexpr auto isnan(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::isnan>(where, x);
}
template <class A>
constexpr auto isinf(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::isinf>(where, x);
}
template <class A>
constexpr auto signbit(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::signbit>(where, x);
}
template <class A>
constexpr auto logical_not(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::logical_not>(where, x);
}
template <class A>
constexpr auto bitwise_not(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::bitwise_not>(where, x);
}

// Two tensors whose sizes broadcast, or a tensor and a number.
template <class A, class B>
constexpr auto add(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::add>(where, x, y);
}
template <class A, number N>
constexpr auto add(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::add>(where, x, y);
}
template <class A, class B>
constexpr auto sub(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::sub>(where, x, y);
}
template <class A, number N>
constexpr auto sub(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::sub>(where, x, y);
}
template <class A, class B>
constexpr auto mul(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::mul>(where, x, y);
}
template <class A, number N>
constexpr auto mul(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::mul>(where, x, y);
}
template <class A, class B>
constexpr auto div(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::div>(where, x, y);
}
template <class A, number N>
constexpr auto div(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::div>(where, x, y);
}
template <class A, class B>
constexpr auto fmod(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::fmod>(where, x, y);
}
template <class A, number N>
constexpr auto fmod(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::fmod_scalar>(where, x, y);
}
template <class A, class B>
constexpr auto remainder(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::remainder>(where, x, y);
}
template <class A, number N>
constexpr auto remainder(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::remainder_scalar>(where, x, y);
}
template <class A, class B>
constexpr auto floor_divide(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::floor_divide>(where, x, y);
}
template <class A, number N>
constexpr auto floor_divide(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::floor_divide>(where, x, y);
}
template <class A, class B>
constexpr auto pow(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::pow_tensor>(where, x, y);
}
template <class A, number N>
constexpr auto pow(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::pow_tensor_scalar>(where, x, y);
}
/// y - x
template <class A, number N>
constexpr auto rsub(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::rsub_scalar>(where, x, y);
}
template <class A, class B>
constexpr auto maximum(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::maximum>(where, x, y);
}
template <class A, class B>
constexpr auto minimum(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::minimum>(where, x, y);
}
template <class A, class B>
constexpr auto atan2(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::atan2>(where, x, y);
}
template <class A, class B>
constexpr auto logical_and(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::logical_and>(where, x, y);
}
template <class A, class B>
constexpr auto logical_or(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::logical_or>(where, x, y);
}
template <class A, class B>
constexpr auto logical_xor(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::logical_xor>(where, x, y);
}
template <class A, class B>
constexpr auto bitwise_and(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::bitwise_and>(where, x, y);
}
template <class A, class B>
constexpr auto bitwise_or(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::bitwise_or>(where, x, y);
}
template <class A, class B>
constexpr auto bitwise_xor(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::bitwise_xor>(where, x, y);
}
template <class A, class B>
constexpr auto eq(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::eq>(where, x, y);
}
template <class A, number N>
constexpr auto eq(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::eq_scalar>(where, x, y);
}
template <class A, class B>
constexpr auto ne(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::ne>(where, x, y);
}
template <class A, number N>
constexpr auto ne(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::ne_scalar>(where, x, y);
}
template <class A, class B>
constexpr auto lt(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::lt>(where, x, y);
}
template <class A, number N>
constexpr auto lt(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::lt_scalar>(where, x, y);
}
template <class A, class B>
constexpr auto le(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::le>(where, x, y);
}
template <class A, number N>
constexpr auto le(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::le_scalar>(where, x, y);
}
template <class A, class B>
constexpr auto gt(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::gt>(where, x, y);
}
template <class A, number N>
constexpr auto gt(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::gt_scalar>(where, x, y);
}
template <class A, class B>
constexpr auto ge(const handle<A>& x, const handle<B>& y, call_site where = call_site::current()) {
    return call<aten::ge>(where, x, y);
}
template <class A, number N>
constexpr auto ge(const handle<A>& x, N y, call_site where = call_site::current()) {
    return call<aten::ge_scalar>(where, x, y);
}

// Operators with attributes; numbers that the schema gives a default may be left out.

/// min(max(x, low), high)
template <class A, number L, number H>
constexpr auto clamp(const handle<A>& x, L low, H high, call_site where = call_site::current()) {
    return call<aten::clamp>(where, x, low, high);
}
template <class A, number N>
constexpr auto clamp_min(const handle<A>& x, N low, call_site where = call_site::current()) {
    return call<aten::clamp_min>(where, x, low);
}
template <class A, number N>
constexpr auto clamp_max(const handle<A>& x, N high, call_site where = call_site::current()) {
    return call<aten::clamp_max>(where, x, high);
}
template <class A>
constexpr auto hardtanh(const handle<A>& x, double low = -1, double high = 1, call_site where = call_site::current()) {
    return call<aten::hardtanh>(where, x, low, high);
}
/// x, times `slope` below zero
template <class A>
constexpr auto leaky_relu(const handle<A>& x, double slope = 0.01, call_site where = call_site::current()) {
    return call<aten::leaky_relu>(where, x, slope);
}
template <class A>
constexpr auto elu(const handle<A>& x, double alpha = 1, call_site where = call_site::current()) {
    return call<aten::elu>(where, x, alpha);
}
/// gelu(x) by erf; gelu<"tanh">(x) by its approximation
template <fixed_string Approximate = "none", class A>
constexpr auto gelu(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::gelu>(where, x, keyword<"approximate", word<Approximate>>{});
}
/// x where the condition, a tensor of bools, holds; y elsewhere
template <class C, class A, class B>
constexpr auto where(const handle<C>& condition, const handle<A>& x, const handle<B>& y,
                     call_site at = call_site::current()) {
    return call<aten::where>(at, condition, x, y);
}
template <class A, class M, number N>
constexpr auto masked_fill(const handle<A>& x, const handle<M>& mask, N value, call_site where = call_site::current()) {
    return call<aten::masked_fill_scalar>(where, x, mask, value);
}

/// A number beside a handle in + - * /, with its place in the user's source. Whole numbers keep a tensor's integers,
/// real ones do not.
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
template <class A>
constexpr auto operator+(const handle<A>& x, whole_operand n) {
    return add(x, n.value, n.where);
}
template <class A>
constexpr auto operator-(const handle<A>& x, whole_operand n) {
    return sub(x, n.value, n.where);
}
template <class A>
constexpr auto operator*(const handle<A>& x, whole_operand n) {
    return mul(x, n.value, n.where);
}
template <class A>
constexpr auto operator/(const handle<A>& x, whole_operand n) {
    return div(x, n.value, n.where);
}
template <class A>
constexpr auto operator+(whole_operand n, const handle<A>& x) {
    return add(x, n.value, n.where);
}
template <class A>
constexpr auto operator-(whole_operand n, const handle<A>& x) {
    return rsub(x, n.value, n.where);
}
template <class A>
constexpr auto operator*(whole_operand n, const handle<A>& x) {
    return mul(x, n.value, n.where);
}
template <class A>
constexpr auto operator/(whole_operand n, const handle<A>& x) {
    return mul(reciprocal(x, n.where), n.value, n.where);
}
template <class A>
constexpr auto operator+(const handle<A>& x, real_operand n) {
    return add(x, n.value, n.where);
}
template <class A>
constexpr auto operator-(const handle<A>& x, real_operand n) {
    return sub(x, n.value, n.where);
}
template <class A>
constexpr auto operator*(const handle<A>& x, real_operand n) {
    return mul(x, n.value, n.where);
}
template <class A>
constexpr auto operator/(const handle<A>& x, real_operand n) {
    return div(x, n.value, n.where);
}
template <class A>
constexpr auto operator+(real_operand n, const handle<A>& x) {
    return add(x, n.value, n.where);
}
template <class A>
constexpr auto operator-(real_operand n, const handle<A>& x) {
    return rsub(x, n.value, n.where);
}
template <class A>
constexpr auto operator*(real_operand n, const handle<A>& x) {
    return mul(x, n.value, n.where);
}
template <class A>
constexpr auto operator/(real_operand n, const handle<A>& x) {
    return mul(reciprocal(x, n.where), n.value, n.where);
}

} // namespace ahead
