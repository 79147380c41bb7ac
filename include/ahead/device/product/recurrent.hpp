// SPDX-License-Identifier: MIT
// npu.recurrent: all steps of one direction of one layer of a recurrent network, in one task. The contribution of the
// inputs, for all steps at once, is an operand: it is a separate product.
// Invariant: results are contiguous; a step reads the state that the previous step wrote.
#pragma once
#include <ahead/core/fields.hpp>
#include <ahead/device/bounded.hpp>
#include <ahead/device/key/matmul_key.hpp>
#include <ahead/device/product/matmul.hpp>
#include <ahead/ir/infer.hpp>

namespace AHEAD_NAMESPACE::device {

enum class recurrent_cell : std::uint8_t { lstm, gru, tanh, relu };

/// state: the product of a step's states, [batch, hidden] @ [hidden, gates * cells] + bias. projection: computes these
/// states from the output of the cells, [batch, cells] @ [cells, hidden]; it has no columns if that output is the
/// state.
struct recurrent_key {
    recurrent_cell cell = recurrent_cell::lstm;
    bool reverse = false; // from the last step to the first
    matmul_key state{}, projection{};
    std::int64_t steps = 0;
    friend constexpr bool operator==(const recurrent_key&, const recurrent_key&) = default;
};
AHEAD_FIELDS(recurrent_key, cell, reverse, state, projection, steps)

/// Bytes of the sums of one step's products, before the contribution of the inputs is added.
constexpr std::int64_t state_sum_bytes(const recurrent_key& key) {
    return (bytes_of(key.state.type, key.state.m * key.state.n) + 63) / 64 * 64;
}
constexpr bool is_projected(const recurrent_key& key) { return key.projection.n > 0; }
/// Elements of a row of cells.
constexpr std::int64_t cells_of(const recurrent_key& key) { return is_projected(key) ? key.projection.k : key.state.k; }
/// Bytes of the output of the cells of one step, before it is projected; 0 if it is not projected.
constexpr std::int64_t shown_bytes(const recurrent_key& key) {
    return is_projected(key) ? (bytes_of(key.state.type, key.state.m * cells_of(key)) + 63) / 64 * 64 : 0;
}
constexpr std::int64_t workspace_bytes(const recurrent_key& key) {
    auto of_products = workspace_bytes(key.state);
    if (is_projected(key) && of_products < workspace_bytes(key.projection))
        of_products = workspace_bytes(key.projection);
    return state_sum_bytes(key) + shown_bytes(key) + static_cast<std::int64_t>(of_products);
}

/// One product per step; and for each element of the state, the instructions of its gates: 13 for a sigmoid, 17 for
/// tanh.
constexpr machine::work work_of(const recurrent_key& key) {
    auto product = key.state; // and the projection, which has as many rows and, transposed, the same depth
    if (is_projected(key)) product.n += key.projection.k;
    auto out = times(key.steps, work_of(product));
    const auto instructions = key.cell == recurrent_cell::lstm   ? 3 * 13 + 2 * 17 + 12
                              : key.cell == recurrent_cell::gru  ? 2 * 13 + 17 + 12
                              : key.cell == recurrent_cell::tanh ? 17 + 3
                                                                 : 4;
    out.after = {key.steps * key.state.m, cells_of(key), instructions, 0};
    return out;
}

/// npu.recurrent(Tensor x, Tensor weight, Tensor? bias, Tensor hidden, Tensor? cells, Tensor? projection, int cell,
/// bool reverse): x[steps, batch, gates * cells], the inputs' contribution to the gates; weight[hidden, gates * cells]
/// packed by npu.pack_matmul; bias[gates * cells]; hidden [batch, hidden] and for an lstm cells [batch, cells], the
/// states before the first step; projection[cells, hidden], packed, for an lstm with projected states; without it cells
/// equals hidden. Results: the states of all steps, [steps, batch, hidden], the last state, and for an lstm the last
/// cells. All are contiguous; cell: a recurrent_cell. Source: aten/src/ATen/native/RNN.cpp.
struct recurrent {
    static constexpr std::string_view name = "npu.recurrent"sv;
    enum at : int { x, weight, bias, hidden, cells, projection, cell, reverse };
    static constexpr parameter schema[] = {required("x", parameter_kind::tensor),
                                           required("weight", parameter_kind::tensor),
                                           required("bias", parameter_kind::optional_tensor),
                                           required("hidden", parameter_kind::tensor),
                                           required("cells", parameter_kind::optional_tensor),
                                           required("projection", parameter_kind::optional_tensor),
                                           required("cell", parameter_kind::integer),
                                           required("reverse", parameter_kind::boolean)};
    static constexpr bool infer(infer_context& c) {
        const auto& x = c.tensor(at::x);
        const auto state = tensor_of(x.type, sizes_of(c.tensor(at::hidden)));
        const bool has_cells = c.is_given(at::cells);
        return c.results(has_cells ? 3 : 2) && c.set(0, tensor_of(x.type, {x.size(0), x.size(1), state.size(1)})) &&
               c.set(1, state) && (!has_cells || c.set(2, tensor_of(x.type, sizes_of(c.tensor(at::cells)))));
    }
    static constexpr recurrent_key key(const call_view& c) {
        const auto& x = c.tensor(at::x);
        recurrent_key key;
        key.state = key_of_product(c.tensor(at::hidden), c.tensor(at::weight), x.size(2));
        key.state.bias = c.is_given(at::bias);
        key.state.bias_col = key.state.bias;
        if (c.is_given(at::projection)) {
            const auto shown = tensor_of(x.type, sizes_of(c.tensor(at::cells)));
            key.projection = key_of_product(shown, c.tensor(at::projection), c.tensor(at::hidden).size(1));
        }
        key.cell = static_cast<recurrent_cell>(c.integer(at::cell));
        key.steps = x.size(0);
        key.reverse = c.boolean(at::reverse);
        return key;
    }
    static constexpr std::int64_t workspace(const recurrent_key& k) { return workspace_bytes(k); }
    /// Fewer steps; the states before the first and after the last one are whole.
    static constexpr bounded_call bounded(const auto& c) {
        if (!c.is_sound()) return {};
        bool ok = c.follows(at::x) && c.given(at::x).dim == 0 && c.is_prefix(at::x) &&
                  c.is_prefix(c.result(), c.result_type());
        for (int i = at::weight; i <= at::projection; ++i) ok = ok && !c.follows(i);
        if (!ok) return c.refuse("steps that follow the symbol, and nothing else", ahead::print(c.result_type()));
        return {.how = bounded_call::way::dynamic, .rows = c.given(at::x).each};
    }
};

} // namespace ahead::device
