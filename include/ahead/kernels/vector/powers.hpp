// SPDX-License-Identifier: MIT
// x^y and hyperbolic functions in vectors: as in packet_math.hpp, whose table has their accuracy. Powers are computed
// in f64 and then rounded once.
// Invariant: as there. f64: the C++ library's functions, element by element.
#pragma once
#include <ahead/kernels/vector/elementary.hpp>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized" // g++ 12's AVX-512 intrinsics, as in simd.hpp
#endif

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

template <int N> using long_words = vector_of<std::uint64_t, N>; // the bits of doubles

/// log2(x) for finite x > 0.
template <int N> [[gnu::always_inline]] inline simd<double, N> log2_of(simd<double, N> x) {
    using vector = simd<double, N>;
    const auto all = [](double c) __attribute__((always_inline)) { return vector::all(c); };
    const auto number = [](long_words<N> bits) __attribute__((always_inline)) {
        return vector{std::bit_cast<typename vector::packet>(bits)};
    };
    // x = 2^power m, sqrt(1/2) <= m < sqrt(2), and log(m) = 2 (s + s^3 / 3 + ...) with s = (m - 1) / (m + 1).
    constexpr std::uint64_t one = std::uint64_t{1023} << 52, root = 0x3fe6a09e'667f3bcd;
    const auto bits = std::bit_cast<long_words<N>>(x.value);
    const long_words<N> exponent = (bits + (one - root)) >> 52; // plus 1023
    const auto power = number(exponent | 0x4330'0000'0000'0000u) - all(0x1p52 + 1023);
    const auto m = number(bits - (exponent << 52) + one);
    const auto s = (m - all(1)) / (m + all(1)), z = s * s;
    auto log = fma(all(2.8853900817779268 / 13), z, all(2.8853900817779268 / 11));
    log = fma(log, z, all(2.8853900817779268 / 9)), log = fma(log, z, all(2.8853900817779268 / 7));
    log = fma(log, z, all(2.8853900817779268 / 5)), log = fma(log, z, all(2.8853900817779268 / 3));
    return fma(fma(log, z, all(2.8853900817779268)), s, power);
}

/// 2^(y log2(x)) for x >= 0, including infinity: for floats, in f64, with an error far below a float's last place, and
/// NaN if y log2(x) is NaN.
template <int N> [[gnu::always_inline]] inline simd<double, N> power_of(simd<double, N> x, simd<double, N> y) {
    using namespace Eigen::internal;
    using vector = simd<double, N>;
    using packet = typename vector::packet;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto all = [](double c) __attribute__((always_inline)) { return vector::all(c); };
    const auto number = [](long_words<N> bits)
                            __attribute__((always_inline)) { return vector{std::bit_cast<packet>(bits)}; };
    constexpr std::uint64_t one = std::uint64_t{1023} << 52;
    auto log = log2_of(x);
    log = select(x == all(0), all(-infinity), log);
    log = select(x < all(infinity), log, x);
    // 2^t, t = whole + rest; results beyond these bounds are 0 or infinite as a float.
    const vector t{pmax(pmin((y * log).value, all(200).value), all(-200).value)};
    const auto shifted = t + all(0x1.8p52), rest = (t - (shifted - all(0x1.8p52))) * all(0.69314718055994531);
    auto e = fma(all(1. / 40320), rest, all(1. / 5040));
    e = fma(e, rest, all(1. / 720)), e = fma(e, rest, all(1. / 120)), e = fma(e, rest, all(1. / 24));
    e = fma(e, rest, all(1. / 6)), e = fma(e, rest, all(0.5)), e = fma(e, rest, all(1)), e = fma(e, rest, all(1));
    return e * number((std::bit_cast<long_words<N>>(shifted.value) << 52) + one);
}

/// e^x / 2 for 0 <= x < 90; infinite only where e^x is far beyond the range of floats.
template <int L> [[gnu::always_inline]] inline simd<float, L> half_exp(simd<float, L> x) {
    using namespace Eigen::internal;
    using packet = typename simd<float, L>::packet;
    const auto all = [](float c) __attribute__((always_inline)) { return pset1<packet>(c); };
    const exp_parts<packet, 130> by(pmin(x.value, all(90.f)));
    const packet y = pmadd(by.rest, by.r2, padd(by.r, all(1.f)));
    return {pmul(pmul(y, power_of_two(psub(by.power, all(25.f)))), all(0x1p24f))};
}

} // namespace detail

/// As C's pow, except that it raises no floating-point exceptions.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> pow(simd<T, L> x, simd<T, L> y) {
    if constexpr (std::is_same_v<T, float>) {
        using namespace Eigen::internal;
        const auto all = [](float c) __attribute__((always_inline)) { return simd<T, L>::all(c); };
        using words = detail::words<L>;
        const simd<T, L> size{pabs(x.value)}, half = y * all(0.5f);
        const auto infinity = all(std::numeric_limits<float>::infinity());
        const auto power = detail::in_halves<L>(
            [](auto a, auto b) __attribute__((always_inline)) { return detail::power_of(a, b); }, size, y);
        // For negative x and -0: the sign of x for odd powers; NaN if y is not whole. Infinite powers are even.
        const auto is_whole = floor(y) == y, is_odd = is_whole & (floor(half) < half);
        const auto sign = detail::select(is_odd, x, all(0));
        const simd<T, L> with_sign{std::bit_cast<typename simd<T, L>::packet>(
            std::bit_cast<words>(power.value) | (std::bit_cast<words>(sign.value) & 0x8000'0000u))};
        const auto has_power = is_whole | (all(0) <= x) | (infinity <= size) | (x != x);
        const auto z = detail::select(has_power, with_sign, all(std::numeric_limits<float>::quiet_NaN()));
        const auto minus_one = detail::select((size == all(1)) & is_whole, detail::select(is_odd, x, all(1)), z);
        return detail::select((y == all(0)) | (x == all(1)), all(1), minus_one);
    } else {
        return detail::two_by_two(x, y, [](T a, T b) { return std::pow(a, b); });
    }
}
/// x^(1/2): 0 for -0, and infinity for -infinity.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> root(simd<T, L> x) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const auto all = [](T c) __attribute__((always_inline)) { return simd<T, L>::all(c); };
    return sqrt(detail::select(x == all(-infinity), all(infinity), x + all(0)));
}
/// (e^x - e^-x) / 2; a polynomial up to 1, where the terms cancel: Cephes' sinhf.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> sinh(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        using namespace Eigen::internal;
        const auto all = [](float c) __attribute__((always_inline)) { return simd<T, L>::all(c); };
        const simd<T, L> size{pabs(x.value)};
        const auto half = detail::half_exp(size), distant = half - all(0.25f) / half, z = x * x;
        auto y = fma(all(2.03721912945e-4f), z, all(8.33028376239e-3f));
        y = fma(fma(y, z, all(1.66667160211e-1f)) * z, x, x);
        const simd<T, L> minus_far{pnegate(distant.value)};
        const auto outside = detail::select(x < all(0), minus_far, distant);
        return detail::select(size < all(1), y, outside);
    } else {
        return detail::one_by_one(x, [](T value) { return std::sinh(value); });
    }
}
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> cosh(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        const auto half = detail::half_exp(simd<T, L>{Eigen::internal::pabs(x.value)});
        return half + simd<T, L>::all(0.25f) / half;
    } else {
        return detail::one_by_one(x, [](T value) { return std::cosh(value); });
    }
}

} // namespace ahead::kernels

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
