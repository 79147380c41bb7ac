// SPDX-License-Identifier: MIT
// Resizes one dim. First the source elements of each new element and their weights are computed, in double, and stored;
// then they are applied to all lines. For some factors a window is entirely past the end: its sum is empty, that is
// zero. A gradient uses the same table in reverse, by the new elements that each old element contributes to: sums in
// f64, rounded once.
// Semantics: the aten.upsample family, along a dim.
#pragma once
#include <ahead/core/math/resample.hpp>
#include <ahead/device/resize.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/vector/simd.hpp>
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

template <device::resize_filter Filter> constexpr auto filter_named() {
    using enum device::resize_filter;
    if constexpr (Filter == nearest) return nearest_filter<false>{};
    else if constexpr (Filter == nearest_exact) return nearest_filter<true>{};
    else if constexpr (Filter == linear) return linear_filter{};
    else if constexpr (Filter == cubic) return cubic_filter{};
    else if constexpr (Filter == antialiased_linear) return antialias_filter<triangle_bell>{};
    else return antialias_filter<cubic_bell>{};
}

/// out = the weighted sum of `count` rows of N elements of x; if there are none: zeros.
template <std::int64_t N, class T>
inline void weigh_rows(const T* x, const std::int64_t* from, const T* weights, std::int64_t count, T* out) {
    constexpr int L = widest<T>;
    constexpr auto whole = N / L * L;
    if (count <= 0) {
        std::fill_n(out, N, T(0));
        return;
    }
    for (std::int64_t j = 0; j < whole; j += L) {
        auto sum = simd<T, L>::load(x + from[0] + j) * simd<T, L>::all(weights[0]);
        for (std::int64_t k = 1; k < count; ++k)
            sum = fma(simd<T, L>::all(weights[k]), simd<T, L>::load(x + from[k] + j), sum);
        sum.store(out + j);
    }
    for (auto j = whole; j < N; ++j) {
        T sum = x[from[0] + j] * weights[0];
        for (std::int64_t k = 1; k < count; ++k) sum += weights[k] * x[from[k] + j];
        out[j] = sum;
    }
}

/// The same for N elements in f64, with row numbers instead of offsets.
template <std::int64_t N, class T>
inline void weigh_exactly(const T* x, const std::int64_t* rows, const double* weights, std::int64_t count, T* out) {
    constexpr int L = register_lanes<double>;
    constexpr auto whole = N / L * L;
    for (std::int64_t j = 0; j < whole; j += L) {
        auto sum = simd<double, L>::zero();
        for (std::int64_t k = 0; k < count; ++k)
            sum =
                sum + simd<double, L>::all(weights[k]) * simd<T, L>::load(x + rows[k] * N + j).template as<double>();
        sum.template as<T>().store(out + j);
    }
    for (auto j = whole; j < N; ++j) {
        double sum = 0;
        for (std::int64_t k = 0; k < count; ++k) sum += weights[k] * static_cast<double>(x[rows[k] * N + j]);
        out[j] = static_cast<T>(sum);
    }
}

/// Repeats each element Times times.
template <std::int64_t Count, std::int64_t Times, class T> inline void repeat(const T* x, T* out) {
    constexpr int L = register_lanes<T>;
    constexpr auto whole = Times == 2 ? Count / L * L : 0;
    for (std::int64_t i = 0; i < whole; i += L) {
        const auto some = simd<T, L>::load(x + i);
        simd<T, L>::template side_by_side<0>(some, some).store(out + 2 * i);
        simd<T, L>::template side_by_side<1>(some, some).store(out + 2 * i + L);
    }
    for (auto i = whole; i < Count; ++i) std::fill_n(out + i * Times, Times, x[i]);
}

} // namespace detail

