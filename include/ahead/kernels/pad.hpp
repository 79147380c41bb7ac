// SPDX-License-Identifier: MIT
// Padding of any rank: constant, reflected, replicated. Source of the semantics: aten/src/ATen/native/PadNd.cpp.
// Invariant: the output is written once, in row-major order; the part of a row inside x is copied as a whole.
#pragma once
#include <ahead/core/math.hpp>
#include <ahead/device/pad.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <algorithm>
#include <bit>
#include <cstring>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// The index along dim D whose element is copied to output index i, or -1 for the constant.
template <device::pad_key Key, std::size_t D> constexpr std::int64_t padded_source(std::int64_t i) {
    const std::int64_t at = i - Key.before[D];
    if (at >= 0 && at < Key.in[D]) return at;
    if constexpr (Key.mode == device::pad_mode::constant) return -1;
    if constexpr (Key.mode == device::pad_mode::replicate) return at < 0 ? 0 : Key.in[D] - 1;
    return at < 0 ? -at : 2 * (Key.in[D] - 1) - at;
}

constexpr std::int64_t elements_below(const device::pad_key& key, int dim) {
    std::int64_t count = 1;
    for (int d = dim + 1; d < key.rank; ++d) count *= key.out[static_cast<std::size_t>(d)];
    return count;
}

/// The constant that a constant pad puts around x.
template <device::pad_key Key, class T>
inline constexpr T padding = math::convert<T>(std::bit_cast<double>(Key.value_bits));

/// Writes one slice of dims [Dim, rank) to `out`; returns its end.
template <device::pad_key Key, int Dim, class T> inline T* pad_dims(const T* x, T* out) {
    constexpr auto d = static_cast<std::size_t>(Dim);
    constexpr auto stride = Key.strides[d], below = elements_below(Key, Dim);
    const auto each = [&](std::int64_t begin, std::int64_t end) __attribute__((always_inline)) {
        for (std::int64_t i = begin; i < end; ++i) {
            const auto from = padded_source<Key, d>(i);
            if (Key.mode == device::pad_mode::constant && from < 0) out = std::fill_n(out, below, padding<Key, T>);
            else if constexpr (Dim + 1 == Key.rank) *out++ = x[from * stride];
            else out = pad_dims<Key, Dim + 1>(x + from * stride, out);
        }
    };
    constexpr auto begin = std::clamp<std::int64_t>(Key.before[d], 0, Key.out[d]);
    constexpr auto end = std::clamp<std::int64_t>(Key.before[d] + Key.in[d], begin, Key.out[d]);
    if constexpr (Dim + 1 == Key.rank && stride == 1 && begin < end) {
        each(0, begin);
        std::memcpy(out, x + (begin - Key.before[d]), sizeof(T) * static_cast<std::size_t>(end - begin));
        out += end - begin;
        each(end, Key.out[d]);
    } else {
        each(0, Key.out[d]);
    }
    return out;
}

} // namespace detail

/// out, contiguous, = x grown (or shrunk) at both ends of every dim. x: not read if out contains no element of x.
template <device::pad_key Key, class T = element_t<Key.type>> inline void pad(const T* x, T* out) {
    constexpr bool is_empty = std::count(Key.in.begin(), Key.in.begin() + Key.rank, 0) > 0; // x may then be invalid
    if constexpr (Key.rank == 0) *out = *x;
    else if constexpr (is_empty && Key.mode == device::pad_mode::constant)
        std::fill_n(out, detail::elements_below(Key, -1), detail::padding<Key, T>);
    else if constexpr (detail::elements_below(Key, -1) > 0) detail::pad_dims<Key, 0>(x, out);
}

template <> struct kernel_for<device::pad> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernels::pad<Key>(at.template in<T>(0), at.template out<T>());
    }
};

} // namespace ahead::kernels
