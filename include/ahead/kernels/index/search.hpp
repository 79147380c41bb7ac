// SPDX-License-Identifier: MIT
// Positions in a sorted line, by bisection: several elements interleaved, since each step of one depends on its
// previous step. Semantics: aten.searchsorted, bucketize.
// Invariant: the same elements are compared as by the meaning, also in a line that is not sorted or contains NaN.
#pragma once
#include <ahead/device/index/search.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// One function per dtype, for all sizes.
template <bool Right, class T, class Place>
[[gnu::noinline]] void search_line(const T* line, std::int64_t count, const T* x, std::int64_t size, Place* out) {
    constexpr std::int64_t together = 8;
    for (std::int64_t begin = 0; begin < size; begin += together) {
        const auto here = std::min(together, size - begin);
        std::int64_t low[together]{}, high[together];
        T wanted[together];
        for (std::int64_t i = 0; i < together; ++i) {
            wanted[i] = x[begin + std::min(i, here - 1)];
            high[i] = count;
        }
        for (auto left = count; left > 0; left /= 2) // an upper bound of every high - low
            for (std::int64_t i = 0; i < together; ++i) {
                const auto middle = low[i] + (high[i] - low[i]) / 2;
                const T y = line[std::min(middle, count - 1)];
                const bool is_open = low[i] < high[i], is_behind = Right ? y > wanted[i] : y >= wanted[i];
                high[i] = (is_open & is_behind) ? middle : high[i];
                low[i] = (is_open & !is_behind) ? middle + 1 : low[i];
            }
        for (std::int64_t i = 0; i < here; ++i) out[begin + i] = static_cast<Place>(low[i]);
    }
}

} // namespace detail

template <device::search_key Key, class T, class Place> inline void search(const T* sorted, const T* x, Place* out) {
    for (std::int64_t line = 0; line < Key.lines; ++line)
        detail::search_line<Key.right>(sorted + line * Key.count, Key.count, x + line * Key.each, Key.each,
                                       out + line * Key.each);
}

template <> struct kernel_for<device::search> {
    template <auto Key> static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernels::search<Key>(at.template in<T>(0), at.template in<T>(1), at.template out<element_t<Key.place>>());
    }
};

} // namespace ahead::kernels
