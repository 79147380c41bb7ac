// SPDX-License-Identifier: MIT
// Whether offsets are an answer to an offset problem. Does not depend on how they were found; looks at every pair.
// Called by tests and benchmarks of the solver. For a plan, the verifier (plan/check.hpp) checks more, and finds out by
// itself which buffers are apart.
#pragma once
#include <ahead/plan/arena/offset_problem.hpp>
#include <string_view>

namespace AHEAD_NAMESPACE::plan {

/// The result of a check: the first fault that is found, or good.
enum class offset_verdict : std::uint8_t { good, bad_offset, bad_alignment, bad_overlap, bad_region };

/// Its description.
constexpr std::string_view print(offset_verdict verdict) {
    switch (verdict) {
    case offset_verdict::good: return "all buffers lie in the region, and none on another that is alive beside it";
    case offset_verdict::bad_offset: return "a buffer begins before the region";
    case offset_verdict::bad_alignment: return "a buffer begins where the alignment does not let it";
    case offset_verdict::bad_overlap: return "two buffers that are alive at the same time share a byte";
    case offset_verdict::bad_region: return "the region does not end with the buffer that ends highest";
    }
    return "no verdict";
}

/// Apart: as disjoint_lifetimes. region: the size that the answer states. O(n * n).
template <class Apart>
constexpr offset_verdict check_offsets(array_view<const arena_buffer> all, const Apart& apart, arena_size region,
                                       arena_size alignment = 1) {
    const auto count = static_cast<std::int32_t>(all.size());
    const auto* buffers = all.data();
    arena_size end = 0;
    for (std::int32_t a = 0; a < count; ++a) {
        const auto begin = buffers[a].offset, behind = begin + buffers[a].bytes;
        if (begin < 0) return offset_verdict::bad_offset;
        if (begin % alignment != 0) return offset_verdict::bad_alignment;
        if (end < behind) end = behind;
        for (std::int32_t b = 0; b < a; ++b)
            if (begin < buffers[b].offset + buffers[b].bytes && buffers[b].offset < behind && !apart(a, b))
                return offset_verdict::bad_overlap;
    }
    return end == region ? offset_verdict::good : offset_verdict::bad_region;
}

} // namespace ahead::plan

namespace AHEAD_NAMESPACE {
using plan::print;
} // namespace ahead
