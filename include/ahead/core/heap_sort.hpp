// SPDX-License-Identifier: MIT
// A heap sort: O(n log n) in the worst case, in place, not stable. It instantiates one small function per use;
// std::sort instantiates a dozen.
#pragma once
#include <ahead/core/build.hpp>
#include <cstdint>
#include <utility>

namespace AHEAD_NAMESPACE::core {

/// post: no element is `before` its predecessor.
template <class T, class Before> constexpr void heap_sort(T* first, std::int64_t count, Before before) {
    for (auto root = count / 2, end = count; end > 1;) {
        if (root > 0) --root;
        else std::swap(first[0], first[--end]);
        for (auto at = root; 2 * at + 1 < end;) {
            auto child = 2 * at + 1;
            if (child + 1 < end && before(first[child], first[child + 1])) ++child;
            if (!before(first[at], first[child])) break;
            std::swap(first[at], first[child]);
            at = child;
        }
    }
}

} // namespace ahead::core
