// SPDX-License-Identifier: MIT
// Reductions over any dims. Floating sums are taken in f64, in row-major order: the f32 result is rounded once.
#pragma once
#include <ahead/target/reduce_key.hpp>
#include <cmath>
#include <limits>
#include <type_traits>

namespace ahead::npu::kernel {

namespace detail {

template <target::dim_list Dims, int Dim, class T, class F> [[gnu::always_inline]] inline void each_of(const T* x, F&& f) {
    if constexpr (Dim == Dims.rank) {
        f(x);
    } else {
        constexpr auto d = static_cast<std::size_t>(Dim);
        for (std::int64_t i = 0; i < Dims.sizes[d]; ++i) each_of<Dims, Dim + 1>(x + i * Dims.strides[d], f);
    }
}

template <target::reduce_key Key, class T> inline T reduced(const T* x) {
    using target::reduction;
    using sum_type = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
    if constexpr (Key.kind == reduction::sum || Key.kind == reduction::mean) {
        sum_type sum = 0;
        each_of<Key.reduced, 0>(x, [&](const T* at) { sum += static_cast<sum_type>(*at); });
        if constexpr (Key.kind == reduction::mean) return static_cast<T>(sum / static_cast<sum_type>(Key.reduced.elements()));
        else return static_cast<T>(sum);
    } else if constexpr (Key.kind == reduction::product) {
        sum_type product = 1;
        each_of<Key.reduced, 0>(x, [&](const T* at) { product *= static_cast<sum_type>(*at); });
        return static_cast<T>(product);
    } else {
        T best = *x;
        each_of<Key.reduced, 0>(x, [&](const T* at) {
            const bool better = Key.kind == reduction::largest ? *at > best : *at < best;
            if (better || *at != *at) best = best != best ? best : *at;
        });
        return best;
    }
}

} // namespace detail

/// out[kept dims] = reduction of x over the reduced dims. Semantics: aten.sum, mean, amax, amin, prod; NaN wins in amax and amin.
template <target::reduce_key Key, class T = element_t<Key.type>> inline void reduce(const T* x, T* out) {
    if constexpr (Key.kept.elements() > 0) detail::each_of<Key.kept, 0>(x, [&](const T* at) { *out++ = detail::reduced<Key>(at); });
}

} // namespace ahead::npu::kernel
