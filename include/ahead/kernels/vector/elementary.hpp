// SPDX-License-Identifier: MIT
// Logarithms, e^x - 1 and the building blocks of activations, in vectors: as in packet_math.hpp, whose table has their
// accuracy.
// Invariant: as there. f64: the C++ library's functions, element by element.
#pragma once
#include <ahead/kernels/vector/packet_math.hpp>
#include <bit>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized" // g++ 12's AVX-512 intrinsics, as in simd.hpp
#endif

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

template <int First, int L> [[gnu::always_inline]] inline auto half_as_doubles(simd<float, L> x) {
    using half = simd<float, L / 2>;
    return [&]<int... Nth>(std::integer_sequence<int, Nth...>) __attribute__((always_inline)) {
        return half{std::bit_cast<typename half::packet>(__builtin_shufflevector(x.value, x.value, (First + Nth)...))};
    }(std::make_integer_sequence<int, L / 2>{}).template as<double>();
}
/// f(x...) computed in f64, half of the lanes at a time, each result rounded to f32.
template <int L, class F, class... X> [[gnu::always_inline]] inline simd<float, L> in_halves(const F& f, X... x) {
    if constexpr (L == 1) {
        return {static_cast<float>(f(simd<double, 1>{static_cast<double>(x.value)}...).value)};
    } else {
        const auto low = f(half_as_doubles<0>(x)...).template as<float>(),
                   high = f(half_as_doubles<L / 2>(x)...).template as<float>();
        return [&]<int... Nth>(std::integer_sequence<int, Nth...>) __attribute__((always_inline)) {
            return simd<float, L>{std::bit_cast<typename simd<float, L>::packet>(
                __builtin_shufflevector(low.value, high.value, Nth...))};
        }(std::make_integer_sequence<int, L>{});
    }
}

/// x = 2^power (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), and log(1 + f) = f - f2 / 2 + rest: Cephes' logf. pre: x > 0
template <int L> struct log_parts {
    using vector = simd<float, L>;
    vector power, f, f2, rest;

    [[gnu::always_inline]] explicit log_parts(vector x) {
        const auto all = [](float c) __attribute__((always_inline)) { return vector::all(c); };
        // Subnormal numbers are multiplied by 2^25.
        const auto is_small = x < all(std::numeric_limits<float>::min());
        const auto bits = std::bit_cast<words<L>>(select(is_small, x * all(0x1p25f), x).value);
        const auto exponent = std::bit_cast<vector_of<std::int32_t, L>>(bits - 0x3f3504f3u) >> 23;
        const vector m{std::bit_cast<typename vector::packet>(bits - (std::bit_cast<words<L>>(exponent) << 23))};
        const vector e{std::bit_cast<typename vector::packet>(__builtin_convertvector(exponent, vector_of<float, L>))};
        power = select(is_small, e - all(25), e), f = m - all(1), f2 = f * f;
        auto y = fma(all(7.0376836292e-2f), f, all(-1.1514610310e-1f));
        y = fma(y, f, all(1.1676998740e-1f)), y = fma(y, f, all(-1.2420140846e-1f));
        y = fma(y, f, all(1.4249322787e-1f)), y = fma(y, f, all(-1.6668057665e-1f));
        y = fma(y, f, all(2.0000714765e-1f)), y = fma(y, f, all(-2.4999993993e-1f));
        rest = fma(y, f, all(3.3333331174e-1f)) * f * f2;
    }
};
/// y, a logarithm of x, if it exists: infinity and NaN unchanged, NaN below 0, -infinity for 0.
template <int L> [[gnu::always_inline]] inline simd<float, L> log_bounds(simd<float, L> x, simd<float, L> y) {
    using namespace Eigen::internal;
    using limits = std::numeric_limits<float>;
    const auto all = [](float c) __attribute__((always_inline)) { return simd<float, L>::all(c); };
    const auto high = select(x < all(limits::infinity()), y, x);
    const auto positive = select(x <= all(0), all(limits::quiet_NaN()), high);
    return select(x == all(0), all(-limits::infinity()), positive);
}

} // namespace detail

