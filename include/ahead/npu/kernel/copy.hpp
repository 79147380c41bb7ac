// SPDX-License-Identifier: MIT
// Strided copy to a contiguous output: permute, expand, slice, flip made real.
// Invariant: reads only elements that the key names. Called by npu/ for device copies; keys are in target/copy_key.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../../target/copy_key.hpp"

namespace ahead::npu::kernel {

namespace detail {

constexpr std::int64_t elements_below(const target::copy_key& key, int dim) {
    std::int64_t count = 1;
    for (int i = dim + 1; i < key.rank; ++i) count *= key.sizes[static_cast<std::size_t>(i)];
    return count;
}

/// out[Rows, Columns] from an input whose rows are contiguous in the other direction, in blocks that stay in the nearest cache.
template <std::int64_t Rows, std::int64_t Columns, std::int64_t ColumnStride, class T> inline void transpose(const T* in, T* out) {
    constexpr std::int64_t block = 16;
    for (std::int64_t r0 = 0; r0 < Rows; r0 += block)
        for (std::int64_t c0 = 0; c0 < Columns; c0 += block)
            for (std::int64_t r = r0; r < std::min(Rows, r0 + block); ++r)
                for (std::int64_t c = c0; c < std::min(Columns, c0 + block); ++c) out[r * Columns + c] = in[r + c * ColumnStride];
}

template <target::copy_key Key, int Dim, class T> [[gnu::always_inline]] inline void copy_dims(const T* in, T* out) {
    if constexpr (Dim == Key.rank) {
        *out = *in;
    } else {
        constexpr auto size = Key.sizes[static_cast<std::size_t>(Dim)], stride = Key.strides[static_cast<std::size_t>(Dim)];
        constexpr bool turned = [] {
            if (Dim + 2 != Key.rank) return false;
            return Key.strides[static_cast<std::size_t>(Dim)] == 1 && Key.strides[static_cast<std::size_t>(Dim + 1)] > 1;
        }();
        if constexpr (turned) {
            transpose<size, Key.sizes[static_cast<std::size_t>(Dim + 1)], Key.strides[static_cast<std::size_t>(Dim + 1)]>(in, out);
        } else if constexpr (Dim + 1 == Key.rank && stride == 1) {
            std::memcpy(out, in, sizeof(T) * static_cast<std::size_t>(size));
        } else if constexpr (Dim + 1 == Key.rank && stride == 0) {
            std::fill(out, out + size, *in);
        } else {
            constexpr auto below = elements_below(Key, Dim);
            for (std::int64_t i = 0; i < size; ++i) copy_dims<Key, Dim + 1>(in + i * stride, out + i * below);
        }
    }
}

} // namespace detail

/// out[sizes...] = in, element (i, j, ...) at i * strides[0] + j * strides[1] + ... Semantics: aten.clone of a strided view.
template <target::copy_key Key, class T = element_t<Key.type>> inline void copy(const T* in, T* out) {
    if constexpr (target::elements(Key) > 0) detail::copy_dims<target::with_dims_merged(Key), 0>(in, out);
}

} // namespace ahead::npu::kernel
