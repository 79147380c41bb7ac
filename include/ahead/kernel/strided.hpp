// SPDX-License-Identifier: MIT
// Loops over strided tensors, unrolled to nests at compile time by a strided_key. Called by program/lift.hpp for
// copies and for every pointwise operator that has no vector form in packet_math.hpp.
#pragma once
#include <ahead/kernel/copy.hpp>
#include <ahead/kernel/kernel_for.hpp>
#include <ahead/target/key/strided_key.hpp>
#include <ahead/target/op/copy.hpp>

namespace AHEAD_NAMESPACE::npu::kernel {

namespace detail {

template <target::strided_key Key, int Dim, class F, class Out, class... In>
[[gnu::always_inline]] inline void each_element(F& f, Out* out, const In*... in) {
    if constexpr (Dim == Key.rank) {
        f(*out, *in...);
    } else {
        constexpr auto d = static_cast<std::size_t>(Dim);
        for (std::int64_t i = 0; i < Key.sizes[d]; ++i)
            [&]<std::size_t... T>(std::index_sequence<T...>) __attribute__((always_inline)) {
                each_element<Key, Dim + 1>(f, out + i * Key.strides[0][d], (in + i * Key.strides[T + 1][d])...);
            }(std::index_sequence_for<In...>{});
    }
}

} // namespace detail

/// out = f(in...) for every element; operands broadcast by strides of 0.
template <target::strided_key Key, class F, class Out, class... In>
inline void each_element(F f, Out* out, const In*... in) {
    if constexpr (Key.elements() > 0) detail::each_element<Key, 0>(f, out, in...);
}

template <target::strided_key Key> inline void strided_copy(const auto& at) {
    using T = element_t<moved_as(Key.types[0])>;
    constexpr target::copy_key copied = [] {
        target::copy_key k{moved_as(Key.types[0]), Key.rank, Key.sizes, Key.strides[1]};
        return k;
    }();
    kernel::copy<copied>(at.template in<T>(0), at.template out<T>());
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::copy> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) { kernel::strided_copy<Key>(at); }
};

} // namespace ahead::npu
