// SPDX-License-Identifier: MIT
// Softmax of fewer elements of each row than the key says. Called by dynamic/bounded/run_bounded.hpp, attention.hpp.
// Invariant: rows have the distance of the key; nothing after the given elements is read or written.
#pragma once
#include <ahead/kernels/dynamic/dynamic_kernel_for.hpp>
#include <ahead/kernels/softmax.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Calls f(count, at) for consecutive blocks of `count` elements: blocks of 64, then smaller and smaller ones.
[[gnu::always_inline]] inline void in_fewer_blocks(std::int64_t count, auto f) {
    std::int64_t at = 0;
    for (; at + 64 <= count; at += 64) f(std::integral_constant<std::int64_t, 64>{}, at);
    unroll<6>([&](auto level) __attribute__((always_inline)) {
        constexpr std::int64_t size = 32 >> level;
        if (at + size > count) return;
        f(std::integral_constant<std::int64_t, size>{}, at);
        at += size;
    });
}

} // namespace detail

/// The first `count` elements of a row; out may be x. Semantics as softmax's.
template <bool Safe, bool Logarithm, class T> inline void softmax_of_elements(const T* x, T* out, std::int64_t count) {
    T largest = -std::numeric_limits<T>::infinity();
    detail::in_fewer_blocks(count, [&](auto size, std::int64_t at) __attribute__((always_inline)) {
        const T own = detail::largest_of<size()>(x + at);
        largest = largest < own || own != own ? own : largest;
    });
    if (Safe && largest < std::numeric_limits<T>::lowest()) largest = std::numeric_limits<T>::lowest();
    double total = 0;
    alignas(64) T made[64];
    detail::in_fewer_blocks(count, [&](auto size, std::int64_t at) __attribute__((always_inline)) {
        T* const to = Logarithm ? made : out + at;
        map<size()>([&](auto v) __attribute__((always_inline)) { return exp(v - decltype(v)::all(largest)); }, to,
                    x + at);
        total += detail::sum_of<size()>(static_cast<const T*>(to));
    });
    if constexpr (Logarithm) {
        const T least = static_cast<T>(std::log(total));
        detail::in_fewer_blocks(count, [&](auto size, std::int64_t at) __attribute__((always_inline)) {
            map<size()>([&](auto v) __attribute__((
                            always_inline)) { return (v - decltype(v)::all(largest)) - decltype(v)::all(least); },
                        out + at, x + at);
        });
    } else {
        const T part = detail::part_of<Safe, T>(total);
        detail::in_fewer_blocks(count, [&](auto size, std::int64_t at) __attribute__((always_inline)) {
            map<size()>([&](auto v) __attribute__((always_inline)) { return v * decltype(v)::all(part); }, out + at,
                        static_cast<const T*>(out + at));
        });
    }
}

template <> struct dynamic_kernel_for<device::softmax> {
    template <class Call> static void run(const auto& at, const runtime_extents& of) {
        constexpr auto key = Call::key;
        using T = element_t<key.type>;
        for (std::int64_t r = 0; r < key.rows; ++r)
            kernels::softmax_of_elements<key.safe, key.logarithm>(at.template in<T>(0) + r * key.count,
                                                                  at.template out<T>() + r * key.count, of.columns);
    }
};

} // namespace ahead::kernels
