// SPDX-License-Identifier: MIT
// Products of bf16 by sums of two products: a's rows are copied pair by pair, b is stored in panels of pairs, as
// device::packed_elements describes, or is copied to such panels.
// Invariant: summed in f32, and rounded once. If the machine has an instruction for it (vector/pair_products.hpp),
// subnormal numbers are treated as 0.
// Called by matmul.hpp.
#pragma once
#include <ahead/kernels/product/grouped_tiles.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Whether bf16 is multiplied in pairs. If packed: always with the instruction, without it only for few rows. If not
/// packed: with the instruction, except for few rows, which read b in place.
constexpr bool multiplies_pairs(const device::matmul_key& key) {
    if (key.type != dtype::bf16 || device::is_dot_product(key)) return false;
    const bool few = key.m <= device::rows_of_a_tile;
    return key.packed ? few || has_pair_products : !few && has_pair_products;
}

/// Packs columns [column, column + Count) of a strided b as a panel of Width pairs a row, with zeros after them.
template <device::matmul_key Key, int Width, int Count>
inline void panel_of_pairs(const bfloat16* b, bfloat16* panel, std::int64_t column) {
    constexpr std::int64_t groups = device::groups_of(Key), whole = Key.k / 2;
    if constexpr (Key.b_col == 1) {
        constexpr int L = lanes_within<float>(Width);
        for (std::int64_t g = 0; g < groups; ++g) {
            const auto* const first = b + 2 * g * Key.b_row + column;
            unroll<Width / L>([&](auto v) __attribute__((always_inline)) {
                constexpr int count = std::clamp(Count - v * L, 0, L);
                auto made = quads<L>::zero();
                if constexpr (count > 0)
                    made = pairs_of<L, count>(first + v * L, g < whole ? first + Key.b_row + v * L : nullptr);
                std::memcpy(static_cast<void*>(panel + 2 * (g * Width + v * L)), &made.value, sizeof made.value);
            });
        }
    } else {
        constexpr std::int64_t block = 16; // read along k, where it may be contiguous
        for (std::int64_t begin = 0; begin < groups; begin += block)
            for (int j = 0; j < Width; ++j)
                for (std::int64_t g = begin; g < std::min(groups, begin + block); ++g) {
                    const auto* const from = b + 2 * g * Key.b_row + (column + j) * Key.b_col;
                    auto* const to = panel + 2 * (g * Width + j);
                    to[0] = j < Count ? from[0] : bfloat16();
                    to[1] = j < Count && g < whole ? from[Key.b_row] : bfloat16();
                }
    }
}

} // namespace detail

/// Packs b as device::packed_elements(Key) describes.
template <device::matmul_key Key> void pack_pairs(const bfloat16* b, bfloat16* packed) {
    detail::in_panels<Key>([&](auto width, auto count, std::int64_t column) __attribute__((always_inline)) {
        detail::panel_of_pairs<Key, width, count>(b, packed + column * device::packed_depth(Key), column);
    });
}

/// matmul() for keys with multiplies_pairs(Key).
template <device::matmul_key Key, class Rows>
inline void pair_matmul(const bfloat16* a, const bfloat16* b, const bfloat16* bias, bfloat16* out, std::byte* workspace,
                        Rows count) {
    constexpr auto depth = device::packed_depth(Key);
    constexpr std::int64_t row_bytes = depth * std::int64_t{sizeof(bfloat16)};
    const auto rows = reinterpret_cast<bfloat16*>(workspace);
    for (std::int64_t i = 0; i < detail::count_rows<Key>(count); ++i) {
        auto* const to = rows + i * depth;
        if constexpr (Key.a_col == 1) std::copy_n(a + i * Key.a_row, Key.k, to);
        else
            for (std::int64_t k = 0; k < Key.k; ++k) to[k] = a[i * Key.a_row + k * Key.a_col];
        if constexpr (Key.k != depth) to[Key.k] = bfloat16();
    }
    constexpr auto parts = Key.packed && detail::is_whole<Rows> ? detail::row_parts(Key) : 1;
    for (std::int64_t part = 0; part < parts; ++part)
        detail::in_panels<Key>([&](auto width, auto columns, std::int64_t column) __attribute__((always_inline)) {
            const auto* panel = b + column * depth;
            if constexpr (!Key.packed) {
                const auto made = reinterpret_cast<bfloat16*>(workspace + device::widened_row_bytes(Key));
                if constexpr (Key.k > 0) detail::panel_of_pairs<Key, width, columns>(b, made, column);
                panel = made;
            }
            constexpr int L = lanes_within<float>(width);
            detail::grouped_panel<Key, float, row_bytes, width, columns, parts>(
                workspace, reinterpret_cast<const std::byte*>(panel),
                [&](auto valid, std::int64_t row, int c) __attribute__((always_inline)) {
                    return detail::bias_at<Key, float, L, valid>(bias, row, column + c);
                },
                [&](auto valid, const auto& sum, std::int64_t row, int c) __attribute__((always_inline)) {
                    store_as<valid>(sum, out + row * device::row_of_out(Key) + column + c);
                },
                part);
        });
}

} // namespace ahead::kernels
