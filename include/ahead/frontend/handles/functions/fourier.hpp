// SPDX-License-Identifier: MIT
// Complex numbers and Fourier transforms on handles. Sums, differences and products of complex tensors are written like
// those of real ones.
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>

namespace AHEAD_NAMESPACE::ops {

/// The first half of x's spectrum along the dims of ints<...>, n / 2 + 1 of n along the last of them, or, if not
/// Onesided, all of it: c64 for f32, c128 for f64.
template <class Dims, aten::fft_normalization By = aten::fft_normalization::none, bool Onesided = true, class A>
constexpr auto fft_r2c(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_r2c>(where, x, Dims{}, integer<static_cast<std::int64_t>(By)>{}, flag<Onesided>{});
}
/// The real tensor, Size elements along the last of the dims, whose spectrum has x as its first half.
template <class Dims, std::int64_t Size, aten::fft_normalization By = aten::fft_normalization::none, class A>
constexpr auto fft_c2r(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_c2r>(where, x, Dims{}, integer<static_cast<std::int64_t>(By)>{}, integer<Size>{});
}
/// The spectrum of complex numbers along the dims; if not Forward, the inverse transform.
template <class Dims, aten::fft_normalization By = aten::fft_normalization::none, bool Forward = true, class A>
constexpr auto fft_c2c(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_c2c>(where, x, Dims{}, integer<static_cast<std::int64_t>(By)>{}, flag<Forward>{});
}

/// The parts of [..] as [.., 2], a copy.
template <class A> constexpr auto view_as_real(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::view_as_real>(where, x);
}
/// [.., 2], f32 or f64, as complex numbers [..], a copy.
template <class A> constexpr auto view_as_complex(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::view_as_complex>(where, x);
}
/// The real part, a copy.
template <class A> constexpr auto real_part(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::real>(where, x);
}
/// The imaginary part, a copy.
template <class A> constexpr auto imag_part(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::imag>(where, x);
}
/// The conjugates of complex numbers.
template <class A> constexpr auto conj(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::conj_physical>(where, x);
}
/// real + i imag, of tensors of one dtype that broadcast.
template <class A, class B>
constexpr auto complex_of(const handle<A>& real, const handle<B>& imag, call_site where = call_site::current()) {
    return call<aten::complex>(where, real, imag);
}
/// size * (cos(angle) + i sin(angle)), of tensors of one dtype that broadcast.
template <class A, class B>
constexpr auto polar(const handle<A>& size, const handle<B>& angle, call_site where = call_site::current()) {
    return call<aten::polar>(where, size, angle);
}

} // namespace ahead::ops
