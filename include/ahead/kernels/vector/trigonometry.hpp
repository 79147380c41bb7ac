// SPDX-License-Identifier: MIT
// Sines, tangents and their inverses in vectors: as in packet_math.hpp, whose table has their accuracy. Angles are
// reduced in f64, so that no digit is lost; for angles beyond 2^18 or infinite, the C++ library is called, element by
// element.
// Invariant: as there. f64: the C++ library's functions.
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

template <int L> [[gnu::always_inline]] inline simd<float, L> signed_as(simd<float, L> size, words<L> sign) {
    return {
        std::bit_cast<typename simd<float, L>::packet>(std::bit_cast<words<L>>(size.value) ^ (sign & 0x8000'0000u))};
}
template <int L> [[gnu::always_inline]] inline simd<float, L> size_of(simd<float, L> x) {
    return {std::bit_cast<typename simd<float, L>::packet>(std::bit_cast<words<L>>(x.value) & 0x7fff'ffffu)};
}

/// x| = count pi/2 + rest, |rest| <= 0.8; sine and cosine of the rest, Cephes' sinf and cosf.
template <int L> struct quarter_turns {
    using vector = simd<float, L>;
    static constexpr float limit = 0x1p18f;
    words<L> count;
    vector rest;

    [[gnu::always_inline]] explicit quarter_turns(vector x) {
        constexpr float shift = 0x1.8p23f; // a number near it has its whole part in its last bits
        const auto size = size_of(x), shifted = fma(size, vector::all(0.63661977236758134f), vector::all(shift));
        const auto turns = shifted - vector::all(shift);
        count = std::bit_cast<words<L>>(shifted.value);
        rest = in_halves<L>(
            [](auto angle, auto k) __attribute__((always_inline)) {
                const auto all = [](double c) __attribute__((always_inline)) { return decltype(k)::all(c); };
                return (angle - k * all(0x1.921fb544p0)) - k * all(0x1.0b4611a626331p-34); // the first product is exact
            },
            size, turns);
    }
    [[gnu::always_inline]] vector sine() const {
        const auto all = [](float c) __attribute__((always_inline)) { return vector::all(c); };
        const auto z = rest * rest;
        auto y = fma(all(-1.9515295891e-4f), z, all(8.3321608736e-3f));
        return fma(fma(y, z, all(-1.6666654611e-1f)) * z, rest, rest);
    }
    [[gnu::always_inline]] vector cosine() const {
        const auto all = [](float c) __attribute__((always_inline)) { return vector::all(c); };
        const auto z = rest * rest;
        auto y = fma(all(2.443315711809948e-5f), z, all(-1.388731625493765e-3f));
        return fma(fma(y, z, all(4.166664568298827e-2f)) * z, z, fma(all(-0.5f), z, all(1)));
    }
};

/// y, replaced by f(x) for elements further from 0 than `limit`, which are rare.
template <int L>
[[gnu::noinline, gnu::cold]] void each_beyond(float limit, float (*f)(float), const float* x, float* y) {
    for (int i = 0; i < L; ++i)
        if (std::fabs(x[i]) > limit) y[i] = f(x[i]);
}
template <int L>
[[gnu::always_inline]] inline simd<float, L> or_beyond(float limit, float (*f)(float), simd<float, L> x,
                                                        simd<float, L> y) {
    using namespace Eigen::internal;
    if (!predux_any(pcmp_lt(simd<float, L>::all(limit).value, size_of(x).value))) return y;
    alignas(64) float each[L], made[L];
    x.store(each), y.store(made);
    each_beyond<L>(limit, f, each, made);
    return simd<float, L>::load(made);
}

/// The sine of x plus Turns quarter turns.
template <unsigned Turns, int L> [[gnu::always_inline]] inline simd<float, L> sine_of(simd<float, L> x) {
    const quarter_turns<L> by(x);
    const words<L> count = by.count + Turns;
    const auto y = select((count & 1u) == 0u, by.sine(), by.cosine());
    const words<L> sign = Turns == 0 ? std::bit_cast<words<L>>(x.value) : words<L>{};
    return signed_as<L>(y, sign ^ count << 30);
}

/// The angle between 0 and pi/2 whose tangent is up / down, both above 0: Cephes' atanf.
template <int L> [[gnu::always_inline]] inline simd<float, L> angle_of(simd<float, L> up, simd<float, L> down) {
    using namespace Eigen::internal;
    const auto all = [](float c) __attribute__((always_inline)) { return simd<float, L>::all(c); };
    const auto is_steep = down * all(2.414213562373095f) < up;
    const auto is_flat = up <= down * all(0.4142135623730950f);
    const simd<float, L> minus_down{pnegate(down.value)};
    const auto above = select(is_flat, up, select(is_steep, minus_down, up - down));
    const auto below = select(is_flat, down, select(is_steep, up, up + down));
    const auto x = above / below, z = x * x;
    auto y = fma(all(8.05374449538e-2f), z, all(-1.38776856032e-1f));
    y = fma(y, z, all(1.99777106478e-1f)), y = fma(fma(y, z, all(-3.33329491539e-1f)) * z, x, x);
    return select(is_flat, y, select(is_steep, all(1.57079632679489662f), all(0.78539816339744831f)) + y);
}

/// (arcsine of x) - x for 0 <= x <= 1/2, z its square.
template <int L> [[gnu::always_inline]] inline simd<float, L> arcsine_rest(simd<float, L> x, simd<float, L> z) {
    const auto all = [](float c) __attribute__((always_inline)) { return simd<float, L>::all(c); };
    auto y = fma(all(4.2163199048e-2f), z, all(2.4181311049e-2f));
    y = fma(y, z, all(4.5470025998e-2f)), y = fma(y, z, all(7.4953002686e-2f)), y = fma(y, z, all(1.6666752422e-1f));
    return y * z * x;
}

} // namespace detail

template <class T, int L> [[gnu::always_inline]] inline simd<T, L> sin(simd<T, L> x) {
    constexpr auto std_sin = [](T value) { return std::sin(value); };
    if constexpr (std::is_same_v<T, float>)
        return detail::or_beyond<L>(detail::quarter_turns<L>::limit, std_sin, x, detail::sine_of<0>(x));
    else return detail::one_by_one(x, std_sin);
}
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> cos(simd<T, L> x) {
    constexpr auto std_cos = [](T value) { return std::cos(value); };
    if constexpr (std::is_same_v<T, float>)
        return detail::or_beyond<L>(detail::quarter_turns<L>::limit, std_cos, x, detail::sine_of<1>(x));
    else return detail::one_by_one(x, std_cos);
}
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> tan(simd<T, L> x) {
    constexpr auto std_tan = [](T value) { return std::tan(value); };
    if constexpr (std::is_same_v<T, float>) {
        const detail::quarter_turns<L> by(x);
        const auto sine = by.sine(), cosine = by.cosine();
        const auto is_even = (by.count & 1u) == 0u;
        const auto y = detail::select(is_even, sine, cosine) / detail::select(is_even, cosine, sine);
        return detail::or_beyond<L>(detail::quarter_turns<L>::limit, std_tan, x,
                                    detail::signed_as<L>(y, std::bit_cast<detail::words<L>>(x.value) ^ by.count << 31));
    } else {
        return detail::one_by_one(x, std_tan);
    }
}
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> atan(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>)
        return detail::signed_as<L>(detail::angle_of(detail::size_of(x), simd<T, L>::all(1)),
                                    std::bit_cast<detail::words<L>>(x.value));
    else return detail::one_by_one(x, [](T value) { return std::atan(value); });
}
/// The angle of the point (x, y), as C's atan2. Magnitudes are changed if their sum would be infinite, or both are.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> atan2(simd<T, L> y, simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        using words = detail::words<L>;
        const auto all = [](float c) __attribute__((always_inline)) { return simd<T, L>::all(c); };
        auto up = detail::size_of(y), down = detail::size_of(x);
        const auto infinity = all(std::numeric_limits<float>::infinity());
        const auto are_infinite = (up == infinity) & (down == infinity),
                   are_large = (all(0x1p126f) < up) & (all(0x1p126f) < down);
        const auto factor = detail::select(are_large, all(0.25f), all(1));
        up = detail::select(are_infinite, all(1), up * factor),
        down = detail::select(are_infinite, all(1), down * factor);
        const auto right = detail::select((up == all(0)) & (down == all(0)), up, detail::angle_of(up, down));
        const auto is_left = std::bit_cast<words>(x.value) > 0x7fff'ffffu; // also for -0
        const auto angle = detail::select(is_left, all(3.14159265358979323f) - right, right);
        return detail::signed_as<L>(angle, std::bit_cast<words>(y.value));
    } else {
        return detail::two_by_two(y, x, [](T a, T b) { return std::atan2(a, b); });
    }
}
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> asin(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        using namespace Eigen::internal;
        const auto all = [](float c) __attribute__((always_inline)) { return simd<T, L>::all(c); };
        const auto size = detail::size_of(x), half = (all(1) - size) * all(0.5f);
        const auto is_large = all(0.5f) < size;
        const auto z = detail::select(is_large, half, size * size), base = detail::select(is_large, sqrt(half), size);
        const auto y = base + detail::arcsine_rest(base, z);
        return detail::signed_as<L>(detail::select(is_large, all(1.57079632679489662f) - (y + y), y),
                                    std::bit_cast<detail::words<L>>(x.value));
    } else {
        return detail::one_by_one(x, [](T value) { return std::asin(value); });
    }
}
/// pi/2 - asin(x) up to 1/2, 2 asin(sqrt((1 - x) / 2)) above, and pi minus that below -1/2.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> acos(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        using namespace Eigen::internal;
        const auto all = [](float c) __attribute__((always_inline)) { return simd<T, L>::all(c); };
        const auto size = detail::size_of(x), half = (all(1) - size) * all(0.5f);
        const auto is_large = all(0.5f) < size, is_negative = x < all(0);
        const auto z = detail::select(is_large, half, size * size), base = detail::select(is_large, sqrt(half), x);
        const auto rest = detail::arcsine_rest(base, z), twice = (base + rest) + (base + rest);
        const auto distant = detail::select(is_negative, all(3.14159265358979323f) - twice, twice);
        return detail::select(is_large, distant, all(1.57079632679489662f) - (base + rest));
    } else {
        return detail::one_by_one(x, [](T value) { return std::acos(value); });
    }
}

} // namespace ahead::kernels

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
