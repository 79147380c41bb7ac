// SPDX-License-Identifier: MIT
// Average pooling. Each mean is a sum in f64, in row order, divided once and rounded once, like the operator's meaning:
// the same bits. Adjacent windows are computed in one vector, one per lane.
// Called by runtime/launch/instantiate_kernels.hpp; the key is in device/average_pool2d.hpp.
#pragma once
#include <ahead/device/average_pool2d.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/vector/simd.hpp>
#include <algorithm>
#include <cstdint>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// An axis whose adapted windows all have the same size, converted to windows of that fixed size.
constexpr device::average_pool2d_key::axis evened(device::average_pool2d_key::axis a) {
    if (a.kernel == 0 && a.in % a.out == 0) a.kernel = a.stride = a.in / a.out;
    return a;
}
/// The windows of an axis that are completely inside: [first, last).
struct whole_windows {
    std::int64_t first = 0, last = 0;
};
constexpr whole_windows whole_windows_of(const device::average_pool2d_key::axis& a) {
    if (a.kernel == 0 || a.in + a.padding < a.kernel) return {};
    const auto first = std::min(a.out, (a.padding + a.stride - 1) / a.stride);
    return {first, std::max(first, std::min(a.out, (a.in + a.padding - a.kernel) / a.stride + 1))};
}

} // namespace detail

/// Semantics: aten.avg_pool1d to 3d, adaptive_avg_pool1d, _adaptive_avg_pool2d, _adaptive_avg_pool3d.
template <device::average_pool2d_key Key, class T = element_t<Key.type>>
inline void average_pool2d(const T* x, T* out) {
    constexpr auto across = detail::evened(Key.columns);
    constexpr auto whole = detail::whole_windows_of(across);
    constexpr int L = register_lanes<double>;
    constexpr auto vectors = (whole.last - whole.first) / L * L;
    const auto divisor_of = [](const auto&... windows) {
        if (Key.divisor != 0) return static_cast<double>(Key.divisor);
        return static_cast<double>(Key.counts_padding ? (windows.padded * ...)
                                                      : ((windows.last - windows.first) * ...));
    };
    for (std::int64_t volume = 0; volume < Key.planes; ++volume, x += Key.depth.in * Key.rows.in * Key.columns.in)
        for (std::int64_t i = 0; i < Key.depth.out * Key.rows.out; ++i, out += Key.columns.out) {
            const auto planes = device::window_at(Key.depth, i / Key.rows.out),
                       rows = device::window_at(Key.rows, i % Key.rows.out);
            const auto each_row = [&](auto f) __attribute__((always_inline)) {
                for (auto d = planes.first; d < planes.last; ++d)
                    for (auto h = rows.first; h < rows.last; ++h) f(x + (d * Key.rows.in + h) * Key.columns.in);
            };
            const auto one = [&](std::int64_t j) {
                const auto columns = device::window_at(Key.columns, j);
                double sum = 0;
                each_row([&](const T* row) {
                    for (auto w = columns.first; w < columns.last; ++w) sum += static_cast<double>(row[w]);
                });
                out[j] = static_cast<T>(sum / divisor_of(planes, rows, columns));
            };
            for (std::int64_t j = 0; j < whole.first; ++j) one(j);
            for (auto j = whole.first; j < whole.first + vectors; j += L) { // one window per lane
                const auto columns = device::window_at(across, j);
                auto sum = simd<double, L>::zero();
                each_row([&](const T* row) __attribute__((always_inline)) {
                    for (std::int64_t w = 0; w < across.kernel; ++w)
                        sum = sum + simd<T, L>::template load_apart<across.stride>(row + columns.first + w)
                                        .template as<double>();
                });
                (sum / simd<double, L>::all(divisor_of(planes, rows, columns))).template as<T>().store(out + j);
            }
            for (auto j = whole.first + vectors; j < Key.columns.out; ++j) one(j);
        }
}

template <> struct kernel_for<device::average_pool2d> {
    template <auto Key> static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernels::average_pool2d<Key>(at.template in<T>(0), at.template out<T>());
    }
};

} // namespace ahead::kernels
