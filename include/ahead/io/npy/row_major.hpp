// SPDX-License-Identifier: MIT
// Converts elements from Fortran order to C order. Called by io/npy.hpp.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <cstring>
#include <span>
#include <vector>

namespace AHEAD_NAMESPACE::detail {

/// post: element (i0, i1, ...) of `out`, in row-major order, is the one that `bytes` holds in column-major order.
inline void row_major_from_column_major(std::span<const std::byte> bytes, const std::vector<std::int64_t>& sizes,
                                        std::size_t item, std::byte* out) {
    const auto rank = static_cast<std::int64_t>(sizes.size());
    fixed_buffer<std::int64_t> steps(rank), index(rank);
    auto step = static_cast<std::int64_t>(item);
    for (std::int64_t dim = 0; dim < rank; ++dim) {
        steps[dim] = step;
        step *= sizes[static_cast<std::size_t>(dim)];
    }
    std::int64_t from = 0;
    for (std::size_t to = 0; to < bytes.size(); to += item) {
        std::memcpy(out + to, bytes.data() + from, item);
        for (auto dim = rank; dim-- > 0;) {
            from += steps[dim];
            if (++index[dim] != sizes[static_cast<std::size_t>(dim)]) break;
            from -= steps[dim] * index[dim];
            index[dim] = 0;
        }
    }
}

} // namespace ahead::detail
