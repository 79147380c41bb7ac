// SPDX-License-Identifier: MIT
// A stack that grows as needed; the room of removed elements is kept. Cheaper for the compiler than std::vector. Used
// by arena/neighbours.hpp and arena/canonical_search.hpp.
// Invariant: the elements up to `size` are those that were pushed.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::detail {

template <class T> struct growing_stack {
    fixed_buffer<T> all{64};
    std::int64_t size = 0;
    constexpr void push(const T& it) {
        if (size == all.size()) {
            fixed_buffer<T> more(2 * size);
            for (std::int64_t i = 0; i < size; ++i) more[i] = all[i];
            all = std::move(more);
        }
        all[size++] = it;
    }
};

} // namespace ahead::detail
