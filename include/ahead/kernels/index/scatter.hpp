// SPDX-License-Identifier: MIT
// Scatter: writes slices, or single elements, of a view at positions given by indices, or folds them with the elements
// there.
// Invariant: nothing outside the view is written, whatever the indices are, and nothing at all if one is out of range.
// Elements are taken in row-major order, each rounded as it is folded: for repeated indices the last one wins, or they
// are folded in that order. An additional pass over the positions is made before, if the old elements do not take part
// in the fold, and after, if the results are divided.
#pragma once
#include <ahead/aten/pointwise/division.hpp>
#include <ahead/device/index/scatter.hpp>
#include <ahead/kernels/copy.hpp>
#include <ahead/kernels/index/indices.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// The new value of an element after x is folded into it. A NaN wins over every number.
template <device::put_as Put, class T> [[gnu::always_inline]] inline T folded(T there, T x) {
    using device::put_as;
    if constexpr (!std::is_arithmetic_v<T>) return folded<Put, float>(there, x); // f16 or bf16
    else if constexpr (Put == put_as::sum || Put == put_as::mean) return math::add(there, x);
    else if constexpr (Put == put_as::product) return math::mul(there, x);
    else if constexpr (Put == put_as::largest) return ((x > there) | (x != x)) ? x : there;
    else return ((x < there) | (x != x)) ? x : there;
}

/// The neutral element of folded().
template <device::put_as Put, class T> constexpr T neutral() {
    using device::put_as;
    using limits = std::numeric_limits<T>;
    if constexpr (!std::is_arithmetic_v<T>) return neutral<Put, float>();
    else if constexpr (Put == put_as::product) return T(1);
    else if constexpr (Put == put_as::largest) return limits::has_infinity ? -limits::infinity() : limits::lowest();
    else if constexpr (Put == put_as::smallest) return limits::has_infinity ? limits::infinity() : limits::max();
    else return limits::has_infinity ? -T(0) : T(0);
}
/// The mean of `count` elements with this sum, rounded down for integers.
template <class T> [[gnu::always_inline]] inline T mean_of(T sum, std::int64_t count) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(aten::floor_quotient(std::int64_t{sum}, count));
    else if constexpr (std::is_floating_point_v<T>) return sum / static_cast<T>(count);
    else return static_cast<float>(sum) / static_cast<float>(count);
}

/// Calls f for every element of a slice of the written tensor.
template <auto Slice> [[gnu::always_inline]] inline void each_of_slice(std::int64_t place, const auto& f) {
    nest<Slice>([&](const auto& at) __attribute__((always_inline)) { f(place + at[0]); });
}

/// Folds every element of a slice, a device::basic_strided_key of the written and the read tensor.
template <auto Slice, device::put_as Put, class T> [[gnu::always_inline]] inline void fold(const T* x, T* out) {
    constexpr auto last = static_cast<std::size_t>(std::max(0, Slice.rank - 1));
    constexpr auto size = device::innermost(Slice), to = Slice.strides[0][last], from = Slice.strides[1][last];
    constexpr bool in_vectors =
        std::is_floating_point_v<T> && Put == device::put_as::sum && Slice.rank > 0 && to == 1 && from == 1;
    constexpr int L = in_vectors ? lanes_within<T>(size) : 1;
    nest<Slice, Slice.rank - 1>([&](const auto& at) __attribute__((always_inline)) {
        const T* const row = x + at[1];
        T* const there = out + at[0];
        std::int64_t i = 0;
        if constexpr (L > 1)
            for (; i + L <= size; i += L) (simd<T, L>::load(there + i) + simd<T, L>::load(row + i)).store(there + i);
        for (; i < size; ++i) there[i * to] = folded<Put>(there[i * to], row[i * from]);
    });
}

} // namespace detail

/// If the result reuses self's memory, only the positions named by the indices are written. Refuses
/// index_is_out_of_range.
template <device::scatter_key Key> inline bool scatter(const auto& at, diagnosis& d) {
    constexpr auto loop = Key.places.loop;
    constexpr bool folds = Key.put != device::put_as::itself;
    using T = element_t<folds ? loop.types[0] : moved_as(loop.types[0])>;
    if constexpr (loop.elements() > 0)
        if (!check_places<Key.places, 2>(at, d)) return false;
    if (at.inputs[0] != at.outputs[0] && Key.whole_bytes > 0)
        std::memcpy(at.outputs[0], at.inputs[0], static_cast<std::size_t>(Key.whole_bytes));
    if constexpr (loop.elements() > 0) {
        constexpr auto slice = device::slice_of(loop, 0, 1);
        const T* const source = at.template in<T>(1);
        T* const view = at.template out<T>() + Key.offset;
        constexpr bool is_mean = Key.put == device::put_as::mean;
        const auto counts = reinterpret_cast<std::int64_t*>(at.workspace) + (is_mean ? Key.offset : 0);
        const auto each = [&](const auto& f) __attribute__((always_inline)) {
            for_each_place<Key.places, 2>(
                at, [&](std::int64_t place, std::int64_t)
                        __attribute__((always_inline)) { detail::each_of_slice<slice>(place, f); });
        };
        if constexpr (Key.replaces || is_mean)
            each([&](std::int64_t place) __attribute__((always_inline)) {
                if constexpr (Key.replaces) view[place] = detail::neutral<Key.put, T>();
                if constexpr (is_mean) counts[place] = !Key.replaces;
            });
        for_each_place<Key.places, 2>(
            at, [&](std::int64_t place, std::int64_t from) __attribute__((always_inline)) {
                if constexpr (folds) detail::fold<slice, Key.put>(source + from, view + place);
                else copy<slice>(source + from, view + place);
            });
        if constexpr (is_mean) {
            each([&](std::int64_t place) __attribute__((always_inline)) { ++counts[place]; });
            each([&](std::int64_t place) __attribute__((always_inline)) {
                if (const auto count = std::exchange(counts[place], 0); count > 0)
                    view[place] = detail::mean_of(view[place], count);
            });
        }
    }
    return true;
}

template <> struct kernel_for<device::scatter> {
    static constexpr bool refuses = true;
    template <auto Key> static bool run(const auto& at, diagnosis& d) { return kernels::scatter<Key>(at, d); }
};

} // namespace ahead::kernels
