// SPDX-License-Identifier: MIT
// Folds a call after a convolution into the convolution's weight and bias. Called by pass/fold_batch_norm.hpp.
// Invariant: the convolution moves to the position of the call; its parameters are computed by calls of the graph.
#pragma once
#include <ahead/pass/fold_batch_norm/folding_finder.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// Folds the finder's step into its convolution, which moves to the position of the call.
class folder {
public:
    constexpr folder(graph_editor& g, folding_finder& known, const folding_step& step, node_id call)
        : g_(g), known_(known), convolution_(step.convolution), weight_(g.operand(convolution_, 1)),
          bias_(g.operand(convolution_, 2)) {
        g.move_before(convolution_, call); // after the operands of the call
        g.inserting_before(convolution_);
        if (step.what == folding::normalises) normalise(call);
        else if (step.what == folding::scales) scale(step.constant);
        else shift(step.constant, step.what == folding::subtracts);
        if (!g.ok()) return;
        replace(1, weight_);
        if (bias_.exists()) replace(2, bias_);
        if (step.what == folding::normalises)
            while (g.ok() && g.use_count(call) > 0) take_place_of(g.user(call));
        take_place_of(call);
    }

private:
    graph_editor& g_;
    folding_finder& known_;
    node_id convolution_, weight_, bias_;

    constexpr node_id viewed(node_id n, const int_list& sizes) const {
        return !g_.ok() || sizes_of(g_.type_of(n)) == sizes ? n : g_.call("aten.view.default", {n, sizes});
    }
    constexpr node_id flat(node_id constant) const { return viewed(constant, {element_count(g_.type_of(constant))}); }
    /// Multiplies the weight's elements of each output channel by that channel's constant.
    constexpr void scale_weight(node_id constant) {
        int_list sizes{element_count(g_.type_of(constant))};
        while (sizes.size < g_.type_of(weight_).rank) sizes.push_back(1);
        const auto column = viewed(constant, sizes);
        weight_ = g_.call("aten.mul.Tensor", {weight_, column});
    }

    constexpr void scale(node_id constant) {
        scale_weight(constant);
        if (bias_.exists()) bias_ = g_.call("aten.mul.Tensor", {bias_, flat(constant)});
    }
    constexpr void shift(node_id constant, bool down) {
        const auto by = flat(constant);
        if (bias_.exists()) {
            bias_ = g_.call(down ? "aten.sub.Tensor" : "aten.add.Tensor", {bias_, by});
            return;
        }
        bias_ = down ? g_.call("aten.neg.default", {by}) : by;
        const int_list channels{g_.type_of(weight_).size(0)};
        if (g_.ok() && sizes_of(g_.type_of(bias_)) != channels)
            bias_ = g_.call("aten.expand.default", {bias_, channels});
    }
    constexpr void normalise(node_id call) {
        const auto gamma = g_.operand(call, 1), beta = g_.operand(call, 2), mean = g_.operand(call, 3),
                   variance = g_.operand(call, 4);
        const auto epsilon = g_.argument_of(call, g_[call].arguments.count - 1).real();
        const auto raised = g_.call("aten.add.Scalar", {variance, epsilon});
        auto factor = g_.call("aten.rsqrt.default", {raised});
        if (gamma.exists()) factor = g_.call("aten.mul.Tensor", {factor, gamma});
        if (!g_.ok()) return;
        scale_weight(factor);
        bias_ = bias_.exists() ? g_.call("aten.sub.Tensor", {bias_, mean}) : g_.call("aten.neg.default", {mean});
        bias_ = g_.call("aten.mul.Tensor", {bias_, factor});
        if (beta.exists()) bias_ = g_.call("aten.add.Tensor", {bias_, beta});
    }

    constexpr void replace(std::int32_t i, node_id to) {
        g_.replace_operand(convolution_, i, to);
        known_.add_constant(to);
    }
    constexpr void take_place_of(node_id n) {
        g_.replace_all_uses_with(n, convolution_);
        g_.erase_node(n);
    }
};

} // namespace ahead::pass::detail
