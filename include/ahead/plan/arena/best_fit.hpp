// SPDX-License-Identifier: MIT
// Offsets in order of time for one order of tasks, in nearly linear time: does what arena/greedy_by_start.hpp does for
// tasks on any streams, with a list of the live buffers by address, and of their gaps by size.
// Called by greedy_by_start for disjoint_lifetimes.
// Invariant: between two live buffers that are adjacent there is one gap, and it is listed unless it is empty; above
// the highest one there is none.
#pragma once
#include <ahead/plan/arena/offset_problem.hpp>

namespace AHEAD_NAMESPACE::detail {

class best_fit {
public:
    /// pre: buffers are sorted by the first task, and outlive this.
    constexpr explicit best_fit(array_view<arena_buffer> buffers)
        : all_(buffers.data()), size_(static_cast<std::int32_t>(buffers.size())), lower_(size_ + 1), higher_(size_ + 1),
          same_end_(size_), gaps_(size_ + 1) {
        lower_[size_] = higher_[size_] = size_;
    }
    /// Returns the size of the region.
    constexpr arena_size run() {
        if (size_ == 0) return 0;
        const auto from = all_[0].live.first;
        auto to = from;
        for (std::int32_t i = 0; i < size_; ++i)
            if (to < all_[i].live.last) to = all_[i].live.last;
        fixed_buffer<std::int32_t> ending(std::int64_t{to} - from + 1); // by task: a buffer whose last task it is, + 1
        arena_size peak = 0;
        auto now = from;
        for (std::int32_t i = 0; i < size_; ++i) {
            auto& it = all_[i];
            it.offset = 0;
            if (it.bytes == 0) continue;
            for (; now < it.live.first; ++now)
                for (auto over = ending[now - from]; over > 0; over = same_end_[over - 1]) release(over - 1);
            place(i);
            if (const auto end = it.offset + it.bytes; end > peak) peak = end;
            auto& same = ending[it.live.last - from];
            same_end_[i] = same;
            same = i + 1;
        }
        return peak;
    }

private:
    struct gap {
        arena_size bytes = 0, offset = 0;
        std::int32_t below = 0; // the buffer that it is below
    };

    arena_buffer* all_;
    std::int32_t size_;
    fixed_buffer<std::int32_t> lower_,
        higher_;                          // by live buffer: the adjacent ones; size_ precedes and follows all
    fixed_buffer<std::int32_t> same_end_; // by buffer: another one with the same last task, + 1
    fixed_buffer<gap> gaps_;              // the smallest first, of equal ones the lowest first
    std::int32_t count_ = 0;

    /// The place of a gap in the list, or where it would be inserted.
    constexpr std::int32_t find(arena_size bytes, arena_size offset) const {
        const auto* gaps = gaps_.data();
        std::int32_t low = 0, high = count_;
        while (low < high) {
            const auto middle = low + (high - low) / 2;
            if (gaps[middle].bytes < bytes || (gaps[middle].bytes == bytes && gaps[middle].offset < offset))
                low = middle + 1;
            else high = middle;
        }
        return low;
    }
    constexpr arena_size end_below(std::int32_t i) const {
        const auto below = lower_[i];
        return below == size_ ? 0 : all_[below].offset + all_[below].bytes;
    }
    constexpr void list_gap(arena_size offset, std::int32_t above) {
        const auto bytes = all_[above].offset - offset;
        if (bytes == 0) return;
        auto* gaps = gaps_.data();
        const auto at = find(bytes, offset);
        for (auto i = count_++; i > at; --i) gaps[i] = gaps[i - 1];
        gaps[at] = {bytes, offset, above};
    }
    constexpr void drop_gap(arena_size offset, std::int32_t above) {
        if (const auto bytes = all_[above].offset - offset; bytes > 0) drop(find(bytes, offset));
    }
    constexpr void drop(std::int32_t at) {
        auto* gaps = gaps_.data();
        --count_;
        for (auto i = at; i < count_; ++i) gaps[i] = gaps[i + 1];
    }

    constexpr void place(std::int32_t i) {
        auto& it = all_[i];
        const auto at = find(it.bytes, 0);
        auto above = size_;
        if (at < count_) {
            it.offset = gaps_[at].offset;
            above = gaps_[at].below;
            drop(at);
            list_gap(it.offset + it.bytes, above);
        } else {
            it.offset = end_below(size_);
        }
        const auto below = lower_[above];
        lower_[i] = below;
        higher_[i] = above;
        higher_[below] = lower_[above] = i;
    }
    constexpr void release(std::int32_t i) {
        const auto below = lower_[i], above = higher_[i];
        const auto end = end_below(i);
        drop_gap(end, i);
        if (above != size_) drop_gap(all_[i].offset + all_[i].bytes, above);
        higher_[below] = above;
        lower_[above] = below;
        if (above != size_) list_gap(end, above);
    }
};

} // namespace ahead::detail
