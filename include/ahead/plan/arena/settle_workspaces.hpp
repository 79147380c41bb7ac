// SPDX-License-Identifier: MIT
// Where workspaces lie, once everything has its offset: those of a stream end at one place, below the next stream's, as
// far as what is alive beside them lets them. So a core writes what lies in its own cache, and not what another one
// wrote last: cores that are far apart ask for that line by line.
// Called by plan/phase/assign_offsets.hpp for runs of several streams.
// Invariant: nothing else moves, the region is no larger, and what is alive at the same time shares no byte.
#pragma once
#include <ahead/plan/arena/neighbours.hpp>
#include <ahead/plan/arena/offset_problem.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

/// The highest offset, at which the buffer ends by `end`, that none beside it overlaps; -1: there is none.
constexpr arena_size highest_below(arena_size end, std::int32_t buffer, const arena_buffer* all,
                                   const neighbours& beside) {
    auto at = end - all[buffer].bytes;
    for (const auto* other = beside.of(buffer); at >= 0 && other != beside.of(buffer + 1);) {
        const auto& it = all[*other];
        if (it.offset < at + all[buffer].bytes && at < it.offset + it.bytes) {
            at = it.offset - all[buffer].bytes;
            other = beside.of(buffer); // those that were passed may overlap here
        } else {
            ++other;
        }
    }
    return at;
}

/// stream_of: by buffer, the stream whose workspace it is; -1: none. Apart: as apart_in_time. pre: sorted by the first
/// task.
template <class Apart>
constexpr void settle_workspaces(array_view<arena_buffer> buffers, const Apart& apart, const std::int32_t* stream_of,
                                 arena_size region) {
    const auto size = static_cast<std::int32_t>(buffers.size());
    auto steps = 32 * std::int64_t{size}; // as the first answer looks: no effort is asked for
    neighbours beside;
    if (!beside.find(size, apart, steps)) return;
    auto* all = buffers.data();
    fixed_buffer<arena_size> ends(apart.streams + 1); // by stream: of the widest workspace, then where each one's end
    for (std::int32_t i = 0; i < size; ++i)
        if (const auto s = stream_of[i]; s >= 0 && ends[s + 1] < all[i].bytes) ends[s + 1] = all[i].bytes;
    ends[0] = region;
    for (std::int32_t s = 0; s < apart.streams; ++s) ends[s + 1] = ends[s] - ends[s + 1];
    for (int round = 0; round < 2; ++round) // at first one may lie where another one is about to leave
        for (std::int32_t i = 0; i < size; ++i)
            if (stream_of[i] >= 0)
                if (const auto at = highest_below(ends[stream_of[i]], i, all, beside); at >= 0) all[i].offset = at;
}

} // namespace detail

} // namespace ahead