/// For Key.back: computes the new elements that read each old one, and their weights; then applies them to all lines.
template <device::resize_key Key, class T = element_t<Key.type>>
inline void resize_back(const T* x, T* out, std::byte* workspace) {
    using filter = decltype(detail::filter_named<Key.filter>());
    constexpr auto inner = Key.inner, taps = device::most_taps(Key);
    auto* const ends = reinterpret_cast<std::int64_t*>(workspace);
    std::int64_t* const rows = ends + Key.from;
    auto* const weights = reinterpret_cast<double*>(rows + Key.to * taps);
    const auto each_tap = [&](const auto& f) {
        for (std::int64_t i = 0; i < Key.to; ++i) {
            const auto of = filter::taps(device::dim_of(Key), i);
            for (std::int64_t k = 0; k < std::min(of.count, taps); ++k)
                f(i, std::clamp<std::int64_t>(of.first + k, 0, Key.from - 1), filter::weight(of, k));
        }
    };
    std::fill_n(ends, Key.from, std::int64_t{0});
    each_tap([&](std::int64_t, std::int64_t old, double) { ++ends[old]; });
    for (std::int64_t old = 0, begin = 0; old < Key.from; ++old) begin += std::exchange(ends[old], begin);
    each_tap([&](std::int64_t i, std::int64_t old, double weight) {
        rows[ends[old]] = i;
        weights[ends[old]++] = weight;
    });
    for (std::int64_t o = 0; o < Key.outer; ++o, x += Key.to * inner)
        for (std::int64_t old = 0, begin = 0; old < Key.from; begin = ends[old++], out += inner)
            detail::weigh_exactly<inner>(x, rows + begin, weights + begin, ends[old] - begin, out);
}

template <device::resize_key Key, class T = element_t<moved_as(Key.type)>>
inline void resize(const T* x, T* out, std::byte* workspace) {
    using filter = decltype(detail::filter_named<Key.filter>());
    constexpr auto inner = Key.inner, taps = device::most_taps(Key);
    constexpr bool weighs = Key.filter > device::resize_filter::nearest_exact,
                   varies = Key.filter > device::resize_filter::cubic;
    auto* const counts = reinterpret_cast<std::int64_t*>(workspace);
    std::int64_t* const from = counts + Key.to;
    auto* const weights = reinterpret_cast<T*>(from + Key.to * taps);
    for (std::int64_t i = 0; i < Key.to; ++i) {
        const auto of = filter::taps(device::dim_of(Key), i);
        counts[i] = std::min(of.count, taps);
        for (std::int64_t k = 0; k < counts[i]; ++k) {
            from[i * taps + k] = std::clamp<std::int64_t>(of.first + k, 0, Key.from - 1) * inner;
            if constexpr (weighs) weights[i * taps + k] = static_cast<T>(filter::weight(of, k));
        }
    }
    if constexpr (!weighs && inner == 1 && Key.to > Key.from && Key.to % Key.from == 0) {
        constexpr auto times = Key.to / Key.from;
        bool all = true; // are at the positions of an integer factor
        for (std::int64_t i = 0; i < Key.to; ++i) all = all && from[i] == i / times;
        if (all) {
            for (std::int64_t o = 0; o < Key.outer; ++o)
                detail::repeat<Key.from, times>(x + o * Key.from, out + o * Key.to);
            return;
        }
    }
    for (std::int64_t o = 0; o < Key.outer; ++o, x += Key.from * inner)
        for (std::int64_t i = 0; i < Key.to; ++i, out += inner) {
            const auto* const places = from + i * taps;
            if constexpr (!weighs) std::copy_n(x + places[0], inner, out);
            else detail::weigh_rows<inner>(x, places, weights + i * taps, varies ? counts[i] : taps, out);
        }
}

template <> struct kernel_for<device::resize> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<moved_as(Key.type)>;
        if constexpr (Key.back) kernels::resize_back<Key>(at.template in<T>(0), at.template out<T>(), at.workspace);
        else kernels::resize<Key>(at.template in<T>(0), at.template out<T>(), at.workspace);
    }
};

} // namespace ahead::kernels
