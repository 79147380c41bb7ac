// SPDX-License-Identifier: MIT
// Products of integers on grids: rows of i8 or u8 are copied, weights of i8 are stored in panels of quads
// (int_matmul.hpp).
// Invariant: sums are exact, modulo 2^32. Bytes of weights are stored with inverted sign bits if rows are i8, unchanged
// if rows are u8: one side of each product is unsigned.
#pragma once
#include <ahead/device/quantised/quantized_matmul.hpp>
#include <ahead/kernels/product/int_matmul.hpp>
#include <ahead/kernels/quantised/sums.hpp>

namespace AHEAD_NAMESPACE::kernels {

/// out[m, n] = x[m, k] by the weights that were packed by pack_quads<product_of(Key)>. Semantics: air.quantized_linear.
/// workspace: device::space_of(Key), 64-byte aligned. given: the number of rows, the key's or fewer.
template <device::quantized_matmul_key Key, class Rows = detail::rows_of_key>
inline void quantized_matmul(const std::int8_t* x, const std::byte* packed, const quantised_operands& with,
                             element_t<Key.out>* out, std::byte* workspace, Rows given = {}) {
    if constexpr (Key.m == 0 || Key.n == 0) return;
    else {
        constexpr auto product = device::product_of(Key);
        constexpr auto space = device::space_of(Key);
        constexpr auto a_row = space.row, n = Key.n;
        constexpr bool is_signed = Key.type == dtype::i8;
        const auto rows = reinterpret_cast<std::int8_t*>(workspace);
        const auto row_starts = reinterpret_cast<std::int32_t*>(workspace + space.starts);
        const auto row_sums = reinterpret_cast<std::int32_t*>(workspace + space.sums);
        for (std::int64_t i = 0; i < detail::count_rows<product>(given); ++i) {
            auto* const to = rows + i * a_row;
            std::copy_n(x + i * Key.k, Key.k, to);
            std::fill(to + Key.k, to + a_row, std::int8_t{0});
            if constexpr (is_signed) row_starts[i] = zero_point_correction<quad_lanes>(to, a_row);
            if constexpr (Key.weight_zeros) row_sums[i] = sum_of_bytes<quad_lanes, is_signed>(to, a_row);
        }
        detail::in_panels<product>([&](auto width, auto count, std::int64_t column) __attribute__((always_inline)) {
            constexpr int L = lanes_within<float>(width);
            const auto numbers = [&](auto valid, const float* from, int c) __attribute__((always_inline)) {
                return simd<float, L>::template load_first<valid>(from + column + c);
            };
            const auto inverse = simd<float, L>::all(Key.out == dtype::f32 ? 1.f : *with.inverse);
            const auto zero = simd<float, L>::all(Key.out == dtype::f32 ? 0.f : *with.zero);
            detail::grouped_panel<product, std::int32_t, a_row, width, count, 1>(
                reinterpret_cast<const std::byte*>(rows), packed + column * device::packed_depth(product),
                [&](auto valid, std::int64_t row, int c) __attribute__((always_inline)) {
                    auto sum = quads<L>::template load_first<valid>(with.starts + column + c);
                    if constexpr (is_signed) sum = sum + quads<L>::all(row_starts[row]);
                    if constexpr (Key.weight_zeros)
                        sum = sum - quads<L>::template load_first<valid>(with.weight_zeros + column + c) *
                                        quads<L>::all(row_sums[row]);
                    return sum;
                },
                [&](auto valid, const auto& sum, std::int64_t row, int c) __attribute__((always_inline)) {
                    auto bias = simd<float, L>::zero();
                    if constexpr (Key.bias) bias = numbers(valid, with.bias, c);
                    store_sums<Key, valid>(sum, numbers(valid, with.scales, c), bias, inverse, zero,
                                           out + row * n + column + c);
                },
                0, given);
        });
    }
}

template <> struct kernel_for<device::pack_quantized> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        kernels::pack_quads<Key>(at.template in<std::int8_t>(0), at.template out<std::int8_t>());
    }
};

template <> struct kernel_for<device::quantized_matmul> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        kernels::quantized_matmul<Key>(at.template in<std::int8_t>(0), at.template in<std::byte>(1),
                                       kernels::operands_of_sums<Key>(at, 2), at.template out<element_t<Key.out>>(),
                                       at.workspace);
    }
};

} // namespace ahead::kernels
