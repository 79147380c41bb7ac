// SPDX-License-Identifier: MIT
// Recurrent networks, step by step: the products with all inputs of a layer are one, those with the state one for each
// step. Networks of very many steps stay as they are.
#pragma once
#include <ahead/pass/decompositions/words.hpp>

namespace AHEAD_NAMESPACE::decomposition {

template <class Op> struct recurrent {
    using op = Op;
    using at = typename Op::at;
    using cell = aten::recurrent_cell;
    static constexpr std::int64_t most_steps = 256; // of all layers and directions
    static constexpr std::int64_t steps_of(const aten::recurrent_sizes& s) { return s.steps * s.layers * s.directions; }
    static constexpr std::int32_t most_calls(const call_view& call) {
        const auto s = Op::sizes(call);
        return static_cast<std::int32_t>(20 * steps_of(s) + 14 * s.layers * s.directions + 8);
    }
    static constexpr bool when(const call_view& call) {
        const auto s = Op::sizes(call);
        return s.steps > 0 && s.batch > 0 && s.features > 0 && s.hidden > 0 && steps_of(s) <= most_steps;
    }
    static constexpr void decompose(decompose_context& c) {
        const auto s = Op::sizes(c.aten);
        auto sequence = c.operand(at::input);
        if (s.batch_first) sequence = c.call("aten.transpose.int", {sequence, 0, 1});
        const auto count = s.layers * s.directions;
        list_argument hidden{fixed_buffer<argument>(count)}, cells{fixed_buffer<argument>(count)};
        for (std::int64_t layer = 0; layer < s.layers; ++layer) {
            argument ways[2];
            for (std::int64_t way = 0; way < s.directions && c.editor().ok(); ++way) {
                const auto k = layer * s.directions + way;
                states now{state(c, 0, k), Op::has_cells ? state(c, 1, k) : argument{}};
                ways[way] = run(c, s, layer, way, sequence, now);
                hidden.elements[k] = now.hidden;
                cells.elements[k] = now.cells;
            }
            if (!c.editor().ok()) return;
            sequence =
                s.directions == 1 ? ways[0] : c.call("aten.cat.default", {nodes({ways[0].node(), ways[1].node()}), 2});
        }
        if (s.batch_first) sequence = c.call("aten.transpose.int", {sequence, 0, 1});
        c.finish(sequence);
        if (c.is_result_used(1)) c.finish(c.call("aten.stack.default", {hidden, 0}), 1);
        if (Op::has_cells && c.is_result_used(2)) c.finish(c.call("aten.stack.default", {cells, 0}), 2);
    }

private:
    struct states {
        argument hidden, cells;
    };
    static constexpr argument plain(argument a) {
        a.keyword = {};
        return a;
    }
    static constexpr argument state(decompose_context& c, std::int32_t which, std::int64_t k) {
        return c.call("aten.select.int", {plain(Op::state(c.aten, which)), 0, k});
    }
    static constexpr argument columns(decompose_context& c, const argument& x, std::int64_t from, std::int64_t to) {
        return c.call("aten.slice.Tensor", {x, 1, from, to});
    }
    /// x @ weight^T + bias, where there is one.
    static constexpr argument product(decompose_context& c, const argument& x, const argument& weight,
                                      const argument& bias) {
        if (bias.kind == argument_kind::none) return c.call(mm, {x, weight});
        return c.call("aten.addmm.default", {bias, x, weight});
    }
    /// All steps of one direction of a layer: its outputs, [steps, batch, hidden]; `now` goes from the first states to
    /// the last ones.
    static constexpr argument run(decompose_context& c, const aten::recurrent_sizes& s, std::int64_t layer,
                                  std::int64_t way, const argument& sequence, states& now) {
        const int first = s.first_weight(layer, way);
        const auto weight = [&](int k) {
            return k < s.weights() ? plain(c.aten.element(at::params, first + k)) : argument{};
        };
        constexpr bool apart = Op::cell == cell::gru; // its last gate scales what comes of the state
        const auto rows = aten::gates_of(Op::cell) * s.hidden;
        const auto flat = c.call(reshape, {sequence, int_list{s.steps * s.batch, s.features_of(layer)}});
        const auto bias = apart || !s.has_biases ? weight(2) : c.call(add, {weight(2), weight(3)});
        const auto of_inputs = c.call(
            view, {product(c, flat, c.call("aten.t.default", {weight(0)}), bias), int_list{s.steps, s.batch, rows}});
        const auto of_state = c.call("aten.t.default", {weight(1)});
        list_argument made{fixed_buffer<argument>(s.steps)};
        for (std::int64_t t = 0; t < s.steps && c.editor().ok(); ++t) {
            const auto place = way == 0 ? t : s.steps - 1 - t;
            const auto x = c.call("aten.select.int", {of_inputs, 0, place});
            const auto h = product(c, now.hidden, of_state, apart ? weight(3) : argument{});
            step(c, s.hidden, x, h, now);
            made.elements[static_cast<std::int32_t>(place)] = now.hidden;
        }
        return c.call("aten.stack.default", {made, 0});
    }
    static constexpr void step(decompose_context& c, std::int64_t n, const argument& x, const argument& h,
                               states& now) {
        const auto gate = [&](const argument& a) { return c.call("aten.sigmoid.default", {a}); };
        const auto squashed = [&](const argument& a) { return c.call("aten.tanh.default", {a}); };
        if constexpr (Op::cell == cell::lstm) {
            const auto all = c.call(add, {x, h});
            const auto in = gate(columns(c, all, 0, n)), kept = gate(columns(c, all, n, 2 * n));
            const auto fresh = squashed(columns(c, all, 2 * n, 3 * n)), out = gate(columns(c, all, 3 * n, 4 * n));
            now.cells = c.call(add, {c.call(mul, {kept, now.cells}), c.call(mul, {in, fresh})});
            now.hidden = c.call(mul, {out, squashed(now.cells)});
        } else if constexpr (Op::cell == cell::gru) {
            const auto both = gate(c.call(add, {columns(c, x, 0, 2 * n), columns(c, h, 0, 2 * n)}));
            const auto scaled = c.call(mul, {columns(c, both, 0, n), columns(c, h, 2 * n, 3 * n)});
            const auto fresh = squashed(c.call(add, {columns(c, x, 2 * n, 3 * n), scaled}));
            const auto kept = c.call(mul, {columns(c, both, n, 2 * n), c.call(sub, {now.hidden, fresh})});
            now.hidden = c.call(add, {fresh, kept});
        } else {
            const auto all = c.call(add, {x, h});
            now.hidden = Op::cell == cell::tanh ? squashed(all) : c.call("aten.relu.default", {all});
        }
    }
};

} // namespace ahead::decomposition
