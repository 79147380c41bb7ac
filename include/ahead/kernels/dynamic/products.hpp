// SPDX-License-Identifier: MIT
// Products of fewer rows, columns or terms than their key says, in memory with the layout of the key. Called if a size
// is known at run time only (dynamic/bounded/run_bounded.hpp).
// Invariant: nothing after the given positions is read or written.
#pragma once
#include <ahead/kernels/convolution/convolution.hpp>
#include <ahead/kernels/dynamic/dynamic_kernel_for.hpp>
#include <ahead/kernels/product/matmul.hpp>
#include <ahead/kernels/quantised/matmul.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// Calls f(width, count, column) for each of the panels that `columns` columns are cut into: a panel has the constant
/// width `width`, and `count`, a constant too, valid columns. Whole panels of 32, then narrower and narrower ones.
[[gnu::always_inline]] inline void in_fewer_panels(std::int64_t columns, auto f) {
    std::int64_t column = 0;
    for (; column + 32 <= columns; column += 32)
        f(std::integral_constant<int, 32>{}, std::integral_constant<int, 32>{}, column);
    unroll<3>([&](auto level) __attribute__((always_inline)) {
        constexpr int width = 16 >> level;
        if (column + width > columns) return;
        f(std::integral_constant<int, width>{}, std::integral_constant<int, width>{}, column);
        column += width;
    });
    unroll<3>([&](auto i) __attribute__((always_inline)) {
        if (columns - column == i + 1)
            f(std::integral_constant<int, 4>{}, std::integral_constant<int, i + 1>{}, column);
    });
}
/// Packs such panels of b contiguously. Never more than device::packed_elements of the whole b.
template <device::matmul_key Key, class T> inline void pack_fewer_columns(const T* b, T* panels, std::int64_t columns) {
    in_fewer_panels(columns, [&](auto width, auto count, std::int64_t column) __attribute__((always_inline)) {
        pack_panel<Key.k, Key.b_row, Key.b_col, width, count>(b, panels + column * Key.k, column);
    });
}
template <device::matmul_key Key, class T>
inline void multiply_fewer_columns(const T* a, const T* panels, T* out, std::int64_t rows, std::int64_t columns) {
    in_fewer_panels(columns, [&](auto width, auto count, std::int64_t column) __attribute__((always_inline)) {
        one_panel<Key, Key.a_row, Key.a_col, width, count>(a, panels + column * Key.k, static_cast<const T*>(nullptr),
                                                           out, no_epilogue{}, column, 0, rows);
    });
}

} // namespace detail

/// Computes the first columns of the first rows of out[m, n] = a @ b. workspace: as matmul's.
template <device::matmul_key Key, class T = element_t<Key.type>>
inline void matmul_of_columns(const T* a, const T* b, T* out, [[maybe_unused]] std::byte* workspace, std::int64_t rows,
                              std::int64_t columns) {
    static_assert(is_floating(Key.type) && !is_half(Key.type) && !Key.packed && !Key.bias);
    constexpr const T* none = nullptr;
    if constexpr (Key.b_col == 1 && !device::copies_panels(Key)) {
        constexpr auto b_row = Key.b_row;
        std::int64_t column = 0;
        const auto block = [&](auto width) __attribute__((always_inline)) {
            constexpr int L = lanes_within<T>(width);
            detail::all_rows<Key, detail::tile_strides{Key.a_row, Key.a_col, b_row}, L, width / L, width>(
                a, b + column, none, out, no_epilogue{}, rows, column);
            column += width;
        };
        while (column + 32 <= columns) block(std::integral_constant<int, 32>{});
        unroll<5>([&](auto level) __attribute__((always_inline)) {
            if (column + (16 >> level) <= columns) block(std::integral_constant<int, (16 >> level)>{});
        });
    } else if constexpr (device::copies_panels(Key)) {
        T* const panel = reinterpret_cast<T*>(workspace);
        detail::in_fewer_panels(columns,
                                [&](auto width, auto count, std::int64_t column) __attribute__((always_inline)) {
                                    detail::pack_panel<Key.k, Key.b_row, Key.b_col, width, count>(b, panel, column);
                                    detail::one_panel<Key, Key.a_row, Key.a_col, width, count>(
                                        a, panel, none, out, no_epilogue{}, column, 0, rows);
                                });
    } else {
        constexpr auto one = [] { // the remaining columns one by one
            auto key = Key;
            key.n = 1;
            return key;
        }();
        const auto dots = [&](auto count, std::int64_t row, std::int64_t column) __attribute__((always_inline)) {
            T sum[count()];
            detail::dot_products<one.k>(a + row * Key.a_row, b + column * Key.b_col, Key.b_col, sum);
            for (int i = 0; i < count(); ++i) out[row * device::row_of_out(Key) + column + i] = sum[i];
        };
        for (std::int64_t row = 0; row < rows; ++row) {
            std::int64_t column = 0;
            for (; column + 4 <= columns; column += 4) dots(std::integral_constant<int, 4>{}, row, column);
            for (; column < columns; ++column) dots(std::integral_constant<int, 1>{}, row, column);
        }
    }
}
/// Computes the first rows of out[m, n] = a @ b, summed over the first terms of each. The rows of b are contiguous.
template <device::matmul_key Key, class T = element_t<Key.type>>
inline void matmul_of_terms(const T* a, const T* b, T* out, std::int64_t rows, std::int64_t terms) {
    static_assert(is_floating(Key.type) && !is_half(Key.type) && !Key.packed && !Key.bias && Key.b_col == 1);
    detail::rows_in_place<Key, 0>(a, b, static_cast<const T*>(nullptr), out, no_epilogue{},
                                  detail::fewer_terms{rows, terms});
}

