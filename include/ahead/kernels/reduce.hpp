// SPDX-License-Identifier: MIT
// Reductions over any dims. Floating sums and products are computed in f64 and rounded once, integer ones in i64.
// Invariant: the order in which elements are joined depends only on the key. It is row-major, except along a contiguous
// innermost reduced dim, which is distributed over 8 or 32 partial results, joined two by two at the end.
#pragma once
#include <ahead/core/math/arithmetic.hpp>
#include <ahead/device/reduce.hpp>
#include <ahead/kernels/eigen_kernels.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/nest.hpp>
#include <ahead/kernels/vector/simd.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

using dims = device::merged_dims;
using device::is_contiguous_inside, device::merged;

/// The operations of a reduction of T on numbers of type S, or on vectors of them.
template <device::reduction Kind, class T> struct reducer {
    static constexpr bool adds = Kind == device::reduction::sum || Kind == device::reduction::mean;
    static constexpr bool multiplies = Kind == device::reduction::product;
    using sum_type = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
    using S = std::conditional_t<adds || multiplies, sum_type, T>;

    static constexpr S start() {
        using limits = std::numeric_limits<T>;
        if constexpr (adds) return 0;
        else if constexpr (multiplies) return 1;
        else if constexpr (Kind == device::reduction::largest)
            return limits::has_infinity ? -limits::infinity() : limits::lowest();
        else return limits::has_infinity ? limits::infinity() : limits::max();
    }
    /// a = a joined with b. Integers wrap. NaN wins in largest and smallest: once `a` is NaN, no comparison replaces
    /// it.
    template <class V> [[gnu::always_inline]] static void join(V& a, const V& b) {
        if constexpr (adds && std::is_integral_v<V>) a = math::add(a, b);
        else if constexpr (multiplies && std::is_integral_v<V>) a = math::mul(a, b);
        else if constexpr (adds) a += b;
        else if constexpr (multiplies) a *= b;
        else if constexpr (Kind == device::reduction::largest) a = ((b > a) | (b != b)) ? b : a;
        else a = ((b < a) | (b != b)) ? b : a;
    }
    static T finish(S result, std::int64_t count) {
        if constexpr (Kind == device::reduction::mean) return static_cast<T>(result / static_cast<S>(count));
        else return static_cast<T>(result);
    }
};

/// Count partial results, Count a multiple of 8.
template <class Reducer, int Count> struct partial_results {
    using S = typename Reducer::S;
    static constexpr int width = register_lanes<S>;
    simd<S, width> part[Count / width];

    [[gnu::always_inline]] partial_results() {
        for (auto& p : part) p = simd<S, width>::all(Reducer::start());
    }
    template <int First = Count, class T> [[gnu::always_inline]] void join(const T* from) { // with the first First
        unroll<First / width>([&](int at) __attribute__((always_inline)) {
            Reducer::join(part[at].value, simd<T, width>::load(from + at * width).template as<S>().value);
        });
    }
    S operator[](int i) const { return part[i / width].value[i % width]; }
    /// All of them, joined two by two.
    [[gnu::always_inline]] S joined() const {
        auto all = *this;
        unroll<std::bit_width(static_cast<unsigned>(Count / width)) - 1>(
            [&](auto level) __attribute__((always_inline)) {
                constexpr int half = Count / width >> (level + 1);
                unroll<half>([&](int i) __attribute__((always_inline)) {
                    Reducer::join(all.part[i].value, all.part[i + half].value);
                });
            });
        return across<width>(all.part[0].value);
    }

private:
    template <int Width> [[gnu::always_inline]] static S across(const auto& vector) {
        if constexpr (Width == 1) {
            return vector;
        } else if constexpr (Width == 2) {
            S first = vector[0];
            Reducer::join(first, static_cast<S>(vector[1]));
            return first;
        } else {
            return [&]<int... Nth>(std::integer_sequence<int, Nth...>) __attribute__((always_inline)) {
                auto low = picked<Nth...>(vector, vector);
                const auto high = picked<(Width / 2 + Nth)...>(vector, vector);
                Reducer::join(low, high);
                return across<Width / 2>(low);
            }(std::make_integer_sequence<int, Width / 2>{});
        }
    }
};

