// SPDX-License-Identifier: MIT
// Attention, a block of query rows after the other: their scores, the softmax of these, and what they take of the
// values, while they are near. The same bits as the kernels of these calls give one after the other: it is made of them.
#pragma once
#include <ahead/kernel/convolution/convolution_tiling.hpp>
#include <ahead/kernel/product/matmul.hpp>
#include <ahead/kernel/softmax.hpp>
#include <ahead/target/op/product/attention.hpp>

namespace AHEAD_NAMESPACE::npu::kernel {

namespace detail {

/// scores[Rows, n] times or over the number, plus the mask from its row on.
template <target::attention_key Key, std::int64_t Rows, class T>
[[gnu::always_inline]] inline void adjust_scores(T* scores, [[maybe_unused]] const T* mask) {
    constexpr auto n = Key.scores.product.n;
    constexpr auto number = static_cast<T>(std::bit_cast<double>(Key.number_bits));
    if constexpr (Key.factor != target::score_factor::none)
        map<Rows * n>(
            [](auto v) __attribute__((always_inline)) {
                if constexpr (Key.factor == target::score_factor::times) return v * decltype(v)::all(number);
                else return v / decltype(v)::all(number);
            },
            scores, static_cast<const T*>(scores));
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

/// The right operand of all of a matrix's products: where it lies, or packed into `packed`.
template <target::matmul_key Key, class T>
[[gnu::always_inline]] inline const T* packed_once(const T* b, [[maybe_unused]] T* packed) {
    constexpr auto key = target::packed_once(Key);
    if constexpr (!key.packed) return b;
    else {
        pack_matmul<key>(b, packed);
        return packed;
    }
}

/// Such a product of Rows rows.
template <target::matmul_key Key, std::int64_t Rows> constexpr target::matmul_key of_rows() {
    auto key = target::packed_once(Key);
    key.m = Rows;
    return key;
}

} // namespace detail

/// out[b, m, e] = softmax(q[b, m, d] @ k[b, d, n] * number + mask) @ v[b, n, e]. Sums as in matmul and softmax.
/// workspace: target::workspace_bytes(Key), 64-byte aligned.
template <target::attention_key Key, class T = element_t<Key.scores.product.type>>
void attention(const T* q, const T* k, const T* v, [[maybe_unused]] const T* mask, T* out, std::byte* workspace) {
    // Constants by themselves: g++ 12 crashes on members of members of a key that a loop reads.
    constexpr auto one = Key.scores.product, two = Key.values.product;
    constexpr auto mask_reading = Key.mask;
    constexpr auto scores_of = Key.scores, values_of = Key.values;
    constexpr auto batch = scores_of.batch, inner = scores_of.inner, q_step = scores_of.a_step,
                   q_outer = scores_of.a_outer, k_step = scores_of.b_step, k_outer = scores_of.b_outer,
                   v_step = values_of.b_step, v_outer = values_of.b_outer, q_row = one.a_row, m = one.m,
                   out_row = target::row_of_out(two);
    T* const keys = reinterpret_cast<T*>(workspace);
    T* const values = keys + target::packed_once_elements(one);
    T* const scores = values + target::packed_once_elements(two);
    for (std::int64_t b = 0; b < batch; ++b) {
        const T* const q_b = q + target::place_in_batch(b, inner, q_step, q_outer);
        const T* const k_b = detail::packed_once<one>(k + target::place_in_batch(b, inner, k_step, k_outer), keys);
        const T* const v_b = detail::packed_once<two>(v + target::place_in_batch(b, inner, v_step, v_outer), values);
        T* const out_b = out + target::place_in_out(values_of, b);
        detail::each_piece<m, target::rows_of_attention>(
            [&](auto rows, std::int64_t row) __attribute__((always_inline)) {
                matmul<detail::of_rows<one, rows()>()>(q_b + row * q_row, k_b, static_cast<const T*>(nullptr), scores);
                const T* from = mask;
                if constexpr (mask_reading.given) {
                    constexpr auto every = mask_reading.every, cycle = mask_reading.cycle, step = mask_reading.step,
                                   down = mask_reading.row;
                    from += b / every % cycle * step + row * down;
                }
                detail::adjust_scores<Key, rows()>(scores, from);
                softmax<target::softmax_key{one.type, rows(), one.n, false, Key.safe}>(static_cast<const T*>(scores),
                                                                                       scores);
                matmul<detail::of_rows<two, rows()>()>(static_cast<const T*>(scores), v_b,
                                                       static_cast<const T*>(nullptr), out_b + row * out_row);
            });
    }
}

} // namespace ahead::npu::kernel

namespace AHEAD_NAMESPACE::npu {

template <> struct kernel_for<device::attention> {
    template <class Call> [[gnu::always_inline]] static void run_call(const auto& at) {
        constexpr auto key = Call::key;
        using T = element_t<key.scores.product.type>;
        kernel::attention<key>(at.template in<T>(0), at.template in<T>(1), at.template in<T>(2),
                               at.template in_or_null<T>(3), at.template out<T>(), at.workspace);
    }
};

} // namespace ahead::npu