/// Runs a single product with fewer rows, and fewer columns or fewer terms.
template <class Call, device::matmul_key Key, class T>
void run_dynamic(const T* a, const T* b, T* out, std::byte* workspace, const runtime_extents& of) {
    const auto rows = of.rows > 0 ? of.rows : Key.m;
    if constexpr (Call::extent == device::dynamic_extent::columns)
        kernels::matmul_of_columns<Key>(a, b, out, workspace, rows, of.columns);
    else if constexpr (Call::extent == device::dynamic_extent::terms)
        kernels::matmul_of_terms<Key>(a, b, out, rows, of.terms);
    else kernels::matmul<Key>(a, b, static_cast<const T*>(nullptr), out, workspace, kernels::no_epilogue{}, rows);
}

template <> struct dynamic_kernel_for<device::matmul> {
    template <class Call> static void run(const auto& at, const runtime_extents& of) {
        constexpr auto key = Call::key;
        using T = element_t<key.type>;
        const T *const a = at.template in<T>(0), *const b = at.template in<T>(1);
        if constexpr (Call::extent != device::dynamic_extent::rows)
            run_dynamic<Call, key>(a, b, at.template out<T>(), at.workspace, of);
        else
            kernels::matmul<key>(a, b, at.template in_or_null<T>(2), at.template out<T>(), at.workspace,
                                 kernels::epilogue_of<Call, T, key.n, 1>(at, key.bias ? 3 : 2), of.rows);
    }
};

/// Fewer images, each of which is a row of a product.
template <> struct dynamic_kernel_for<device::convolution> {
    template <class Call> static void run(const auto& at, const runtime_extents& of) {
        constexpr auto key = Call::key;
        using T = element_t<key.type>;
        kernels::convolution<key>(
            at.template in<T>(0), at.template in<T>(1), at.template in_or_null<T>(2), at.template out<T>(),
            at.workspace,
            kernels::epilogue_of<Call, T, key.out_channels, device::out_pixels(key)>(at, key.bias ? 3 : 2), of.rows);
    }
};

template <> struct dynamic_kernel_for<device::quantized_matmul> {
    template <class Call> static void run(const auto& at, const runtime_extents& of) {
        constexpr auto key = Call::key;
        kernels::quantized_matmul<key>(at.template in<std::int8_t>(0), at.template in<std::byte>(1),
                                       kernels::operands_of_sums<key>(at, 2), at.template out<element_t<key.out>>(),
                                       at.workspace, of.rows);
    }
};

/// The same for each matrix.
template <> struct dynamic_kernel_for<device::batch_matmul> {
    template <class Call> static void run(const auto& at, const runtime_extents& of) {
        constexpr auto key = Call::key;
        constexpr auto product = key.product;
        using T = element_t<product.type>;
        for (std::int64_t i = 0; i < key.batch; ++i)
            run_dynamic<Call, product>(
                at.template in<T>(0) + device::place_in_batch(i, key.inner, key.a_step, key.a_outer),
                at.template in<T>(1) + device::place_in_batch(i, key.inner, key.b_step, key.b_outer),
                at.template out<T>() + device::place_in_out(key, i), at.workspace, of);
    }
};

} // namespace ahead::kernels
