// SPDX-License-Identifier: MIT
// The loop nest over strided tensors: sizes and strides are constants, the body is a callable.
// Invariant: positions are visited in row-major order. Called by all kernels with strides.
#pragma once
#include <ahead/device/key/strided_key.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace AHEAD_NAMESPACE::kernels {

/// Calls f(offsets) for every position of the first Dims dims of Loop, a device::basic_strided_key: offsets[t] is the
/// offset in elements in tensor t; tensor 0 is the result.
template <auto Loop, int Dims = Loop.rank, int Dim = 0, class F>
[[gnu::always_inline]] inline void nest(const F& f, std::array<std::int64_t, Loop.operands + 1> at = {}) {
    if constexpr (Dim >= Dims) {
        f(at);
    } else {
        constexpr auto d = static_cast<std::size_t>(Dim);
        constexpr auto size = Loop.sizes[d]; // constants: clang reads the members of some keys at a wrong address
        for (std::int64_t i = 0; i < size; ++i) {
            nest<Loop, Dims, Dim + 1>(f, at);
            [&]<std::size_t... T>(std::index_sequence<T...>) __attribute__((always_inline)) { // keeps them in registers
                ((at[T] += std::integral_constant<std::int64_t, Loop.strides[T][d]>::value), ...);
            }(std::make_index_sequence<at.size()>{});
        }
    }
}

} // namespace ahead::kernels
