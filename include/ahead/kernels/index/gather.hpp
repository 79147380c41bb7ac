// SPDX-License-Identifier: MIT
// Gather: reads slices, or single elements, at positions given by indices.
// Invariant: nothing outside of self is read, whatever the indices are, and nothing at all if one is out of range.
#pragma once
#include <ahead/device/index/gather.hpp>
#include <ahead/kernels/copy.hpp>
#include <ahead/kernels/index/indices.hpp>

namespace AHEAD_NAMESPACE::kernels {

/// Refuses index_is_out_of_range.
template <device::indexed_key Key> inline bool gather(const auto& at, diagnosis& d) {
    using T = element_t<moved_as(Key.loop.types[0])>;
    if constexpr (Key.loop.elements() > 0) {
        if (!check_places<Key, 1>(at, d)) return false;
        const T* const self = at.template in<T>(0);
        T* const out = at.template out<T>();
        for_each_place<Key, 1>(at, [&](std::int64_t place, std::int64_t to) __attribute__((always_inline)) {
            copy<device::slice_of(Key.loop, 1, 0)>(self + place, out + to);
        });
    }
    return true;
}

template <> struct kernel_for<device::gather> {
    static constexpr bool refuses = true;
    template <auto Key> static bool run(const auto& at, diagnosis& d) { return kernels::gather<Key>(at, d); }
};

} // namespace ahead::kernels
