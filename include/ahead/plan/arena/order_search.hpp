// SPDX-License-Identifier: MIT
// Offsets in orders other than that of time, each buffer at the tightest gap that its placed neighbours leave: largest
// first, longest first, largest product of both first, those with the most bytes of neighbours first; then in orders a
// little different from the best one. Finds good answers in few steps, but cannot prove that there is none.
// Called by arena/offset_solver.hpp, alternating with arena/canonical_search.hpp.
// Invariant: the answer that is kept never gets larger.
#pragma once
#include <ahead/core/heap_sort.hpp>
#include <ahead/plan/arena/gap_finder.hpp>
#include <ahead/plan/arena/neighbours.hpp>
#include <ahead/plan/arena/offset_problem.hpp>

namespace AHEAD_NAMESPACE::detail {

class order_search {
public:
    /// best: the offsets that are kept. pre: all three outlive this.
    constexpr order_search(array_view<const arena_buffer> buffers, const neighbours& beside, arena_size* best)
        : all_(buffers.data()), size_(static_cast<std::int32_t>(buffers.size())), beside_(&beside), best_(best),
          offset_(size_), key_(size_), list_(size_), order_(size_), trial_(size_) {
        for (std::int32_t i = 0; i < size_; ++i) order_[i] = i;
    }

    /// Continues until the answer is at most `enough`, or the steps are spent; a step looks at one pair. peak: the size
    /// of the best answer, before and after.
    constexpr void run(arena_size& peak, arena_size enough, std::int64_t& steps) {
        while (peak > enough && steps > 0) {
            const bool is_sorted = orders_tried_ < 4;
            if (is_sorted) sort_by(orders_tried_++);
            else move_one();
            const auto needed = assign_in_order(is_sorted ? peak - 1 : peak, steps);
            const bool is_taken = is_sorted ? needed < peak : needed <= peak;
            if (is_taken) {
                peak = needed;
                for (std::int32_t i = 0; i < size_; ++i) {
                    best_[i] = offset_[i];
                    order_[i] = trial_[i];
                }
            }
            if (is_sorted || is_taken || below(3) == 0) moved_ = highest_;
        }
    }

private:
    const arena_buffer* all_;
    std::int32_t size_;
    const neighbours* beside_;
    arena_size* best_;
    fixed_buffer<arena_size> offset_;  // in the order on trial; below 0: not placed yet
    fixed_buffer<std::int64_t> key_;   // the sort keys
    fixed_buffer<std::int32_t> list_;  // the placed neighbours of the current buffer, by offset
    fixed_buffer<std::int32_t> order_; // the order that gave the kept answer
    fixed_buffer<std::int32_t> trial_; // the order on trial
    std::int32_t orders_tried_ = 0;
    std::int32_t highest_ = 0; // the buffer that ends at the peak of the trial
    std::int32_t moved_ = 0;   // the buffer to move to an earlier place
    std::uint64_t noise_ = 1;

    constexpr std::int64_t key_of(int which, std::int32_t i) const {
        const auto bytes = all_[i].bytes, length = std::int64_t{all_[i].live.last} - all_[i].live.first + 1;
        if (which == 0) return bytes;
        if (which == 1) return length;
        if (which == 2) return bytes * length;
        std::int64_t around = 0;
        for (auto *k = beside_->of(i), *to = beside_->of(i + 1); k != to; ++k) around += all_[*k].bytes;
        return around;
    }
    constexpr void sort_by(int which) {
        for (std::int32_t i = 0; i < size_; ++i) {
            trial_[i] = i;
            key_[i] = key_of(which, i);
        }
        heap_sort(trial_.data(), size_, [this](std::int32_t one, std::int32_t other) {
            return key_[one] != key_[other] ? key_[one] > key_[other] : one < other;
        });
    }
    constexpr std::int32_t below(std::int32_t count) {
        noise_ = noise_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::int32_t>((noise_ >> 33) % static_cast<std::uint64_t>(count));
    }
    /// Moves the buffer that ended highest to an earlier place in the order, or any one to any other place.
    constexpr void move_one() {
        std::int32_t from = 0;
        const bool is_any = below(2) == 0;
        if (is_any) from = below(size_);
        else
            while (order_[from] != moved_) ++from;
        const auto to = is_any || from == 0 ? below(size_) : below(from);
        const auto step = to < from ? -1 : 1;
        for (std::int32_t i = 0; i < size_; ++i) trial_[i] = order_[i];
        for (auto i = from; i != to; i += step) trial_[i] = order_[i + step];
        trial_[to] = order_[from];
    }

    /// Places each buffer at the tightest gap that its placed neighbours leave. Gives up, and returns more than `most`,
    /// when one does not fit below that.
    constexpr arena_size assign_in_order(arena_size most, std::int64_t& steps) {
        for (std::int32_t i = 0; i < size_; ++i) offset_[i] = -1;
        arena_size peak = 0;
        for (std::int32_t k = 0; k < size_ && peak <= most; ++k) {
            const auto i = trial_[k];
            std::int32_t count = 0;
            const auto *from = beside_->of(i), *to = beside_->of(i + 1);
            for (auto* other = from; other != to; ++other)
                if (offset_[*other] >= 0) list_[count++] = *other;
            steps -= to - from + count;
            heap_sort(list_.data(), count, [this](std::int32_t one, std::int32_t other) {
                return offset_[one] != offset_[other] ? offset_[one] < offset_[other] : one < other;
            });
            gap_finder gap(all_[i].bytes);
            for (std::int32_t n = 0; n < count; ++n)
                gap.pass(offset_[list_[n]], offset_[list_[n]] + all_[list_[n]].bytes);
            offset_[i] = gap.lowest();
            if (const auto end = offset_[i] + all_[i].bytes; end > peak) {
                peak = end;
                highest_ = i;
            }
        }
        return peak;
    }
};

} // namespace ahead::detail
