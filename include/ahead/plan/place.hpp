// SPDX-License-Identifier: MIT
// Gives intervals of tasks offsets in one region, so that what is alive at the same time does not overlap.
// Called by make_plan.hpp, once per region. Two orders are tried and the smaller region is kept: largest first, and by time.
#pragma once
#include <ahead/target/device.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ahead {

/// Bytes alive from task `first` to task `last`, both included.
struct interval {
    std::int32_t first = 0;
    std::int32_t last = 0;
    std::int64_t bytes = 0;  // a multiple of the alignment
    std::int64_t offset = 0; // the answer
};

namespace detail {

/// The lowest gap of `bytes` between the placed intervals alive together with `it`, the tightest one that fits.
constexpr std::int64_t best_gap(std::span<const interval> all, std::span<const std::int32_t> neighbours, std::int64_t bytes) {
    std::int64_t end = 0;
    std::int64_t best = -1;
    std::int64_t best_size = 0;
    for (auto n : neighbours) { // sorted by offset
        const auto& other = all[static_cast<std::size_t>(n)];
        const auto gap = other.offset - end;
        if (gap >= bytes && (best < 0 || gap < best_size)) {
            best = end;
            best_size = gap;
        }
        end = std::max(end, other.offset + other.bytes);
    }
    return best < 0 ? end : best;
}

constexpr void insert_by_offset(std::span<const interval> all, std::vector<std::int32_t>& sorted, std::int32_t which) {
    sorted.push_back(which);
    for (auto i = sorted.size() - 1; i > 0; --i) {
        if (all[static_cast<std::size_t>(sorted[i - 1])].offset <= all[static_cast<std::size_t>(sorted[i])].offset) break;
        std::swap(sorted[i - 1], sorted[i]);
    }
}

/// In order of time: only the live ones are looked at. O(n * live).
constexpr std::int64_t place_by_time(std::span<interval> all) {
    std::vector<std::int32_t> live; // by offset
    std::int64_t peak = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::erase_if(live, [&](auto n) { return all[static_cast<std::size_t>(n)].last < all[i].first; });
        all[i].offset = best_gap(all, live, all[i].bytes);
        insert_by_offset(all, live, static_cast<std::int32_t>(i));
        peak = std::max(peak, all[i].offset + all[i].bytes);
    }
    return peak;
}

/// Largest first. O(n^2), so for plans of moderate size only.
constexpr std::int64_t place_by_size(std::span<interval> all) {
    std::vector<std::int32_t> order;
    for (std::size_t i = 0; i < all.size(); ++i) order.push_back(static_cast<std::int32_t>(i));
    std::sort(order.begin(), order.end(), [&](auto a, auto b) {
        const auto& x = all[static_cast<std::size_t>(a)];
        const auto& y = all[static_cast<std::size_t>(b)];
        return x.bytes != y.bytes ? x.bytes > y.bytes : a < b;
    });
    std::vector<std::int32_t> placed; // by offset
    std::vector<std::int32_t> neighbours;
    std::int64_t peak = 0;
    for (auto i : order) {
        auto& it = all[static_cast<std::size_t>(i)];
        neighbours.clear();
        for (auto n : placed) {
            const auto& other = all[static_cast<std::size_t>(n)];
            if (other.first <= it.last && it.first <= other.last) neighbours.push_back(n);
        }
        it.offset = best_gap(all, neighbours, it.bytes);
        insert_by_offset(all, placed, i);
        peak = std::max(peak, it.offset + it.bytes);
    }
    return peak;
}

} // namespace detail

/// The most bytes alive at any one task: no placement needs less. pre: sorted by `first`.
constexpr std::int64_t largest_live_set(std::span<const interval> all) {
    std::vector<std::int32_t> live;
    std::int64_t most = 0;
    std::int64_t now = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::erase_if(live, [&](auto n) {
            const bool dead = all[static_cast<std::size_t>(n)].last < all[i].first;
            if (dead) now -= all[static_cast<std::size_t>(n)].bytes;
            return dead;
        });
        live.push_back(static_cast<std::int32_t>(i));
        now += all[i].bytes;
        most = std::max(most, now);
    }
    return most;
}

/// pre: sorted by `first`. post: intervals that share a task share no byte. Returns the region's size in bytes.
constexpr std::int64_t place(std::span<interval> all) {
    constexpr std::size_t moderate = 160; // keeps the quadratic order within clang's default constant-evaluation budget
    auto peak = detail::place_by_time(all);
    if (all.size() > moderate || peak == largest_live_set(all)) return peak;
    std::vector<interval> other(all.begin(), all.end());
    if (const auto smaller = detail::place_by_size(other); smaller < peak) {
        std::copy(other.begin(), other.end(), all.begin());
        peak = smaller;
    }
    return peak;
}

} // namespace ahead
