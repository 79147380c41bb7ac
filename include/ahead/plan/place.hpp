// SPDX-License-Identifier: MIT
// Gives intervals of tasks offsets in one region, so that what is alive at the same time does not overlap.
// Called by make_plan.hpp, once per region. Two orders are tried and the smaller region is kept: largest first, and by time.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/core/heap_sort.hpp>
#include <ahead/target/device.hpp>
#include <cstddef>
#include <cstdint>

namespace AHEAD_NAMESPACE {

/// Bytes alive from task `first` to task `last`, both included.
struct interval {
    std::int32_t first = 0;
    std::int32_t last = 0;
    std::int64_t bytes = 0;  // a multiple of the alignment
    std::int64_t offset = 0; // the answer
};

/// Whether two intervals, by number, are never alive at the same time: what tasks in one order say by themselves, and events say of several streams.
struct apart_in_time {
    const interval* all;
    constexpr bool operator()(std::int32_t a, std::int32_t b) const { return all[a].last < all[b].first || all[b].last < all[a].first; }
};

/// The most bytes alive at any one task: no placement needs less. pre: sorted by `first`.
constexpr std::int64_t largest_live_set(array_view<const interval> intervals) {
    const auto* all = intervals.data();
    const auto size = static_cast<std::int32_t>(intervals.size());
    fixed_buffer<std::int32_t> live(size);
    std::int32_t count = 0;
    std::int64_t most = 0;
    std::int64_t now = 0;
    for (std::int32_t i = 0; i < size; ++i) {
        const auto& it = all[i];
        std::int32_t kept = 0;
        for (std::int32_t k = 0; k < count; ++k) {
            if (all[live[k]].last >= it.first)
                live[kept++] = live[k];
            else
                now -= all[live[k]].bytes;
        }
        live[kept] = i;
        count = kept + 1;
        now += it.bytes;
        if (now > most) most = now;
    }
    return most;
}

namespace detail {

/// Indices of placed intervals, by offset.
struct placed_list {
    fixed_buffer<std::int32_t> at;
    std::int32_t count = 0;

    constexpr explicit placed_list(std::int64_t room) : at(room) {}
    constexpr void insert(const interval* all, std::int32_t which) {
        auto* sorted = at.data();
        const auto offset = all[which].offset;
        auto i = count++;
        for (; i > 0 && all[sorted[i - 1]].offset > offset; --i) sorted[i] = sorted[i - 1];
        sorted[i] = which;
    }
    /// The lowest gap of `bytes` between the listed intervals, the tightest one that fits.
    constexpr std::int64_t best_gap(const interval* all, std::int64_t bytes) const {
        const auto* sorted = at.data();
        std::int64_t end = 0;
        std::int64_t best = -1;
        std::int64_t best_size = 0;
        for (std::int32_t i = 0; i < count; ++i) {
            const auto& other = all[sorted[i]];
            const auto gap = other.offset - end;
            if (gap >= bytes && (best < 0 || gap < best_size)) {
                best = end;
                best_size = gap;
            }
            if (const auto other_end = other.offset + other.bytes; other_end > end) end = other_end;
        }
        return best < 0 ? end : best;
    }
    /// Keeps what lives at task `now` or later.
    constexpr void drop_dead(const interval* all, std::int32_t now) {
        auto* sorted = at.data();
        std::int32_t kept = 0;
        for (std::int32_t i = 0; i < count; ++i)
            if (all[sorted[i]].last >= now) sorted[kept++] = sorted[i];
        count = kept;
    }
};

/// In order of time: only the live ones are looked at. O(n * live).
constexpr std::int64_t place_by_time(array_view<interval> intervals) {
    auto* all = intervals.data();
    const auto size = static_cast<std::int32_t>(intervals.size());
    placed_list live(size);
    std::int64_t peak = 0;
    for (std::int32_t i = 0; i < size; ++i) {
        auto& it = all[i];
        live.drop_dead(all, it.first);
        it.offset = live.best_gap(all, it.bytes);
        live.insert(all, i);
        if (it.offset + it.bytes > peak) peak = it.offset + it.bytes;
    }
    return peak;
}

/// In the order given. O(n^2), so for plans of moderate size only.
template <class Apart>
constexpr std::int64_t place_in_order(array_view<interval> intervals, const std::int32_t* order, const Apart& apart) {
    auto* all = intervals.data();
    const auto size = static_cast<std::int32_t>(intervals.size());
    placed_list placed(size), neighbours(size);
    std::int64_t peak = 0;
    for (std::int32_t k = 0; k < size; ++k) {
        const auto i = order[k];
        auto& it = all[i];
        neighbours.count = 0;
        for (std::int32_t n = 0; n < placed.count; ++n)
            if (!apart(placed.at[n], i)) neighbours.at[neighbours.count++] = placed.at[n];
        it.offset = neighbours.best_gap(all, it.bytes);
        placed.insert(all, i);
        if (it.offset + it.bytes > peak) peak = it.offset + it.bytes;
    }
    return peak;
}

/// Largest first.
template <class Apart>
constexpr std::int64_t place_by_size(array_view<interval> intervals, const Apart& apart) {
    const auto* all = intervals.data();
    const auto size = static_cast<std::int32_t>(intervals.size());
    fixed_buffer<std::int32_t> order(size);
    for (std::int32_t i = 0; i < size; ++i) order[i] = i;
    heap_sort(order.data(), size,
              [&](std::int32_t a, std::int32_t b) { return all[a].bytes != all[b].bytes ? all[a].bytes > all[b].bytes : a < b; });
    return place_in_order(intervals, order.data(), apart);
}

/// The intervals are placed and need `peak` bytes: placed largest first instead, where that needs less. Returns the bytes.
template <class Apart>
constexpr std::int64_t place_smaller(array_view<interval> all, std::int64_t peak, const Apart& apart) {
    if (peak == largest_live_set(all)) return peak;
    const auto size = static_cast<std::int64_t>(all.size());
    fixed_buffer<interval> other(size);
    for (std::int64_t i = 0; i < size; ++i) other[i] = all[static_cast<std::size_t>(i)];
    const auto smaller = place_by_size(other.all(), apart);
    if (smaller >= peak) return peak;
    for (std::int64_t i = 0; i < size; ++i) all[static_cast<std::size_t>(i)] = other[i];
    return smaller;
}

} // namespace detail

/// pre: sorted by `first`. post: intervals that share a task share no byte. Returns the region's size in bytes.
constexpr std::int64_t place(array_view<interval> all) {
    constexpr std::size_t moderate = 160; // keeps the quadratic order within clang's default constant-evaluation budget
    const auto peak = detail::place_by_time(all);
    return all.size() > moderate ? peak : detail::place_smaller(all, peak, apart_in_time{all.data()});
}

/// The same where streams overlap: intervals that are not `apart` share no byte. O(n^2).
template <class Apart>
constexpr std::int64_t place(array_view<interval> all, const Apart& apart) {
    const auto size = static_cast<std::int32_t>(all.size());
    fixed_buffer<std::int32_t> by_time(size);
    for (std::int32_t i = 0; i < size; ++i) by_time[i] = i;
    return detail::place_smaller(all, detail::place_in_order(all, by_time.data(), apart), apart);
}

} // namespace ahead
