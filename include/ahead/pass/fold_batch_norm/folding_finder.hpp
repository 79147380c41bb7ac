// SPDX-License-Identifier: MIT
// Finds calls that can be folded into the convolution before them.
// Invariant: a call is found only if it is the convolution's only reader, and treats all elements of a channel alike.
// Called by pass/fold_batch_norm.hpp.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/mutated_weights.hpp>
#include <ahead/ir/type/memory_format.hpp>
#include <ahead/pass/calls_of.hpp>
#include <ahead/pass/editor.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

enum class folding : std::uint8_t { nothing, scales, adds, subtracts, normalises };

/// The operation of a call, and the convolution that it applies to.
struct folding_step {
    folding what = folding::nothing;
    node_id convolution;
    node_id constant; // for products, sums and differences
};

/// Finds the calls that can be folded. Call next() for every node, in program order.
class folding_finder {
public:
    constexpr folding_finder(graph_view g, op_table ops)
        : streams_(g), convolution_(find_op(ops, "aten.convolution.default")) {
        const calls_of convolutions(g, convolution_);
        if (convolutions.is_empty()) return;
        add_ = find_op(ops, "aten.add.Tensor");
        sub_ = find_op(ops, "aten.sub.Tensor");
        mul_ = find_op(ops, "aten.mul.Tensor");
        batch_norm_ = find_op(ops, "aten.native_batch_norm.default");
        no_training_ = find_op(ops, "aten._native_batch_norm_legit_no_training.default");
        for (auto follows : {add_, sub_, mul_, batch_norm_, no_training_})
            any_ = any_ || !calls_of(g, follows).is_empty();
        for (auto made : {add_, sub_, mul_}) any_ = any_ && made.exists();
        for (std::string_view made :
             {"aten.add.Scalar", "aten.rsqrt.default", "aten.neg.default", "aten.view.default", "aten.expand.default"})
            any_ = any_ && find_op(ops, made).exists();
        if (!any_) return;
        getitem_ = find_op(ops, "operator.getitem");
        written_ = mutated_weights(g);
        is_constant_ = fixed_buffer<bool>(g.room().nodes);
    }
    /// Whether the graph has convolutions and calls that may be folded into them.
    constexpr bool any() const { return any_; }

    constexpr folding_step next(graph_view g, node_id id) {
        const auto& n = g[id];
        is_constant_[id.index] =
            n.kind == node_kind::call
                ? for_each_operand(g, n.arguments, [&](const argument& a) { return is_constant_[a.bits]; })
                : is_constant_weight(g, id, written_);
        if (n.kind != node_kind::call || n.arguments.count < 2) return {};
        if (n.op == mul_) return affine(g, id, folding::scales);
        if (n.op == add_) return affine(g, id, folding::adds);
        if (n.op == sub_) return affine(g, id, folding::subtracts);
        if (n.op == batch_norm_ || n.op == no_training_) return normalising(g, id);
        return {};
    }
    /// The operation of a call if all calls between it and a convolution were folded. `in_chain`, by node:
    /// convolutions, and calls that are connected to one by such calls alone. Call for every node in program order,
    /// like next().
    constexpr folding could_be(graph_view g, node_id id, fixed_buffer<bool>& in_chain) {
        static_cast<void>(next(g, id)); // updates is_constant_
        const auto& n = g[id];
        if (is_convolution(g, id)) in_chain[id.index] = true;
        if (n.kind != node_kind::call || n.arguments.count < 2) return folding::nothing;
        const auto follows = [&](std::int32_t i) {
            const auto& a = g.argument_of(n, i);
            return a.kind == argument_kind::node && in_chain[a.bits];
        };
        const bool normalises = n.op == batch_norm_ || n.op == no_training_;
        if (n.op == mul_ || n.op == add_ || n.op == sub_) in_chain[id.index] = follows(0) || follows(1);
        else if (normalises || n.op == getitem_) in_chain[id.index] = follows(0);
        if (!in_chain[id.index] || n.op == getitem_ || is_convolution(g, id)) return folding::nothing;
        return normalises ? folding::normalises : folding::scales;
    }
    /// Records a new node that depends on constants alone.
    constexpr void add_constant(node_id id) { is_constant_[id.index] = true; }

    /// The dim of the result that holds the convolution's output channels.
    static constexpr int channel_of(graph_view g, node_id convolution) {
        return g.value_of(convolution).type.rank - g.value_of(g.argument_of(g[convolution], 1)).type.rank + 1;
    }

private:
    air::stream_map streams_; // stays valid: new calls are constants, and the convolution keeps its stream
    op_id convolution_, add_, sub_, mul_, batch_norm_, no_training_, getitem_;
    bool any_ = false;
    mutated_weights written_;
    fixed_buffer<bool> is_constant_; // weights that are not written, constants, and calls on such only

