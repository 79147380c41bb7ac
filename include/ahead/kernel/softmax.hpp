// SPDX-License-Identifier: MIT
// Softmax of rows, or its logarithm: e^(x - largest) / sum. Sums are taken in f64. Source of the semantics:
// aten/src/ATen/native/SoftMax.cpp.
// Invariant: out is x, or they do not overlap; a row with a NaN, or of -inf alone where the key does not say safe, is
// NaN all over.
#pragma once
#include <ahead/kernel/kernel_for.hpp>
#include <ahead/kernel/reduce.hpp>
#include <ahead/kernel/vector/packet_math.hpp>
#include <ahead/target/op/softmax.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::npu::kernel {

namespace detail {

/// The largest of x[0] ... x[N - 1]; anything where one of them is a NaN.
template <std::int64_t N, class T> [[gnu::always_inline]] inline T largest_of(const T* x) {
    constexpr int L = lanes_around<T>(N);
    constexpr std::int64_t vectors = N / L;
    constexpr int rest = static_cast<int>(N - vectors * L);
    auto most = lanes<T, L>::all(-std::numeric_limits<T>::infinity());
    for (std::int64_t v = 0; v < vectors; ++v) most = larger(lanes<T, L>::load(x + v * L), most);
    if constexpr (rest > 0)
        most =
            larger(lanes<T, L>::template load_first<rest>(x + vectors * L, -std::numeric_limits<T>::infinity()), most);
    return most.largest();
}

/// Rows at once: e^x of them all in one go, so that short rows waste no lanes.
template <std::int64_t N, std::int64_t Rows, bool Safe, class T>
[[gnu::always_inline]] inline void softmax_rows(const T* x, T* out) {
    for (std::int64_t r = 0; r < Rows; ++r) {
        T largest = largest_of<N>(x + r * N);
        if constexpr (Safe) // as a NaN stays one
            if (largest < std::numeric_limits<T>::lowest()) largest = std::numeric_limits<T>::lowest();
        map<N>([&](auto v) __attribute__((always_inline)) { return v - decltype(v)::all(largest); }, out + r * N,
               x + r * N);
    }
    map<N * Rows>([](auto v) __attribute__((always_inline)) { return exp(v); }, out, static_cast<const T*>(out));
    for (std::int64_t r = 0; r < Rows; ++r) {
        const double total = sum_of<N>(out + r * N);
        const T part = Safe && total == 0 ? T(0) : static_cast<T>(1 / total);
        map<N>([&](auto v) __attribute__((always_inline)) { return v * decltype(v)::all(part); }, out + r * N,
               static_cast<const T*>(out + r * N));
    }
}

template <std::int64_t N, class T> [[gnu::always_inline]] inline void log_softmax_row(const T* x, T* out) {
    const T largest = largest_of<N>(x);
    map<N>([&](auto v) __attribute__((always_inline)) { return exp(v - decltype(v)::all(largest)); }, out, x);
    const auto least = static_cast<T>(std::log(sum_of<N>(out))); // apart from `largest`, which may be far larger
    map<N>([&](auto v)
               __attribute__((always_inline)) { return (v - decltype(v)::all(largest)) - decltype(v)::all(least); },
           out, x);
}

} // namespace detail

template <target::softmax_key Key, class T = element_t<Key.type>> inline void softmax(const T* x, T* out) {
    constexpr auto n = Key.count;
    if constexpr (Key.logarithm) {
        for (std::int64_t r = 0; r < Key.rows; ++r) detail::log_softmax_row<n>(x + r * n, out + r * n);
    } else {
        constexpr auto together = std::clamp<std::int64_t>(1024 / n, 1, Key.rows), rest = Key.rows % together;
        for (std::int64_t r = 0; r + together <= Key.rows; r += together)
            detail::softmax_rows<n, together, Key.safe>(x + r * n, out + r * n);
        if constexpr (rest > 0)
            detail::softmax_rows<n, rest, Key.safe>(x + (Key.rows - rest) * n, out + (Key.rows - rest) * n);
    }
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::softmax> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernel::softmax<Key>(at.template in<T>(0), at.template out<T>());
    }
};

} // namespace ahead::npu
