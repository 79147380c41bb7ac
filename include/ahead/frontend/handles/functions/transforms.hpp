// SPDX-License-Identifier: MIT
// Fourier transforms on handles, as in torch.fft: of N elements along a dim, truncated or padded with zeros, or, if N
// is 0, of the existing ones. Norm is word<"ortho">, word<"forward">, or backward.
//     auto spectrum = fft_rfft<8, -1, word<"ortho">>(x);
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>
#include <type_traits>

namespace AHEAD_NAMESPACE::detail {

template <std::int64_t N> using size_or_none = std::conditional_t<N == 0, none, integer<N>>;

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ops {

/// The spectrum.
template <std::int64_t N = 0, std::int64_t Dim = -1, class Norm = none, class A>
constexpr auto fft_fft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_fft>(where, x, detail::size_or_none<N>{}, integer<Dim>{}, Norm{});
}
/// The inverse of fft_fft.
template <std::int64_t N = 0, std::int64_t Dim = -1, class Norm = none, class A>
constexpr auto fft_ifft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_ifft>(where, x, detail::size_or_none<N>{}, integer<Dim>{}, Norm{});
}
/// For real numbers, the first n / 2 + 1 of n elements of the spectrum.
template <std::int64_t N = 0, std::int64_t Dim = -1, class Norm = none, class A>
constexpr auto fft_rfft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_rfft>(where, x, detail::size_or_none<N>{}, integer<Dim>{}, Norm{});
}
/// The N real numbers, 2 (size - 1) by default, whose spectrum has x as its first half.
template <std::int64_t N = 0, std::int64_t Dim = -1, class Norm = none, class A>
constexpr auto fft_irfft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_irfft>(where, x, detail::size_or_none<N>{}, integer<Dim>{}, Norm{});
}
/// The real spectrum of the signal whose first half is x.
template <std::int64_t N = 0, std::int64_t Dim = -1, class Norm = none, class A>
constexpr auto fft_hfft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_hfft>(where, x, detail::size_or_none<N>{}, integer<Dim>{}, Norm{});
}
/// The inverse of fft_hfft.
template <std::int64_t N = 0, std::int64_t Dim = -1, class Norm = none, class A>
constexpr auto fft_ihfft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_ihfft>(where, x, detail::size_or_none<N>{}, integer<Dim>{}, Norm{});
}
/// Along the dims of ints<...>, by default the last two, of the numbers of elements in Sizes.
template <class Dims = ints<-2, -1>, class Sizes = none, class Norm = none, class A>
constexpr auto fft_fft2(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_fft2>(where, x, Sizes{}, Dims{}, Norm{});
}
template <class Dims = ints<-2, -1>, class Sizes = none, class Norm = none, class A>
constexpr auto fft_ifft2(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_ifft2>(where, x, Sizes{}, Dims{}, Norm{});
}
template <class Dims = ints<-2, -1>, class Sizes = none, class Norm = none, class A>
constexpr auto fft_rfft2(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_rfft2>(where, x, Sizes{}, Dims{}, Norm{});
}
template <class Dims = ints<-2, -1>, class Sizes = none, class Norm = none, class A>
constexpr auto fft_irfft2(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_irfft2>(where, x, Sizes{}, Dims{}, Norm{});
}
/// Along the given dims; by default along as many last dims as there are sizes, or along all.
template <class Dims = none, class Sizes = none, class Norm = none, class A>
constexpr auto fft_fftn(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_fftn>(where, x, Sizes{}, Dims{}, Norm{});
}
template <class Dims = none, class Sizes = none, class Norm = none, class A>
constexpr auto fft_ifftn(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_ifftn>(where, x, Sizes{}, Dims{}, Norm{});
}
template <class Dims = none, class Sizes = none, class Norm = none, class A>
constexpr auto fft_rfftn(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_rfftn>(where, x, Sizes{}, Dims{}, Norm{});
}
template <class Dims = none, class Sizes = none, class Norm = none, class A>
constexpr auto fft_irfftn(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_irfftn>(where, x, Sizes{}, Dims{}, Norm{});
}
/// The frequencies of a whole spectrum of N elements with spacing d, or of half of it.
template <std::int64_t N, class A>
constexpr auto fft_fftfreq(const handle<A>& beside, double d = 1, call_site where = call_site::current()) {
    return call_in<aten::fft_fftfreq>(beside, where, integer<N>{}, d);
}
template <std::int64_t N, class A>
constexpr auto fft_rfftfreq(const handle<A>& beside, double d = 1, call_site where = call_site::current()) {
    return call_in<aten::fft_rfftfreq>(beside, where, integer<N>{}, d);
}
/// The spectra of frames of N samples of the last dim, one every Hop samples (a quarter of N by default): [.., N / 2 +
/// 1, frames], or all N if not onesided. The first form has no window, but uses the Width samples in the middle, all by
/// default; the other multiplies by a window of Width elements.
template <std::int64_t N, std::int64_t Hop = 0, std::int64_t Width = 0, bool Onesided = true, bool Normalized = false,
          class A>
constexpr auto stft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::stft>(where, x, integer<N>{}, detail::size_or_none<Hop>{}, detail::size_or_none<Width>{}, none{},
                            flag<Normalized>{}, flag<Onesided>{}, flag<true>{});
}
template <std::int64_t N, std::int64_t Hop = 0, std::int64_t Width = 0, bool Onesided = true, bool Normalized = false,
          class A, class W>
constexpr auto stft(const handle<A>& x, const handle<W>& window, call_site where = call_site::current()) {
    return call<aten::stft>(where, x, integer<N>{}, detail::size_or_none<Hop>{}, detail::size_or_none<Width>{}, window,
                            flag<Normalized>{}, flag<Onesided>{}, flag<true>{});
}
/// Moves frequency 0 to the middle of the dims of ints<...>, or of all; and the inverse.
template <class Dims = none, class A>
constexpr auto fft_fftshift(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_fftshift>(where, x, Dims{});
}
template <class Dims = none, class A>
constexpr auto fft_ifftshift(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_ifftshift>(where, x, Dims{});
}

} // namespace ahead::ops
