// SPDX-License-Identifier: MIT
// PyTorch's memory formats, as far as strides determine them: row-major, or channels_last (channels_last_3d for
// volumes), where the channels of a pixel are contiguous.
// Source: c10/core/MemoryFormat.h. Called by type rules of operators that keep the format of their input.
#pragma once
#include <ahead/ir/type/tensor_type.hpp>

namespace AHEAD_NAMESPACE::ir {

/// The dim with the k-th smallest stride in channels_last order: channels, the spatial dims from the last to the first,
/// the batch.
constexpr int channels_last_dim(int rank, int k) { return k == 0 ? 1 : k == rank - 1 ? 0 : rank - k; }

/// Whether a batch of images, [N, C, H, W], or of volumes has strides in the order N, H, W, C. If sizes of 1 make it
/// ambiguous, it counts as row-major.
constexpr bool is_channels_last(const tensor_type& t) {
    if ((t.rank != 4 && t.rank != 5) || t.stride(1) == 0) return false;
    std::int64_t smallest = 0;
    for (int k = 0; k < t.rank; ++k) {
        const int d = channels_last_dim(t.rank, k);
        if (t.size(d) == 0 || t.stride(d) < smallest || (d == 0 && smallest == t.stride(1))) return false;
        smallest = t.stride(d) * t.size(d); // a size of 1 has no effect
    }
    return true;
}

/// Dense strides in the order N, H, W, C. pre: rank 4 or 5
constexpr void make_channels_last(tensor_type& t) {
    std::int64_t step = 1;
    for (int k = 0; k < t.rank; ++k) {
        const int d = channels_last_dim(t.rank, k);
        t.strides[static_cast<std::size_t>(d)] = step;
        if (const auto size = t.size(d); size > 1) static_cast<void>(__builtin_mul_overflow(step, size, &step));
    }
    t.offset = 0;
}

/// `out`, which is row-major, converted to the memory format of `of`, as operators on images do.
constexpr tensor_type in_format_of(const tensor_type& of, tensor_type out) {
    if (out.rank == of.rank && is_channels_last(of)) make_channels_last(out);
    return out;
}

} // namespace ahead::ir
