// SPDX-License-Identifier: MIT
// Shared by both convolution methods: extents cut into tiles of nearly equal size, each size a constant.
// Called by convolution_filters.hpp, convolution_pixels.hpp and convolution.hpp.
#pragma once
#include <ahead/device/key/convolution_key.hpp>
#include <ahead/kernels/epilogue.hpp>
#include <cstdint>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels::detail {

/// A length cut into nearly equal pieces of at most `most`: `high` pieces of `size`, then pieces of size - 1.
struct even_cut {
    std::int64_t pieces, size, high;
};
constexpr even_cut cut_evenly(std::int64_t length, std::int64_t most) {
    const auto pieces = (length + most - 1) / most, size = (length + pieces - 1) / pieces;
    return {pieces, size, length - pieces * (size - 1)};
}

/// Calls f(piece size as a constant, begin) for each piece of an even cut of Length.
template <std::int64_t Length, std::int64_t Most, class F> [[gnu::always_inline]] inline void each_piece(F&& f) {
    constexpr auto cut = cut_evenly(Length, Most);
    for (std::int64_t i = 0; i < cut.high; ++i)
        f(std::integral_constant<int, static_cast<int>(cut.size)>{}, i * cut.size);
    if constexpr (cut.high < cut.pieces)
        for (std::int64_t i = cut.high; i < cut.pieces; ++i)
            f(std::integral_constant<int, static_cast<int>(cut.size - 1)>{},
              cut.high * cut.size + (i - cut.high) * (cut.size - 1));
}

/// bias + offset, if there is a bias; else null.
template <device::convolution_key Key, class T>
[[gnu::always_inline]] inline const T* bias_from(const T* bias, std::int64_t offset) {
    return Key.bias ? bias + offset : nullptr;
}

} // namespace ahead::kernels::detail
