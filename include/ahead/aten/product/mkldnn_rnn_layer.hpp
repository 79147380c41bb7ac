// SPDX-License-Identifier: MIT
// One direction of one layer of a recurrent network, in PyTorch's mkldnn form.
// Source: aten/src/ATen/native/mkldnn/RNN.cpp.
#pragma once
#include <ahead/aten/product/product.hpp>
#include <ahead/aten/product/recurrent_cell.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/ir/registry.hpp>

namespace AHEAD_NAMESPACE::aten {

/// mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor weight3, Tensor hx_, Tensor
/// cx_, bool reverse, int[] batch_sizes, int mode, int hidden_size, int num_layers, bool has_biases, bool
/// bidirectional, bool batch_first, bool train): (output, last hidden state, last cells); one direction of one layer.
/// input is [steps, batch, features], weight0 applies to the input, weight1 to the state, weight2 and weight3 are their
/// biases, which are ignored without has_biases; states are [1, batch, hidden]; reverse: from the last step to the
/// first, each step's state at its index. mode: 2 lstm, the only one that PyTorch runs; 0 rnn_relu, 1 rnn_tanh, 3 gru;
/// only lstm reads cx_, the others return it. Packed batches, several layers, two directions and batch_first are
/// refused. The fourth result, a workspace for training, is omitted.
struct mkldnn_rnn_layer {
    static constexpr std::string_view name = "aten.mkldnn_rnn_layer.default"sv;
    enum at : int {
        input,
        weight0,
        weight1,
        weight2,
        weight3,
        hx_,
        cx_,
        reverse,
        batch_sizes,
        mode,
        hidden_size,
        num_layers,
        has_biases,
        bidirectional,
        batch_first,
        train
    };
    static constexpr parameter schema[] = {required("input", parameter_kind::tensor),
                                           required("weight0", parameter_kind::tensor),
                                           required("weight1", parameter_kind::tensor),
                                           required("weight2", parameter_kind::tensor),
                                           required("weight3", parameter_kind::tensor),
                                           required("hx_", parameter_kind::tensor),
                                           required("cx_", parameter_kind::tensor),
                                           required("reverse", parameter_kind::boolean),
                                           required("batch_sizes", parameter_kind::long_int_list),
                                           required("mode", parameter_kind::integer),
                                           required("hidden_size", parameter_kind::integer),
                                           required("num_layers", parameter_kind::integer),
                                           required("has_biases", parameter_kind::boolean),
                                           required("bidirectional", parameter_kind::boolean),
                                           required("batch_first", parameter_kind::boolean),
                                           required("train", parameter_kind::boolean)};

    static constexpr recurrent_cell cell_of(const auto& c) {
        constexpr recurrent_cell cells[] = {recurrent_cell::relu, recurrent_cell::tanh, recurrent_cell::lstm,
                                            recurrent_cell::gru};
        return cells[c.integer(at::mode)];
    }
    static constexpr bool infer(infer_context& c) {
        const auto x = c.tensor(at::input);
        if (!is_floating(x.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(x));
        if (x.rank != 3) return c.refuse(fault::rank_is_wrong, "rank 3", print(x));
        if (c.integer(at::mode) < 0 || c.integer(at::mode) > 3)
            return c.refuse(fault::argument_has_wrong_kind, "a mode from 0 to 3", short_text() << c.integer(at::mode));
        if (c.integer(at::num_layers) != 1 || c.boolean(at::bidirectional) || c.boolean(at::batch_first) ||
            c.list_size(at::batch_sizes) != 0)
            return c.refuse(fault::argument_has_wrong_kind, "one layer, one direction, batches that are not packed",
                            "others");
        const auto hidden = c.integer(at::hidden_size), rows = gates_of(cell_of(c)) * hidden;
        const auto state = tensor_of(x.type, {1, x.size(1), hidden});
        if (!check_operand(c, c.tensor(at::weight0), tensor_of(x.type, {rows, x.size(2)})) ||
            !check_operand(c, c.tensor(at::weight1), tensor_of(x.type, {rows, hidden})) ||
            !check_operand(c, c.tensor(at::hx_), state) || !check_operand(c, c.tensor(at::cx_), state))
            return false;
        for (int bias : {at::weight2, at::weight3})
            if (c.boolean(at::has_biases) && !check_operand(c, c.tensor(bias), tensor_of(x.type, {rows}))) return false;
        return c.results(3) && c.set(0, tensor_of(x.type, {x.size(0), x.size(1), hidden})) && c.set(1, state) &&
               c.set(2, state);
    }

    static constexpr std::int64_t scratch_bytes(const call_view& c) { return 3 * 8 * c.integer(at::hidden_size); }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto x = c.input(at::input, as), of_input = c.input(at::weight0, as),
                       of_state = c.input(at::weight1, as), hx = c.input(at::hx_, as), cx = c.input(at::cx_, as);
            const auto cell = cell_of(c);
            const auto steps = x.type().size(0), batch = x.type().size(1), features = x.type().size(2),
                       count = c.integer(at::hidden_size);
            auto hidden = c.scratch(count, as), cells = c.scratch(count, as), next = c.scratch(count, as);
            const auto of = [](std::int64_t i) { return static_cast<std::size_t>(i); };
            const auto bias = [&](int which, std::int64_t line) {
                return c.boolean(at::has_biases) ? static_cast<double>(c.input(which, as)[{line}]) : 0.0;
            };
            for (std::int64_t row = 0; row < batch; ++row) {
                for (std::int64_t j = 0; j < count; ++j) {
                    hidden[of(j)] = hx[{0, row, j}];
                    cells[of(j)] = cx[{0, row, j}];
                }
                for (std::int64_t t = 0; t < steps; ++t) {
                    const auto step = c.boolean(at::reverse) ? steps - 1 - t : t;
                    for (std::int64_t j = 0; j < count; ++j) {
                        T a[4]{}, b[4]{};
                        for (std::int64_t g = 0; g < gates_of(cell); ++g) {
                            const auto line = g * count + j;
                            double u = bias(at::weight2, line), v = bias(at::weight3, line);
                            for (std::int64_t k = 0; k < features; ++k)
                                u += static_cast<double>(of_input[{line, k}]) * static_cast<double>(x[{step, row, k}]);
                            for (std::int64_t k = 0; k < count; ++k)
                                v += static_cast<double>(of_state[{line, k}]) * static_cast<double>(hidden[of(k)]);
                            a[g] = math::convert<T>(u);
                            b[g] = math::convert<T>(v);
                        }
                        next[of(j)] = detail::next_state(cell, a, b, hidden[of(j)], cells[of(j)]);
                    }
                    for (std::int64_t j = 0; j < count; ++j) {
                        hidden[of(j)] = next[of(j)];
                        c.output(0, as).put({step, row, j}, next[of(j)]);
                    }
                }
                for (std::int64_t j = 0; j < count; ++j) {
                    c.output(1, as).put({0, row, j}, hidden[of(j)]);
                    c.output(2, as).put({0, row, j}, cells[of(j)]);
                }
            }
        });
    }
};

} // namespace ahead::aten
