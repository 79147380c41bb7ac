// SPDX-License-Identifier: MIT
// The offsets of workspaces in runs of several streams, after everything has its offset: the workspaces of a stream end
// at one place, below those of the stream before, as far as buffers that are live at the same time allow. So a core
// writes bytes that are in its cache, not bytes that another core wrote last, which distant cores request line by line.
// Called by plan/phase/assign_offsets.hpp.
// Invariant: nothing else moves, the region does not grow, and buffers that are live at the same time share no byte.
#pragma once
#include <ahead/plan/arena/neighbours.hpp>
#include <ahead/plan/arena/offset_problem.hpp>

namespace AHEAD_NAMESPACE::detail {

class workspace_settling {
public:
    /// stream_of: by buffer, the stream whose workspace it is; -1: not a workspace. Apart: as disjoint_lifetimes. pre:
    /// sorted by the first task.
    template <class Apart>
    constexpr workspace_settling(array_view<arena_buffer> buffers, const Apart& apart, const std::int32_t* stream_of,
                                 arena_size region)
        : all_(buffers.data()), size_(static_cast<std::int32_t>(buffers.size())), ends_(apart.streams + 1),
          before_(size_), stream_of_(size_) {
        for (std::int32_t i = 0; i < size_; ++i) {
            const auto s = stream_of_[i] = stream_of[i];
            before_[i] = all_[i].offset;
            if (s >= 0 && ends_[s + 1] < all_[i].bytes) ends_[s + 1] = all_[i].bytes;
        }
        ends_[0] = region;
        for (std::int32_t s = 0; s < apart.streams; ++s) ends_[s + 1] = ends_[s] - ends_[s + 1];
        auto looks = 32 * std::int64_t{size_}; // like the first answer, this is independent of the effort
        if (!beside_.find(size_, apart, looks)) size_ = 0;
    }
    /// A workspace without room among those before it stays where it was, and the others settle once more.
    constexpr void run() {
        for (int round = 0; round < 32; ++round) {
            const auto left = settle_all();
            if (left == size_) return;
            stream_of_[left] = -1;
            for (std::int32_t i = 0; i < size_; ++i) all_[i].offset = before_[i];
        }
    }

private:
    arena_buffer* all_;
    std::int32_t size_;
    neighbours beside_;
    fixed_buffer<arena_size> ends_;        // by stream: where its workspaces are to end
    fixed_buffer<arena_size> before_;      // offsets
    fixed_buffer<std::int32_t> stream_of_; // of workspaces that settle; -1: others

    /// In order of time. Returns the first workspace without room; size_: all have room.
    constexpr std::int32_t settle_all() {
        for (std::int32_t i = 0; i < size_; ++i)
            if (stream_of_[i] >= 0)
                if ((all_[i].offset = highest_below(ends_[stream_of_[i]], i)) < 0) return i;
        return size_;
    }
    /// The highest offset at which buffer i ends by `end` and overlaps no neighbour, except those that settle later;
    /// negative: there is none.
    constexpr arena_size highest_below(arena_size end, std::int32_t i) const {
        auto at = end - all_[i].bytes;
        for (const auto* other = beside_.of(i); at >= 0 && other != beside_.of(i + 1);) {
            const auto& it = all_[*other];
            const bool is_there = stream_of_[*other] < 0 || *other < i;
            if (is_there && it.offset < at + all_[i].bytes && at < it.offset + it.bytes) {
                at = it.offset - all_[i].bytes;
                other = beside_.of(i); // neighbours that were passed may overlap here
            } else {
                ++other;
            }
        }
        return at;
    }
};

} // namespace ahead::detail