template <class T, int L> [[gnu::always_inline]] inline simd<T, L> log(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        const auto all = [](float c) __attribute__((always_inline)) { return simd<T, L>::all(c); };
        const detail::log_parts<L> by(x);
        const auto y = fma(by.power, all(-2.12194440e-4f), by.rest);
        return detail::log_bounds(x, fma(by.power, all(0.693359375f), by.f + fma(all(-0.5f), by.f2, y)));
    } else {
        return detail::one_by_one(x, [](T value) { return std::log(value); });
    }
}
/// log(x) / log(2): 1 / log(2) is split into 1 and the rest, so that the large part is added last.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> log2(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        const auto all = [](float c) __attribute__((always_inline)) { return simd<T, L>::all(c); };
        const detail::log_parts<L> by(x);
        const auto y = fma(all(-0.5f), by.f2, by.rest), more = all(0.44269504088896341f);
        return detail::log_bounds(x, fma(by.f, more, fma(y, more, y)) + by.f + by.power);
    } else {
        return detail::one_by_one(x, [](T value) { return std::log2(value); });
    }
}
/// log(x) / log(10): both factors are split into two parts, the first of which has few bits.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> log10(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        const auto all = [](float c) __attribute__((always_inline)) { return simd<T, L>::all(c); };
        const detail::log_parts<L> by(x);
        const auto y = fma(all(-0.5f), by.f2, by.rest);
        auto z = (by.f + y) * all(7.00731903251827651129e-4f);
        z = fma(by.power, all(2.48745663981195213739e-4f), z);
        z = fma(y, all(4.3359375e-1f), z), z = fma(by.f, all(4.3359375e-1f), z);
        return detail::log_bounds(x, fma(by.power, all(3.0078125e-1f), z));
    } else {
        return detail::one_by_one(x, [](T value) { return std::log10(value); });
    }
}
/// log(1 + x), corrected by the rounding error of 1 + x.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> log1p(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        using namespace Eigen::internal;
        const auto one = simd<float, L>::all(1), u = one + x, large = simd<float, L>::all(0x1p24f);
        const auto whole = log(u), nearby = whole + (x - (u - one)) / u;
        // From 2^24 on 1 + x is x; for -1, infinity and NaN the result is that of log.
        const auto y = detail::select(x < large, nearby, whole);
        const auto zero = simd<float, L>::zero();
        return detail::select(x == zero, x, detail::select(u == zero, whole, y)); // also for -0
    } else {
        return detail::one_by_one(x, [](T value) { return std::log1p(value); });
    }
}
/// e^x - 1, by the polynomial of exp: 2^power q + (2^power - 1).
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> expm1(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        using namespace Eigen::internal;
        using packet = typename simd<T, L>::packet;
        const auto all = [](T c) __attribute__((always_inline)) { return pset1<packet>(c); };
        const packet low = all(-18.f), high = all(88.722839f);
        const auto by = detail::exp_parts<packet>(pmax(pmin(x.value, high), low));
        const packet q = pmadd(by.rest, by.r2, by.r), scale = detail::power_of_two(by.power);
        const packet y = pmadd(scale, q, psub(scale, all(1.f)));
        const packet infinity = all(std::numeric_limits<float>::infinity());
        const packet bounds = detail::select(high < x.value, infinity, detail::select(x.value < low, all(-1.f), y));
        return {detail::select(x.value == all(0), x.value, // also for -0
                               detail::select(x == x, bounds, x.value))};
    } else {
        return detail::one_by_one(x, [](T value) { return std::expm1(value); });
    }
}
/// 2^x: the whole part by its bits, in two factors, as the result may be subnormal; the rest by a polynomial.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> exp2(simd<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        using namespace Eigen::internal;
        using packet = typename simd<T, L>::packet;
        const auto all = [](T c) __attribute__((always_inline)) { return simd<T, L>::all(c); };
        const simd<T, L> bounded{pmax(pmin(x.value, all(129).value), all(-151).value)};
        const simd<T, L> power{pfloor((bounded + all(0.5f)).value)}, r = bounded - power;
        auto y = fma(all(1.535336188e-4f), r, all(1.339887440e-3f));
        y = fma(y, r, all(9.618437357e-3f)), y = fma(y, r, all(5.550332471e-2f));
        y = fma(y, r, all(2.402264791e-1f)), y = fma(y, r, all(6.931472028e-1f)), y = fma(y, r, all(1));
        const packet half = pfloor((power * all(0.5f)).value);
        return {pmul(pmul(y.value, detail::power_of_two(half)), detail::power_of_two(psub(power.value, half)))};
    } else {
        return detail::one_by_one(x, [](T value) { return std::exp2(value); });
    }
}
/// x / (1 + e^-x)
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> silu(simd<T, L> x) {
    return x / (simd<T, L>::all(1) + exp(simd<T, L>{Eigen::internal::pnegate(x.value)}));
}
/// x tanh(log(1 + e^x)): with n = e^x (e^x + 2), that is x n / (n + 2); from 20 on it is x.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> mish(simd<T, L> x) {
    using namespace Eigen::internal;
    const auto two = simd<T, L>::all(2), distant = simd<T, L>::all(20), e = exp(x), n = e * (e + two);
    return detail::select(distant < x, x, x * (n / (n + two)));
}
/// (e^x - 1) alpha scale of input_scale x up to 0, scale x above.
template <class T, int L>
[[gnu::always_inline]] inline simd<T, L> elu(simd<T, L> x, simd<T, L> alpha, simd<T, L> scale,
                                              simd<T, L> input_scale) {
    return detail::select(x <= simd<T, L>::zero(), alpha * scale * expm1(x * input_scale), x * scale);
}
/// alpha (e^(x / alpha) - 1) up to 0, x above.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> celu(simd<T, L> x, simd<T, L> alpha) {
    return detail::select(x <= simd<T, L>::zero(), alpha * expm1(x / alpha), x);
}
/// log(1 + e^(beta x)) / beta; x where beta x is above the threshold.
template <class T, int L>
[[gnu::always_inline]] inline simd<T, L> softplus(simd<T, L> x, simd<T, L> beta, simd<T, L> threshold) {
    const auto scaled = x * beta;
    return detail::select(threshold < scaled, x, log1p(exp(scaled)) / beta);
}
namespace detail {
/// y with the sign of x, if x has one: Eigen's rounding of numbers between -1 and 0 may lose it.
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> or_minus(simd<T, L> y, simd<T, L> x) {
    return {Eigen::internal::por(y.value, Eigen::internal::pand(x.value, simd<T, L>::all(T(-0.0)).value))};
}
} // namespace detail

template <class T, int L> [[gnu::always_inline]] inline simd<T, L> floor(simd<T, L> x) {
    return detail::or_minus({Eigen::internal::pfloor(x.value)}, x);
}
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> ceil(simd<T, L> x) {
    return detail::or_minus({Eigen::internal::pceil(x.value)}, x);
}
template <class T, int L> [[gnu::always_inline]] inline simd<T, L> trunc(simd<T, L> x) {
    return detail::or_minus({Eigen::internal::pfloor(Eigen::internal::pabs(x.value))}, x);
}
/// x limited to [low, high]; NaN is kept.
template <class T, int L>
[[gnu::always_inline]] inline simd<T, L> clamp(simd<T, L> x, simd<T, L> low, simd<T, L> high) {
    return {
        Eigen::internal::pmin(Eigen::internal::pmax(x.value, low.value), high.value)}; // both keep a NaN on the left
}

} // namespace ahead::kernels

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
