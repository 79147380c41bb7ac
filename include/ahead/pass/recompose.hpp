// SPDX-License-Identifier: MIT
// What torch.export's run_decompositions() wrote out, as the call that it was, where that call has kernels of its own:
// products of more than two dims (recompose/products.hpp) and attention (recompose/attention.hpp).
// Law: what is put in means what PyTorch's call means; what the graph returns has the dtypes and sizes that it had.
#pragma once
#include <ahead/pass/config.hpp>
#include <ahead/pass/recompose/attention.hpp>
#include <ahead/pass/recompose/products.hpp>

namespace AHEAD_NAMESPACE::pass {

struct recompose_pass {
    static constexpr std::string_view name = "recompose";
    static constexpr choice config::*option = &config::recompose;

    static constexpr bool applies(graph_view g, op_table ops) {
        return !calls_of(g, find_op(ops, "aten.bmm.default")).is_empty();
    }
    constexpr void operator()(graph_editor& g, const config&) const {
        const auto before = g.changes();
        detail::product_composer(g).run();
        detail::attention_composer(g).run();
        if (g.changes() != before) g.eliminate_dead_code(); // nobody else reads it, and passes behind count readers
    }
};
inline constexpr recompose_pass recompose;

} // namespace ahead::pass
