// SPDX-License-Identifier: MIT
// Recurrent networks with layers and directions: lstm, gru, rnn_tanh, rnn_relu.
// Source: aten/src/ATen/native/RNN.cpp.
#pragma once
#include <ahead/aten/product/mkldnn_rnn_layer.hpp>
#include <ahead/ir/walk.hpp>

namespace AHEAD_NAMESPACE::aten {

/// The network's sizes, and the positions of its weights in the list of parameters.
struct recurrent_sizes {
    std::int64_t steps, batch, features, hidden, layers, directions;
    bool has_biases, batch_first;
    std::int64_t state; // size passed on to the next step and layer: hidden, or its projection
    constexpr bool is_projected() const { return state != hidden; }
    constexpr std::int64_t features_of(std::int64_t layer) const { return layer == 0 ? features : directions * state; }
    constexpr int weights() const { return (has_biases ? 4 : 2) + is_projected(); }
    /// The first weight of a layer's direction; order: input weight, state weight, their biases, projection.
    constexpr int first_weight(std::int64_t layer, std::int64_t direction) const {
        return static_cast<int>(layer * directions + direction) * weights();
    }
};

namespace detail {

/// A call of one of the four operators.
struct recurrent_call {
    enum at : int { input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first };
    recurrent_cell cell;
    constexpr bool has_cells() const { return cell == recurrent_cell::lstm; }

    /// State k: 0 the hidden state, 1 the cells.
    constexpr const argument& state(const auto& c, std::int32_t k) const {
        return has_cells() ? c.element(at::hx, k) : c.at(at::hx);
    }
    static constexpr const tensor_type& type_of(const auto& c, const argument& a) { return c.in().value_of(a).type; }
    constexpr recurrent_sizes sizes(const auto& c) const {
        const auto& x = c.tensor(at::input);
        const bool first = c.boolean(at::batch_first);
        return {x.size(first),
                x.size(!first),
                x.size(2),
                type_of(c, state(c, has_cells())).size(2),
                c.integer(at::num_layers),
                c.boolean(at::bidirectional) ? 2 : 1,
                c.boolean(at::has_biases),
                first,
                type_of(c, state(c, 0)).size(2)};
    }

