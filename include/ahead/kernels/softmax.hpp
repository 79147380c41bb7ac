// SPDX-License-Identifier: MIT
// Softmax of rows, or its logarithm: e^(x - largest) / sum. Sums are accumulated in f64, block by block, while a block
// is in L1. Source of the semantics: aten/src/ATen/native/SoftMax.cpp.
// Invariant: out is x, or they do not overlap; all elements of a row are NaN if it contains a NaN, or if all its
// elements are -inf and the key is not `safe`.
#pragma once
#include <ahead/device/softmax.hpp>
#include <ahead/kernels/eigen_kernels.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/reduce.hpp>
#include <ahead/kernels/vector/packet_math.hpp>
#include <limits>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

inline constexpr std::int64_t exp_block = 1024; // elements of a row that are summed while they are in L1

/// The largest of x[0] ... x[N - 1]; any value if one of them is a NaN.
template <std::int64_t N, class T> [[gnu::always_inline]] inline T largest_of(const T* x) {
    constexpr int L = lanes_around<T>(N), together = N >= 4 * L ? 4 : 1;
    constexpr std::int64_t vectors = N / L, whole = vectors / together * together;
    constexpr int rest = static_cast<int>(N - vectors * L);
    simd<T, L> most[together];
    for (auto& each : most) each = simd<T, L>::all(-std::numeric_limits<T>::infinity());
    const auto join = [&](int at, const simd<T, L>& more)
                          __attribute__((always_inline)) { most[at] = larger(more, most[at]); };
    for (std::int64_t v = 0; v < whole; v += together)
        unroll<together>([&](int at) __attribute__((always_inline)) { join(at, simd<T, L>::load(x + (v + at) * L)); });
    unroll<static_cast<int>(vectors - whole)>(
        [&](int at) __attribute__((always_inline)) { join(at, simd<T, L>::load(x + (whole + at) * L)); });
    if constexpr (rest > 0)
        join(0, simd<T, L>::template load_first<rest>(x + vectors * L, -std::numeric_limits<T>::infinity()));
    for (int p = 1; p < together; ++p) join(0, most[p]);
    return most[0].largest();
}
/// The same, but finite if Safe and all elements are -infinity: such rows become zeros.
template <std::int64_t N, bool Safe, class T> [[gnu::always_inline]] inline T largest_or_lowest(const T* x) {
    const T largest = largest_of<N>(x); // written so that a NaN is kept
    return Safe && largest < std::numeric_limits<T>::lowest() ? std::numeric_limits<T>::lowest() : largest;
}
template <bool Safe, class T> [[gnu::always_inline]] inline T part_of(double total) {
    return Safe && total == 0 ? T(0) : static_cast<T>(1 / total);
}

/// Writes e^(x - largest) of a row to `out`, or, unless Kept, to the same block of `out` again and again, and returns
/// their sum: block by block, each summed while it is in L1.
template <std::int64_t N, bool Kept, class T>
[[gnu::always_inline]] inline double exp_and_sum(const T* x, T largest, T* out) {
    constexpr std::int64_t block = std::min(N, exp_block), blocks = N / block;
    const auto one = [&]<std::int64_t Count>(std::int64_t at) __attribute__((always_inline)) {
        T* const to = Kept ? out + at : out;
        map<Count>([&](auto v) __attribute__((always_inline)) { return exp_up_to_zero(v - decltype(v)::all(largest)); },
                   to, x + at);
        return sum_of<Count>(static_cast<const T*>(to));
    };
    double total = 0;
    for (std::int64_t b = 0; b < blocks; ++b) total += one.template operator()<block>(b * block);
    if constexpr (N > blocks * block) total += one.template operator()<N - blocks * block>(blocks * block);
    return total;
}

/// Rows that fit in L1 together; each step is done for all of them before the next, to hide latencies.
template <std::int64_t N, std::int64_t Rows, bool Safe, class T>
[[gnu::always_inline]] inline void softmax_long_rows(const T* x, T* out) {
    T of_row[Rows];
    for (std::int64_t r = 0; r < Rows; ++r) of_row[r] = largest_or_lowest<N, Safe>(x + r * N);
    for (std::int64_t r = 0; r < Rows; ++r)
        of_row[r] = part_of<Safe, T>(exp_and_sum<N, true>(x + r * N, of_row[r], out + r * N));
    for (std::int64_t r = 0; r < Rows; ++r)
        map<N>([&](auto v) __attribute__((always_inline)) { return v * decltype(v)::all(of_row[r]); }, out + r * N,
               static_cast<const T*>(out + r * N));
}
/// Several short rows: e^x of all their elements in one pass, so that no lanes are wasted.
template <std::int64_t N, std::int64_t Rows, bool Safe, class T>
[[gnu::always_inline]] inline void softmax_rows(const T* x, T* out) {
    for (std::int64_t r = 0; r < Rows; ++r) {
        const T largest = largest_or_lowest<N, Safe>(x + r * N);
        map<N>([&](auto v) __attribute__((always_inline)) { return v - decltype(v)::all(largest); }, out + r * N,
               x + r * N);
    }
    map<N * Rows>([](auto v) __attribute__((always_inline)) { return exp_up_to_zero(v); }, out,
                  static_cast<const T*>(out));
    for (std::int64_t r = 0; r < Rows; ++r) {
        const T part = part_of<Safe, T>(sum_of<N>(out + r * N));
        map<N>([&](auto v) __attribute__((always_inline)) { return v * decltype(v)::all(part); }, out + r * N,
               static_cast<const T*>(out + r * N));
    }
}

template <std::int64_t N, class T> [[gnu::always_inline]] inline void log_softmax_row(const T* x, T* out) {
    alignas(64) T made[std::min(N, exp_block)];
    const T largest = largest_of<N>(x);
    const auto least = static_cast<T>(std::log(exp_and_sum<N, false>(x, largest, made))); // not added to `largest`,
    map<N>([&](auto v)                                                                    // which may be far larger
           __attribute__((always_inline)) { return (v - decltype(v)::all(largest)) - decltype(v)::all(least); },
           out, x);
}

} // namespace detail

template <device::softmax_key Key, class T = element_t<Key.type>> inline void softmax(const T* x, T* out) {
    constexpr auto n = Key.count;
    if constexpr (Key.choice == device::single_choice::eigen) {
        eigen_kernel<Key>::run(x, out);
    } else if constexpr (Key.logarithm) {
        for (std::int64_t r = 0; r < Key.rows; ++r) detail::log_softmax_row<n>(x + r * n, out + r * n);
    } else {
        constexpr bool is_long = n >= 8 * widest<T>;
        constexpr auto together = std::clamp<std::int64_t>((is_long ? 4096 : 1024) / n, 1, Key.rows);
        const auto rows = [&](auto count, std::int64_t row) __attribute__((always_inline)) {
            if constexpr (is_long) detail::softmax_long_rows<n, count(), Key.safe>(x + row * n, out + row * n);
            else detail::softmax_rows<n, count(), Key.safe>(x + row * n, out + row * n);
        };
        for (std::int64_t r = 0; r + together <= Key.rows; r += together)
            rows(std::integral_constant<std::int64_t, together>{}, r);
        if constexpr (constexpr auto rest = Key.rows % together; rest > 0)
            rows(std::integral_constant<std::int64_t, rest>{}, Key.rows - rest);
    }
}

template <> struct kernel_for<device::softmax> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernels::softmax<Key>(at.template in<T>(0), at.template out<T>());
    }
};

} // namespace ahead::kernels
