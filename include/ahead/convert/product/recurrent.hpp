// SPDX-License-Identifier: MIT
// Converters of aten/product/recurrent.hpp: for each direction of each layer a product with the inputs of all steps, and
// npu.recurrent.
#pragma once
#include <ahead/aten/product/recurrent.hpp>
#include <ahead/convert/product/matmul.hpp>
#include <ahead/target/op/concat.hpp>
#include <ahead/target/op/product/recurrent.hpp>

namespace AHEAD_NAMESPACE::convert {

template <class Op> struct recurrent {
    using op = Op;
    using at = typename Op::at;
    static constexpr target::recurrent_cell cell = [] {
        switch (Op::cell) {
        case aten::recurrent_cell::lstm: return target::recurrent_cell::lstm;
        case aten::recurrent_cell::gru: return target::recurrent_cell::gru;
        case aten::recurrent_cell::tanh: return target::recurrent_cell::tanh;
        case aten::recurrent_cell::relu: break;
        }
        return target::recurrent_cell::relu;
    }();
    template <class Type> using states = std::conditional_t<Op::has_cells, tensor_list<Type, Type>, Type>;
    static constexpr std::int64_t rows = aten::gates_of(Op::cell);
    template <std::int64_t Columns> using matrix = weight<f32<rows * 4, Columns>>;
    using bias = weight<f32<rows * 4>>;
    template <bool Biases, std::int64_t Layers, bool Both, bool BatchFirst, class X, class States, class... Weights>
    using network = support<X, states<States>, tensor_list<Weights...>, flag<Biases>, integer<Layers>, real<"0">,
                            flag<false>, flag<Both>, flag<BatchFirst>>;
    using supported =
        cases<network<true, 1, false, false, f32<3, 2, 5>, f32<1, 2, 4>, matrix<5>, matrix<4>, bias, bias>,
              network<false, 1, false, true, f32<1, 6, 5>, f32<1, 1, 4>, matrix<5>, f32<rows * 4, 4>>,
              network<true, 2, true, false, f32<2, 3, 5>, f32<4, 3, 4>, matrix<5>, matrix<4>, bias, bias, matrix<5>,
                      matrix<4>, bias, bias, matrix<8>, matrix<4>, bias, bias, matrix<8>, matrix<4>, bias, bias>,
              network<false, 1, true, true, f64<2, 3, 1>, f64<2, 2, 17>, f64<rows * 17, 1>, f64<rows * 17, 17>,
                      weight<f64<rows * 17, 1>>, weight<f64<rows * 17, 17>>>>;

    static constexpr bool convert(convert_context& c) {
        const auto s = Op::sizes(c.aten);
        const auto count = s.layers * s.directions;
        if (s.steps == 0 || s.batch == 0 || s.features == 0 || s.hidden == 0 || s.is_projected() ||
            count > target::max_concat_parts)
            return c.run_meaning();
        auto sequence = c.operand(at::input);
        if (s.batch_first) sequence = c.turned(sequence, 0, 1);
        argument hidden[target::max_concat_parts]{}, cells[target::max_concat_parts]{};
        for (std::int64_t layer = 0; layer < s.layers; ++layer) {
            argument ways[2]{};
            for (std::int64_t way = 0; way < s.directions; ++way) {
                const auto k = layer * s.directions + way;
                auto made = run(c, s, layer, way, sequence);
                ways[way] = made;
                made.result = 1;
                hidden[k] = made;
                made.result = 2;
                cells[k] = made;
            }
            sequence = s.directions == 1 ? ways[0] : joined(c, array_view<const argument>(ways, 2), 2, false);
            if (sequence.kind != argument_kind::node) return false;
        }
        if (s.batch_first) sequence = c.contiguous(c.turned(sequence, 0, 1));
        if (!c.finish(sequence)) return false;
        const auto all = [&](const argument* of) {
            return joined(c, array_view<const argument>(of, static_cast<std::size_t>(count)), 0, true);
        };
        if (c.is_result_used(1) && !c.finish(all(hidden), 1)) return false;
        return !Op::has_cells || !c.is_result_used(2) || c.finish(all(cells), 2);
    }

private:
    static constexpr argument joined(convert_context& c, array_view<const argument> parts, std::int64_t dim,
                                     bool is_new) {
        for (const auto& a : parts)
            if (a.kind != argument_kind::node) return {};
        return c.emit_list<device::concat>(parts, {argument::of(dim), argument::of(is_new)});
    }
    /// Matrix k of the states.
    static constexpr argument state(convert_context& c, int which, std::int64_t k) {
        const auto all = c.contiguous(c.operand(Op::state(c.aten, which)));
        if (all.kind != argument_kind::node) return all;
        auto type = c.type_of(all);
        type.offset += k * type.stride(0);
        remove_dim(type, 0);
        return c.view(all, type);
    }
    /// [rows, columns] -> [columns, rows]
    static constexpr argument transposed(convert_context& c, const argument& weight) {
        return c.turned(c.operand(weight), 0, 1);
    }
    static constexpr argument run(convert_context& c, const aten::recurrent_sizes& s, std::int64_t layer,
                                  std::int64_t way, const argument& sequence) {
        const int first = s.first_weight(layer, way);
        const auto weight = [&](int k) -> const argument& { return c.aten.element(at::params, first + k); };
        const auto bias = [&](int k) { return s.has_biases ? c.contiguous(c.operand(weight(k))) : argument{}; };
        const auto gates = argument::of(rows * s.hidden);
        const auto in = c.contiguous(sequence);
        if (in.kind != argument_kind::node) return {};
        const auto a = c.reshaped(in, {s.steps * s.batch, s.features_of(layer)});
        const auto of_inputs =
            c.emit<device::matmul>({a, packed(c, a, transposed(c, weight(0))), bias(2), gates, {}, {}, {}, {}, {}});
        const auto of_state = c.emit<device::pack_matmul>({transposed(c, weight(1)), argument::of(s.batch), {}});
        if (of_inputs.kind != argument_kind::node) return {};
        const auto x = c.reshaped(of_inputs, {s.steps, s.batch, rows * s.hidden});
        const auto k = layer * s.directions + way;
        return c.emit<device::recurrent>({x, of_state, bias(3), state(c, 0, k),
                                          Op::has_cells ? state(c, 1, k) : argument{},
                                          argument::of(static_cast<int>(cell)), argument::of(way == 1)});
    }
};

using recurrent_converters =
    converter_list<recurrent<aten::lstm>, recurrent<aten::gru>, recurrent<aten::rnn_tanh>, recurrent<aten::rnn_relu>>;

} // namespace ahead::convert
