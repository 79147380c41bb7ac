// SPDX-License-Identifier: MIT
// Removes calls without readers, and then calls that only they read. Placeholders stay: they are the graph's ports.
// Source: torch.fx's eliminate_dead_code, which keeps side effects too.
#pragma once
#include <ahead/pass/config.hpp>
#include <ahead/pass/editor.hpp>

namespace AHEAD_NAMESPACE::pass {

struct eliminate_dead_code_pass {
    static constexpr std::string_view name = "eliminate_dead_code";
    static constexpr toggle config::* option = &config::eliminate_dead_code;

    static constexpr bool applies(graph_view g, op_table) {
        const node* nodes = g.node_pool();
        for (auto at = g.first().index; at >= 0; at = nodes[at].next.index)
            if (nodes[at].use_count == 0 && nodes[at].kind == node_kind::call) return true;
        return false;
    }
    constexpr void operator()(graph_editor& g, const config&) const { g.eliminate_dead_code(); }
};
inline constexpr eliminate_dead_code_pass eliminate_dead_code;

} // namespace ahead::pass
