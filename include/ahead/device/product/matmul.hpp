// SPDX-License-Identifier: MIT
// npu.matmul: one matrix product, followed by element-wise steps. Its key is key/matmul_key.hpp.
// Invariant: the result's bits depend on the operands, the key and the epilogue alone.
#pragma once
#include <ahead/device/key/epilogue.hpp>
#include <ahead/device/key/matmul_key.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device {

/// n is the dim that a kernel's vectors run along: columns, or k if there are so few columns that it computes dot
/// products.
constexpr machine::work work_of(const matmul_key& key) {
    machine::work out;
    if (is_dot_product(key)) {
        out.cube = {1, key.m * key.n, 1, key.k};
        out.vector = {key.m * key.n, nominal_lanes(computed_as(key.type)), 1,
                      8}; // the sum of each dot product across its lanes
    } else {
        out.cube = {1, key.m, key.k, key.n};
        if (packs_on_the_fly(key)) out.scalar_steps = key.k * key.n;
    }
    if (!is_floating(key.type)) out = {.scalar_steps = 2 * key.m * key.n * key.k};
    return out;
}

/// a[m, k] @ b[k, n]; b strided, or packed.
constexpr matmul_key key_of_product(const tensor_type& a, const tensor_type& b, std::int64_t n) {
    matmul_key key{};
    key.type = a.type;
    key.m = a.size(0);
    key.k = a.size(1);
    key.n = n;
    key.packed = b.layout == memory_layout::packed;
    key.a_row = a.stride(0);
    key.a_col = a.stride(1);
    key.b_row = key.packed ? n : b.stride(0);
    key.b_col = key.packed ? 1 : b.stride(1);
    return key;
}

/// The kernel that parameter i selects; the rule's if it is absent.
template <class Choice> constexpr Choice choice_of(const auto& c, int i) {
    return c.is_given(i) ? static_cast<Choice>(c.integer(i)) : Choice::by_rule;
}

/// npu.matmul(Tensor a, Tensor b, Tensor? bias, int n, Tensor? r0, Tensor? r1, Tensor? r2, Scalar[]? program,
/// int? choice): a[m, k] @ b[k, n] + bias, then the steps of the program; b strided, or packed by npu.pack_matmul.
struct matmul : takes_epilogue<matmul> {
    static constexpr std::string_view name = "npu.matmul"sv;
    enum at : int { a, b, bias, n, r0, r1, r2, program, choice };
    static constexpr parameter schema[] = {required("a", parameter_kind::tensor),
                                           required("b", parameter_kind::tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("n", parameter_kind::integer),
                                           defaulted("r0", parameter_kind::optional_tensor),
                                           defaulted("r1", parameter_kind::optional_tensor),
                                           defaulted("r2", parameter_kind::optional_tensor),
                                           defaulted("program", parameter_kind::real_list),
                                           defaulted("choice", parameter_kind::optional_integer)};
    static constexpr bool infer(infer_context& c) {
        if (c.in().is_typed(c.id())) return true; // typed as its epilogue's result, which may have another shape
        return c.result(tensor_of(c.tensor(at::a).type, {c.tensor(at::a).size(0), c.integer(at::n)}));
    }
    static constexpr matmul_key key(const call_view& c) {
        auto key = key_of_product(c.tensor(at::a), c.tensor(at::b), c.integer(at::n));
        key.bias = c.is_given(at::bias);
        if (key.bias) {
            const auto& bias = c.tensor(at::bias);
            const auto stride = [&](int from_last) {
                const int d = bias.rank - 1 - from_last;
                return d < 0 || bias.size(d) == 1 ? std::int64_t{0} : bias.stride(d);
            };
            key.bias_row = stride(1);
            key.bias_col = stride(0);
        }
        key.choice = choice_of<matmul_choice>(c, at::choice);
        return key;
    }
    static constexpr std::int64_t workspace(const matmul_key& k) {
        return static_cast<std::int64_t>(workspace_bytes(k));
    }
};

} // namespace ahead::device