    constexpr bool is_convolution(graph_view g, node_id id) const {
        return g[id].kind == node_kind::call && g[id].op == convolution_;
    }

    /// Whether argument i is a constant tensor of this dtype.
    constexpr bool has_constant(graph_view g, const node& n, std::int32_t i, dtype type) const {
        const auto& a = g.argument_of(n, i);
        return a.kind == argument_kind::node && a.keyword.empty() && is_constant_[a.bits] &&
               g.value_of(a).kind == value_kind::tensor && g.value_of(a).type.type == type;
    }
    constexpr bool has_constant_or_none(graph_view g, const node& n, std::int32_t i, dtype type) const {
        return (g.argument_of(n, i).kind == argument_kind::none && g.argument_of(n, i).keyword.empty()) ||
               has_constant(g, n, i, type);
    }

    /// A convolution with one use, by a call on its stream and in its segment, with a constant weight and bias.
    constexpr bool takes_more(graph_view g, node_id by, const argument& a) const {
        if (a.kind != argument_kind::node || !a.keyword.empty() || !is_convolution(g, a.node()) ||
            !streams_.together(by, a.node()))
            return false;
        const auto& n = g[a.node()];
        if (n.use_count != 1 || n.arguments.count != 9) return false;
        const auto& transposed = g.argument_of(n, 6);
        if (transposed.kind != argument_kind::boolean || transposed.bits != 0 || !transposed.keyword.empty())
            return false;
        const auto type = g.value_of(a).type.type;
        if (!ir::has_kernels(type) || !has_constant(g, n, 1, type) || !has_constant_or_none(g, n, 2, type))
            return false;
        const auto& weight = g.value_of(g.argument_of(n, 1)).type; // its layout decides the result's
        return is_contiguous(weight) && !is_channels_last(weight);
    }

    constexpr folding_step affine(graph_view g, node_id id, folding what) const {
        const auto& n = g[id];
        for (std::int32_t i = 0; i < (what == folding::subtracts ? 1 : 2); ++i) {
            const auto& convolution = g.argument_of(n, i);
            if (!takes_more(g, id, convolution)) continue;
            const auto& type = g.value_of(convolution).type;
            if (!has_constant(g, n, 1 - i, type.type) || !(g.value_of(id).type == type)) return {};
            if (n.arguments.count > 2 && !is_one(g.argument_of(n, 2))) return {};
            const auto& constant = g.argument_of(n, 1 - i);
            const auto& sizes = g.value_of(constant).type;
            const auto channel =
                channel_of(g, convolution.node()) - (type.rank - sizes.rank); // among the constant's dims
            for (int d = 0; d < sizes.rank; ++d)
                if (sizes.size(d) != 1 && d != channel) return {};
            return {what, convolution.node(), constant.node()};
        }
        return {};
    }
    static constexpr bool is_one(const argument& alpha) {
        return alpha.kind == argument_kind::real ? alpha.real() == 1
                                                 : alpha.kind == argument_kind::integer && alpha.bits == 1;
    }

    constexpr folding_step normalising(graph_view g, node_id id) const {
        const auto& n = g[id];
        const auto& convolution = g.argument_of(n, 0);
        const bool may_train = n.op == batch_norm_;
        if (n.arguments.count != (may_train ? 8 : 7) || !takes_more(g, id, convolution) ||
            channel_of(g, convolution.node()) != 1)
            return {};
        const auto& type = g.value_of(convolution).type;
        const auto& epsilon = g.argument_of(n, may_train ? 7 : 6);
        if (!(g.value_of(id).type == type) || epsilon.kind != argument_kind::real || !epsilon.keyword.empty())
            return {};
        if (may_train && (g.argument_of(n, 5).bits != 0 || !g.argument_of(n, 5).keyword.empty())) return {};
        for (std::int32_t i = 1; i <= 4; ++i)
            if (!(i < 3 ? has_constant_or_none(g, n, i, type.type) : has_constant(g, n, i, type.type))) return {};
        for (auto use = n.first_use; use.exists(); use = g[use].next_use) { // other results would have to be computed
            const auto& by = g[g[use].owner];
            if (by.kind != node_kind::call || by.op != getitem_ || (by.use_count > 0 && g.argument_of(by, 1).bits != 0))
                return {};
        }
        return {folding::normalises, convolution.node(), {}};
    }
};

} // namespace ahead::pass::detail
