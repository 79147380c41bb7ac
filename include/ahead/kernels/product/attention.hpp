// SPDX-License-Identifier: MIT
// Attention, by blocks of query rows: the scores of a block, their softmax, and its product with the values, while all
// are in a near cache. The same bits as the kernels of these calls give in sequence, since it uses them.
#pragma once
#include <ahead/device/product/attention.hpp>
#include <ahead/kernels/convolution/convolution_tiling.hpp>
#include <ahead/kernels/product/matmul.hpp>
#include <ahead/kernels/softmax.hpp>

namespace AHEAD_NAMESPACE::kernels {

namespace detail {

/// The epilogue of the scores: multiplies or divides by the number.
template <device::attention_key Key, class T> struct scaled_scores {
    static constexpr bool exists = Key.factor != device::score_factor::none, is_long = false;
    static constexpr int operands = 0;
    static constexpr auto number = static_cast<T>(std::bit_cast<double>(Key.number_bits));

    template <bool Along, int Count, int L, int Vectors>
    [[gnu::always_inline]] void store(const simd<T, L> (&sums)[Vectors], T* to) const {
        unroll<Vectors>([&](auto v) __attribute__((always_inline)) {
            const auto by = simd<T, L>::all(number);
            const auto made = Key.factor == device::score_factor::times ? sums[v] * by : sums[v] / by;
            made.template store_first<std::clamp(Count - v * L, 0, L)>(to + v * L);
        });
    }
};

/// scores[Rows, n] plus the mask from its row on.
template <device::attention_key Key, std::int64_t Rows, class T>
[[gnu::always_inline]] inline void add_mask(T* scores, [[maybe_unused]] const T* mask) {
    constexpr auto n = Key.scores.product.n;
    if constexpr (Key.mask.given)
        for (std::int64_t r = 0; r < Rows; ++r) {
            constexpr auto down = Key.mask.row, across = Key.mask.column;
            T* const row = scores + r * n;
            const T* const added = mask + r * down;
            if constexpr (across == 1)
                map<n>([](auto v, auto m) __attribute__((always_inline)) { return v + m; }, row,
                       static_cast<const T*>(row), added);
            else
                for (std::int64_t i = 0; i < n; ++i) row[i] += added[i * across];
        }
}

/// Prefetches part number `part` of Parts parts of the rows of a matrix: Rows rows of Length contiguous elements,
/// Stride apart.
template <std::int64_t Rows, std::int64_t Length, std::int64_t Stride, std::int64_t Parts, class T>
[[gnu::always_inline]] inline void ask_for(const T* from, std::int64_t part) {
    for (auto row = Rows * part / Parts; row < Rows * (part + 1) / Parts; ++row)
        for (std::int64_t i = 0; i < Length; i += std::int64_t{64 / sizeof(T)})
            __builtin_prefetch(from + row * Stride + i, 0, 2);
}
/// The same for matrix `b` of each operand, which an outer cache holds: another core may have written them.
template <device::attention_key Key, std::int64_t Parts, class T>
[[gnu::always_inline]] inline void ask_for_matrix(const T* q, const T* k, const T* v, std::int64_t b,
                                                  std::int64_t part) {
    constexpr auto one = Key.scores.product, two = Key.values.product;
    constexpr auto scores_of = Key.scores, values_of = Key.values;
    constexpr auto inner = scores_of.inner, q_step = scores_of.a_step, q_outer = scores_of.a_outer,
                   k_step = scores_of.b_step, k_outer = scores_of.b_outer, v_step = values_of.b_step,
                   v_outer = values_of.b_outer;
    if constexpr (bytes_of(one.type, one.m * one.k + one.k * one.n + two.k * two.n) > 512 * 1024) return;
    const T* const k_b = k + device::place_in_batch(b, inner, k_step, k_outer);
    if constexpr (one.b_row == 1) ask_for<one.n, one.k, one.b_col, Parts>(k_b, part);
    else if constexpr (one.b_col == 1) ask_for<one.k, one.n, one.b_row, Parts>(k_b, part);
    if constexpr (one.a_col == 1)
        ask_for<one.m, one.k, one.a_row, Parts>(q + device::place_in_batch(b, inner, q_step, q_outer), part);
    if constexpr (two.b_col == 1)
        ask_for<two.k, two.n, two.b_row, Parts>(v + device::place_in_batch(b, inner, v_step, v_outer), part);
}

/// The right operand of all products of a matrix: in place, or packed into `packed`.
template <device::matmul_key Key, class T>
[[gnu::always_inline]] inline const T* packed_once(const T* b, [[maybe_unused]] T* packed) {
    constexpr auto key = device::packed_once(Key);
    if constexpr (!key.packed) return b;
    else {
        pack_matmul<key>(b, packed);
        return packed;
    }
}

/// The key of such a product with Rows rows.
template <device::matmul_key Key, std::int64_t Rows> constexpr device::matmul_key of_rows() {
    auto key = device::packed_once(Key);
    key.m = Rows;
    return key;
}

} // namespace detail

/// out[b, m, e] = softmax(q[b, m, d] @ k[b, d, n] * number + mask) @ v[b, n, e]. Sums as in matmul and softmax.
/// workspace: device::workspace_bytes(Key), 64-byte aligned.
template <device::attention_key Key, class T = element_t<Key.scores.product.type>>
void attention(const T* q, const T* k, const T* v, [[maybe_unused]] const T* mask, T* out, std::byte* workspace) {
    // Separate constants: g++ 12 crashes on members of members of a key that a loop reads.
    constexpr auto one = Key.scores.product, two = Key.values.product;
    constexpr auto mask_reading = Key.mask;
    constexpr auto scores_of = Key.scores, values_of = Key.values;
    constexpr auto batch = scores_of.batch, inner = scores_of.inner, q_step = scores_of.a_step,
                   q_outer = scores_of.a_outer, k_step = scores_of.b_step, k_outer = scores_of.b_outer,
                   v_step = values_of.b_step, v_outer = values_of.b_outer, q_row = one.a_row, m = one.m,
                   out_row = device::row_of_out(two);
    T* const keys = reinterpret_cast<T*>(workspace);
    T* const values = keys + device::packed_once_elements(one);
    T* const scores = values + device::packed_once_elements(two);
    constexpr auto pieces = detail::cut_evenly(m, device::rows_of_attention).pieces;
    detail::ask_for_matrix<Key, 1>(q, k, v, 0, 0);
    for (std::int64_t b = 0; b < batch; ++b) {
        const T* const q_b = q + device::place_in_batch(b, inner, q_step, q_outer);
        const T* const k_b = detail::packed_once<one>(k + device::place_in_batch(b, inner, k_step, k_outer), keys);
        const T* const v_b = detail::packed_once<two>(v + device::place_in_batch(b, inner, v_step, v_outer), values);
        T* const out_b = out + device::place_in_out(values_of, b);
        std::int64_t piece = 0;
        detail::each_piece<m, device::rows_of_attention>(
            [&](auto rows, std::int64_t row) __attribute__((always_inline)) {
                if (b + 1 < batch) detail::ask_for_matrix<Key, pieces>(q, k, v, b + 1, piece++);
                matmul<detail::of_rows<one, rows()>()>(q_b + row * q_row, k_b, static_cast<const T*>(nullptr), scores,
                                                       nullptr, detail::scaled_scores<Key, T>());
                const T* from = mask;
                if constexpr (mask_reading.given) {
                    constexpr auto every = mask_reading.every, cycle = mask_reading.cycle, step = mask_reading.step,
                                   down = mask_reading.row;
                    from += b / every % cycle * step + row * down;
                }
                detail::add_mask<Key, rows()>(scores, from);
                softmax<device::softmax_key{.type = one.type, .safe = Key.safe, .rows = rows(), .count = one.n}>(
                    static_cast<const T*>(scores), scores);
                matmul<detail::of_rows<two, rows()>()>(static_cast<const T*>(scores), v_b,
                                                       static_cast<const T*>(nullptr), out_b + row * out_row);
            });
    }
}

template <> struct kernel_for<device::attention> {
    template <class Call> [[gnu::always_inline]] static void run_call(const auto& at) {
        constexpr auto key = Call::key;
        using T = element_t<key.scores.product.type>;
        kernels::attention<key>(at.template in<T>(0), at.template in<T>(1), at.template in<T>(2),
                                at.template in_or_null<T>(3), at.template out<T>(), at.workspace);
    }
};

} // namespace ahead::kernels
