// SPDX-License-Identifier: MIT
// Products of i8 whose sums are i32, by sums of four products of bytes: a's rows are copied quad by quad, b lies in
// panels of quads, as target::packed_elements describes.
// Invariant: exact, modulo 2^32. b's bytes lie with their signs turned, as numbers from 0 to 255, which adds 128 of
// each row's sum of a to all sums of that row: they start from what takes it away.
// Called by matmul.hpp, to pack, and by program/lift.hpp for npu.int_matmul.
#pragma once
#include <ahead/kernel/kernel_for.hpp>
#include <ahead/kernel/product/matmul_tiles.hpp>
#include <ahead/kernel/vector/byte_products.hpp>
#include <ahead/target/op/product/int_matmul.hpp>

namespace AHEAD_NAMESPACE::npu::kernel {

namespace detail {

/// Columns [column, column + Count) of a strided b as a panel of Width. What lies behind k is any number: a has zeros.
template <target::matmul_key Key, int Width, int Count>
inline void panel_of_quads(const std::int8_t* b, std::uint8_t* panel, std::int64_t column) {
    for (std::int64_t k = 0; k < Key.k; k += 4, panel += 4 * Width) {
        for (std::int64_t j = 0; j < Width; j += 16) {
            const std::int64_t first = (column + j) * Key.b_col, count = std::min<std::int64_t>(16, Count - j);
            std::int8_t copied[4][16];
            const std::int8_t* rows[4];
            for (std::int64_t q = 0; q < 4; ++q) {
                rows[q] = b + std::min(k + q, Key.k - 1) * Key.b_row + first;
                if (Key.b_col == 1 && count == 16) continue; // they lie so
                for (std::int64_t i = 0; i < 16; ++i)
                    copied[q][i] = i < count ? rows[q][i * Key.b_col] : std::int8_t{0};
                rows[q] = copied[q];
            }
            turn_into_quads(rows, panel + 4 * j);
        }
    }
}

/// The rows of a, zero behind them, and what their sums start from.
template <target::matmul_key Key, std::int64_t Row>
inline void copy_rows(const std::int8_t* a, std::int8_t* to, std::int32_t* starts) {
    for (std::int64_t i = 0; i < Key.m; ++i, a += Key.a_row, to += Row) {
        if constexpr (Key.a_col == 1) std::copy_n(a, Key.k, to);
        else
            for (std::int64_t k = 0; k < Key.k; ++k) to[k] = a[k * Key.a_col];
        std::fill(to + Key.k, to + Row, std::int8_t{0});
        starts[i] = take_away_128_times<quad_lanes>(to, Row);
    }
}

/// Rows x Count elements of out, from one block of a panel whose rows are Width quads apart and hold Cols whole
/// vectors.
template <target::matmul_key Key, std::int64_t Row, int Width, int L, int Cols, int Count, int Rows>
[[gnu::always_inline]] inline void tile_of_quads(const std::int8_t* a, const std::int32_t* starts,
                                                 const std::uint8_t* panel, std::int32_t* out) {
    quads<L> sum[Rows][Cols];
    unroll<Rows * Cols>(
        [&](int i) __attribute__((always_inline)) { sum[i / Cols][i % Cols] = quads<L>::all(starts[i / Cols]); });
    for (std::int64_t k = 0; k < target::quad_bytes(Key); k += 4) {
        quads<L> b[Cols];
        unroll<Cols>([&](int c)
                         __attribute__((always_inline)) { b[c] = load_quads<L>(panel + k * Width + 4 * c * L); });
        unroll<Rows>([&](int r) __attribute__((always_inline)) {
            const auto factor = spread_quad<L>(a + r * Row + k);
            unroll<Cols>(
                [&](int c) __attribute__((always_inline)) { sum[r][c] = add_byte_products(sum[r][c], b[c], factor); });
        });
    }
    unroll<Cols>([&](auto c) __attribute__((always_inline)) {
        constexpr int count = std::clamp(Count - c * L, 0, L);
        unroll<Rows>([&](int r) __attribute__((always_inline)) {
            sum[r][c].template store_first<count>(out + r * Key.n + c * L);
        });
    });
}

} // namespace detail

/// Lays b out as target::packed_elements(Key) describes.
template <target::matmul_key Key> void pack_quads(const std::int8_t* b, std::int8_t* packed) {
    const auto to = reinterpret_cast<std::uint8_t*>(packed);
    detail::in_panels<Key>([&](auto width, auto count, std::int64_t column) __attribute__((always_inline)) {
        detail::panel_of_quads<Key, width, count>(b, to + column * target::quad_bytes(Key), column);
    });
}

/// out[m, n] = a @ b in i32. Semantics: aten._int_mm. b: packed by pack_matmul<Key> where Key.packed, else strided.
/// workspace: target::space_of_int_matmul(Key), 64-byte aligned.
template <target::matmul_key Key>
inline void int_matmul(const std::int8_t* a, const std::int8_t* b, std::int32_t* out, std::byte* workspace) {
    static_assert(Key.type == dtype::i8 && !Key.bias);
    if constexpr (Key.m == 0 || Key.n == 0) return;
    else {
        constexpr auto space = target::space_of_int_matmul(Key);
        constexpr auto a_row = space.row; // g++ 12 does not find a member of a constant in the lambdas below
        const auto rows = reinterpret_cast<std::int8_t*>(workspace);
        const auto starts = reinterpret_cast<std::int32_t*>(workspace + space.starts);
        detail::copy_rows<Key, a_row>(a, rows, starts);
        detail::in_panels<Key>([&](auto width, auto count, std::int64_t column) __attribute__((always_inline)) {
            constexpr int L = lanes_within<float>(width), vectors = width / L;
            constexpr int cols = std::min(vectors, detail::most_vectors<Key>);
            auto panel = reinterpret_cast<const std::uint8_t*>(b) + column * target::quad_bytes(Key);
            if constexpr (!Key.packed) {
                const auto made = reinterpret_cast<std::uint8_t*>(workspace + space.panel);
                detail::panel_of_quads<Key, width, count>(b, made, column);
                panel = made;
            }
            unroll<(count + cols * L - 1) / (cols * L)>([&](auto block) __attribute__((always_inline)) {
                constexpr int begin = block * cols * L, here = std::min(cols, vectors - block * cols);
                detail::in_tiles<Key.m, detail::most_rows(here)>(
                    [&](auto height, std::int64_t row, std::int64_t) __attribute__((always_inline)) {
                        detail::tile_of_quads<Key, a_row, width, L, here, std::min(count - begin, here * L), height>(
                            rows + row * a_row, starts + row, panel + 4 * begin, out + row * Key.n + column + begin);
                    });
            });
        });
    }
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::int_matmul> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        kernel::int_matmul<Key>(at.template in<std::int8_t>(0), at.template in<std::int8_t>(1),
                                at.template out<std::int32_t>(), at.workspace);
    }
};

} // namespace ahead::npu
