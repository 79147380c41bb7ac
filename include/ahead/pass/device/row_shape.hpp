// SPDX-License-Identifier: MIT
// The rows that calls of a device graph reduce and read: the last dims of a contiguous tensor. Called by
// fuse_reductions.hpp.
#pragma once
#include <ahead/device/reduce.hpp>
#include <ahead/ir/graph.hpp>

namespace AHEAD_NAMESPACE::pass {

/// The tensor that consists of rows: the last `dims` dims form a row. Invariant: a row has two elements or more.
struct row_shape {
    dtype type = dtype::f32;
    int rank = 0, dims = 0;
    std::int64_t sizes[max_rank]{};
    std::int64_t rows = 1, count = 1;

    /// Reads the rows that a call of npu.reduce reduces; false if it does not reduce exactly the last dims.
    constexpr bool read(graph_view g, const node& n) {
        const auto& x = g.value_of(g.argument_of(n, device::reduce::x)).type;
        const auto& list = g.argument_of(n, device::reduce::dims).children;
        type = x.type;
        rank = x.rank;
        dims = list.count;
        rows = count = 1;
        for (int d = 0; d < rank; ++d) {
            sizes[d] = x.size(d);
            (d < rank - dims ? rows : count) *= sizes[d];
            if (d >= rank - dims && g[list[d - rank + dims]].bits != d) return false;
        }
        return count > 1 && rows > 0;
    }
    /// Whether a call reads such a tensor row by row; its result has rank `result_rank`, with or without the dims of a
    /// row. wide: the tensor has one element for each element of a row, else one per row. It may repeat after some
    /// rows.
    constexpr bool is_read(int result_rank, const tensor_type& t, bool& wide) const {
        if (t.type != type || t.rank > result_rank || !is_contiguous(t)) return false;
        wide = result_rank == rank;
        bool number = true, goes_on = true;
        for (int d = result_rank - 1; d >= 0; --d) {
            const auto own = d - result_rank + t.rank;
            const auto size = own < 0 ? 1 : t.size(own);
            if (d >= rank - dims) {
                wide = wide && size == sizes[d];
                number = number && size == 1;
            } else if (!goes_on || size != sizes[d]) {
                if (size != 1) return false;
                goes_on = false;
            }
        }
        return wide || number;
    }
    /// Whether a result of this type is all rows (wide), or one number for each row.
    constexpr bool is_of(const tensor_type& t, bool& wide) const {
        return (t.rank == rank || t.rank == rank - dims) && is_read(t.rank, t, wide) &&
               element_count(t) == (wide ? rows * count : rows);
    }
};

} // namespace ahead::pass