    constexpr bool infer(infer_context& c) const {
        const auto x = c.tensor(at::input);
        if (!is_floating(x.type)) return c.refuse(fault::dtype_is_unsupported, "floating point", print(x));
        if (x.rank != 3) return c.refuse(fault::rank_is_wrong, "rank 3", print(x));
        if (has_cells() && c.list_size(at::hx) != 2)
            return c.refuse(fault::element_counts_differ, "2 states", short_text() << c.list_size(at::hx));
        if (c.integer(at::num_layers) < 1)
            return c.refuse(fault::size_is_negative, "layers from 1", short_text() << c.integer(at::num_layers));
        if (c.boolean(at::train) && c.real(at::dropout) != 0 && c.integer(at::num_layers) > 1)
            return c.refuse(fault::argument_has_wrong_kind, "train: False, or a dropout of 0", "True");
        for (std::int32_t k = 0; k <= has_cells(); ++k) {
            if (state(c, k).kind != argument_kind::node)
                return c.refuse(fault::argument_is_missing, "a tensor for each state", "None");
            if (type_of(c, state(c, k)).rank != 3)
                return c.refuse(fault::rank_is_wrong, "rank 3", print(type_of(c, state(c, k))));
        }
        const auto s = sizes(c);
        const auto states = [&](std::int64_t size) {
            return tensor_of(x.type, {s.layers * s.directions, s.batch, size});
        };
        const auto check_type = [&](const argument& a, const tensor_type& wanted) {
            if (a.kind != argument_kind::node) return c.refuse(fault::argument_is_missing, print(wanted), "None");
            return check_operand(c, type_of(c, a), wanted);
        };
        for (std::int32_t k = 0; k <= has_cells(); ++k)
            if (!check_type(state(c, k), states(k == 0 ? s.state : s.hidden))) return false;
        if (c.list_size(at::params) != s.layers * s.directions * s.weights())
            return c.refuse(fault::element_counts_differ,
                            short_text() << s.layers * s.directions * s.weights() << " weights and biases",
                            short_text() << c.list_size(at::params));
        const auto rows = gates_of(cell) * s.hidden;
        for (std::int32_t k = 0; k < c.list_size(at::params); ++k) {
            const auto layer = k / s.weights() / s.directions;
            const int which = k % s.weights();
            auto wanted = tensor_of(x.type, {rows, which == 0 ? s.features_of(layer) : s.state});
            if (which > 1) wanted = tensor_of(x.type, {rows});
            if (s.is_projected() && which == s.weights() - 1) wanted = tensor_of(x.type, {s.state, s.hidden});
            if (!check_type(c.element(at::params, k), wanted)) return false;
        }
        const auto width = s.directions * s.state;
        const auto out =
            tensor_of(x.type, s.batch_first ? int_list{s.batch, s.steps, width} : int_list{s.steps, s.batch, width});
        return c.results(has_cells() ? 3 : 2) && c.set(0, out) && c.set(1, states(s.state)) &&
               (!has_cells() || c.set(2, states(s.hidden)));
    }
};

template <recurrent_cell Cell> struct recurrent {
    static constexpr recurrent_cell cell = Cell;
    static constexpr bool has_cells = Cell == recurrent_cell::lstm;
    using at = recurrent_call::at;
    static constexpr recurrent_call law{Cell};
    static constexpr parameter schema[] = {
        required("input", parameter_kind::tensor),
        required("hx", has_cells ? parameter_kind::tensor_list : parameter_kind::tensor),
        required("params", parameter_kind::tensor_list),
        required("has_biases", parameter_kind::boolean),
        required("num_layers", parameter_kind::integer),
        required("dropout", parameter_kind::real),
        required("train", parameter_kind::boolean),
        required("bidirectional", parameter_kind::boolean),
        required("batch_first", parameter_kind::boolean)};

    static constexpr recurrent_sizes sizes(const auto& c) { return law.sizes(c); }
    static constexpr bool infer(infer_context& c) { return law.infer(c); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) {
        const auto s = sizes(c);
        return 8 * (s.state * (s.steps * s.batch * s.directions * 2 + 1) + 2 * s.hidden);
    }
    static constexpr void evaluate(auto& c) {
        c.compute_real([&](auto as) {
            using T = decltype(as);
            const auto s = sizes(c);
            const auto in = c.input(at::input, as);
            const auto out = c.output(0, as);
            const auto place = [&](std::int64_t step, std::int64_t row, std::int64_t k) {
                return s.batch_first ? int_list{row, step, k} : int_list{step, row, k};
            };
            const auto width = s.directions * s.state;
            auto before = c.scratch(s.steps * s.batch * width, as), after = c.scratch(s.steps * s.batch * width, as);
            auto hidden = c.scratch(s.state, as), cells = c.scratch(s.hidden, as), next = c.scratch(s.hidden, as);
            const auto of = [](std::int64_t i) { return static_cast<std::size_t>(i); };
            const auto from = [&](std::int64_t step, std::int64_t row, std::int64_t k) {
                return of((step * s.batch + row) * width + k);
            };
            for (std::int64_t layer = 0; layer < s.layers; ++layer) {
                for (std::int64_t way = 0; way < s.directions; ++way)
                    for (std::int64_t row = 0; row < s.batch; ++row) {
                        const int_list own{layer * s.directions + way, row, 0};
                        const auto weight = [&](int k, const int_list& i) {
                            return static_cast<double>(c.list_input(at::params, s.first_weight(layer, way) + k, as)[i]);
                        };
                        for (auto i = own; i[2] < s.state; ++i[2]) hidden[of(i[2])] = state_input(c, 0, as)[i];
                        for (auto i = own; has_cells && i[2] < s.hidden; ++i[2])
                            cells[of(i[2])] = state_input(c, 1, as)[i];
                        for (std::int64_t t = 0; t < s.steps; ++t) {
                            const auto step = way == 0 ? t : s.steps - 1 - t;
                            for (std::int64_t j = 0; j < s.hidden; ++j) {
                                T of_input[4]{}, of_state[4]{};
                                for (std::int64_t g = 0; g < gates_of(Cell); ++g) {
                                    const auto line = g * s.hidden + j;
                                    double a = s.has_biases ? weight(2, {line}) : 0,
                                           b = s.has_biases ? weight(3, {line}) : 0;
                                    for (std::int64_t k = 0; k < s.features_of(layer); ++k)
                                        a += weight(0, {line, k}) *
                                             static_cast<double>(layer == 0 ? in[place(step, row, k)]
                                                                            : before[from(step, row, k)]);
                                    for (std::int64_t k = 0; k < s.state; ++k)
                                        b += weight(1, {line, k}) * static_cast<double>(hidden[of(k)]);
                                    of_input[g] = math::convert<T>(a);
                                    of_state[g] = math::convert<T>(b);
                                }
                                next[of(j)] = next_state(Cell, of_input, of_state, has_cells ? T{} : hidden[of(j)],
                                                         cells[of(j)]);
                            }
                            for (std::int64_t j = 0; j < s.state; ++j) {
                                double sum = s.is_projected() ? 0 : static_cast<double>(next[of(j)]);
                                for (std::int64_t k = 0; s.is_projected() && k < s.hidden; ++k)
                                    sum += weight(s.weights() - 1, {j, k}) * static_cast<double>(next[of(k)]);
                                hidden[of(j)] = math::convert<T>(sum);
                                after[from(step, row, way * s.state + j)] = hidden[of(j)];
                            }
                        }
                        for (auto i = own; i[2] < s.state; ++i[2]) c.output(1, as).put(i, hidden[of(i[2])]);
                        for (auto i = own; has_cells && i[2] < s.hidden; ++i[2])
                            c.output(2, as).put(i, cells[of(i[2])]);
                    }
                for_each_index({s.steps, s.batch, width}, [&](const int_list& i) {
                    before[from(i[0], i[1], i[2])] = after[from(i[0], i[1], i[2])];
                });
            }
            for_each_index({s.steps, s.batch, width}, [&](const int_list& i) {
                out.put(place(i[0], i[1], i[2]), before[from(i[0], i[1], i[2])]);
            });
        });
    }

private:
    static constexpr auto state_input(const auto& c, std::int32_t k, auto as) {
        if constexpr (has_cells) return c.list_input(at::hx, k, as);
        else return c.input(at::hx, as);
    }
};

} // namespace detail

/// lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train,
/// bool bidirectional, bool batch_first): (output, hidden states, cell states). input is [steps, batch, features],
/// states [layers * directions, batch, hidden]; params has, for each direction of each layer, an input weight, a state
/// weight, their biases, and, if the hidden states are a projection, the projection [hidden, cells]. Dropout in
/// training is refused
struct lstm : detail::recurrent<recurrent_cell::lstm> {
    static constexpr std::string_view name = "aten.lstm.input"sv;
};

/// gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, ...): (output, hidden states)
struct gru : detail::recurrent<recurrent_cell::gru> {
    static constexpr std::string_view name = "aten.gru.input"sv;
};

/// rnn_tanh.input: parameters and results of gru
struct rnn_tanh : detail::recurrent<recurrent_cell::tanh> {
    static constexpr std::string_view name = "aten.rnn_tanh.input"sv;
};

/// rnn_relu.input: parameters and results of gru
struct rnn_relu : detail::recurrent<recurrent_cell::relu> {
    static constexpr std::string_view name = "aten.rnn_relu.input"sv;
};

using recurrent_ops = op_list<lstm, gru, rnn_tanh, rnn_relu, mkldnn_rnn_layer>;

} // namespace ahead::aten
