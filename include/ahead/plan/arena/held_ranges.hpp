// SPDX-License-Identifier: MIT
// Which holder has which bytes: ranges in the order of their addresses. Overlapping ranges are found by binary search,
// so that a verifier need not look at all ranges.
// Called by verify/check_bytes.hpp and verify/check_races.hpp.
// Invariant: no two ranges overlap, and none is empty.
#pragma once
#include <ahead/core/fixed_buffer.hpp>

namespace AHEAD_NAMESPACE::plan {

/// Bytes [begin, end) of one space.
struct held_range {
    std::int32_t space = 0;
    std::int32_t holder = 0; // any number that the caller chooses
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

class held_ranges {
public:
    constexpr held_ranges() = default;
    /// room: the largest number of ranges.
    constexpr explicit held_ranges(std::int64_t room) : all_(room) {}

    constexpr std::int32_t size() const { return count_; }
    constexpr const held_range& operator[](std::int32_t i) const { return all_[i]; }
    constexpr void clear() { count_ = 0; }

    /// The first range that ends after `begin`. The ranges that overlap bytes [begin, end) are those from there on for
    /// which `meets` holds.
    constexpr std::int32_t first_behind(std::int32_t space, std::int64_t begin) const {
        const auto* all = all_.data();
        std::int32_t low = 0, high = count_;
        while (low < high) {
            const auto middle = low + (high - low) / 2;
            if (all[middle].space < space || (all[middle].space == space && all[middle].end <= begin)) low = middle + 1;
            else high = middle;
        }
        return low;
    }
    constexpr bool meets(std::int32_t i, std::int32_t space, std::int64_t end) const {
        const auto* all = all_.data();
        return i < count_ && all[i].space == space && all[i].begin < end;
    }
    /// Replaces ranges [from, to) by `count` others. pre: these overlap no other range, and are in order there.
    constexpr void replace(std::int32_t from, std::int32_t to, const held_range* with, std::int32_t count) {
        auto* all = all_.data();
        const auto more = count - (to - from);
        if (more > 0)
            for (auto i = count_; i-- > to;) all[i + more] = all[i];
        else if (more < 0)
            for (auto i = to; i < count_; ++i) all[i + more] = all[i];
        count_ += more;
        for (std::int32_t i = 0; i < count; ++i) all[from + i] = with[i];
    }

private:
    fixed_buffer<held_range> all_;
    std::int32_t count_ = 0;
};

} // namespace ahead::plan
