// SPDX-License-Identifier: MIT
// One dim resized: from which elements each new one is made, and by which weights, found in double, is written down
// first, then all lines are gone through by that. A factor may put a window behind the end: that is a sum of nothing.
// Semantics: the aten.upsample family, along a dim.
#pragma once
#include <ahead/core/math/resample.hpp>
#include <ahead/kernel/kernel_for.hpp>
#include <ahead/kernel/vector/lanes.hpp>
#include <ahead/target/op/resize.hpp>
#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace AHEAD_NAMESPACE::npu::kernel {

namespace detail {

template <target::resize_filter Filter> constexpr auto filter_named() {
    using enum target::resize_filter;
    if constexpr (Filter == nearest) return nearest_filter<false>{};
    else if constexpr (Filter == nearest_exact) return nearest_filter<true>{};
    else if constexpr (Filter == linear) return linear_filter{};
    else if constexpr (Filter == cubic) return cubic_filter{};
    else if constexpr (Filter == antialiased_linear) return antialias_filter<triangle_bell>{};
    else return antialias_filter<cubic_bell>{};
}

/// out = the sum of `count` rows of N elements of x, weighed; none: zeros.
template <std::int64_t N, class T>
inline void weigh_rows(const T* x, const std::int64_t* from, const T* weights, std::int64_t count, T* out) {
    constexpr int L = widest<T>;
    constexpr auto whole = N / L * L;
    if (count <= 0) {
        std::fill_n(out, N, T(0));
        return;
    }
    for (std::int64_t j = 0; j < whole; j += L) {
        auto sum = lanes<T, L>::load(x + from[0] + j) * lanes<T, L>::all(weights[0]);
        for (std::int64_t k = 1; k < count; ++k)
            sum = fma(lanes<T, L>::all(weights[k]), lanes<T, L>::load(x + from[k] + j), sum);
        sum.store(out + j);
    }
    for (auto j = whole; j < N; ++j) {
        T sum = x[from[0] + j] * weights[0];
        for (std::int64_t k = 1; k < count; ++k) sum += weights[k] * x[from[k] + j];
        out[j] = sum;
    }
}

} // namespace detail

template <target::resize_key Key, class T = element_t<moved_as(Key.type)>>
inline void resize(const T* x, T* out, std::byte* workspace) {
    using filter = decltype(detail::filter_named<Key.filter>());
    constexpr auto inner = Key.inner, taps = target::most_taps(Key);
    constexpr bool weighs = Key.filter > target::resize_filter::nearest_exact,
                   varies = Key.filter > target::resize_filter::cubic;
    auto* const counts = reinterpret_cast<std::int64_t*>(workspace);
    std::int64_t* const from = counts + Key.to;
    auto* const weights = reinterpret_cast<T*>(from + Key.to * taps);
    for (std::int64_t i = 0; i < Key.to; ++i) {
        const auto of = filter::taps(target::dim_of(Key), i);
        counts[i] = std::min(of.count, taps);
        for (std::int64_t k = 0; k < counts[i]; ++k) {
            from[i * taps + k] = std::clamp<std::int64_t>(of.first + k, 0, Key.from - 1) * inner;
            if constexpr (weighs) weights[i * taps + k] = static_cast<T>(filter::weight(of, k));
        }
    }
    for (std::int64_t o = 0; o < Key.outer; ++o, x += Key.from * inner)
        for (std::int64_t i = 0; i < Key.to; ++i, out += inner) {
            const auto* const places = from + i * taps;
            if constexpr (!weighs) std::copy_n(x + places[0], inner, out);
            else detail::weigh_rows<inner>(x, places, weights + i * taps, varies ? counts[i] : taps, out);
        }
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::resize> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<moved_as(Key.type)>;
        kernel::resize<Key>(at.template in<T>(0), at.template out<T>(), at.workspace);
    }
};

} // namespace ahead::npu
