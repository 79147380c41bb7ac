// SPDX-License-Identifier: MIT
// The positions of the largest or smallest elements along a dim. Long rows are folded in vectors, block by block, and
// only a block that contains a better element is searched for its position; for short rows and for columns, elements
// and positions are kept in vectors, with one line per lane.
// Invariant: of equal elements the first wins; a NaN beats every number, and the first NaN beats all others.
#pragma once
#include <ahead/device/arg_reduce.hpp>
#include <ahead/kernels/reduce.hpp>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Whether x replaces `best`, element by element: both are numbers or vectors.
template <bool Largest> [[gnu::always_inline]] inline auto is_better(const auto& x, const auto& best) {
    if constexpr (Largest) return ((x > best) | (x != x)) & (best == best);
    else return ((x < best) | (x != x)) & (best == best);
}

/// The position of the best of Count elements that are Stride apart, compared one after another.
template <bool Largest, std::int64_t Count, std::int64_t Stride, class T> inline std::int64_t best_place(const T* x) {
    std::int64_t place = 0;
    for (std::int64_t i = 1; i < Count; ++i)
        if (is_better<Largest>(x[i * Stride], x[place * Stride])) place = i;
    return place;
}

/// The best of N elements, at least one vector: a NaN if there is one.
template <bool Largest, std::int64_t N, class T> [[gnu::always_inline]] inline T best_of(const T* x) {
    constexpr int width = register_lanes<T>;
    constexpr std::int64_t vectors = N / width;
    constexpr int together = vectors < 4 ? 1 : 4;
    using reducer = detail::reducer<Largest ? device::reduction::largest : device::reduction::smallest, T>;
    using numbers = simd<T, width>;
    numbers best[together];
    const auto join = [&](int k, std::int64_t from) __attribute__((always_inline)) {
        reducer::join(best[k].value, numbers::load(x + from).value);
    };
    unroll<together>([&](int k) __attribute__((always_inline)) { best[k] = numbers::load(x + k * width); });
    for (std::int64_t v = together; v + together <= vectors; v += together)
        unroll<together>([&](int k) __attribute__((always_inline)) { join(k, (v + k) * width); });
    for (std::int64_t v = vectors / together * together; v < vectors; ++v) join(0, v * width);
    if constexpr (N % width > 0) join(0, N - width); // overlaps the previous vectors
    unroll<together - 1>([&](int k)
                             __attribute__((always_inline)) { reducer::join(best[0].value, best[k + 1].value); });
    T one = best[0].value[0];
    for (int l = 1; l < width; ++l) reducer::join(one, static_cast<T>(best[0].value[l]));
    return one;
}

/// The position of the first element from x on that equals `wanted`, or that is a NaN if `wanted` is. pre: one of the N
/// elements does
template <std::int64_t N, class T> [[gnu::always_inline]] inline std::int64_t first_place(const T* x, T wanted) {
    constexpr int width = register_lanes<T>;
    constexpr std::int64_t some = 4 * width;
    std::int64_t place = 0;
    if (wanted == wanted)
        for (; place + some <= N; place += some) {
            const auto found = [&](int k) __attribute__((always_inline)) {
                return simd<T, width>::load(x + place + k * width).value == simd<T, width>::all(wanted).value;
            };
            const auto any = found(0) | found(1) | found(2) | found(3);
            std::uint64_t words[sizeof any / 8];
            std::memcpy(words, &any, sizeof any);
            std::uint64_t all = 0;
            for (const auto word : words) all |= word;
            if (all != 0) break;
        }
    while (x[place] != wanted && (wanted == wanted || x[place] == x[place])) ++place;
    return place;
}

/// The position of the best element of a row. Finds the best value of a block first, and its position only if it is
/// better.
template <bool Largest, std::int64_t Count, class T> inline std::int64_t best_in_row(const T* x) {
    constexpr std::int64_t block = std::min<std::int64_t>(Count, 512);
    T best{};
    std::int64_t place = -1;
    for (std::int64_t next = 0; next < Count; next += block) {
        const auto from = std::min(next, Count - block); // the last block may overlap the one before it
        const T found = best_of<Largest, block>(x + from);
        if (place >= 0 && !is_better<Largest>(found, best)) continue;
        best = found;
        place = from + first_place<block>(x + from, best);
    }
    return place;
}

