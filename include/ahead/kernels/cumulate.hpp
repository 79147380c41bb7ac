// SPDX-License-Identifier: MIT
// Running sums and products along a dim: floating ones in f64, each rounded once, integer ones in i64. Running
// extremes, and their positions.
// Invariant: the elements of a line are joined in order, whatever is computed in parallel; an element is read before
// its position is written, so x and out may be the same.
#pragma once
#include <ahead/device/cumulate.hpp>
#include <ahead/kernels/reduce.hpp>
#include <algorithm>
#include <cstdint>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// A line of Count elements that are Step apart, in order; starts from `total`.
template <class Reducer, std::int64_t Count, std::int64_t Step, class T>
[[gnu::always_inline]] inline void cumulate_line(const T* x, T* out, typename Reducer::S total = Reducer::start()) {
    for (std::int64_t i = 0; i < Count; ++i) {
        Reducer::join(total, static_cast<typename Reducer::S>(x[i * Step]));
        out[i * Step] = static_cast<T>(total);
    }
}
/// Rows rows of Count elements, interleaved, because each sum of a row depends on the previous one. Elements are
/// converted in vectors, since the machine's scalar conversion has a false dependency on its destination register.
template <class Reducer, int Rows, std::int64_t Count, class T>
[[gnu::always_inline]] inline void cumulate_rows(const T* x, T* out) {
    using S = typename Reducer::S;
    constexpr int width = register_lanes<S>;
    S total[Rows];
    for (S& each : total) each = Reducer::start();
    constexpr auto whole = Count / width * width;
    for (std::int64_t i = 0; i < whole; i += width) {
        S some[Rows][width];
        unroll<Rows>([&](int k) __attribute__((always_inline)) {
            simd<T, width>::load(x + k * Count + i).template as<S>().store(some[k]);
        });
        unroll<width>([&](int l) __attribute__((always_inline)) {
            unroll<Rows>([&](int k) __attribute__((always_inline)) {
                Reducer::join(total[k], some[k][l]);
                some[k][l] = total[k];
            });
        });
        unroll<Rows>([&](int k) __attribute__((always_inline)) {
            simd<S, width>::load(some[k]).template as<T>().store(out + k * Count + i);
        });
    }
    for (int k = 0; k < Rows; ++k)
        cumulate_line<Reducer, Count - whole, 1>(x + k * Count + whole, out + k * Count + whole, total[k]);
}
/// The same for Lines adjacent lines, in vectors: row after row, so that memory is read sequentially; the totals stay
/// in a near cache.
template <class Reducer, std::int64_t Lines, std::int64_t Count, std::int64_t Step, class T>
inline void cumulate_columns(const T* x, T* out) {
    using S = typename Reducer::S;
    constexpr int width = register_lanes<S>;
    alignas(64) S totals[Lines];
    std::fill_n(totals, Lines, Reducer::start());
    for (std::int64_t i = 0; i < Count; ++i, x += Step, out += Step)
        for (std::int64_t line = 0; line < Lines; line += width) {
            auto total = simd<S, width>::load(totals + line);
            Reducer::join(total.value, simd<T, width>::load(x + line).template as<S>().value);
            total.store(totals + line);
            total.template as<T>().store(out + line);
        }
}
/// Running extremes; of equal ones the last wins. The previous row of `out` holds the extremes so far.
template <bool Largest, class T>
[[gnu::noinline]] void cumulate_extremes(const T* x, T* out, std::int64_t* places, std::int64_t count,
                                         std::int64_t inner) {
    for (std::int64_t i = 0; i < inner; ++i) {
        out[i] = x[i];
        places[i] = 0;
    }
    for (std::int64_t k = 1; k < count; ++k)
        for (auto i = k * inner; i < (k + 1) * inner; ++i) {
            const T here = x[i], best = out[i - inner];
            const bool is_better = (here != here) | (Largest ? here >= best : here <= best);
            out[i] = is_better ? here : best;
            places[i] = is_better ? k : places[i - inner];
        }
}
} // namespace detail

/// Semantics: aten.cummax, cummin.
template <device::cumulate_key Key, class T = element_t<Key.type>>
inline void cumulate_extremes(const T* x, T* out, std::int64_t* places) {
    constexpr auto line = Key.count * Key.inner;
    if constexpr (line > 0)
        for (std::int64_t at = 0; at < Key.outer * line; at += line)
            detail::cumulate_extremes<Key.kind == device::reduction::largest>(x + at, out + at, places + at, Key.count,
                                                                              Key.inner);
}
/// Semantics: aten.cumsum, cumprod.
template <device::cumulate_key Key, class T = element_t<Key.type>> inline void cumulate(const T* x, T* out) {
    using reducer = detail::reducer<Key.kind, T>;
    constexpr auto outer = Key.outer, count = Key.count, inner = Key.inner;
    if constexpr (outer == 0 || count == 0 || inner == 0) return;
    else if constexpr (inner == 1) {
        constexpr std::int64_t together = 4, whole = outer / together * together;
        for (std::int64_t row = 0; row < whole; row += together)
            detail::cumulate_rows<reducer, together, count>(x + row * count, out + row * count);
        for (std::int64_t row = 0; row < outer % together; ++row)
            detail::cumulate_rows<reducer, 1, count>(x + (whole + row) * count, out + (whole + row) * count);
    } else {
        constexpr std::int64_t width = register_lanes<typename reducer::S>, whole = inner / width * width;
        constexpr std::int64_t strip = 512, strips = whole / strip * strip;
        for (std::int64_t o = 0; o < outer; ++o, x += count * inner, out += count * inner) {
            for (std::int64_t column = 0; column < strips; column += strip)
                detail::cumulate_columns<reducer, strip, count, inner>(x + column, out + column);
            if constexpr (strips < whole)
                detail::cumulate_columns<reducer, whole - strips, count, inner>(x + strips, out + strips);
            for (auto column = whole; column < inner; ++column)
                detail::cumulate_line<reducer, count, inner>(x + column, out + column);
        }
    }
}

template <> struct kernel_for<device::cumulate> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        if constexpr (device::gives_places(Key))
            kernels::cumulate_extremes<Key>(at.template in<T>(0), at.template out<T>(),
                                            at.template out<std::int64_t>(1));
        else kernels::cumulate<Key>(at.template in<T>(0), at.template out<T>());
    }
};

} // namespace ahead::kernels
