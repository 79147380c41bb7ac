// SPDX-License-Identifier: MIT
// Layer norm of rows: (x - mean) / sqrt(variance + eps) * weight + bias. The moments are computed in f64; x - mean is
// computed in f32, with the mean as a sum of two f32, so that no precision of it is lost; from 1.7e38 on it may be
// infinite. Source of the semantics: aten/src/ATen/native/layer_norm.cpp.
// Invariant: x and out do not overlap.
#pragma once
#include <ahead/device/layer_norm.hpp>
#include <ahead/kernels/eigen_kernels.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/vector/packet_math.hpp>
#include <bit>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

struct moments {
    double mean, variance;
};
/// The moments of x[0] ... x[N - 1], in one pass over the differences d from the first element: the part that cancels
/// in sum(d^2) - sum(d)^2 / N is at most N times the result, whatever the mean.
template <std::int64_t N, class T> [[gnu::always_inline]] inline moments moments_of(const T* x) {
    constexpr int width = register_lanes<double>, together = N >= 4 * width ? 4 : 1;
    using numbers = simd<double, width>;
    constexpr std::int64_t vectors = N / width, whole = vectors / together * together;
    constexpr int rest = static_cast<int>(N - vectors * width);
    const auto first = numbers::all(static_cast<double>(*x));
    numbers sums[together]{}, squares[together]{};
    const auto add = [&](int at, const simd<T, width>& more) __attribute__((always_inline)) {
        const auto apart = more.template as<double>() - first;
        sums[at] = sums[at] + apart;
        squares[at] = fma(apart, apart, squares[at]);
    };
    for (std::int64_t i = 0; i < whole; i += together)
        unroll<together>([&](int at)
                             __attribute__((always_inline)) { add(at, simd<T, width>::load(x + (i + at) * width)); });
    unroll<static_cast<int>(vectors - whole)>(
        [&](int at) __attribute__((always_inline)) { add(at, simd<T, width>::load(x + (whole + at) * width)); });
    if constexpr (rest > 0) add(0, simd<T, width>::template load_first<rest>(x + vectors * width, *x));
    for (int p = 1; p < together; ++p) sums[0] = sums[0] + sums[p], squares[0] = squares[0] + squares[p];
    const double apart = sums[0].sum() / N, variance = squares[0].sum() / N - apart * apart;
    return {static_cast<double>(*x) + apart, variance < 0 ? 0 : variance}; // written so that a NaN is kept
}

} // namespace detail

/// weight, bias: not read unless the key has them. mean, rstd: one element per row, not written unless Key.statistics.
template <device::layer_norm_key Key, class T = element_t<Key.type>>
inline void layer_norm(const T* x, [[maybe_unused]] const T* weight, [[maybe_unused]] const T* bias, T* out,
                       [[maybe_unused]] T* mean, [[maybe_unused]] T* rstd) {
    if constexpr (Key.choice == device::single_choice::eigen)
        return eigen_kernel<Key>::run(x, weight, bias, out, mean, rstd);
    constexpr auto n = Key.count;
    constexpr auto eps = std::bit_cast<double>(Key.eps_bits); // a constant, as kernel_for.hpp says
    for (std::int64_t r = 0; r < Key.rows; ++r, x += n, out += n) {
        const auto [middle, variance] = detail::moments_of<n>(x);
        const double scale = 1 / std::sqrt(variance + eps);
        const auto nearby = static_cast<T>(middle), rest = static_cast<T>(middle - nearby), by = static_cast<T>(scale);
        const auto normal = [&](auto v) __attribute__((always_inline)) {
            using all = decltype(v);
            return (std::is_same_v<T, double> ? v - all::all(nearby) : (v - all::all(nearby)) - all::all(rest)) *
                   all::all(by);
        };
        if constexpr (Key.weight && Key.bias)
            map<n>([&](auto v, auto w, auto b) __attribute__((always_inline)) { return fma(normal(v), w, b); }, out, x,
                   weight, bias);
        else if constexpr (Key.weight)
            map<n>([&](auto v, auto w) __attribute__((always_inline)) { return normal(v) * w; }, out, x, weight);
        else if constexpr (Key.bias)
            map<n>([&](auto v, auto b) __attribute__((always_inline)) { return normal(v) + b; }, out, x, bias);
        else map<n>(normal, out, x);
        if constexpr (Key.statistics) {
            mean[r] = nearby;
            rstd[r] = by;
        }
    }
}

template <> struct kernel_for<device::layer_norm> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        T *mean = nullptr, *rstd = nullptr;
        if constexpr (Key.statistics) mean = at.template out<T>(1), rstd = at.template out<T>(2);
        kernels::layer_norm<Key>(at.template in<T>(0), at.template in_or_null<T>(1),
                                 at.template in_or_null<T>(Key.weight ? 2 : 1), at.template out<T>(), mean, rstd);
    }
};

} // namespace ahead::kernels
