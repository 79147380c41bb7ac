// SPDX-License-Identifier: MIT
// Where a buffer fits between others that have their offsets. Used by arena/greedy_by_start.hpp and offset_solver.hpp.
// Invariant: the result overlaps no buffer that was passed.
#pragma once
#include <ahead/core/build.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::detail {

/// The tightest gap that is large enough between buffers, which are passed in order of offset; of equal ones, the
/// lowest. If no gap is large enough, the highest end of these buffers.
struct gap_finder {
    std::int64_t bytes, end = 0, best = -1, best_size = 0;
    constexpr explicit gap_finder(std::int64_t needed) : bytes(needed) {}
    constexpr void pass(std::int64_t first, std::int64_t behind) {
        const auto gap = first - end;
        if (gap >= bytes && (best < 0 || gap < best_size)) {
            best = end;
            best_size = gap;
        }
        if (behind > end) end = behind;
    }
    constexpr std::int64_t lowest() const { return best < 0 ? end : best; }
};

} // namespace ahead::detail
