// SPDX-License-Identifier: MIT
// Which buffers are neighbours: not apart, that is, possibly live at the same time, so that they may not share bytes.
// Found once by arena/offset_solver.hpp, for all the orders that it tries.
// Invariant: b is a neighbour of a if a is a neighbour of b.
#pragma once
#include <ahead/plan/arena/growing_stack.hpp>

namespace AHEAD_NAMESPACE::detail {

class neighbours {
public:
    /// Apart: as disjoint_lifetimes. A step looks at one pair; false if the steps are spent before the end.
    template <class Apart> constexpr bool find(std::int32_t size, const Apart& apart, std::int64_t& steps) {
        fixed_buffer<std::int32_t> live(size), until(size);
        growing_stack<std::int32_t> earlier; // by buffer: its neighbours that begin before it
        std::int32_t count = 0;
        first_ = fixed_buffer<std::int32_t>(size + 1);
        for (std::int32_t i = 0; i < size; ++i) {
            std::int32_t kept = 0;
            if ((steps -= count) <= 0) return false;
            for (std::int32_t k = 0; k < count; ++k) {
                const auto other = live[k];
                if (apart.is_over(other, i)) continue;
                live[kept++] = other;
                if (apart(other, i)) continue;
                earlier.push(other);
                ++first_[other];
                ++first_[i];
            }
            live[kept] = i;
            count = kept + 1;
            until[i] = static_cast<std::int32_t>(earlier.size);
        }
        auto pairs = static_cast<std::int32_t>(earlier.size);
        beside_ = fixed_buffer<std::int32_t>(2 * earlier.size);
        for (std::int32_t i = 0, sum = 0; i <= size; ++i) first_[i] = sum += i < size ? first_[i] : 0; // where they end
        for (std::int32_t i = size; i-- > 0;)
            while (pairs > (i > 0 ? until[i - 1] : 0)) {
                const auto other = earlier.all[--pairs];
                beside_[--first_[i]] = other;
                beside_[--first_[other]] = i;
            }
        return true;
    }

    /// The neighbours of buffer i, up to those of the next one.
    constexpr const std::int32_t* of(std::int32_t i) const { return beside_.data() + first_[i]; }

private:
    fixed_buffer<std::int32_t> first_, beside_; // by buffer: where its neighbours begin; neighbours
};

} // namespace ahead::detail
