// SPDX-License-Identifier: MIT
// The sections of an offset problem: the maximal sets of buffers that are live at one task, in order of time. Every set
// of live buffers is within one of them, and between two that no buffer crosses, the problem splits into two
// independent ones.
// Found once by arena/offset_solver.hpp, for arena/canonical_search.hpp.
// Invariant: each buffer is in the sections from `first` to the end of its span (exclusive) and in no other, and its
// neighbours begin before `reach`.
#pragma once
#include <ahead/core/heap_sort.hpp>
#include <ahead/plan/arena/neighbours.hpp>
#include <ahead/plan/arena/offset_problem.hpp>

namespace AHEAD_NAMESPACE::detail {

struct section_span {
    std::int32_t first = 0, behind = 0;
    std::int32_t reach = 0; // the end of the span, or more if streams allow neighbours that begin later
};

struct arena_sections {
    fixed_buffer<section_span> of;     // by buffer
    fixed_buffer<std::int32_t> latest; // by section: the buffer in it that begins last; all others are its neighbours
    std::int32_t count = 0;

    constexpr arena_sections() = default;
    /// pre: sorted by the first task, and not empty.
    constexpr arena_sections(array_view<const arena_buffer> buffers, const neighbours& beside)
        : of(static_cast<std::int64_t>(buffers.size())), latest(of.size()) {
        const auto size = static_cast<std::int32_t>(buffers.size());
        const auto* all = buffers.data();
        fixed_buffer<std::int32_t> ending(size); // buffers, in the order of their ends
        for (std::int32_t i = 0; i < size; ++i) ending[i] = i;
        heap_sort(ending.data(), size, [=](std::int32_t one, std::int32_t other) {
            return all[one].live.last != all[other].live.last ? all[one].live.last < all[other].live.last : one < other;
        });
        std::int32_t ended = 0;
        for (std::int32_t i = 0; i < size; ++i) {
            if (all[ending[ended]].live.last < all[i].live.first) {
                ++count;
                for (; all[ending[ended]].live.last < all[i].live.first; ++ended) of[ending[ended]].behind = count;
            }
            of[i].first = count;
            latest[count] = i;
        }
        ++count;
        for (; ended < size; ++ended) of[ending[ended]].behind = count;
        for (std::int32_t i = 0; i < size; ++i) {
            of[i].reach = of[i].behind;
            for (auto *other = beside.of(i), *to = beside.of(i + 1); other != to; ++other)
                if (of[i].reach <= of[*other].first) of[i].reach = of[*other].first + 1;
        }
    }
};

} // namespace ahead::detail
