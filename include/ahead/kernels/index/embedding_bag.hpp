// SPDX-License-Identifier: MIT
// Bags of embeddings: sums in f64, each rounded once.
// Invariant: rows are added in the order of their indices; nothing is written if an index or an offset is out of range.
#pragma once
#include <ahead/device/index/embedding_bag.hpp>
#include <ahead/kernels/index/indices.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Sums Vectors x lanes columns, Count of the last vector, over the rows that take(f) passes to f one after the other,
/// each with its factor.
template <int Vectors, int L, int Count = L, class T>
[[gnu::always_inline]] inline void sum_columns(const T* weight, auto take, double by, T* out) {
    simd<double, L> total[Vectors]{};
    take([&](std::int64_t row, double factor) __attribute__((always_inline)) {
        unroll<Vectors>([&](int v) __attribute__((always_inline)) {
            const auto x = simd<T, L>::template load_first<Count>(weight + row + v * L, T(0)).template as<double>();
            total[v] = fma(x, simd<double, L>::all(factor), total[v]);
        });
    });
    unroll<Vectors>([&](int v) __attribute__((always_inline)) {
        (total[v] / simd<double, L>::all(by)).template as<T>().template store_first<Count>(out + v * L);
    });
}

} // namespace detail

/// Semantics: aten._embedding_bag; operands and results as in device::embedding_bag. Refuses index_is_out_of_range.
template <device::embedding_bag_key Key> bool embedding_bag(const auto& at, diagnosis& d) {
    using T = element_t<Key.type>;
    using note = element_t<Key.note>;
    constexpr auto bags = Key.bags, columns = Key.columns, count = Key.count, padding = Key.padding, rows = Key.rows;
    constexpr auto mode = Key.mode;
    const T* const weight = at.template in<T>(0);
    const auto* const indices = at.template in<element_t<Key.index>>(1);
    const auto* const offsets = at.template in<element_t<Key.offset>>(2);
    [[maybe_unused]] const T* const scales = at.template in_or_null<T>(3);
    T* const out = at.template out<T>(0);
    note *const notes = at.template out<note>(1), *const sizes = at.template out<note>(2),
                *const origins = at.template out<note>(3);
    const auto begin_of = [&](std::int64_t bag) -> std::int64_t {
        return bag < bags + Key.has_last ? static_cast<std::int64_t>(offsets[bag]) : count;
    };
    // The first bag begins at 0.
    if (bags > 0 && (!check_indices(offsets, 1, 1, false, d) ||
                     !check_indices(offsets + 1, bags - 1 + Key.has_last, count + 1, false, d)))
        return false;
    for (std::int64_t bag = 0; bag < bags; ++bag)
        if (!check_indices(indices + begin_of(bag), begin_of(bag + 1) - begin_of(bag), rows, false, d)) return false;
    if constexpr (Key.notes_bags) std::fill_n(notes, count, note{0});
    for (std::int64_t bag = 0; bag < bags; ++bag) {
        const auto first = begin_of(bag), last = begin_of(bag + 1);
        std::int64_t taken = 0;
        for (auto k = first; k < last; ++k) {
            taken += static_cast<std::int64_t>(indices[k]) != padding;
            if constexpr (Key.notes_bags) notes[k] = static_cast<note>(bag);
        }
        sizes[bag] = static_cast<note>(taken);
        T* const made = out + bag * columns;
        const auto take = [&](const auto& f) __attribute__((always_inline)) {
            for (auto k = first; k < last; ++k) {
                const auto row = static_cast<std::int64_t>(indices[k]);
                if (row == padding) continue;
                if constexpr (Key.scaled) f(row * columns, static_cast<double>(scales[k]));
                else f(row * columns, 1.0);
            }
        };
        if constexpr (mode == device::bag_mode::largest) {
            note* const from = origins + bag * columns;
            std::fill_n(made, columns, T(0));
            std::fill_n(from, columns, note{0});
            bool is_first = true;
            take([&](std::int64_t row, double) {
                for (std::int64_t c = 0; c < columns; ++c) {
                    const T x = weight[row + c];
                    const bool is_larger = is_first || x > made[c];
                    made[c] = is_larger ? x : made[c];
                    from[c] = is_larger ? static_cast<note>(row / columns) : from[c];
                }
                is_first = false;
            });
        } else {
            origins[bag] = 0;
            const double by = mode == device::bag_mode::mean && taken > 0 ? static_cast<double>(taken) : 1;
            constexpr int width = register_lanes<double>, together = 4 * width;
            constexpr auto whole = columns / together * together, vectors = columns / width * width;
            for (std::int64_t c = 0; c < whole; c += together)
                detail::sum_columns<4, width>(weight + c, take, by, made + c);
            for (std::int64_t c = 0; c < vectors - whole; c += width)
                detail::sum_columns<1, width>(weight + whole + c, take, by, made + whole + c);
            if constexpr (vectors < columns)
                detail::sum_columns<1, width, static_cast<int>(columns - vectors)>(weight + vectors, take, by,
                                                                                   made + vectors);
        }
    }
    return true;
}

template <> struct kernel_for<device::embedding_bag> {
    static constexpr bool refuses = true;
    template <auto Key> static bool run(const auto& at, diagnosis& d) { return kernels::embedding_bag<Key>(at, d); }
};

} // namespace ahead::kernels
