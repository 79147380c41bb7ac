// SPDX-License-Identifier: MIT
// Whether offsets are an answer to an offset problem. Knows nothing of how they were found; every pair is looked at.
// Called by tests of the solver. Of a plan, the judge (plan/check.hpp) says more, and asks nobody who is apart.
#pragma once
#include <ahead/plan/arena/offset_problem.hpp>

namespace AHEAD_NAMESPACE {

/// Whether no two buffers that are not apart share a byte, each lies in the region, and the region is no larger than
/// they need. Apart: as apart_in_time. O(n * n).
template <class Apart>
constexpr bool check_offsets(array_view<const arena_buffer> all, const Apart& apart, std::int64_t region_bytes) {
    const auto count = static_cast<std::int32_t>(all.size());
    const auto* buffers = all.data();
    std::int64_t end = 0;
    for (std::int32_t a = 0; a < count; ++a) {
        const auto begin = buffers[a].offset, behind = begin + buffers[a].bytes;
        if (begin < 0) return false;
        if (end < behind) end = behind;
        for (std::int32_t b = 0; b < a; ++b)
            if (begin < buffers[b].offset + buffers[b].bytes && buffers[b].offset < behind && !apart(a, b))
                return false;
    }
    return end == region_bytes && region_bytes >= largest_live_set(all);
}

} // namespace ahead
