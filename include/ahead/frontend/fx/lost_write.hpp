// SPDX-License-Identifier: MIT
// Finds writes that a printed form may have lost: print_readable() and print(gm.graph) of an exported program return
// the new values of its buffers first, without marking them. Called by examples/08_inspect.
#pragma once
#include <ahead/ir/graph.hpp>

namespace AHEAD_NAMESPACE::frontend {

/// A buffer, named as in exports, b_cache, that is not marked as written, and a returned value of the same type.
struct lost_write {
    node_id buffer, value;
    constexpr bool exists() const { return buffer.exists(); }
};

/// The first write that a typed graph may have lost; none if there is none, or if any write is marked: a text with a
/// signature has lost nothing.
constexpr lost_write find_lost_write(graph_view g) {
    const auto returned = returned_by(g);
    for (std::int32_t i = 0; i < returned.count; ++i)
        if (g[returned[i]].writes.exists()) return {};
    for (std::int32_t i = 0; i < returned.count; ++i) {
        const auto& a = g[returned[i]];
        if (a.kind != argument_kind::node || g[a.node()].kind != node_kind::call || !g.is_typed(a.node())) continue;
        const auto& type = g.value_of(a).type;
        for (node_id id : g) {
            const auto& n = g[id];
            if (n.kind != node_kind::placeholder || n.name.text.substr(0, 2) != "b_" || !g.is_typed(id)) continue;
            if (const auto& own = g.value_of(id).type; own.type == type.type && sizes_of(own) == sizes_of(type))
                return {id, a.node()};
        }
    }
    return {};
}

} // namespace ahead::frontend
