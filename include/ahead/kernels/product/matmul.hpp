// SPDX-License-Identifier: MIT
// Matrix products: a register tile of rows x vectors, written over lanes, with every extent a constant. Weights may be
// packed in advance.
// Invariant: every output element is one sum over k in an order that depends only on the key; nothing outside the
// operands is read. f16 and bf16 are summed in f32 and rounded once.
// Called by runtime/launch/instantiate_kernels.hpp for device matmul operators; keys and sizes are in
// device/key/matmul_key.hpp. Products are contracted (fma) if the machine supports it.
#pragma once
#include <ahead/device/key/matmul_key.hpp>
#include <ahead/device/product/batch_matmul.hpp>
#include <ahead/device/product/matmul.hpp>
#include <ahead/device/product/pack_matmul.hpp>
#include <ahead/kernels/eigen_kernels.hpp>
#include <ahead/kernels/kernel_for.hpp>
#include <ahead/kernels/product/deep_panels.hpp>
#include <ahead/kernels/product/dot_products.hpp>
#include <ahead/kernels/product/int_matmul.hpp>
#include <ahead/kernels/product/matmul_tiles.hpp>
#include <ahead/kernels/product/pair_matmul.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace AHEAD_NAMESPACE::kernels {

/// Packs b as device::packed_elements(Key) describes; b has Key's b_row and b_col. Once, at load.
template <device::matmul_key Key, class T = element_t<Key.type>> void pack_matmul(const T* b, T* packed) {
    static_assert(Key.packed && (is_floating(Key.type) || Key.type == dtype::i8));
    if constexpr (Key.choice == device::matmul_choice::eigen) {
        for (std::int64_t k = 0; k < Key.k; ++k)
            for (std::int64_t j = 0; j < Key.n; ++j) packed[k * Key.n + j] = b[k * Key.b_row + j * Key.b_col];
    } else if constexpr (Key.type == dtype::i8) pack_quads<Key>(b, packed);
    else if constexpr (device::is_dot_product(Key)) {
        for (std::int64_t j = 0; j < Key.n; ++j)
            for (std::int64_t k = 0; k < Key.k; ++k) packed[j * Key.k + k] = b[k * Key.b_row + j * Key.b_col];
    } else if constexpr (Key.type == dtype::bf16) pack_pairs<Key>(b, packed);
    else {
        detail::in_panels<Key>([&](auto width, auto count, std::int64_t column) __attribute__((always_inline)) {
            detail::pack_panel<Key.k, Key.b_row, Key.b_col, width, count>(b, packed + column * Key.k, column);
        });
    }
}

namespace detail {

/// The product of a and b, with elements of S in memory, by the algorithm that Key selects. panel: workspace, if Key
/// copies panels or sums in parts.
template <device::matmul_key Key, class T, class S, class After, class Rows>
[[gnu::always_inline]] inline void product(const T* a, const S* b, const S* bias, S* out, After after,
                                           [[maybe_unused]] T* panel, Rows rows) {
    if constexpr (device::copies_panels(Key)) panels_on_the_fly<Key>(a, b, bias, out, after, panel, rows);
    else if constexpr (Key.packed && device::is_dot_product(Key))
        dots<Key, Key.k>(a, b, bias, out, after, count_rows<Key>(rows));
    else if constexpr (device::parts_of_depth(Key).parts > 1 && is_whole<Rows>)
        deep_panels<Key>(a, b, bias, out, after, panel);
    else if constexpr (Key.packed) packed_panels<Key>(a, b, bias, out, after, rows);
    else if constexpr (Key.b_col == 1 && !device::is_one_column(Key))
        rows_in_place<Key, 0>(a, b, bias, out, after, rows);
    else dots<Key, Key.b_col>(a, b, bias, out, after, count_rows<Key>(rows));
}

} // namespace detail

