// SPDX-License-Identifier: MIT
// npu.int_matmul: an i8 product with i32 sums. Its key is that of npu.matmul, of type i8.
// Invariant: the result depends on the operands alone, on every machine.
#pragma once
#include <ahead/device/product/matmul.hpp>

namespace AHEAD_NAMESPACE::device {

/// Layout of npu.int_matmul's workspace: the rows of a, in quads and whole vectors, the initial values of their sums,
/// and a panel of b if b is not packed.
struct int_matmul_space {
    std::int64_t row, starts, panel, bytes; // bytes of a row, and where the others begin
};
constexpr int_matmul_space space_of_int_matmul(const matmul_key& key) {
    const auto row = (key.k + 63) / 64 * 64, starts = key.m * row, panel = starts + (4 * key.m + 63) / 64 * 64;
    const auto width = key.n < panel_width(key) ? padded_panel(key, key.n) : panel_width(key);
    return {row, starts, panel, panel + (key.packed ? 0 : packed_depth(key) * width)};
}

/// npu.int_matmul(Tensor a, Tensor b, int n): a[m, k] @ b[k, n] of i8, in i32; b strided, or packed by npu.pack_matmul.
struct int_matmul {
    static constexpr std::string_view name = "npu.int_matmul"sv;
    enum at : int { a, b, n };
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor), required("b", parameter_kind::tensor),
                                           required("n", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) {
        return c.result(tensor_of(dtype::i32, {c.tensor(at::a).size(0), c.integer(at::n)}));
    }
    static constexpr matmul_key key(const call_view& c) {
        return key_of_product(c.tensor(at::a), c.tensor(at::b), c.integer(at::n));
    }
    static constexpr machine::work work(const call_view& c) {
        const auto& a = c.tensor(at::a);
        return {.cube = {1, a.size(0), a.size(1), c.integer(at::n)}};
    }
    static constexpr std::int64_t workspace(const matmul_key& k) {
        return space_of_int_matmul(k).bytes;
    }
};

} // namespace ahead::device
