// SPDX-License-Identifier: MIT
// Index select: rows of a matrix, or of each of several, copied one by one.
// Invariant: nothing outside the matrix is read, whatever the indices are.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/kernel/kernel_for.hpp>
#include <ahead/target/op/index_select.hpp>
#include <cstring>

namespace AHEAD_NAMESPACE::npu::kernel {

/// Copies row indices[i] of each of key.outer matrices. Returns how many indices come before the first that is out of
/// range, key.count where none is; nothing is copied if one is.
template <class Index>
[[gnu::always_inline]] inline std::int64_t index_select(const target::index_select_key& key, const std::byte* from,
                                                        const Index* indices, std::byte* out) {
    const auto first = key.wraps ? -key.rows : 0;
    for (std::int64_t i = 0; i < key.count; ++i)
        if (static_cast<std::int64_t>(indices[i]) < first || static_cast<std::int64_t>(indices[i]) >= key.rows)
            return i;
    const auto row_bytes = static_cast<std::size_t>(key.row_bytes);
    for (std::int64_t o = 0; o < key.outer; ++o, from += static_cast<std::size_t>(key.rows) * row_bytes)
        for (std::int64_t i = 0; i < key.count; ++i, out += row_bytes) {
            const auto given = static_cast<std::int64_t>(indices[i]);
            const auto row = key.wraps && given < 0 ? given + key.rows : given;
            std::memcpy(out, from + static_cast<std::size_t>(row) * row_bytes, row_bytes);
        }
    return key.count;
}

/// Refuses index_is_out_of_range.
template <target::index_select_key Key> inline bool index_select(const auto& at, diagnosis& d) {
    const auto run = [&](const auto* indices) {
        const auto done = index_select(Key, at.inputs[0], indices, at.outputs[0]);
        if (done == Key.count) return true;
        const auto given = static_cast<std::int64_t>(indices[done]);
        return refuse(d, fault::index_is_out_of_range, expected_index(Key.wraps ? -Key.rows : 0, given, Key.rows),
                      short_text() << given);
    };
    if constexpr (Key.index == dtype::i64) return run(at.template in<std::int64_t>(1));
    else return run(at.template in<std::int32_t>(1));
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::index_select> {
    static constexpr bool refuses = true;
    template <auto Key> static bool run(const auto& at, diagnosis& d) { return kernel::index_select<Key>(at, d); }
};

} // namespace ahead::npu