/// out[m, n] = a @ b (+ bias), or the result of `after` on that. Semantics: aten.mm, aten.addmm with alpha = beta = 1.
/// b: packed by pack_matmul<Key> if Key.packed, else strided. bias: not read unless Key.bias. workspace:
/// device::workspace_bytes(Key), 64-byte aligned. rows: the number of rows of a and out: the key's, or fewer, which are
/// then computed by the same algorithm, in tiles of other heights.
template <device::matmul_key Key, class S = element_t<Key.type>, class After = no_epilogue,
          class Rows = detail::rows_of_key>
inline void matmul(const S* a, const S* b, const S* bias, S* out, [[maybe_unused]] std::byte* workspace = nullptr,
                   [[maybe_unused]] After after = {}, [[maybe_unused]] Rows rows = {}) {
    static_assert(Key.type != dtype::b8, "matmul has no kernel for bool");
    static_assert(!After::exists || (is_floating(Key.type) && !is_half(Key.type)),
                  "what follows a product follows types that are computed as they lie");
    using T = element_t<computed_as(Key.type)>;
    if constexpr (Key.m == 0 || Key.n == 0) return;
    else if constexpr (Key.choice == device::matmul_choice::eigen) eigen_kernel<Key>::run(a, b, bias, out, after, rows);
    else if constexpr (!is_floating(Key.type)) detail::integers<Key>(a, b, bias, out, detail::count_rows<Key>(rows));
    else if constexpr (detail::multiplies_pairs(Key)) pair_matmul<Key>(a, b, bias, out, workspace, rows);
    else if constexpr (is_half(Key.type)) {
        constexpr auto widened = device::with_widened_rows(Key);
        const auto copied = reinterpret_cast<T*>(workspace);
        detail::widen<Key.m, Key.a_row, Key.a_col, Key.k, Key.k>(a, copied, detail::count_rows<Key>(rows));
        const auto panel = reinterpret_cast<T*>(workspace + device::widened_row_bytes(Key));
        detail::product<widened>(copied, b, bias, out, after, panel, rows);
    } else {
        detail::product<Key>(a, b, bias, out, after, reinterpret_cast<T*>(workspace), rows);
    }
}

/// A batch of such products of strided matrices, all with the same bias. Semantics: aten.bmm.
template <device::batch_matmul_key Key, class T = element_t<Key.product.type>, class Rows = detail::rows_of_key>
inline void batch_matmul(const T* a, const T* b, const T* bias, T* out, std::byte* workspace, Rows rows = {}) {
    constexpr auto inner = Key.inner, a_step = Key.a_step, a_outer = Key.a_outer, b_step = Key.b_step,
                   b_outer = Key.b_outer;
    for (std::int64_t i = 0; i < Key.batch; ++i)
        matmul<Key.product>(a + device::place_in_batch(i, inner, a_step, a_outer),
                            b + device::place_in_batch(i, inner, b_step, b_outer), bias,
                            out + device::place_in_out(Key, i), workspace, no_epilogue{}, rows);
}

template <> struct kernel_for<device::matmul> {
    template <class Call> [[gnu::always_inline]] static void run_call(const auto& at) {
        constexpr auto key = Call::key;
        using T = element_t<key.type>;
        kernels::matmul<key>(at.template in<T>(0), at.template in<T>(1), at.template in_or_null<T>(2),
                             at.template out<T>(), at.workspace,
                             kernels::epilogue_of<Call, T, key.n, 1>(at, key.bias ? 3 : 2));
    }
};

template <> struct kernel_for<device::batch_matmul> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.product.type>;
        kernels::batch_matmul<Key>(at.template in<T>(0), at.template in<T>(1),
                                   Key.product.bias ? at.template in_or_null<T>(2) : nullptr, at.template out<T>(),
                                   at.workspace);
    }
};

template <> struct kernel_for<device::pack_matmul> {
    template <auto Key> [[gnu::always_inline]] static void run(const auto& at) {
        using T = element_t<Key.type>;
        kernels::pack_matmul<Key>(at.template in<T>(0), at.template out<T>());
    }
};

} // namespace ahead::kernels
