// SPDX-License-Identifier: MIT
// Softmax of rows, or its logarithm: e^(x - largest) / sum. Sums are taken in f64. Source of the semantics: aten/src/ATen/native/SoftMax.cpp.
// Invariant: x and out do not overlap; a row with a NaN, or of -inf alone, is NaN all over.
#pragma once
#include <ahead/npu/kernel/packet_math.hpp>
#include <ahead/npu/kernel/reduce.hpp>
#include <ahead/target/rows_key.hpp>

namespace ahead::npu::kernel {

template <target::softmax_key Key, class T = element_t<Key.type>>
inline void softmax(const T* x, T* out) {
    constexpr auto n = Key.count;
    constexpr target::dim_list row{1, {n}, {1}};
    for (std::int64_t r = 0; r < Key.rows; ++r, x += n, out += n) {
        const T largest = detail::along_rows<row, detail::reducer<target::reduction::largest, T>>(x);
        map<n>(
            [&](auto v) __attribute__((always_inline)) { return exp(v - decltype(v)::all(largest)); }, out, x);
        const double total = detail::sum_of<n>(
            out, [](auto v) __attribute__((always_inline)) { return v; });
        if constexpr (Key.logarithm) {
            const double least = std::log(total); // apart from `largest`, which may be far larger
            map<n>(
                [&](auto v)
                    __attribute__((always_inline)) { return (v - decltype(v)::all(largest)) - decltype(v)::all(static_cast<T>(least)); },
                out, x);
        } else {
            const T part = static_cast<T>(1 / total);
            map<n>(
                [&](auto v) __attribute__((always_inline)) { return v * decltype(v)::all(part); }, out, static_cast<const T*>(out));
        }
    }
}

} // namespace ahead::npu::kernel
