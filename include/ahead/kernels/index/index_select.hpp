// SPDX-License-Identifier: MIT
// Index select: rows of a matrix, or of each of several, copied one by one.
// Invariant: nothing outside the matrix is read, whatever the indices are.
#pragma once
#include <ahead/device/index/index_select.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/kernels/index/indices.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <cstring>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels {

/// Copies row indices[i] of each of Key.outer matrices. Refuses index_is_out_of_range, and copies nothing then.
template <device::index_select_key Key> inline bool index_select(const auto& at, diagnosis& d) {
    using index_type = std::conditional_t<Key.index == dtype::i64, std::int64_t, std::int32_t>;
    constexpr auto row_bytes = static_cast<std::size_t>(Key.row_bytes);
    const auto* const indices = at.template in<index_type>(1);
    if (!check_indices(indices, Key.count, Key.rows, Key.wraps, d)) return false;
    const std::byte* from = at.inputs[0];
    std::byte* out = at.outputs[0];
    for (std::int64_t o = 0; o < Key.outer; ++o, from += static_cast<std::size_t>(Key.rows) * row_bytes)
        for (std::int64_t i = 0; i < Key.count; ++i, out += row_bytes) {
            const auto given = static_cast<std::int64_t>(indices[i]);
            const auto row = Key.wraps && given < 0 ? given + Key.rows : given;
            std::memcpy(out, from + static_cast<std::size_t>(row) * row_bytes, row_bytes);
        }
    return true;
}

template <> struct kernel_for<device::index_select> {
    static constexpr bool refuses = true;
    template <auto Key> static bool run(const auto& at, diagnosis& d) { return kernels::index_select<Key>(at, d); }
};

} // namespace ahead::kernels
