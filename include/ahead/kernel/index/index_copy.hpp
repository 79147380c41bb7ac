// SPDX-License-Identifier: MIT
// Index copy: slices of a view written one by one, where indices say.
// Invariant: nothing outside the view is written, whatever the indices are, and nothing at all where one is out of
// range. Of indices that repeat the last one wins.
#pragma once
#include <ahead/kernel/copy.hpp>
#include <ahead/kernel/index/indices.hpp>
#include <ahead/target/op/index/index_copy.hpp>

namespace AHEAD_NAMESPACE::npu::kernel {

/// Refuses index_is_out_of_range.
template <target::index_copy_key Key> inline bool index_copy(const auto& at, diagnosis& d) {
    using T = element_t<moved_as(Key.slice.types[0])>;
    using index_type = std::conditional_t<Key.index == dtype::i64, std::int64_t, std::int32_t>;
    const auto* const indices = at.template in<index_type>(1);
    if (!check_indices(indices, Key.count, Key.slices, Key.wraps, d)) return false;
    if (at.inputs[0] != at.outputs[0] && Key.whole_bytes > 0)
        std::memcpy(at.outputs[0], at.inputs[0], static_cast<std::size_t>(Key.whole_bytes));
    const T* const source = at.template in<T>(2);
    T* const view = at.template out<T>() + Key.offset;
    for (std::int64_t i = 0; i < Key.count; ++i) {
        const auto given = static_cast<std::int64_t>(indices[i]);
        copy<Key.slice>(source + i * Key.source_stride,
                        view + (Key.wraps && given < 0 ? given + Key.slices : given) * Key.stride);
    }
    return true;
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::index_copy> {
    static constexpr bool refuses = true;
    template <auto Key> static bool run(const auto& at, diagnosis& d) { return kernel::index_copy<Key>(at, d); }
};

} // namespace ahead::npu
