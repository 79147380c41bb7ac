// SPDX-License-Identifier: MIT
// Fourier transforms on handles, as torch.fft has them: of N elements along a dim, cut or filled up with zeros, or,
// where N is 0, of those that there are. Norm is word<"ortho">, word<"forward">, or backward.
//     auto spectrum = fft_rfft<8, -1, word<"ortho">>(x);
// Invariant: every function ends in `call`, so an error names the user's line and the operator.
#pragma once
#include <ahead/frontend/handles/call.hpp>
#include <type_traits>

namespace AHEAD_NAMESPACE {

namespace detail {
template <std::int64_t N> using size_or_none = std::conditional_t<N == 0, none, integer<N>>;
} // namespace detail

/// The spectrum.
template <std::int64_t N = 0, std::int64_t Dim = -1, class Norm = none, class A>
constexpr auto fft_fft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_fft>(where, x, detail::size_or_none<N>{}, integer<Dim>{}, Norm{});
}
/// What x is the spectrum of.
template <std::int64_t N = 0, std::int64_t Dim = -1, class Norm = none, class A>
constexpr auto fft_ifft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_ifft>(where, x, detail::size_or_none<N>{}, integer<Dim>{}, Norm{});
}
/// Of real numbers the first n / 2 + 1 of n.
template <std::int64_t N = 0, std::int64_t Dim = -1, class Norm = none, class A>
constexpr auto fft_rfft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_rfft>(where, x, detail::size_or_none<N>{}, integer<Dim>{}, Norm{});
}
/// The N real numbers, 2 (size - 1) unless given, of which x is the first half of the spectrum.
template <std::int64_t N = 0, std::int64_t Dim = -1, class Norm = none, class A>
constexpr auto fft_irfft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_irfft>(where, x, detail::size_or_none<N>{}, integer<Dim>{}, Norm{});
}
/// The real spectrum of what has x as its first half.
template <std::int64_t N = 0, std::int64_t Dim = -1, class Norm = none, class A>
constexpr auto fft_hfft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_hfft>(where, x, detail::size_or_none<N>{}, integer<Dim>{}, Norm{});
}
/// Back from it.
template <std::int64_t N = 0, std::int64_t Dim = -1, class Norm = none, class A>
constexpr auto fft_ihfft(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_ihfft>(where, x, detail::size_or_none<N>{}, integer<Dim>{}, Norm{});
}
/// Along the dims of ints<...>, the last two unless given, of as many elements as Sizes says.
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
/// Along those, or as many of the last ones as there are sizes, or all.
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
/// The frequencies of a whole spectrum of N elements that are d apart, or of half of it.
template <std::int64_t N, class A>
constexpr auto fft_fftfreq(const handle<A>& beside, double d = 1, call_site where = call_site::current()) {
    return call_in<aten::fft_fftfreq>(beside, where, integer<N>{}, d);
}
template <std::int64_t N, class A>
constexpr auto fft_rfftfreq(const handle<A>& beside, double d = 1, call_site where = call_site::current()) {
    return call_in<aten::fft_rfftfreq>(beside, where, integer<N>{}, d);
}
/// Of each Hop samples of the last dim, a quarter of N unless given, the spectrum of N: [.., N / 2 + 1, frames], or all
/// N where it is not onesided. The first without a window, but of the Width samples in the middle, all unless given;
/// the other times a window of Width elements.
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
/// Frequency 0 in the middle of the dims of ints<...>, or of all, and back.
template <class Dims = none, class A>
constexpr auto fft_fftshift(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_fftshift>(where, x, Dims{});
}
template <class Dims = none, class A>
constexpr auto fft_ifftshift(const handle<A>& x, call_site where = call_site::current()) {
    return call<aten::fft_ifftshift>(where, x, Dims{});
}

} // namespace ahead
