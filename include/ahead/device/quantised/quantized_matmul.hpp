// SPDX-License-Identifier: MIT
// npu.quantized_matmul: a quantised integer product and the conversion of its sums. Its key is key/quantised_key.hpp.
// npu.pack_quantized: its weights, in the layout that the kernel reads.
// Invariant: the result depends on the operands alone, on every machine, except for the last bit of f32, where one
// machine contracts to a fused multiply-add and another does not.
#pragma once
#include <ahead/device/bounded.hpp>
#include <ahead/device/key/quantised_key.hpp>
#include <ahead/device/product/pack_matmul.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

/// Layout of npu.quantized_matmul's workspace: the rows of x, a whole number of vectors each, the initial values of
/// their sums, and their sums.
struct quantized_matmul_space {
    std::int64_t row, starts, sums, bytes;
};
constexpr quantized_matmul_space space_of(const quantized_matmul_key& key) {
    const auto row = (key.k + 63) / 64 * 64, starts = key.m * row, more = (4 * key.m + 63) / 64 * 64;
    return {row, starts, starts + more, starts + more + (key.weight_zeros ? more : 0)};
}

/// The common part of both operators: the conversion of their sums. end: low, high, relu, the result's dtype by number.
template <class Op> struct takes_quantised_end {
    static constexpr std::int64_t end_at(const auto& c, std::int32_t i) { return c.element(Op::at::end, i).integer(); }
    static constexpr dtype out_of(const auto& c) { return static_cast<dtype>(end_at(c, 3)); }
    static constexpr void read_end(const auto& c, auto& out) {
        out.out = out_of(c);
        out.weight_zeros = c.is_given(Op::at::weight_zeros);
        out.bias = c.is_given(Op::at::bias);
        out.relu = end_at(c, 2) != 0;
        out.low = static_cast<std::int32_t>(end_at(c, 0));
        out.high = static_cast<std::int32_t>(end_at(c, 1));
    }
    /// Instructions for a vector of sums.
    static constexpr std::int64_t steps_of(const auto& end) {
        return 2 + end.bias + end.relu + 2 * end.weight_zeros + (end.out == dtype::f32 ? 0 : 6);
    }
};

/// npu.pack_quantized(Tensor weight, int m, ScalarType dtype): weight[n, k] of i8 for products with m rows of dtype.
struct pack_quantized {
    static constexpr std::string_view name = "npu.pack_quantized"sv;
    static constexpr bool is_prepared_for_bound = true;
    enum at : int { weight, m, dtype };
    static constexpr parameter schema[] = {required("weight", parameter_kind::tensor),
                                           required("m", parameter_kind::integer),
                                           required("dtype", parameter_kind::dtype)};
    template <class Call> static constexpr matmul_key key_in(const Call& c) {
        const auto& w = c.tensor(at::weight);
        matmul_key key =
            contiguous_matmul(c.type(at::dtype), c.integer(at::m), w.size(0), w.size(1), false, true);
        key.b_row = w.stride(1);
        key.b_col = w.stride(0);
        key.m = rows_of_packing(key);
        return key;
    }
    static constexpr bool infer(infer_context& c) {
        return c.result(packed_tensor(ir::dtype::i8, packed_elements(key_in(c))));
    }
    static constexpr matmul_key key(const call_view& c) { return key_in(c); }
};

/// npu.quantized_matmul(Tensor x, Tensor packed, Tensor starts, Tensor scales, Tensor? weight_zeros, Tensor? bias,
/// Tensor? inverse, Tensor? zero, int n, int[] end): air.quantized_linear of x[m, k], its weight packed.
struct quantized_matmul : takes_quantised_end<quantized_matmul> {
    static constexpr std::string_view name = "npu.quantized_matmul"sv;
    enum at : int { x, packed, starts, scales, weight_zeros, bias, inverse, zero, n, end };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("packed", parameter_kind::tensor),
                                           required("starts", parameter_kind::tensor),
                                           required("scales", parameter_kind::tensor),
                                           required("weight_zeros", parameter_kind::optional_tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("inverse", parameter_kind::optional_tensor),
                                           required("zero", parameter_kind::optional_tensor),
                                           required("n", parameter_kind::integer),
                                           required("end", parameter_kind::int_list)};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(out_of(c), {c.tensor(at::x).size(0), c.integer(at::n)}));
    }
    static constexpr quantized_matmul_key key(const call_view& c) {
        quantized_matmul_key key{};
        read_end(c, key);
        key.type = c.tensor(at::x).type;
        key.m = c.tensor(at::x).size(0);
        key.k = c.tensor(at::x).size(1);
        key.n = c.integer(at::n);
        return key;
    }
    static constexpr machine::work work(const call_view& c) {
        const auto k = key(c);
        return {.cube = {1, k.m, k.k, k.n}, .after = {1, k.m * k.n, steps_of(k), 0}};
    }
    static constexpr std::int64_t workspace(const quantized_matmul_key& k) { return space_of(k).bytes; }
    static constexpr bounded_call bounded(const auto& c) {
        if (!follows_in_first_operand(c, at::n)) return {};
        return {.how = bounded_call::way::dynamic, .rows = c.given(0).each};
    }
};

} // namespace ahead::device
