// SPDX-License-Identifier: MIT
// Folds calls that scale or shift the channels of a convolution into its weight and bias: a batch norm in inference
// mode, and the calls that it decomposes into, a product, sum or difference with a constant that has one element for
// each channel or one for all. The new weight and bias depend on parameters alone, so prepare computes them.
// Law: the convolution, not transposed, has no other reader; it and the call have one type, and the constants have its
// dtype. Source: torch.fx's experimental.optimization.fuse and Inductor's efficient_conv_bn_eval.
#pragma once
#include <ahead/pass/config.hpp>
#include <ahead/pass/fold_batch_norm/folder.hpp>

namespace AHEAD_NAMESPACE::pass {

struct fold_batch_norm_pass {
    static constexpr std::string_view name = "fold_batch_norm";
    static constexpr toggle config::* option = &config::fold_batch_norm;

    static constexpr bool applies(graph_view g, op_table ops) {
        detail::folding_finder finder(g, ops);
        if (!finder.any()) return false;
        for (node_id id : g)
            if (finder.next(g, id).what != detail::folding::nothing) return true;
        return false;
    }
    /// After a convolution, every step of a chain of such calls may be folded into it.
    static constexpr capacity growth(graph_view g, op_table ops) {
        detail::folding_finder finder(g, ops);
        capacity more;
        if (!finder.any()) return more;
        fixed_buffer<bool> in_chain(g.header().used.nodes);
        for (node_id id : g) {
            const auto what = finder.could_be(g, id, in_chain);
            if (what == detail::folding::nothing) continue;
            const bool normalises = what == detail::folding::normalises;
            more.nodes += normalises ? 8 : 4; // calls, each with one result
            more.arguments += normalises ? 24 : 20;
        }
        more.values = more.nodes;
        return more;
    }
    constexpr void operator()(graph_editor& g, const config&) const {
        detail::folding_finder finder(g.view(), g.operators());
        if (!finder.any()) return;
        for (node_id id : g) {
            const auto step = finder.next(g.view(), id);
            if (g.ok() && step.what != detail::folding::nothing) detail::folder(g, finder, step, id);
        }
    }
};
inline constexpr fold_batch_norm_pass fold_batch_norm;

} // namespace ahead::pass
