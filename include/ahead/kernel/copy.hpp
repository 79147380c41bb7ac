// SPDX-License-Identifier: MIT
// Strided copy to a contiguous output: permute, expand, slice, flip made real.
// Invariant: reads only elements that the key names. Called by npu/ for device copies; keys are in
// target/key/copy_key.hpp.
#pragma once
#include <ahead/kernel/vector/lanes.hpp>
#include <ahead/target/key/copy_key.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace AHEAD_NAMESPACE::npu::kernel {

namespace detail {

constexpr std::int64_t elements_below(const target::copy_key& key, int dim) {
    std::int64_t count = 1;
    for (int i = dim + 1; i < key.rank; ++i) count *= key.sizes[static_cast<std::size_t>(i)];
    return count;
}

/// Lanes of a square tile that is turned in registers: its element is moved as a float of the same size.
template <class T>
inline constexpr int turned_lanes = sizeof(T) == 4   ? lanes_within<float>(8)
                                    : sizeof(T) == 8 ? lanes_within<double>(4)
                                                     : 1;

/// out[r, c] = in[c, r] for one such tile.
template <std::int64_t InRow, std::int64_t OutRow, class T>
[[gnu::always_inline]] inline void turn_tile(const T* in, T* out) {
    using real = std::conditional_t<sizeof(T) == 4, float, double>;
    constexpr int L = turned_lanes<T>;
    Eigen::internal::PacketBlock<typename lanes<real, L>::packet, L> tile;
    unroll<L>([&](int i) __attribute__((always_inline)) {
        tile.packet[i] = lanes<real, L>::load(reinterpret_cast<const real*>(in + i * InRow)).value;
    });
    Eigen::internal::ptranspose(tile);
    unroll<L>([&](int i) __attribute__((always_inline)) {
        lanes<real, L>{tile.packet[i]}.store(reinterpret_cast<real*>(out + i * OutRow));
    });
}

/// out[Rows, Columns] from an input whose rows are contiguous in the other direction, in blocks that stay in the
/// nearest cache.
template <std::int64_t Rows, std::int64_t Columns, std::int64_t ColumnStride, class T>
inline void transpose(const T* in, T* out) {
    constexpr std::int64_t block = 32, L = turned_lanes<T>;
    constexpr auto whole_rows = L == 1 ? 0 : Rows / L * L, whole_columns = whole_rows == 0 ? 0 : Columns / L * L;
    if constexpr (whole_columns > 0)
        for (std::int64_t r0 = 0; r0 < whole_rows; r0 += block)
            for (std::int64_t c0 = 0; c0 < whole_columns; c0 += block)
                for (std::int64_t r = r0; r < std::min(whole_rows, r0 + block); r += L)
                    for (std::int64_t c = c0; c < std::min(whole_columns, c0 + block); c += L)
                        turn_tile<ColumnStride, Columns>(in + r + c * ColumnStride, out + r * Columns + c);
    for (std::int64_t r = 0; r < whole_rows; ++r)
        for (std::int64_t c = whole_columns; c < Columns; ++c) out[r * Columns + c] = in[r + c * ColumnStride];
    for (std::int64_t r = whole_rows; r < Rows; ++r)
        for (std::int64_t c = 0; c < Columns; ++c) out[r * Columns + c] = in[r + c * ColumnStride];
}

template <target::copy_key Key, int Dim, class T> [[gnu::always_inline]] inline void copy_dims(const T* in, T* out) {
    if constexpr (Dim == Key.rank) {
        *out = *in;
    } else {
        constexpr auto size = Key.sizes[static_cast<std::size_t>(Dim)],
                       stride = Key.strides[static_cast<std::size_t>(Dim)];
        constexpr bool turned = [] {
            if (Dim + 2 != Key.rank) return false;
            return Key.strides[static_cast<std::size_t>(Dim)] == 1 &&
                   Key.strides[static_cast<std::size_t>(Dim + 1)] > 1;
        }();
        if constexpr (turned) {
            transpose<size, Key.sizes[static_cast<std::size_t>(Dim + 1)],
                      Key.strides[static_cast<std::size_t>(Dim + 1)]>(in, out);
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

/// out[sizes...] = in, element (i, j, ...) at i * strides[0] + j * strides[1] + ... Semantics: aten.clone of a strided
/// view.
template <target::copy_key Key, class T = element_t<Key.type>> inline void copy(const T* in, T* out) {
    if constexpr (target::elements(Key) > 0) detail::copy_dims<target::with_dims_merged(Key), 0>(in, out);
}

} // namespace ahead::npu::kernel