/// x[0] + ... + x[N - 1] in f64: the order depends on N alone.
template <std::int64_t N, class T> [[gnu::always_inline]] inline double sum_of(const T* x) {
    constexpr int width = register_lanes<double>, together = N >= 4 * width ? 4 : 1;
    using narrow = simd<T, width>;
    constexpr std::int64_t vectors = N / width, whole = vectors / together * together;
    constexpr int rest = static_cast<int>(N - vectors * width);
    simd<double, width> part[together]{};
    const auto add = [&](int at, const narrow& more)
                         __attribute__((always_inline)) { part[at] = part[at] + more.template as<double>(); };
    for (std::int64_t i = 0; i < whole; i += together)
        unroll<together>([&](int at) __attribute__((always_inline)) { add(at, narrow::load(x + (i + at) * width)); });
    unroll<static_cast<int>(vectors - whole)>(
        [&](int at) __attribute__((always_inline)) { add(at, narrow::load(x + (whole + at) * width)); });
    if constexpr (rest > 0) { // one by one: they may have been stored just before
        typename simd<double, width>::packet last{};
        for (int i = 0; i < rest; ++i) last[i] = static_cast<double>(x[vectors * width + i]);
        part[0].value += last;
    }
    for (int p = 1; p < together; ++p) part[0] = part[0] + part[p];
    return part[0].sum();
}

/// The running result of rows of N contiguous elements: distributed over 8 or 32 partial results if N is large enough.
template <class Reducer, std::int64_t N> struct row_result {
    using S = typename Reducer::S;
    static constexpr int together = N >= 32 ? 32 : 8;
    partial_results<Reducer, together> parts;
    S rest = Reducer::start();

    /// Joins Count more elements. Blocks of 32 give the same bits as a whole row at once.
    template <std::int64_t Count, class T> [[gnu::always_inline]] void join(const T* row) {
        constexpr std::int64_t whole = N >= 8 ? Count / 8 * 8 : 0, most = whole / together * together;
        for (std::int64_t i = 0; i < most; i += together) parts.join(row + i);
        for (std::int64_t i = most; i < whole; i += 8) parts.template join<8>(row + i);
        for (std::int64_t i = whole; i < Count; ++i) Reducer::join(rest, static_cast<S>(row[i]));
    }
    /// The result, for `count` elements in total.
    [[gnu::always_inline]] auto finish(std::int64_t count) {
        if constexpr (N >= 8) Reducer::join(rest, parts.joined());
        return Reducer::finish(rest, count);
    }
};

/// The result of all reduced elements from x on, along a contiguous innermost dim.
template <dims Reduced, class Reducer, class T> [[gnu::always_inline]] inline T along_rows(const T* x) {
    constexpr auto n = device::innermost(Reduced);
    row_result<Reducer, n> result;
    nest<Reduced, Reduced.rank - 1>([&](const auto& at)
                                        __attribute__((always_inline)) { result.template join<n>(x + at[0]); });
    return result.finish(Reduced.elements());
}

/// Count adjacent columns.
template <dims Reduced, class Reducer, int Count, class T>
[[gnu::always_inline]] inline void columns_together(const T* x, T* out) {
    partial_results<Reducer, Count> columns;
    nest<Reduced>([&](const auto& at) __attribute__((always_inline)) { columns.join(x + at[0]); });
    for (int i = 0; i < Count; ++i) out[i] = Reducer::finish(columns[i], Reduced.elements());
}

