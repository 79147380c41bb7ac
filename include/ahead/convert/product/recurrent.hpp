// SPDX-License-Identifier: MIT
// Converters of aten/product/recurrent.hpp: for each direction of each layer, a product with the inputs of all steps,
// and npu.recurrent.
#pragma once
#include <ahead/aten/product/recurrent.hpp>
#include <ahead/convert/product/matmul.hpp>
#include <ahead/device/concat.hpp>
#include <ahead/device/copy.hpp>
#include <ahead/device/product/recurrent.hpp>

namespace AHEAD_NAMESPACE::convert {

namespace detail {

constexpr device::recurrent_cell on_device(aten::recurrent_cell cell) {
    switch (cell) {
    case aten::recurrent_cell::lstm: return device::recurrent_cell::lstm;
    case aten::recurrent_cell::gru: return device::recurrent_cell::gru;
    case aten::recurrent_cell::tanh: return device::recurrent_cell::tanh;
    case aten::recurrent_cell::relu: break;
    }
    return device::recurrent_cell::relu;
}

/// One direction of one layer, as device values: the weight of the input and its bias, those of the state, the matrices
/// of states, the weight of a projection; an argument that is not a node is absent.
struct recurrent_operands {
    argument sequence, of_input, of_state, input_bias, state_bias, hidden, cells, projection{};
};
/// npu.recurrent, and the product with the inputs of all steps.
constexpr argument create_recurrent(convert_context& c, aten::recurrent_cell cell, const recurrent_operands& with,
                                    bool reverse) {
    const auto in = c.contiguous(with.sequence);
    if (in.kind != argument_kind::node) return {};
    const auto sizes = sizes_of(c.type_of(in));
    const auto rows = c.type_of(with.of_input).size(0);
    const auto a = c.reshaped(in, {sizes[0] * sizes[1], sizes[2]});
    const auto of_inputs = c.create<device::matmul>({a,
                                                     packed(c, a, c.transposed_view(with.of_input, 0, 1)),
                                                     with.input_bias,
                                                     argument::of(rows),
                                                     {},
                                                     {},
                                                     {},
                                                     {},
                                                     {}});
    const auto packed_weight = [&](const argument& weight) {
        return c.create<device::pack_matmul>({c.transposed_view(weight, 0, 1), argument::of(sizes[1]), {}});
    };
    const auto of_state = packed_weight(with.of_state);
    const bool projects = with.projection.kind == argument_kind::node;
    const auto projection = projects ? packed_weight(with.projection) : argument{};
    if (of_inputs.kind != argument_kind::node) return {};
    const auto x = c.reshaped(of_inputs, {sizes[0], sizes[1], rows});
    return c.create<device::recurrent>({x, of_state, with.state_bias, with.hidden, with.cells, projection,
                                        argument::of(static_cast<int>(on_device(cell))), argument::of(reverse)});
}
/// Matrix k of states [count, batch, hidden].
constexpr argument state_matrix(convert_context& c, const argument& states, std::int64_t k) {
    const auto all = c.contiguous(states);
    if (all.kind != argument_kind::node) return all;
    auto type = c.type_of(all);
    type.offset += k * type.stride(0);
    remove_dim(type, 0);
    return c.view(all, type);
}

constexpr argument joined(convert_context& c, array_view<const argument> parts, std::int64_t dim, bool is_new) {
    for (const auto& a : parts)
        if (a.kind != argument_kind::node) return {};
    return c.create_list<device::concat>(parts, {argument::of(dim), argument::of(is_new)});
}
/// One direction of one layer.
constexpr argument run_direction(convert_context& c, const aten::detail::recurrent_call& call,
                                 const aten::recurrent_sizes& s, std::int64_t layer, std::int64_t way,
                                 const argument& sequence) {
    const int first = s.first_weight(layer, way);
    const auto weight = [&](int k) { return c.operand(c.aten.element(call.params, first + k)); };
    const auto bias = [&](int k) { return s.has_biases ? c.contiguous(weight(k)) : argument{}; };
    const auto k = layer * s.directions + way;
    const auto state = [&](int which) { return state_matrix(c, c.operand(call.state(c.aten, which)), k); };
    return create_recurrent(
        c, call.cell,
        {sequence, weight(0), weight(1), bias(2), bias(3), state(0), call.has_cells() ? state(1) : argument{},
         s.is_projected() ? weight(s.weights() - 1) : argument{}},
        way == 1);
}
constexpr bool convert_recurrent(convert_context& c, const aten::detail::recurrent_call& call) {
    const auto s = call.sizes(c.aten);
    const auto count = s.layers * s.directions;
    if (s.steps == 0 || s.batch == 0 || s.features == 0 || s.hidden == 0 || s.state == 0 ||
        count > device::max_concat_parts)
        return c.emit_ai_cpu_call();
    auto sequence = c.operand(call.input);
    if (s.batch_first) sequence = c.transposed_view(sequence, 0, 1);
    argument hidden[device::max_concat_parts]{}, cells[device::max_concat_parts]{};
    for (std::int64_t layer = 0; layer < s.layers; ++layer) {
        argument ways[2]{};
        for (std::int64_t way = 0; way < s.directions; ++way) {
            const auto k = layer * s.directions + way;
            auto made = run_direction(c, call, s, layer, way, sequence);
            ways[way] = made;
            made.result = 1;
            hidden[k] = made;
            made.result = 2;
            cells[k] = made;
        }
        sequence = s.directions == 1 ? ways[0] : joined(c, array_view<const argument>(ways, 2), 2, false);
        if (sequence.kind != argument_kind::node) return false;
    }
    if (s.batch_first) sequence = c.contiguous(c.transposed_view(sequence, 0, 1));
    if (!c.bind_result(sequence)) return false;
    const auto all = [&](const argument* of) {
        return joined(c, array_view<const argument>(of, static_cast<std::size_t>(count)), 0, true);
    };
    if (c.is_result_used(1) && !c.bind_result(all(hidden), 1)) return false;
    return !call.has_cells() || !c.is_result_used(2) || c.bind_result(all(cells), 2);
}

} // namespace detail

template <class Op> struct recurrent {
    using op = Op;
    using at = typename Op::at;
    template <class Type> using states = std::conditional_t<Op::has_cells, tensor_list<Type, Type>, Type>;
    static constexpr std::int64_t rows = aten::gates_of(Op::cell);
    template <std::int64_t Columns> using matrix = weight<f32<rows * 4, Columns>>;
    using bias = weight<f32<rows * 4>>;
    template <bool Biases, std::int64_t Layers, bool Both, bool BatchFirst, class X, class States, class... Weights>
    using network = support<X, states<States>, tensor_list<Weights...>, flag<Biases>, integer<Layers>, real<"0">,
                            flag<false>, flag<Both>, flag<BatchFirst>>;
    using one_layer = network<true, 1, false, false, f32<3, 2, 5>, f32<1, 2, 4>, matrix<5>, matrix<4>, bias, bias>;
    using projected = support<f32<3, 2, 5>, tensor_list<f32<1, 2, 3>, f32<1, 2, 4>>,
                              tensor_list<matrix<5>, matrix<3>, weight<f32<3, 4>>>, flag<false>, integer<1>, real<"0">,
                              flag<false>, flag<false>, flag<false>>;
    using supported =
        cases<one_layer, std::conditional_t<Op::has_cells, projected, one_layer>,
              network<false, 1, false, true, f32<1, 6, 5>, f32<1, 1, 4>, matrix<5>, f32<rows * 4, 4>>,
              network<true, 2, true, false, f32<2, 3, 5>, f32<4, 3, 4>, matrix<5>, matrix<4>, bias, bias, matrix<5>,
                      matrix<4>, bias, bias, matrix<8>, matrix<4>, bias, bias, matrix<8>, matrix<4>, bias, bias>,
              network<false, 1, true, true, f64<2, 3, 1>, f64<2, 2, 17>, f64<rows * 17, 1>, f64<rows * 17, 17>,
                      weight<f64<rows * 17, 1>>, weight<f64<rows * 17, 17>>>>;

    static constexpr bool convert(convert_context& c) { return detail::convert_recurrent(c, Op::law); }
};

struct mkldnn_rnn_layer {
    using op = aten::mkldnn_rnn_layer;
    using at = op::at;
    template <class Matrix, class Bias, class X, class H, bool Reverse, std::int64_t Mode, bool Biases>
    using layer = support<X, Matrix, H, Bias, Bias, f32<1, 2, 4>, f32<1, 2, 4>, flag<Reverse>, ints<>, integer<Mode>,
                          integer<4>, integer<1>, flag<Biases>, flag<false>, flag<false>, flag<false>>;
    template <std::int64_t Rows, bool Reverse, std::int64_t Mode, bool Biases>
    using of =
        layer<weight<f32<Rows, 5>>, weight<f32<Rows>>, f32<3, 2, 5>, weight<f32<Rows, 4>>, Reverse, Mode, Biases>;
    using supported =
        cases<of<4, false, 0, true>, of<4, true, 1, false>, of<16, true, 2, true>, of<12, false, 3, true>>;

