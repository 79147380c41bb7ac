// SPDX-License-Identifier: MIT
// Offsets in order of time: each buffer, by its first task, at the tightest gap that those before it leave.
// The first answer of arena/offset_solver.hpp, and the final one if no answer can be better.
// Invariant: no two buffers that are not apart share a byte.
#pragma once
#include <ahead/plan/arena/best_fit.hpp>
#include <ahead/plan/arena/gap_finder.hpp>
#include <ahead/plan/arena/offset_problem.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::detail {

/// In order of time. Only the last holder of each piece of the region is compared: earlier holders of the bytes are
/// over for it, and so for all buffers after it. O(n * pieces of the region). Returns the size of the region.
template <class Apart> constexpr std::int64_t greedy_by_start(array_view<arena_buffer> buffers, const Apart& apart) {
    auto* all = buffers.data();
    const auto size = static_cast<std::int32_t>(buffers.size());
    struct piece {
        std::int32_t last;
        std::int64_t offset, end;
    };
    fixed_buffer<piece> room(2 * std::int64_t{size} + 1), other_room(2 * std::int64_t{size} + 1);
    piece *now = room.data(), *next = other_room.data();
    std::int32_t count = 0;
    std::int64_t peak = 0;
    for (std::int32_t i = 0; i < size; ++i) {
        auto& it = all[i];
        const piece *from = now, *to = now + count;
        gap_finder gap(it.bytes);
        for (auto* p = from; p != to; ++p)
            if (!apart(p->last, i)) gap.pass(p->offset, p->end);
        it.offset = gap.lowest();
        const auto end = it.offset + it.bytes;
        auto* out = next;
        const auto keep_piece = [&](std::int32_t last, std::int64_t first, std::int64_t behind) {
            if (first < behind) *out++ = {last, first, behind};
        };
        for (; from != to && from->offset < it.offset; ++from)
            if (!apart.is_over(from->last, i))
                keep_piece(from->last, from->offset, from->end < it.offset ? from->end : it.offset);
        keep_piece(i, it.offset, end);
        for (const piece* p = now; p != to; ++p)
            if (p->end > end && !apart.is_over(p->last, i))
                keep_piece(p->last, p->offset > end ? p->offset : end, p->end);
        count = static_cast<std::int32_t>(out - next);
        next = std::exchange(now, next);
        if (end > peak) peak = end;
    }
    return peak;
}
/// The same for one order of tasks. O(n (log n + gaps)).
constexpr arena_size greedy_by_start(array_view<arena_buffer> buffers, const disjoint_lifetimes&) {
    return best_fit(buffers).run();
}

} // namespace ahead::detail
