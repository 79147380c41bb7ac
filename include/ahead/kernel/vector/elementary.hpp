// SPDX-License-Identifier: MIT
// Logarithms, e^x - 1 and what activations are made of, in vectors: as packet_math.hpp, whose accuracy table has them.
// Invariant: as there. f64: std::log, std::log1p, std::expm1, element by element.
#pragma once
#include <ahead/kernel/vector/packet_math.hpp>
#include <bit>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wuninitialized" // g++ 12's AVX-512 intrinsics, as in lanes.hpp
#endif

namespace AHEAD_NAMESPACE::npu::kernel {

namespace detail {

/// log(x) of a normal number above 0, as Cephes' logf: x = 2^e m, m in [sqrt(1/2), sqrt(2)), and a polynomial of m - 1.
template <int L> [[gnu::always_inline]] inline lanes<float, L> log_of_normal(lanes<float, L> x, float more_halves) {
    const auto all = [](float c) __attribute__((always_inline)) { return lanes<float, L>::all(c); };
    const auto bits = std::bit_cast<words<L>>(x.value);
    const auto power = std::bit_cast<vector_of<std::int32_t, L>>(bits - 0x3f3504f3u) >> 23;
    const lanes<float, L> m{
        std::bit_cast<typename lanes<float, L>::packet>(bits - (std::bit_cast<words<L>>(power) << 23))};
    const lanes<float, L> e{
        std::bit_cast<typename lanes<float, L>::packet>(__builtin_convertvector(power, vector_of<float, L>))};
    const auto whole = e - all(more_halves), f = m - all(1), f2 = f * f;
    auto y = fma(all(7.0376836292e-2f), f, all(-1.1514610310e-1f));
    y = fma(y, f, all(1.1676998740e-1f)), y = fma(y, f, all(-1.2420140846e-1f));
    y = fma(y, f, all(1.4249322787e-1f)), y = fma(y, f, all(-1.6668057665e-1f));
    y = fma(y, f, all(2.0000714765e-1f)), y = fma(y, f, all(-2.4999993993e-1f));
    y = fma(y, f, all(3.3333331174e-1f)) * f * f2;
    y = fma(whole, all(-2.12194440e-4f), y);
    return fma(whole, all(0.693359375f), f + fma(all(-0.5f), f2, y));
}
template <class T, int L>
[[gnu::always_inline]] inline lanes<T, L> select(auto condition, lanes<T, L> yes, lanes<T, L> no) {
    return {Eigen::internal::pselect(condition, yes.value, no.value)};
}

} // namespace detail

template <class T, int L> [[gnu::always_inline]] inline lanes<T, L> log(lanes<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        using namespace Eigen::internal;
        using limits = std::numeric_limits<float>;
        const auto all = [](float c) __attribute__((always_inline)) { return lanes<float, L>::all(c); };
        const auto smallest = all(limits::min()); // what is below it is subnormal: 2^25 times as large it is not
        const auto is_small = pcmp_lt(x.value, smallest.value);
        const auto y =
            detail::select(is_small, detail::log_of_normal(x * all(0x1p25f), 25), detail::log_of_normal(x, 0));
        // Infinity and NaN as they are; no logarithm below 0, and none of 0.
        const auto high = detail::select(pcmp_lt(x.value, all(limits::infinity()).value), y, x);
        const auto positive = detail::select(pcmp_le(x.value, all(0).value), all(limits::quiet_NaN()), high);
        return detail::select(pcmp_eq(x.value, all(0).value), all(-limits::infinity()), positive);
    } else {
        return detail::one_by_one(x, [](T value) { return std::log(value); });
    }
}
/// log(1 + x), with what 1 + x is rounded by.
template <class T, int L> [[gnu::always_inline]] inline lanes<T, L> log1p(lanes<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        using namespace Eigen::internal;
        const auto one = lanes<float, L>::all(1), u = one + x, large = lanes<float, L>::all(0x1p24f);
        const auto near = log(u) + (x - (u - one)) / u;
        // From 2^24 on 1 + x is x; and what is -1, infinite or NaN is so for log.
        const auto y = detail::select(pcmp_lt(x.value, large.value), near, log(u));
        const auto not_minus_one = detail::select(pcmp_eq(u.value, pzero(u.value)), log(u), y);
        return detail::select(pcmp_eq(x.value, pzero(x.value)), x, not_minus_one); // -0, too
    } else {
        return detail::one_by_one(x, [](T value) { return std::log1p(value); });
    }
}
/// e^x - 1, by the polynomial of exp: 2^power q + (2^power - 1).
template <class T, int L> [[gnu::always_inline]] inline lanes<T, L> expm1(lanes<T, L> x) {
    if constexpr (std::is_same_v<T, float>) {
        using namespace Eigen::internal;
        using packet = typename lanes<T, L>::packet;
        const auto all = [](T c) __attribute__((always_inline)) { return pset1<packet>(c); };
        const packet low = all(-18.f), high = all(88.722839f);
        const auto by = detail::exp_parts<packet>(pmax(pmin(x.value, high), low));
        const packet q = pmadd(by.rest, by.r2, by.r), scale = detail::power_of_two(by.power);
        const packet y = pmadd(scale, q, psub(scale, all(1.f)));
        const packet infinity = all(std::numeric_limits<float>::infinity());
        const packet bounds = pselect(pcmp_lt(high, x.value), infinity, pselect(pcmp_lt(x.value, low), all(-1.f), y));
        return {pselect(pcmp_eq(x.value, pzero(x.value)), x.value, // -0, too
                        pselect(pcmp_eq(x.value, x.value), bounds, x.value))};
    } else {
        return detail::one_by_one(x, [](T value) { return std::expm1(value); });
    }
}
/// x / (1 + e^-x)
template <class T, int L> [[gnu::always_inline]] inline lanes<T, L> silu(lanes<T, L> x) {
    return x / (lanes<T, L>::all(1) + exp(lanes<T, L>{Eigen::internal::pnegate(x.value)}));
}
/// x tanh(log(1 + e^x)): with n = e^x (e^x + 2), that is x n / (n + 2); from 20 on it is x.
template <class T, int L> [[gnu::always_inline]] inline lanes<T, L> mish(lanes<T, L> x) {
    using namespace Eigen::internal;
    const auto two = lanes<T, L>::all(2), far = lanes<T, L>::all(20), e = exp(x), n = e * (e + two);
    return detail::select(pcmp_lt(far.value, x.value), x, x * (n / (n + two)));
}
/// log(1 + e^(beta x)) / beta; x where beta x is above the threshold.
template <class T, int L>
[[gnu::always_inline]] inline lanes<T, L> softplus(lanes<T, L> x, lanes<T, L> beta, lanes<T, L> threshold) {
    const auto scaled = x * beta;
    return detail::select(Eigen::internal::pcmp_lt(threshold.value, scaled.value), x, log1p(exp(scaled)) / beta);
}
/// Between the two; NaN as it is.
template <class T, int L>
[[gnu::always_inline]] inline lanes<T, L> clamp(lanes<T, L> x, lanes<T, L> low, lanes<T, L> high) {
    return {
        Eigen::internal::pmin(Eigen::internal::pmax(x.value, low.value), high.value)}; // which keep a NaN on the left
}

} // namespace ahead::npu::kernel

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
