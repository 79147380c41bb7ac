// SPDX-License-Identifier: MIT
// Restores one call for all steps of one direction of an lstm, gru or rnn layer that PyTorch unrolled,
// aten.mkldnn_rnn_layer, which is PyTorch's own operator for it:
//     gates = linear(h, w_hh, b_hh) + linear(x, w_ih, b_ih)[t]     for every t, x flipped where it goes backwards
// or aten.lstm.input, where each step's state is a projection of its output.
// Law: each step reads the previous step's state and the next rows of the input's product, with the same weights;
// intermediate cells are read only by steps. Other readers of states read them from the results of the call.
// Source: torch/_decomp/decompositions.py: one_layer_rnn, one_layer_lstm, gru_cell.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/pass/recompose/value_reader.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// A template, so that only compilations that run the pass instantiate it.
template <class Editor> class recurrence_composer : value_reader {
public:
    constexpr explicit recurrence_composer(Editor& g)
        : value_reader(g), streams_(g.view()), tanh_(find_op(g.operators(), "aten.tanh.default")),
          relu_(find_op(g.operators(), "aten.relu.default")), mul_(find_op(g.operators(), "aten.mul.Tensor")),
          add_(find_op(g.operators(), "aten.add.Tensor")), view_(find_op(g.operators(), "aten.view.default")),
          step_of_(g.view().header().used.nodes) {
        std::int32_t products = 0;
        for (node_id n : g_) products += is_product(n);
        steps_ = fixed_buffer<step>(products + 1); // 0 is none
    }

    constexpr void run() {
        if (steps_.size() < 3) return;
        for (node_id n : g_) read(n);
        for (std::int32_t i = 1; i <= count_ && g_.ok(); ++i)
            if (steps_[i].previous == 0 && steps_[i].next != 0) write(i);
    }

private:
    enum cell_mode : std::int8_t { relu, tanh, lstm, gru };
    struct step {
        cell_mode mode{};
        node_id hidden, cells, product, state, cells_before; // state: a matrix, the operand of the product
        node_id shown, projection; // output of the gates: hidden, or the operand of the projection to hidden
        node_id inputs;            // tensor with the input rows of all steps
        std::int64_t offset = 0;   // of this step's rows
        std::int32_t previous = 0, next = 0;
    };
    air::stream_map streams_;
    op_id tanh_, relu_, mul_, add_, view_;
    fixed_buffer<std::int32_t> step_of_; // by the node of its state
    fixed_buffer<step> steps_;
    std::int32_t count_ = 0;

    constexpr bool is_product(node_id n) const {
        return (g_.calls(n, "aten.addmm.default") && g_[n].arguments.count == 3) || g_.calls(n, "aten.mm.default");
    }
    constexpr int first_matrix(node_id product) const { return g_[product].arguments.count - 2; }
    constexpr const value& value_of(node_id n, int i) const { return g_.view().value_of(g_.argument_of(n, i)); }
    constexpr node_id owner(node_id n, int i) const { return owner_of(g_.view(), g_.argument_of(n, i)); }

    /// Matches a sum of gates, part `gate` of each operand: rows of the inputs and of the state's product.
    constexpr bool take_sum(node_id sum, int gate, step& out) const {
        if (!sum.exists() || g_[sum].op != add_ || g_[sum].arguments.count != 2) return false;
        const auto count = element_count(type_of(out.shown));
        for (int i = 0; i < 2; ++i) {
            if (!g_.operand(sum, 0).exists() || !g_.operand(sum, 1).exists()) return false;
            const auto of_state = owner(sum, i), of_inputs = owner(sum, 1 - i);
            if (!is_product(of_state) || (out.product.exists() && of_state != out.product)) continue;
            const auto& type = value_of(sum, i).type;
            const auto width = type_of(of_state).size(1), rows = type_of(of_state).size(0);
            const auto& x = value_of(sum, 1 - i).type;
            if (width * rows != gates(out.mode) * count || rows != type.size(type.rank - 2) ||
                type.stride(type.rank - 1) != 1 || type.offset != gate * type.size(type.rank - 1) ||
                element_count(x) != element_count(type) || x.stride(x.rank - 1) != 1 ||
                (rows > 1 && (x.stride(x.rank - 2) != width || type.stride(type.rank - 2) != width)))
                continue;
            const auto offset = x.offset - gate * type.size(type.rank - 1);
            if (out.inputs.exists() && (out.inputs != of_inputs || out.offset != offset)) return false;
            out.product = of_state;
            out.inputs = of_inputs;
            out.offset = offset;
            return true;
        }
        return false;
    }
    static constexpr int gates(cell_mode mode) { return mode == lstm ? 4 : mode == gru ? 3 : 1; }
    constexpr bool calls(node_id n, std::string_view op) const { return n.exists() && g_.calls(n, op); }

    /// Matches a function of part `gate` of a sum that is split.
    constexpr bool take_part(node_id of, std::string_view function, int gate, node_id& sum) const {
        if (!calls(of, function)) return false;
        const auto& part = value_of(of, 0);
        const auto whole = owner(of, 0);
        const auto& type = part.type;
        if (g_[whole].op != add_ || (sum.exists() && sum != whole) || type.stride(type.rank - 1) != 1 ||
            type.offset != gate * type.size(type.rank - 1))
            return false;
        sum = whole;
        return true;
    }
    constexpr bool read_lstm(node_id n, step& out) const {
        const auto shown = g_.operand(n, 1);
        if (!calls(shown, "aten.tanh.default")) return false;
        out.cells = g_.operand(shown, 0);
        if (!out.cells.exists() || g_[out.cells].op != add_ || g_[out.cells].arguments.count != 2) return false;
        const auto kept = g_.operand(out.cells, 0), fresh = g_.operand(out.cells, 1);
        if (!calls(kept, "aten.mul.Tensor") || !calls(fresh, "aten.mul.Tensor")) return false;
        out.cells_before = g_.operand(kept, 1);
        node_id sum;
        if (!out.cells_before.exists() || !take_part(g_.operand(n, 0), "aten.sigmoid.default", 3, sum) ||
            !take_part(g_.operand(kept, 0), "aten.sigmoid.default", 1, sum) ||
            !take_part(g_.operand(fresh, 0), "aten.sigmoid.default", 0, sum) ||
            !take_part(g_.operand(fresh, 1), "aten.tanh.default", 2, sum))
            return false;
        out.mode = lstm;
        return element_count(type_of(sum)) == 4 * element_count(type_of(n)) && take_whole(sum, out);
    }
    /// Matches the sum of all gates of a step.
    constexpr bool take_whole(node_id sum, step& out) const { return take_sum(sum, 0, out); }
    constexpr bool read_gru(node_id n, step& out) const {
        const auto changed = g_.operand(n, 0), fresh = g_.operand(n, 1);
        if (!calls(changed, "aten.mul.Tensor") || !calls(fresh, "aten.tanh.default")) return false;
        const auto difference = g_.operand(changed, 0), kept = g_.operand(changed, 1), sum = g_.operand(fresh, 0);
        if (!calls(difference, "aten.sub.Tensor") || g_[difference].arguments.count != 2 ||
            g_.operand(difference, 1) != fresh || !calls(kept, "aten.sigmoid.default") || !sum.exists() ||
            g_[sum].op != add_ || g_[sum].arguments.count != 2)
            return false;
        const auto reset_state = g_.operand(sum, 1);
        if (!calls(reset_state, "aten.mul.Tensor") || !g_.operand(sum, 0).exists() ||
            !calls(g_.operand(reset_state, 1), "aten.sigmoid.default"))
            return false;
        out.mode = gru;
        out.cells_before = g_.operand(difference, 0); // the state itself
        if (!out.cells_before.exists() || !take_sum(g_.operand(g_.operand(reset_state, 1), 0), 0, out) ||
            !take_sum(g_.operand(kept, 0), 1, out))
            return false;
        const auto& x = value_of(sum, 0).type;
        const auto& of_state = value_of(reset_state, 0).type;
        const auto width = of_state.size(of_state.rank - 1);
        return owner(reset_state, 0) == out.product && owner(sum, 0) == out.inputs && of_state.offset == 2 * width &&
               x.offset == out.offset + 2 * width && element_count(x) == element_count(of_state);
    }
    /// The output of a step's gates, if n is a view of its product with a projection, and both have no other readers.
    constexpr node_id find_shown(node_id n, step& out) const {
        const auto product = g_.operand(n, 0);
        if (!calls(product, "aten.mm.default") || g_.use_count(product) != 1) return {};
        const auto shown = behind_reshapes(g_.operand(product, 0), "aten.mul.Tensor");
        out.projection = product;
        return shown.exists() && g_.use_count(shown) == 1 ? shown : node_id{};
    }
    /// Records a step if n is the state after it.
    constexpr void read(node_id n) {
        const auto& call = g_[n];
        if (call.kind != node_kind::call || !is_floating_tensor(n)) return;
        step made;
        made.hidden = made.shown = n;
        if (call.op == view_) made.shown = find_shown(n, made);
        if (!made.shown.exists()) return;
        if (call.op == mul_ || call.op == view_) {
            if (!read_lstm(made.shown, made)) return;
        } else if (call.op == add_) {
            if (call.arguments.count != 2 || !read_gru(n, made)) return;
        } else if (call.op == tanh_ || call.op == relu_) {
            made.mode = call.op == tanh_ ? tanh : relu;
            if (!take_whole(g_.operand(n, 0), made)) return;
        } else {
            return;
        }
        made.state = g_.operand(made.product, first_matrix(made.product));
        if (!made.state.exists() || !streams_.together(made.product, n) || count_ + 1 == steps_.size()) return;
        const auto& matrix = value_of(made.product, first_matrix(made.product));
        const auto state = owner(made.product, first_matrix(made.product));
        if (element_count(matrix.type) != element_count(type_of(n)) || !is_contiguous(matrix.type) ||
            (made.mode == gru && !is_same_matrix(g_.view().value_of(made.cells_before), matrix)) ||
            (made.mode == lstm && element_count(type_of(made.cells_before)) != element_count(type_of(made.shown))))
            return;
        const auto before = state.index < step_of_.size() ? step_of_[state.index] : 0;
        steps_[++count_] = made;
        step_of_[made.projection.exists() ? made.projection.index : n.index] = count_;
        if (before == 0 || !follows(steps_[before], made)) return;
        steps_[count_].previous = before;
        steps_[before].next = count_;
    }
    /// Whether two views cover the same rows of one tensor.
    static constexpr bool is_same_matrix(const value& a, const value& b) {
        return a.storage == b.storage && a.type.offset == b.type.offset && is_contiguous(a.type) &&
               element_count(a.type) == element_count(b.type);
    }
    constexpr bool is_floating_tensor(node_id n) const {
        return g_[n].values.count == 1 && is_floating(type_of(n).type) && type_of(n).rank >= 2 &&
               is_contiguous(type_of(n));
    }
    constexpr bool follows(const step& a, const step& b) const {
        const auto is_same_weight = [&](node_id one, node_id other) {
            if (!one.exists() || !other.exists()) return one.exists() == other.exists();
            const auto &x = value_of(one, first_matrix(one) + 1), &y = value_of(other, first_matrix(other) + 1);
            return x.storage == y.storage && x.type == y.type;
        };
        const auto rows = element_count(type_of(b.product));
        return a.next == 0 && a.mode == b.mode && a.inputs == b.inputs && b.offset == a.offset + rows &&
               is_same_weight(a.product, b.product) && is_same_weight(a.projection, b.projection) &&
               g_[a.product].arguments.count == g_[b.product].arguments.count &&
               (first_matrix(a.product) == 0 || g_.operand(a.product, 0) == g_.operand(b.product, 0)) &&
               (a.mode != lstm || (b.cells_before == a.cells && g_.use_count(a.cells) == 2)) &&
               type_of(a.hidden) == type_of(b.hidden) && streams_.together(a.hidden, b.hidden);
    }

    /// The input's contribution to the gates of all steps: a product, with or without a bias.
    struct input_product {
        node_id product, bias;
        bool reverse = false;
    };
    constexpr bool find_inputs(const step& first, std::int64_t steps, input_product& out) const {
        auto at = first.inputs;
        const auto rows = type_of(first.product).size(0), width = type_of(first.product).size(1);
        if (first.offset != type_of(at).offset || element_count(type_of(at)) != steps * rows * width) return false;
        if (g_.calls(at, "aten.flip.default")) {
            const auto& dims = g_.argument_of(at, 1).children;
            if (dims.count != 1 || g_.view()[dims[0]].bits != 0 ||
                sizes_of(type_of(at)) != int_list{steps, rows, width})
                return false;
            out.reverse = true;
            at = g_.operand(at, 0);
        }
        if (g_[at].op == add_ && g_[at].arguments.count == 2) {
            out.bias = g_.operand(at, 1);
            at = g_.operand(at, 0);
            if (!out.bias.exists() || !at.exists() || type_of(out.bias).rank != 1) return false;
        }
        while (at.exists() && !is_product(at)) at = reshaped_from(at);
        if (!at.exists() || type_of(at).size(0) != steps * rows) return false;
        out.product = at;
        if (first_matrix(at) == 1) {
            if (out.bias.exists()) return false;
            out.bias = g_.operand(at, 0);
        }
        const bool biased = first_matrix(first.product) == 1;
        return out.bias.exists() == biased &&
               (!biased || (type_of(out.bias).rank == 1 && type_of(g_.operand(first.product, 0)).rank == 1));
    }
    constexpr node_id reshaped(node_id n, const int_list& sizes) {
        return sizes_of(type_of(n)) == sizes ? n : g_.call("aten.reshape.default", {n, sizes});
    }
    /// Writes one call for the steps from `first` on.
    constexpr void write(std::int32_t first) {
        std::int64_t count = 0;
        std::int32_t last = first;
        for (auto i = first; i != 0; i = steps_[i].next, ++count) last = i;
        const auto& begin = steps_[first];
        const auto& end = steps_[last];
        input_product with;
        if (!find_inputs(begin, count, with)) return;
        const auto batch = type_of(begin.product).size(0), hidden = type_of(begin.state).size(1);
        g_.inserting_before(begin.hidden);
        const auto matrix = g_.operand(with.product, first_matrix(with.product));
        const int_list sizes{count, batch, type_of(matrix).size(1)};
        auto x = with_sizes(matrix, sizes);
        if (!x.exists()) x = reshaped(matrix, sizes);
        const auto turned = [&](node_id product) {
            return g_.call("aten.permute.default",
                           {g_.argument_of(product, first_matrix(product) + 1), int_list{1, 0}});
        };
        const auto of_input = turned(with.product), of_state = turned(begin.product);
        const auto cells = element_count(type_of(begin.shown)) / batch;
        const auto hx = reshaped(begin.state, {1, batch, hidden}),
                   cx = begin.mode == lstm ? reshaped(begin.cells_before, {1, batch, cells}) : hx;
        const bool biased = with.bias.exists(), projects = begin.projection.exists();
        if (!g_.ok()) return;
        node_id layer;
        if (projects) {
            const auto flipped = with.reverse ? g_.call("aten.flip.default", {x, int_list{0}}) : x;
            const auto of_shown = turned(begin.projection);
            if (!g_.ok()) return;
            const auto weights = biased ? nodes({of_input, of_state, with.bias, g_.operand(begin.product, 0), of_shown})
                                        : nodes({of_input, of_state, of_shown});
            layer =
                g_.call("aten.lstm.input", {flipped, nodes({hx, cx}), weights, biased, 1, 0.0, false, false, false});
        } else {
            layer = g_.call("aten.mkldnn_rnn_layer.default",
                            {x, of_input, of_state, biased ? with.bias : of_input,
                             biased ? g_.operand(begin.product, 0) : of_state, hx, cx, with.reverse, int_list{},
                             static_cast<int>(begin.mode), hidden, 1, biased, false, false, false});
        }
        if (!g_.ok()) return;
        auto all = g_.call("operator.getitem", {layer, 0});
        if (projects && with.reverse) all = g_.call("aten.flip.default", {all, int_list{0}});
        replace_cats(first, count, with.reverse, all);
        std::int64_t t = 0;
        for (auto i = first; i != 0; i = steps_[i].next, ++t) { // further readers of a state
            const auto own = begin.mode == gru ? 2 : 1;
            if (i == last || g_.use_count(steps_[i].hidden) <= own) continue;
            const auto place = with.reverse ? count - 1 - t : t;
            const auto one = g_.call("aten.slice.Tensor", {all, 0, place, place + 1});
            g_.replace_all_uses_with(steps_[i].hidden, reshaped(one, sizes_of(type_of(steps_[i].hidden))));
        }
        const auto give = [&](node_id n, int result) {
            if (g_.use_count(n) > 0)
                g_.replace_all_uses_with(n,
                                         reshaped(g_.call("operator.getitem", {layer, result}), sizes_of(type_of(n))));
        };
        give(end.hidden, 1);
        if (begin.mode == lstm) give(end.cells, 2);
    }
    /// Replaces each concatenation of the states of all steps in order of time by the call's result.
    constexpr void replace_cats(std::int32_t first, std::int64_t count, bool reverse, node_id all) {
        const auto of_first = steps_[first].hidden;
        for (std::int32_t k = 0; k < g_.use_count(of_first);) {
            const auto by = g_.user(of_first, k++);
            if (!g_.calls(by, "aten.cat.default") || (g_[by].arguments.count > 1 && !is_number(by, 1, 0)) ||
                sizes_of(type_of(by)) != sizes_of(type_of(all)))
                continue;
            const auto& parts = g_.argument_of(by, 0).children;
            bool same = parts.count == count;
            std::int64_t t = 0;
            for (auto i = first; same && i != 0; i = steps_[i].next, ++t) {
                const auto& a = g_.view()[parts[static_cast<std::int32_t>(reverse ? count - 1 - t : t)]];
                same = a.kind == argument_kind::node && a.node() == steps_[i].hidden;
            }
            if (!same) continue;
            g_.replace_all_uses_with(by, all);
            g_.erase_node(by);
            k = 0;
        }
    }
};

struct recurrences {
    /// Whether two products have one matrix as right operand, as steps of a recurrent network do, with a state that
    /// tanh or relu computes.
    static constexpr bool applies(const called_operators& called) {
        const auto g = called.g;
        const bool has_tanh = called.has("aten.tanh.default");
        const auto relu = find_op(called.ops, "aten.relu.default");
        if (!has_tanh && !called.has(relu)) return false;
        fixed_buffer<bool> met(g.header().used.nodes); // by the node of the matrix
        for (std::string_view op : {"aten.addmm.default", "aten.mm.default"})
            for (node_id id : calls_of(g, find_op(called.ops, op))) {
                const int right = op == "aten.mm.default" ? 1 : 2;
                const auto owner = [&](int i) { return owner_of(g, g.argument_of(g[id], i)); };
                auto& has_product = met[owner(right).index];
                if (has_product && (has_tanh || g[owner(right - 1)].op == relu)) return true;
                has_product = true;
            }
        return false;
    }
    static constexpr void compose(auto& g) { recurrence_composer(g).run(); }
};

} // namespace ahead::pass::detail
