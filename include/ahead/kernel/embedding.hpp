// SPDX-License-Identifier: MIT
// Embedding: rows of a matrix, copied one by one. Invariant: nothing outside the matrix is read, whatever the indices
// are.
#pragma once
#include <ahead/ir/infer.hpp>
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

/// The fault of an index out of range, as the operator's meaning gives it.
[[gnu::cold]] inline bool refuse_index(graph_view g, node_id id, std::int64_t rows, std::int64_t given, diagnosis& d) {
    refuse(d, fault::index_is_out_of_range, expected_index(0, given, rows), short_text() << given);
    d.op = "aten.embedding.default"; // as the graph that was given calls it
    d.line = g[id].from.line;
    d.name = print(g[id].name);
    return false;
}

/// The call `id`: npu.embedding(weight, indices). Refuses index_is_out_of_range.
inline bool embedding(graph_view g, node_id id, const std::byte* weight, const std::byte* indices, std::byte* out,
                      diagnosis& d) {
    const auto& n = g[id];
    const auto& table = g.value_of(g.argument_of(n, 0)).type;
    const auto& wanted = g.value_of(g.argument_of(n, 1)).type;
    const auto rows = table.size(0), count = element_count(wanted);
    const auto row_bytes = static_cast<std::size_t>(table.size(1)) * bytes_of(table.type);
    const auto run = [&](const auto* at) {
        const auto done = embedding(weight, rows, row_bytes, at, count, out);
        return done == count || refuse_index(g, id, rows, static_cast<std::int64_t>(at[done]), d);
    };
    if (wanted.type == dtype::i64) return run(reinterpret_cast<const std::int64_t*>(indices));
    else return run(reinterpret_cast<const std::int32_t*>(indices));
}

} // namespace ahead::npu::kernel
