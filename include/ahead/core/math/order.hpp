// SPDX-License-Identifier: MIT
// Stable sorting, and selection of the first entries. Among equal entries, which are selected and in which order
// follows the standard library, as in PyTorch. Called by operators' meanings and by kernels/index/sort.hpp. Source:
// aten/src/ATen/native/TopKImpl.h.
#pragma once
#include <ahead/core/build.hpp>
#include <algorithm>
#include <cstdint>
#include <utility>

namespace AHEAD_NAMESPACE::core {

/// Merge sort between `line` and `spare`, both of `size` entries; returns the one that holds the sorted entries.
template <class Entry, class Before>
constexpr Entry* sort_stably(Entry* line, Entry* spare, std::int64_t size, Before before) {
    for (std::int64_t width = 1; width < size; width *= 2) {
        for (std::int64_t low = 0; low < size; low += 2 * width) {
            const auto middle = std::min(low + width, size), end = std::min(low + 2 * width, size);
            for (auto a = low, b = middle, to = low; to < end; ++to)
                spare[to] = a < middle && (b == end || !before(line[b], line[a])) ? line[a++] : line[b++];
        }
        std::swap(line, spare);
    }
    return line;
}

/// Moves the first `count` entries to the front of `line`, selected as in PyTorch.
template <class Entry, class Before>
constexpr void select_first(Entry* line, std::int64_t size, std::int64_t count, bool sorted, Before before) {
    if (count == 0) return;
    if (count <= size / 64) return std::partial_sort(line, line + count, line + size, before);
    std::nth_element(line, line + count - 1, line + size, before);
    if (sorted) std::sort(line, line + count - 1, before);
}

} // namespace ahead::core
