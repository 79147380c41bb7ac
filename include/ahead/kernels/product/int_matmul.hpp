// SPDX-License-Identifier: MIT
// Products of i8 whose sums are i32, by sums of four products of bytes: a's rows are copied quad by quad, b is stored
// in panels of quads, as device::packed_elements describes.
// Invariant: exact, modulo 2^32. b's bytes are stored with inverted sign bits, as numbers from 0 to 255, which adds 128
// times the sum of a's row to all sums of that row: the initial value of the sums compensates for it. If a is u8, b's
// bytes are stored unchanged. Called by matmul.hpp and quantised/, to pack, and by
// runtime/launch/instantiate_kernels.hpp for npu.int_matmul.
#pragma once
#include <ahead/device/product/int_matmul.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/product/grouped_tiles.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Packs columns [column, column + Count) of a strided b as a panel of Width. Rows after k hold any numbers: a has
/// zeros.
template <device::matmul_key Key, int Width, int Count>
inline void panel_of_quads(const std::int8_t* b, std::uint8_t* panel, std::int64_t column) {
    for (std::int64_t k = 0; k < Key.k; k += 4, panel += 4 * Width) {
        for (std::int64_t j = 0; j < Width; j += 16) {
            const std::int64_t first = (column + j) * Key.b_col, count = std::min<std::int64_t>(16, Count - j);
            std::int8_t copied[4][16];
            const std::int8_t* rows[4];
            for (std::int64_t q = 0; q < 4; ++q) {
                rows[q] = b + std::min(k + q, Key.k - 1) * Key.b_row + first;
                if (Key.b_col == 1 && count == 16) continue; // they can be read in place
                for (std::int64_t i = 0; i < 16; ++i)
                    copied[q][i] = i < count ? rows[q][i * Key.b_col] : std::int8_t{0};
                rows[q] = copied[q];
            }
            pack_vnni4<Key.type == dtype::i8>(rows, panel + 4 * j);
        }
    }
}

/// Copies the rows of a, padded with zeros, and computes the initial values of their sums.
template <device::matmul_key Key, std::int64_t Row>
inline void copy_rows(const std::int8_t* a, std::int8_t* to, std::int32_t* starts) {
    for (std::int64_t i = 0; i < Key.m; ++i, a += Key.a_row, to += Row) {
        if constexpr (Key.a_col == 1) std::copy_n(a, Key.k, to);
        else
            for (std::int64_t k = 0; k < Key.k; ++k) to[k] = a[k * Key.a_col];
        std::fill(to + Key.k, to + Row, std::int8_t{0});
        starts[i] = zero_point_correction<quad_lanes>(to, Row);
    }
}

} // namespace detail

/// Packs b as device::packed_elements(Key) describes.
template <device::matmul_key Key> void pack_quads(const std::int8_t* b, std::int8_t* packed) {
    const auto to = reinterpret_cast<std::uint8_t*>(packed);
    detail::in_panels<Key>([&](auto width, auto count, std::int64_t column) __attribute__((always_inline)) {
        detail::panel_of_quads<Key, width, count>(b, to + column * device::packed_depth(Key), column);
    });
}

/// out[m, n] = a @ b in i32. Semantics: aten._int_mm. b: packed by pack_matmul<Key> if Key.packed, else strided.
/// workspace: device::space_of_int_matmul(Key), 64-byte aligned.
template <device::matmul_key Key>
inline void int_matmul(const std::int8_t* a, const std::int8_t* b, std::int32_t* out, std::byte* workspace) {
    static_assert(Key.type == dtype::i8 && !Key.bias);
    if constexpr (Key.m == 0 || Key.n == 0) return;
    else {
        constexpr auto space = device::space_of_int_matmul(Key);
        constexpr auto a_row = space.row; // g++ 12 does not find a member of a constant in the lambdas below
        const auto rows = reinterpret_cast<std::int8_t*>(workspace);
        const auto starts = reinterpret_cast<std::int32_t*>(workspace + space.starts);
        detail::copy_rows<Key, a_row>(a, rows, starts);
        detail::in_panels<Key>([&](auto width, auto count, std::int64_t column) __attribute__((always_inline)) {
            auto panel = reinterpret_cast<const std::uint8_t*>(b) + column * device::packed_depth(Key);
            if constexpr (!Key.packed) {
                const auto made = reinterpret_cast<std::uint8_t*>(workspace + space.panel);
                detail::panel_of_quads<Key, width, count>(b, made, column);
                panel = made;
            }
            detail::grouped_panel<Key, std::int32_t, a_row, width, count, 1>(
                reinterpret_cast<const std::byte*>(rows), reinterpret_cast<const std::byte*>(panel),
                [&](auto, std::int64_t row, int)
                    __attribute__((always_inline)) { return quads<lanes_within<float>(width)>::all(starts[row]); },
                [&](auto valid, const auto& sum, std::int64_t row, int c) __attribute__((always_inline)) {
                    sum.template store_first<valid>(out + row * Key.n + column + c);
                });
        });
    }
}

template <> struct kernel_for<device::int_matmul> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        kernels::int_matmul<Key>(at.template in<std::int8_t>(0), at.template in<std::int8_t>(1),
                                 at.template out<std::int32_t>(), at.workspace);
    }
};

} // namespace ahead::kernels
