// SPDX-License-Identifier: MIT
// npu.batch_matmul: a product for each matrix of a batch.
#pragma once
#include <ahead/ir/infer.hpp>
#include <ahead/target/key/matmul_key.hpp>
#include <ahead/target/op/product/matmul.hpp>
#include <ahead/target/work.hpp>

namespace AHEAD_NAMESPACE::target {

/// A batch of products, `*_step` elements from one matrix to the next.
struct batch_matmul_key {
    matmul_key product{};
    std::int64_t batch = 0, a_step = 0, b_step = 0;
    friend constexpr bool operator==(const batch_matmul_key&, const batch_matmul_key&) = default;
};
/// f(name, value, default) for each field.
constexpr void fields(const batch_matmul_key& k, const batch_matmul_key& usual, auto f) {
    f("product", k.product, usual.product);
    f("batch", k.batch, usual.batch);
    f("a_step", k.a_step, usual.a_step);
    f("b_step", k.b_step, usual.b_step);
}

constexpr work work_of(const batch_matmul_key& key) { return times(key.batch, work_of(key.product)); }

} // namespace ahead::target

namespace AHEAD_NAMESPACE::device {

/// npu.batch_matmul(Tensor a, Tensor b, int? choice): a[b, m, k] @ b[b, k, n]
struct batch_matmul {
    static constexpr std::string_view name = "npu.batch_matmul";
    enum at : int { a, b, choice };
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor), required("b", parameter_kind::tensor),
                                           defaulted("choice", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        const auto& a = c.tensor(at::a);
        return c.result(tensor_of(a.type, {a.size(0), a.size(1), c.tensor(at::b).size(2)}));
    }
    static constexpr target::batch_matmul_key key(const call_view& c) {
        const auto& a = c.tensor(at::a);
        const auto& b = c.tensor(at::b);
        target::batch_matmul_key key;
        auto& one = key.product;
        one.type = a.type;
        one.m = a.size(1);
        one.k = a.size(2);
        one.n = b.size(2);
        one.a_row = a.stride(1);
        one.a_col = a.stride(2);
        one.b_row = b.stride(1);
        one.b_col = b.stride(2);
        one.choice = target::choice_of<target::matmul_choice>(c, at::choice);
        key.batch = a.size(0);
        key.a_step = a.stride(0);
        key.b_step = b.stride(0);
        return key;
    }
    static constexpr std::int64_t workspace(const target::batch_matmul_key& k) {
        return static_cast<std::int64_t>(target::workspace_bytes(k.product));
    }
};

} // namespace ahead::device
