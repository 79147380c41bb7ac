// SPDX-License-Identifier: MIT
// Embedding: rows of a matrix, copied one by one.
// Invariant: nothing outside the matrix is read, whatever the indices are.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/kernel/kernel_for.hpp>
#include <ahead/target/op/embedding.hpp>
#include <cstring>

namespace AHEAD_NAMESPACE::npu::kernel {

/// out[i] = row indices[i] of `weight`, a matrix of so many rows. Returns how many rows came before the
/// first index that is out of range; `count` where none is.
template <class Index>
inline std::int64_t embedding(const std::byte* weight, std::int64_t rows, std::size_t row_bytes, const Index* indices,
                              std::int64_t count, std::byte* out) {
    for (std::int64_t i = 0; i < count; ++i, out += row_bytes) {
        const auto row = static_cast<std::int64_t>(indices[i]);
        if (row < 0 || row >= rows) return i;
        std::memcpy(out, weight + static_cast<std::size_t>(row) * row_bytes, row_bytes);
    }
    return count;
}

/// Refuses index_is_out_of_range.
template <target::embedding_key Key> inline bool embedding(const auto& at, diagnosis& d) {
    const auto run = [&](const auto* indices) {
        const auto done = embedding(at.inputs[0], Key.rows, static_cast<std::size_t>(Key.row_bytes), indices, Key.count,
                                    at.outputs[0]);
        if (done == Key.count) return true;
        const auto given = static_cast<std::int64_t>(indices[done]);
        return refuse(d, fault::index_is_out_of_range, expected_index(0, given, Key.rows), short_text() << given);
    };
    if constexpr (Key.index == dtype::i64) return run(at.template in<std::int64_t>(1));
    else return run(at.template in<std::int32_t>(1));
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::embedding> {
    static constexpr bool refuses = true;
    template <auto Key> static bool run(const auto& at, diagnosis& d) { return kernel::embedding<Key>(at, d); }
};

} // namespace ahead::npu
