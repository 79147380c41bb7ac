// SPDX-License-Identifier: MIT
// Attention of fewer queries and keys than the key of the call says: by blocks of query rows, like
// kernels/product/attention.hpp. Called by dynamic/bounded/run_bounded.hpp.
// Invariant: nothing after the given queries and keys is read or written.
#pragma once
#include <ahead/kernels/dynamic/products.hpp>
#include <ahead/kernels/dynamic/rows.hpp>
#include <ahead/kernels/product/attention.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// The first scores of a row, multiplied or divided by the number, plus the mask.
template <device::attention_key Key, class T>
inline void adjust_fewer_scores(T* scores, [[maybe_unused]] const T* mask, std::int64_t keys) {
    constexpr auto number = static_cast<T>(std::bit_cast<double>(Key.number_bits));
    const auto block = [&](auto size, std::int64_t at) __attribute__((always_inline)) {
        map<size()>(
            [&](auto x) __attribute__((always_inline)) {
                if constexpr (Key.factor == device::score_factor::times) return x * decltype(x)::all(number);
                else return x / decltype(x)::all(number);
            },
            scores + at, static_cast<const T*>(scores + at));
    };
    if constexpr (Key.factor != device::score_factor::none) in_fewer_blocks(keys, block);
    if constexpr (Key.mask.given) {
        constexpr auto across = Key.mask.column;
        for (std::int64_t i = 0; i < keys; ++i) scores[i] += mask[i * across];
    }
}

/// The key of the same product for one block of rows.
template <device::matmul_key Key> constexpr device::matmul_key rows_in_block() {
    auto key = Key;
    key.m = device::rows_of_attention;
    return key;
}

} // namespace detail

/// As attention<Key>, for `queries` queries and `keys` keys; their strides are those of the key.
template <device::attention_key Key, class T = element_t<Key.scores.product.type>>
void attention_of_places(const T* q, const T* k, const T* v, [[maybe_unused]] const T* mask, T* out,
                         std::byte* workspace, std::int64_t queries, std::int64_t keys) {
    constexpr auto given = Key.scores.product, two = Key.values.product;
    constexpr auto one = device::packed_once(given);
    constexpr auto values = detail::rows_in_block<two>(); // read in place: packing would go over all terms
    constexpr auto reading = Key.mask;
    constexpr auto inner = Key.scores.inner;
    T* const panels = reinterpret_cast<T*>(workspace);
    T* const scores = panels + device::packed_once_elements(given) + device::packed_once_elements(two);
    for (std::int64_t b = 0; b < Key.scores.batch; ++b) {
        const T* const k_b = k + device::place_in_batch(b, inner, Key.scores.b_step, Key.scores.b_outer);
        const T* const v_b = v + device::place_in_batch(b, inner, Key.values.b_step, Key.values.b_outer);
        if constexpr (one.packed) detail::pack_fewer_columns<one>(k_b, panels, keys);
        for (std::int64_t row = 0; row < queries; row += device::rows_of_attention) {
            const auto rows = std::min(device::rows_of_attention, queries - row);
            const T* const q_b =
                q + device::place_in_batch(b, inner, Key.scores.a_step, Key.scores.a_outer) + row * given.a_row;
            if constexpr (one.packed) detail::multiply_fewer_columns<one>(q_b, panels, scores, rows, keys);
            else matmul_of_columns<one>(q_b, k_b, scores, nullptr, rows, keys);
            const T* from = mask;
            if constexpr (reading.given) {
                constexpr auto every = reading.every, cycle = reading.cycle, step = reading.step, down = reading.row;
                from += b / every % cycle * step + row * down;
            }
            for (std::int64_t r = 0; r < rows; ++r, from += reading.row) {
                T* const of = scores + r * given.n;
                detail::adjust_fewer_scores<Key>(of, from, keys);
                softmax_of_elements<Key.safe, false>(static_cast<const T*>(of), of, keys);
            }
            matmul_of_terms<values>(static_cast<const T*>(scores), v_b,
                                    out + device::place_in_out(Key.values, b) + row * device::row_of_out(two), rows,
                                    keys);
        }
    }
}

template <> struct dynamic_kernel_for<device::attention> {
    template <class Call> static void run(const auto& at, const runtime_extents& of) {
        constexpr auto key = Call::key;
        using T = element_t<key.scores.product.type>;
        kernels::attention_of_places<key>(at.template in<T>(0), at.template in<T>(1), at.template in<T>(2),
                                          at.template in_or_null<T>(3), at.template out<T>(), at.workspace,
                                          of.rows > 0 ? of.rows : key.scores.product.m,
                                          of.columns > 0 ? of.columns : key.scores.product.n);
    }
};

} // namespace ahead::kernels
