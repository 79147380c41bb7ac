// SPDX-License-Identifier: MIT
// Layer norm of rows: (x - mean) / sqrt(variance + eps) * weight + bias, in f64 from the moments to the last rounding.
// Source of the semantics: aten/src/ATen/native/layer_norm.cpp. Invariant: x and out do not overlap.
#pragma once
#include <ahead/npu/kernel/reduce.hpp>
#include <ahead/target/rows_key.hpp>
#include <bit>

namespace ahead::npu::kernel {

/// weight, bias: not read unless the key has them. mean, rstd: an element a row, not written unless Key.statistics.
template <target::layer_norm_key Key, class T = element_t<Key.type>>
inline void layer_norm(const T* x, [[maybe_unused]] const T* weight, [[maybe_unused]] const T* bias, T* out, [[maybe_unused]] T* mean,
                       [[maybe_unused]] T* rstd) {
    constexpr auto n = Key.count;
    constexpr int width = detail::register_lanes<double>;
    using narrow = typename detail::side_by_side<T, width>::type;
    using wide = typename detail::side_by_side<double, width>::type;
    const auto load = [](const T* from) __attribute__((always_inline)) {
        narrow loaded;
        std::memcpy(&loaded, from, sizeof loaded);
        return __builtin_convertvector(loaded, wide);
    };
    for (std::int64_t r = 0; r < Key.rows; ++r, x += n, out += n) {
        const double middle = detail::sum_of<n>(
                                  x, [](auto v) __attribute__((always_inline)) { return v; }) /
                              n;
        const double variance = detail::sum_of<n>(
                                    x, [=](auto v) __attribute__((always_inline)) { return (v - middle) * (v - middle); }) /
                                n;
        const double scale = 1 / std::sqrt(variance + std::bit_cast<double>(Key.eps_bits));
        std::int64_t i = 0;
        for (; i + width <= n; i += width) {
            auto y = (load(x + i) - middle) * scale;
            if constexpr (Key.weight) y *= load(weight + i);
            if constexpr (Key.bias) y += load(bias + i);
            const auto rounded = __builtin_convertvector(y, narrow);
            std::memcpy(out + i, &rounded, sizeof rounded);
        }
        for (; i < n; ++i) {
            double y = (static_cast<double>(x[i]) - middle) * scale;
            if constexpr (Key.weight) y *= static_cast<double>(weight[i]);
            if constexpr (Key.bias) y += static_cast<double>(bias[i]);
            out[i] = static_cast<T>(y);
        }
        if constexpr (Key.statistics) {
            mean[r] = static_cast<T>(middle);
            rstd[r] = static_cast<T>(scale);
        }
    }
}

} // namespace ahead::npu::kernel