/// The same for more columns than registers hold, four rows at a time: in a tall matrix, whose rows are far apart, more
/// than one cache line of each row is read.
template <dims Reduced, class Reducer, int Count, class T> inline void columns_in_strip(const T* x, T* out) {
    using S = typename Reducer::S;
    constexpr int width = register_lanes<S>, vectors = Count / width, together = 4;
    constexpr auto rows = device::innermost(Reduced), apart = Reduced.strides[0][std::max(1, Reduced.rank) - 1];
    simd<S, width> columns[vectors];
    for (auto& each : columns) each = simd<S, width>::all(Reducer::start());
    const auto join = [&](const T* from, auto count) __attribute__((always_inline)) {
        for (int v = 0; v < vectors; ++v) {
            auto so_far = columns[v];
            unroll<count()>([&](int r) __attribute__((always_inline)) {
                const auto more = simd<T, width>::load(from + r * apart + v * width);
                Reducer::join(so_far.value, more.template as<S>().value);
            });
            columns[v] = so_far;
        }
    };
    nest<Reduced, Reduced.rank - 1>([&](const auto& at) __attribute__((always_inline)) {
        constexpr auto whole = rows / together * together;
        for (std::int64_t r = 0; r < whole; r += together)
            join(x + at[0] + r * apart, std::integral_constant<int, together>{});
        for (auto r = whole; r < rows; ++r) join(x + at[0] + r * apart, std::integral_constant<int, 1>{});
    });
    for (int i = 0; i < Count; ++i) out[i] = Reducer::finish(columns[i / width].value[i % width], Reduced.elements());
}

template <dims Reduced, class Reducer, class T> [[gnu::always_inline]] inline T one_by_one(const T* x) {
    auto result = Reducer::start();
    nest<Reduced>([&](const auto& at) __attribute__((always_inline)) {
        Reducer::join(result, static_cast<typename Reducer::S>(x[at[0]]));
    });
    return Reducer::finish(result, Reduced.elements());
}

} // namespace detail

/// out[kept dims] = reduction of x over the reduced dims. Semantics: aten.sum, mean, amax, amin, prod; NaN wins in amax
/// and amin.
template <device::reduce_key Key, class T = element_t<Key.type>> inline void reduce(const T* x, T* out) {
    using reducer = detail::reducer<Key.kind, T>;
    constexpr auto kept = detail::merged(Key.kept), reduced = detail::merged(Key.reduced);
    constexpr auto columns = device::innermost(kept);
    constexpr bool numbers = !std::is_same_v<T, bool>;
    if constexpr (Key.kept.elements() == 0) {
        return;
    } else if constexpr (Key.reduced.elements() == 0) { // x may then be invalid
        std::fill_n(out, Key.kept.elements(), reducer::finish(reducer::start(), 0));
    } else if constexpr (Key.choice == device::single_choice::eigen) {
        eigen_kernel<Key>::run(x, out);
    } else if constexpr (numbers && detail::is_contiguous_inside(reduced) && device::innermost(reduced) >= 8) {
        nest<kept>([&](const auto& at) { *out++ = detail::along_rows<reduced, reducer>(x + at[0]); });
    } else if constexpr (numbers && detail::is_contiguous_inside(kept) && columns >= 8) {
        nest<kept, kept.rank - 1>([&](const auto& at) {
            const T* const row = x + at[0];
            constexpr auto strips = (columns + 4095) / 4096, strip = columns / strips / 32 * 32;
            constexpr auto in_strips = reduced.elements() >= 32 && strip >= 128 ? strips * strip : 0;
            constexpr auto in_32 = columns / 32 * 32, in_8 = columns / 8 * 8;
            if constexpr (in_strips > 0)
                for (std::int64_t column = 0; column < in_strips; column += strip)
                    detail::columns_in_strip<reduced, reducer, strip>(row + column, out + column);
            for (std::int64_t column = in_strips; column < in_32; column += 32)
                detail::columns_together<reduced, reducer, 32>(row + column, out + column);
            for (std::int64_t column = in_32; column < in_8; column += 8)
                detail::columns_together<reduced, reducer, 8>(row + column, out + column);
            for (std::int64_t column = in_8; column < columns; ++column)
                out[column] = detail::one_by_one<reduced, reducer>(row + column);
            out += columns;
        });
    } else {
        nest<kept>([&](const auto& at) { *out++ = detail::one_by_one<reduced, reducer>(x + at[0]); });
    }
}

template <> struct kernel_for<device::reduce> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernels::reduce<Key>(at.template in<T>(0), at.template out<T>());
    }
};

} // namespace ahead::kernels