/// Calls f(lane, position) for Vectors registers of lanes. Each lane goes through Count elements that are Step apart;
/// the lanes are Apart.
template <bool Largest, int Vectors, std::int64_t Count, std::int64_t Step, std::int64_t Apart, class T>
[[gnu::always_inline]] inline void best_of_each(const T* x, const auto& f) {
    constexpr int width = register_lanes<T>;
    using numbers = simd<T, width>;
    using place_type = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    using places = simd<place_type, width>;
    const auto load = [&](const T* from)
                          __attribute__((always_inline)) { return numbers::template load_apart<Apart>(from); };
    numbers best[Vectors];
    typename places::packet place[Vectors];
    unroll<Vectors>([&](int v) __attribute__((always_inline)) {
        best[v] = load(x + v * width * Apart);
        place[v] = typename places::packet{};
    });
    for (std::int64_t i = 1; i < Count; ++i) {
        const auto now = places::all(static_cast<place_type>(i)).value;
        unroll<Vectors>([&](int v) __attribute__((always_inline)) {
            const auto next = load(x + i * Step + v * width * Apart).value;
            const auto better = is_better<Largest>(next, best[v].value);
            best[v].value = better ? next : best[v].value;
            place[v] = better ? now : place[v];
        });
    }
    for (int v = 0; v < Vectors; ++v)
        for (int l = 0; l < width; ++l) f(v * width + l, static_cast<std::int64_t>(place[v][l]));
}

/// Calls f(line, position) for Lines lines of Count elements that are Step apart; the lines are Apart.
template <bool Largest, std::int64_t Lines, std::int64_t Count, std::int64_t Step, std::int64_t Apart, class T>
inline void best_of_lines(const T* x, const auto& f) {
    constexpr int width = register_lanes<T>, together = Apart == 1 ? 4 * width : width;
    constexpr bool in_vectors = !std::is_same_v<T, bool> && sizeof(T) >= 4 && // a position fits into an element
                                Count <= std::numeric_limits<std::int32_t>::max();
    constexpr auto most = in_vectors ? Lines / together * together : 0, whole = in_vectors ? Lines / width * width : 0;
    const auto each = [&](std::int64_t line, auto vectors) __attribute__((always_inline)) {
        best_of_each<Largest, vectors(), Count, Step, Apart>(
            x + line * Apart, [&](int lane, std::int64_t place) { f(line + lane, place); });
    };
    if constexpr (whole > 0) {
        for (std::int64_t i = 0; i < most; i += together) each(i, std::integral_constant<int, together / width>{});
        for (std::int64_t i = most; i < whole; i += width) each(i, std::integral_constant<int, 1>{});
    }
    for (auto i = whole; i < Lines; ++i) f(i, best_place<Largest, Count, Step>(x + i * Apart));
}

} // namespace detail

/// Writes positions, and the elements there if Key.values. Semantics: aten.argmax, argmin, max.dim, min.dim.
template <device::arg_reduce_key Key, class T = element_t<Key.type>>
inline void arg_reduce(const T* x, std::int64_t* places, [[maybe_unused]] T* values = nullptr) {
    constexpr auto outer = Key.outer, count = Key.count, inner = Key.inner;
    const auto put = [&](const T* first, std::int64_t place) __attribute__((always_inline)) {
        *places++ = place;
        if constexpr (Key.values) *values++ = first[place * inner];
    };
    if constexpr (outer == 0 || count == 0 || inner == 0) {
        return;
    } else if constexpr (inner == 1 && count >= 256 && !std::is_same_v<T, bool>) {
        for (std::int64_t o = 0; o < outer; ++o, x += count) put(x, detail::best_in_row<Key.largest, count>(x));
    } else if constexpr (inner == 1) {
        detail::best_of_lines<Key.largest, outer, count, 1, count>(
            x, [&](std::int64_t row, std::int64_t place) { put(x + row * count, place); });
    } else {
        for (std::int64_t o = 0; o < outer; ++o, x += count * inner)
            detail::best_of_lines<Key.largest, inner, count, inner, 1>(
                x, [&](std::int64_t column, std::int64_t place) { put(x + column, place); });
    }
}

template <> struct kernel_for<device::arg_reduce> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        if constexpr (Key.values)
            kernels::arg_reduce<Key>(at.template in<T>(0), at.template out<std::int64_t>(1), at.template out<T>());
        else kernels::arg_reduce<Key>(at.template in<T>(0), at.template out<std::int64_t>());
    }
};

} // namespace ahead::kernels
