// SPDX-License-Identifier: MIT
// What torch.export's run_decompositions() wrote out, as the call that it was, where that call has kernels of its own:
// products of more than two dims (recompose/products.hpp), attention (recompose/attention.hpp) and the steps of recurrent
// networks (recompose/recurrences.hpp), leaky_relu (recompose/activations.hpp), losses of pairs (recompose/losses.hpp),
// borders (recompose/pads.hpp).
// Law: what is put in means what PyTorch's call means; what the graph returns has the dtypes and sizes that it had.
#pragma once
#include <ahead/pass/config.hpp>
#include <ahead/pass/recompose/activations.hpp>
#include <ahead/pass/recompose/attention.hpp>
#include <ahead/pass/recompose/losses.hpp>
#include <ahead/pass/recompose/pads.hpp>
#include <ahead/pass/recompose/products.hpp>
#include <ahead/pass/recompose/recurrences.hpp>

namespace AHEAD_NAMESPACE::pass {

struct recompose_pass {
    static constexpr std::string_view name = "recompose";
    static constexpr choice config::* option = &config::recompose;

    static constexpr bool applies(graph_view g, op_table ops) {
        fixed_buffer<bool> called(static_cast<std::int64_t>(ops.size())); // in one sweep: this is asked of every graph
        const node* nodes = g.node_pool();
        for (auto at = g.first().index; at >= 0; at = nodes[at].next.index)
            if (const auto op = nodes[at].op.index; op >= 0) called[op] = true;
        const auto has = [&](std::string_view name) {
            const auto op = find_op(ops, name);
            return op.exists() && called[op.index];
        };
        return has("aten.bmm.default") || has("aten.bitwise_not.default") ||
               (has("aten.where.self") &&
                (has("aten.gt.Scalar") || has("aten.lt.Scalar") || has("aten.isnan.default"))) ||
               (has("aten.arange.start_step") && (has("aten.index.Tensor") || has("aten._unsafe_index.Tensor"))) ||
               (has("aten.empty.memory_format") && has("aten.slice_scatter.default")) ||
               has_steps(g, ops, has("aten.tanh.default"));
    }
    constexpr void operator()(auto& g, const config&) const {
        const auto before = g.changes();
        detail::activation_composer(g).run();
        detail::loss_composer(g).run();
        detail::pad_composer(g).run();
        detail::product_composer(g).run();
        detail::attention_composer(g).run();
        detail::recurrence_composer(g).run();
        if (g.changes() != before) g.eliminate_dead_code(); // nobody else reads it, and passes behind count readers
    }

private:
    /// Whether two products have one matrix on their right, as steps of a recurrent network do, whose state is made by
    /// tanh or is what relu gave.
    static constexpr bool has_steps(graph_view g, op_table ops, bool has_tanh) {
        const auto relu = find_op(ops, "aten.relu.default");
        fixed_buffer<bool> met(g.header().used.nodes); // by the node of the matrix
        for (std::string_view op : {"aten.addmm.default", "aten.mm.default"})
            for (node_id id : calls_of(g, find_op(ops, op))) {
                const int right = op == "aten.mm.default" ? 1 : 2;
                const auto owner = [&](int i) { return owner_of(g, g.argument_of(g[id], i)); };
                auto& has_product = met[owner(right).index];
                if (has_product && (has_tanh || g[owner(right - 1)].op == relu)) return true;
                has_product = true;
            }
        return false;
    }
};
inline constexpr recompose_pass recompose;

} // namespace ahead::pass
