// SPDX-License-Identifier: MIT
// Offset assignment: gives the buffers of one region offsets, so that what is alive at the same time does not overlap.
// Called by plan/phase/assign_offsets.hpp, once per region. Buffers are placed by time; where that is not the least
// there can be, in other orders: largest first, longest first, both at once, those first that have most beside them;
// and then in orders a little different from the best one, until the effort is spent.
// Invariant: no two buffers that are not apart share a byte, and the answer is never larger than by time.
#pragma once
#include <ahead/core/effort.hpp>
#include <ahead/core/heap_sort.hpp>
#include <ahead/plan/arena/assign_by_time.hpp>
#include <ahead/plan/arena/neighbours.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

/// One region in the making. Apart: as apart_in_time.
template <class Apart> class offset_solver {
public:
    constexpr offset_solver(array_view<arena_buffer> buffers, const Apart& apart, std::int64_t steps)
        : all_(buffers.data()), size_(static_cast<std::int32_t>(buffers.size())), apart_(apart), steps_(steps),
          list_(size_), bound_(largest_live_set({buffers.data(), buffers.size()})) {}

    /// Returns the region's bytes.
    constexpr std::int64_t run() {
        peak_ = assign_by_time(array_view<arena_buffer>{all_, static_cast<std::size_t>(size_)}, apart_);
        if (peak_ == bound_ || !beside_.find(size_, apart_, steps_)) return peak_;
        best_ = fixed_buffer<std::int64_t>(size_);
        order_ = fixed_buffer<std::int32_t>(size_);
        keep();
        fixed_buffer<std::int32_t> order(size_);
        fixed_buffer<std::int64_t> key(size_);
        for (std::int32_t i = 0; i < size_; ++i) order_[i] = i;
        for (int which = 0; which < 4 && !is_done(); ++which) {
            for (std::int32_t i = 0; i < size_; ++i) {
                order[i] = i;
                key[i] = key_of(which, i);
            }
            heap_sort(order.data(), size_, [&](std::int32_t one, std::int32_t other) {
                return key[one] != key[other] ? key[one] > key[other] : one < other;
            });
            if (assign_in_order(order.data(), peak_ - 1) < peak_) take(order.data());
        }
        search(order.data());
        for (std::int32_t i = 0; i < size_; ++i) all_[i].offset = best_[i];
        return peak_;
    }

private:
    arena_buffer* all_;
    std::int32_t size_;
    const Apart& apart_;
    std::int64_t steps_;
    fixed_buffer<std::int32_t> list_; // buffers by offset: those beside the one at hand
    std::int32_t count_ = 0;
    std::int64_t bound_, peak_ = 0;
    std::int32_t highest_ = 0;         // of the last order: the buffer that ends at its peak
    fixed_buffer<std::int64_t> best_;  // offsets
    fixed_buffer<std::int32_t> order_; // that gave them
    neighbours beside_;

    constexpr bool is_done() const { return peak_ == bound_ || steps_ <= 0; }
    constexpr void keep() {
        for (std::int32_t i = 0; i < size_; ++i) best_[i] = all_[i].offset;
    }
    constexpr void take(const std::int32_t* order) {
        peak_ = all_[highest_].offset + all_[highest_].bytes;
        keep();
        for (std::int32_t i = 0; i < size_; ++i) order_[i] = order[i];
    }
    constexpr std::int64_t key_of(int which, std::int32_t i) const {
        const auto bytes = all_[i].bytes, length = std::int64_t{all_[i].live.last} - all_[i].live.first + 1;
        if (which == 0) return bytes;
        if (which == 1) return length;
        if (which == 2) return bytes * length;
        std::int64_t around = 0;
        for (auto *k = beside_.of(i), *to = beside_.of(i + 1); k != to; ++k) around += all_[*k].bytes;
        return around;
    }

    /// Each at the tightest gap that those beside it have left. Gives up, and gives more than `most`, where one does
    /// not fit below that.
    constexpr std::int64_t assign_in_order(const std::int32_t* order, std::int64_t most) {
        for (std::int32_t i = 0; i < size_; ++i) all_[i].offset = -1;
        std::int64_t peak = 0;
        for (std::int32_t k = 0; k < size_ && peak <= most; ++k) {
            const auto i = order[k];
            count_ = 0;
            const auto *from = beside_.of(i), *to = beside_.of(i + 1);
            for (auto* other = from; other != to; ++other)
                if (all_[*other].offset >= 0) list_[count_++] = *other;
            steps_ -= to - from + count_;
            heap_sort(list_.data(), count_, [&](std::int32_t one, std::int32_t other) {
                return all_[one].offset != all_[other].offset ? all_[one].offset < all_[other].offset : one < other;
            });
            gap_finder gap(all_[i].bytes);
            for (std::int32_t n = 0; n < count_; ++n)
                gap.pass(all_[list_[n]].offset, all_[list_[n]].offset + all_[list_[n]].bytes);
            all_[i].offset = gap.lowest();
            if (const auto end = all_[i].offset + all_[i].bytes; end > peak) {
                peak = end;
                highest_ = i;
            }
        }
        return peak;
    }

    /// What ends highest goes to some place before, or any one to any other; what is no worse is gone on from. order:
    /// room for one.
    constexpr void search(std::int32_t* order) {
        if (is_done()) return;
        std::uint64_t noise = 1;
        const auto below = [&](std::int32_t count) {
            noise = noise * 6364136223846793005u + 1442695040888963407u;
            return static_cast<std::int32_t>((noise >> 33) % static_cast<std::uint64_t>(count));
        };
        auto highest = highest_;
        while (!is_done()) {
            std::int32_t from = 0;
            const bool is_any = below(2) == 0;
            if (is_any) from = below(size_);
            else
                while (order_[from] != highest) ++from;
            const auto to = is_any || from == 0 ? below(size_) : below(from);
            const auto step = to < from ? -1 : 1;
            for (std::int32_t i = 0; i < size_; ++i) order[i] = order_[i];
            for (auto i = from; i != to; i += step) order[i] = order_[i + step];
            order[to] = order_[from];
            const auto peak = assign_in_order(order, peak_);
            if (peak <= peak_) take(order);
            if (peak <= peak_ || below(3) == 0) highest = highest_;
        }
    }
};

} // namespace detail

/// Apart: as apart_in_time. pre: sorted by the first task. post: check_offsets accepts the answer. Returns the region's
/// size in bytes.
template <class Apart>
constexpr std::int64_t solve_offsets(array_view<arena_buffer> all, const Apart& apart, effort most = effort::constant) {
    return detail::offset_solver<Apart>(all, apart, static_cast<std::int64_t>(most)).run();
}
/// The same in one order of tasks.
constexpr std::int64_t solve_offsets(array_view<arena_buffer> all, effort most = effort::constant) {
    return solve_offsets(all, apart_in_time{all.data()}, most);
}

} // namespace ahead