    static constexpr bool convert(convert_context& c) {
        const auto cell = op::cell_of(c.aten);
        const bool has_cells = cell == aten::recurrent_cell::lstm;
        if (element_count(c.aten.tensor(at::input)) == 0 || c.aten.integer(at::hidden_size) == 0)
            return c.emit_ai_cpu_call();
        const auto bias = [&](int k) {
            return c.aten.boolean(at::has_biases) ? c.contiguous(c.operand(k)) : argument{};
        };
        auto made = detail::create_recurrent(c, cell,
                                             {c.operand(at::input), c.operand(at::weight0), c.operand(at::weight1),
                                              bias(at::weight2), bias(at::weight3),
                                              detail::state_matrix(c, c.operand(at::hx_), 0),
                                              has_cells ? detail::state_matrix(c, c.operand(at::cx_), 0) : argument{}},
                                             c.aten.boolean(at::reverse));
        if (made.kind != argument_kind::node || !c.bind_result(made)) return false;
        for (made.result = 1; made.result < 2 + has_cells; ++made.result)
            if (c.is_result_used(made.result) &&
                !c.bind_result(c.reshaped(made, sizes_of(c.aten.result_type(made.result))), made.result))
                return false;
        return has_cells || !c.is_result_used(2) || c.bind_result(c.create<device::copy>({c.operand(at::cx_)}), 2);
    }
};

using recurrent_converters = converter_list<recurrent<aten::lstm>, recurrent<aten::gru>, recurrent<aten::rnn_tanh>,
                                            recurrent<aten::rnn_relu>, mkldnn_rnn_layer>;

} // namespace ahead::convert
