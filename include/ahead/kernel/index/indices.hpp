// SPDX-License-Identifier: MIT
// What kernels that are given indices do first: look at all of them.
// Invariant: who goes on is given indices in range. Called by index_select.hpp, index_copy.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fault.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE::npu::kernel {

/// Whether all of them are below size, and from 0 on, or, where they may count from the end, from -size on. Refuses
/// index_is_out_of_range.
template <class Index>
[[gnu::always_inline]] inline bool check_indices(const Index* indices, std::int64_t count, std::int64_t size,
                                                 bool wraps, diagnosis& d) {
    const auto first = wraps ? -size : 0;
    for (std::int64_t i = 0; i < count; ++i)
        if (const auto given = static_cast<std::int64_t>(indices[i]); given < first || given >= size)
            return refuse(d, fault::index_is_out_of_range, expected_index(first, given, size), short_text() << given);
    return true;
}

} // namespace ahead::npu::kernel
