// SPDX-License-Identifier: MIT
// The conversion of integer sums: to f32, or to integers on the grid of the result.
// Invariant: the steps of aten::detail::quantized_sums, except that a sum times its scale plus its bias is contracted
// if the machine supports it. Called by quantised/matmul.hpp and quantised/convolution.hpp.
#pragma once
#include <ahead/ir/type/dtype.hpp>
#include <ahead/kernels/vector/byte_products.hpp>
#include <ahead/kernels/vector/packet_math.hpp>

namespace AHEAD_NAMESPACE::kernels {

/// The operands of a task by their role; those that the key does not have are null. The input and the packed weights
/// precede them.
struct quantised_operands {
    const std::int32_t* starts;
    const float* scales;
    const std::int32_t* weight_zeros;
    const float *bias, *inverse, *zero;
};
/// first: the port of `starts`.
template <auto Key>
[[gnu::always_inline]] inline quantised_operands operands_of_sums(const auto& at, std::size_t first) {
    quantised_operands out{
        at.template in<std::int32_t>(first), at.template in<float>(first + 1), nullptr, nullptr, nullptr, nullptr};
    std::size_t next = first + 2;
    if constexpr (Key.weight_zeros) out.weight_zeros = at.template in<std::int32_t>(next++);
    if constexpr (Key.bias) out.bias = at.template in<float>(next++);
    if constexpr (Key.out != dtype::f32) {
        out.inverse = at.template in<float>(next);
        out.zero = at.template in<float>(next + 1);
    }
    return out;
}

/// Stores the first Count of a vector of sums, converted by Key, at `to` in the result.
template <auto Key, int Count, int L>
[[gnu::always_inline]] inline void store_sums(quads<L> sums, simd<float, L> scale, simd<float, L> bias,
                                              simd<float, L> inverse, simd<float, L> zero, element_t<Key.out>* to) {
    using numbers = simd<float, L>;
    auto y = sums.template as<float>();
    if constexpr (Key.bias) y = fma(y, scale, bias);
    else y = y * scale;
    if constexpr (Key.relu) y = detail::select(y < numbers::zero(), numbers::zero(), y);
    if constexpr (Key.out == dtype::f32) {
        y.template store_first<Count>(to);
    } else {
        const auto least = numbers::all(static_cast<std::int32_t>(Key.low)),
                   most = numbers::all(static_cast<std::int32_t>(Key.high));
        y = round_to_even(y * inverse) + zero;
        y = detail::select(least < y, y, least); // NaN becomes the minimum
        y = detail::select(most < y, most, y);
        y.template as<std::int32_t>().template as<element_t<Key.out>>().template store_first<Count>(to);
    }
}

} // namespace ahead::kernels
