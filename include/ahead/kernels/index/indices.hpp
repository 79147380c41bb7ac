// SPDX-License-Identifier: MIT
// The first step of kernels with index operands: checks all indices, and computes the positions that they name.
// Invariant: after a successful check, all indices are in range. Called by index_select.hpp, gather.hpp, scatter.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fault.hpp>
#include <ahead/device/key/indexed_key.hpp>
#include <ahead/kernels/nest.hpp>
#include <ahead/kernels/vector/simd.hpp>
#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels {

/// Whether all indices, `stride` apart, are in [0, size), or, if they may count from the end, in [-size, size). Refuses
/// index_is_out_of_range.
template <class Index>
[[gnu::always_inline]] inline bool check_indices(const Index* indices, std::int64_t count, std::int64_t size,
                                                 bool wraps, diagnosis& d, std::int64_t stride = 1) {
    const auto first = wraps ? -size : 0;
    for (std::int64_t i = 0; i < count; ++i)
        if (const auto given = static_cast<std::int64_t>(indices[i * stride]); given < first || given >= size)
            return refuse(d, fault::index_is_out_of_range, expected_index(first, given, size), short_text() << given);
    return true;
}

/// Checks all indices of Key.loop. at: the task's ports, the indices from input First on. Refuses
/// index_is_out_of_range.
template <device::indexed_key Key, std::size_t First> bool check_places(const auto& at, diagnosis& d) {
    bool ok = true;
    unroll<Key.indices>([&](auto k) {
        using index = std::conditional_t<Key.loop.types[2 + k] == dtype::i64, std::int64_t, std::int32_t>;
        constexpr auto all = device::elements_of_index(Key.loop, k);
        constexpr auto last = static_cast<std::size_t>(std::max(0, all.rank - 1));
        const auto* const indices = at.template in<index>(First + k);
        nest<all, all.rank - 1>([&](const auto& row) {
            ok = ok && check_indices(indices + row[0], device::innermost(all), Key.rows[k], Key.wraps, d,
                                     all.strides[0][last]);
        });
    });
    return ok;
}
/// Calls f(place, elsewhere) for every slice of Key.loop, in order: the offsets where it begins in self and in the
/// other tensor. pre: check_places
template <device::indexed_key Key, std::size_t First>
[[gnu::always_inline]] inline void for_each_place(const auto& at, const auto& f) {
    std::array<const std::byte*, static_cast<std::size_t>(Key.indices)> indices;
    std::copy_n(at.inputs.begin() + First, indices.size(), indices.begin());
    nest<Key.loop, Key.loop.rank - device::dims_of_slice(Key.loop)>(
        [&](const auto& here) __attribute__((always_inline)) {
            auto place = here[0];
            unroll<Key.indices>([&](auto k) __attribute__((always_inline)) {
                using index = std::conditional_t<Key.loop.types[2 + k] == dtype::i64, std::int64_t, std::int32_t>;
                const auto given = static_cast<std::int64_t>(reinterpret_cast<const index*>(indices[k])[here[2 + k]]);
                place += (Key.wraps && given < 0 ? given + Key.rows[k] : given) * Key.steps[k];
            });
            f(place, here[1]);
        });
}

} // namespace ahead::kernels
