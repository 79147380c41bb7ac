// SPDX-License-Identifier: MIT
// Average pooling. Each mean is a sum in f64, in row order, divided once and rounded once, as the operator's meaning
// has it: the same bits.
// Called by program/lift.hpp; the key is in target/op/average_pool2d.hpp.
#pragma once
#include <ahead/kernel/kernel_for.hpp>
#include <ahead/target/op/average_pool2d.hpp>

namespace AHEAD_NAMESPACE::npu::kernel {

/// Semantics: aten.avg_pool1d, avg_pool2d, adaptive_avg_pool1d, _adaptive_avg_pool2d.
template <target::average_pool2d_key Key, class T = element_t<Key.type>>
inline void average_pool2d(const T* x, T* out) {
    for (std::int64_t plane = 0; plane < Key.planes; ++plane, x += Key.rows.in * Key.columns.in)
        for (std::int64_t i = 0; i < Key.rows.out; ++i) {
            const auto rows = target::window_at(Key.rows, i);
            for (std::int64_t j = 0; j < Key.columns.out; ++j) {
                const auto columns = target::window_at(Key.columns, j);
                double sum = 0;
                for (auto h = rows.first; h < rows.last; ++h)
                    for (auto w = columns.first; w < columns.last; ++w)
                        sum += static_cast<double>(x[h * Key.columns.in + w]);
                const auto inside = (rows.last - rows.first) * (columns.last - columns.first);
                const auto divisor = Key.divisor != 0     ? Key.divisor
                                     : Key.counts_padding ? rows.padded * columns.padded
                                                          : inside;
                *out++ = static_cast<T>(sum / static_cast<double>(divisor));
            }
        }
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::average_pool2d> {
    template <auto Key> static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernel::average_pool2d<Key>(at.template in<T>(0), at.template out<T>());
    }
};

} // namespace ahead::npu
