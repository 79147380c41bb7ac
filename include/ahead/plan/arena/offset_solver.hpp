// SPDX-License-Identifier: MIT
// Offset assignment: gives the buffers of one region offsets, so that what is alive at the same time does not overlap.
// Called by plan/phase/assign_offsets.hpp, once per region. Buffers are placed by time; where that is not the least
// there can be, in other orders: largest first, longest first, both at once, those first that have most beside them;
// and then in orders a little different from the best one, until the effort is spent.
// Invariant: no two buffers that are not apart share a byte, and the answer is never larger than by time.
#pragma once
#include <ahead/core/effort.hpp>
#include <ahead/core/heap_sort.hpp>
#include <ahead/plan/arena/offset_problem.hpp>
#include <utility>

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
        peak_ = place_by_time();
        if (peak_ == bound_ || !connect()) return peak_;
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
            if (place_in_order(order.data(), peak_ - 1) < peak_) take(order.data());
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
    fixed_buffer<std::int32_t> list_; // buffers: those alive, or by offset those beside the one at hand
    std::int32_t count_ = 0;
    std::int64_t bound_, peak_ = 0;
    std::int32_t highest_ = 0;                  // of the last order: the buffer that ends at its peak
    fixed_buffer<std::int64_t> best_;           // offsets
    fixed_buffer<std::int32_t> order_;          // that gave them
    fixed_buffer<std::int32_t> first_, beside_; // by buffer: those that are not apart from it

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
        for (auto k = first_[i]; k < first_[i + 1]; ++k) around += all_[beside_[k]].bytes;
        return around;
    }

    /// In order of time. Of what had its bytes before it a buffer knows that it is over, and so does what comes behind
    /// the buffer: whose bytes were whose last is all that is looked at. O(n * pieces of the region).
    constexpr std::int64_t place_by_time() {
        struct piece {
            std::int32_t last;
            std::int64_t offset, end;
        };
        fixed_buffer<piece> now(2 * std::int64_t{size_} + 1), next(2 * std::int64_t{size_} + 1);
        std::int32_t count = 0;
        std::int64_t peak = 0;
        for (std::int32_t i = 0; i < size_; ++i) {
            auto& it = all_[i];
            const auto *from = now.data(), *to = from + count;
            gap_finder gap(it.bytes);
            for (auto* p = from; p != to; ++p)
                if (!apart_(p->last, i)) gap.pass(p->offset, p->end);
            it.offset = gap.lowest();
            const auto end = it.offset + it.bytes;
            auto* out = next.data();
            const auto keep_piece = [&](std::int32_t last, std::int64_t first, std::int64_t behind) {
                if (first < behind) *out++ = {last, first, behind};
            };
            for (; from != to && from->offset < it.offset; ++from)
                if (!apart_.is_over(from->last, i))
                    keep_piece(from->last, from->offset, from->end < it.offset ? from->end : it.offset);
            keep_piece(i, it.offset, end);
            for (auto* p = now.data(); p != to; ++p)
                if (p->end > end && !apart_.is_over(p->last, i))
                    keep_piece(p->last, p->offset > end ? p->offset : end, p->end);
            count = static_cast<std::int32_t>(out - next.data());
            std::swap(now, next);
            if (end > peak) peak = end;
        }
        return peak;
    }
    /// The tightest gap that fits between buffers that pass by offset, the lowest of these.
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

    /// Who is beside whom. False where finding out takes more than all steps.
    constexpr bool connect() {
        fixed_buffer<std::int32_t> earlier(64), until(size_); // pairs by the later one
        std::int32_t pairs = 0;
        first_ = fixed_buffer<std::int32_t>(size_ + 1);
        auto* live = list_.data();
        count_ = 0;
        for (std::int32_t i = 0; i < size_; ++i) {
            std::int32_t kept = 0;
            if ((steps_ -= count_) <= 0) return false;
            for (std::int32_t k = 0; k < count_; ++k) {
                const auto other = live[k];
                if (apart_.is_over(other, i)) continue;
                live[kept++] = other;
                if (apart_(other, i)) continue;
                if (pairs == earlier.size()) {
                    fixed_buffer<std::int32_t> more(2 * earlier.size());
                    for (std::int32_t p = 0; p < pairs; ++p) more[p] = earlier[p];
                    earlier = std::move(more);
                }
                earlier[pairs++] = other;
                ++first_[other];
                ++first_[i];
            }
            live[kept] = i;
            count_ = kept + 1;
            until[i] = pairs;
        }
        beside_ = fixed_buffer<std::int32_t>(2 * std::int64_t{pairs});
        for (std::int32_t i = 0, sum = 0; i <= size_; ++i)
            first_[i] = sum += i < size_ ? first_[i] : 0; // where they end
        for (std::int32_t i = size_; i-- > 0;)
            while (pairs > (i > 0 ? until[i - 1] : 0)) {
                const auto other = earlier[--pairs];
                beside_[--first_[i]] = other;
                beside_[--first_[other]] = i;
            }
        return true;
    }

    /// Each at the tightest gap that those beside it have left. Gives up, and gives more than `most`, where one does
    /// not fit below that.
    constexpr std::int64_t place_in_order(const std::int32_t* order, std::int64_t most) {
        for (std::int32_t i = 0; i < size_; ++i) all_[i].offset = -1;
        std::int64_t peak = 0;
        for (std::int32_t k = 0; k < size_ && peak <= most; ++k) {
            const auto i = order[k];
            count_ = 0;
            for (auto n = first_[i]; n < first_[i + 1]; ++n)
                if (all_[beside_[n]].offset >= 0) list_[count_++] = beside_[n];
            steps_ -= first_[i + 1] - first_[i] + count_;
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
            const auto peak = place_in_order(order, peak_);
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
