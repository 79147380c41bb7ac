// SPDX-License-Identifier: MIT
// Offset assignment as a separate problem: buffers, each with a size and a range of tasks, that are to be placed in one
// region, and which of them are never live at the same time.
// Stated by plan/phase/assign_offsets.hpp, solved by offset_solver.hpp, and an answer is verified by check_offsets.hpp.
// Invariant: largest_live_set is a lower bound of every answer.
#pragma once
#include <ahead/core/fixed_buffer.hpp>

namespace AHEAD_NAMESPACE::plan {

using arena_size = std::int64_t;  // bytes: a size, or an offset
using task_number = std::int32_t; // a task's place in launch order

/// The tasks from the first one that writes something to the last one that uses it, both included.
struct live_range {
    task_number first = 0;
    task_number last = 0;
};

/// A range of bytes of one region, needed for a range of tasks.
struct arena_buffer {
    live_range live;
    arena_size bytes = 0;  // a multiple of the alignment
    arena_size offset = 0; // the answer: bytes into the region
};

/// Which buffers are apart in one order of tasks. Buffers are identified by their numbers, and sorted by the first
/// task. For tasks on several streams, another type has the same two functions (streams/apart_on_streams.hpp).
/// Law: a buffer that is over for buffer b is apart from b and from all buffers with higher numbers than b.
struct disjoint_lifetimes {
    const arena_buffer* all;
    /// Whether the two are never live at the same time, so that they may have the same bytes.
    constexpr bool operator()(std::int32_t a, std::int32_t b) const {
        return all[a].live.last < all[b].live.first || all[b].live.last < all[a].live.first;
    }
    /// Whether a is apart from b and from all buffers with higher numbers than b: a need not be looked at again.
    constexpr bool is_over(std::int32_t a, std::int32_t b) const { return all[a].live.last < all[b].live.first; }
};

/// The most bytes live at any one task: no answer needs less, on several streams either. pre: sorted by the first task.
constexpr std::int64_t largest_live_set(array_view<const arena_buffer> buffers) {
    if (buffers.empty()) return 0;
    const auto from = buffers[0].live.first;
    auto to = from;
    for (const auto& it : buffers)
        if (to < it.live.last) to = it.live.last;
    fixed_buffer<std::int64_t> change(std::int64_t{to} - from + 2); // by task
    for (const auto& it : buffers) {
        change[it.live.first - from] += it.bytes;
        change[it.live.last - from + 1] -= it.bytes;
    }
    std::int64_t most = 0, now = 0;
    for (const auto bytes : change.all())
        if ((now += bytes) > most) most = now;
    return most;
}

} // namespace ahead::plan
