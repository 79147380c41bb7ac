// SPDX-License-Identifier: MIT
// Padding of any rank: constant, reflected, replicated. Source of the semantics: aten/src/ATen/native/PadNd.cpp.
#pragma once
#include <ahead/target/pad_key.hpp>
#include <bit>

namespace ahead::npu::kernel {

namespace detail {

/// The index along dim D that feeds output index i, or -1 where the constant goes.
template <target::pad_key Key, std::size_t D> constexpr std::int64_t padded_source(std::int64_t i) {
    const std::int64_t at = i - Key.before[D];
    if (at >= 0 && at < Key.in[D]) return at;
    if constexpr (Key.mode == target::pad_mode::constant) return -1;
    if constexpr (Key.mode == target::pad_mode::replicate) return at < 0 ? 0 : Key.in[D] - 1;
    return at < 0 ? -at : 2 * (Key.in[D] - 1) - at;
}

template <target::pad_key Key, int Dim, class T> inline void pad_dims(const T* x, T*& out, bool outside) {
    if constexpr (Dim == Key.rank) {
        *out++ = outside ? static_cast<T>(std::bit_cast<double>(Key.value_bits)) : *x;
    } else {
        constexpr auto d = static_cast<std::size_t>(Dim);
        for (std::int64_t i = 0; i < Key.out[d]; ++i) {
            const auto from = padded_source<Key, d>(i);
            pad_dims<Key, Dim + 1>(from < 0 ? x : x + from * Key.strides[d], out, outside || from < 0);
        }
    }
}

} // namespace detail

template <target::pad_key Key, class T = element_t<Key.type>> inline void pad(const T* x, T* out) { detail::pad_dims<Key, 0>(x, out, false); }

} // namespace ahead::npu::kernel
