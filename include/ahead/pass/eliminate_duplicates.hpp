// SPDX-License-Identifier: MIT
// Common subexpressions: of two calls of the same operator with the same arguments, the second is removed and its
// readers read the first.
// Law: the two have equal types, in device graphs also the same lifetime; they are on one stream with neither record
// nor wait between them (air/stream_map.hpp), and neither writes. A call stays where the graph returns both, because
// two outputs are two tensors.
// Source: the CSE pass of GE and of torch.fx.passes.dialect.common.cse_pass.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/editor.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

constexpr bool same_argument(graph_view g, const argument& a, const argument& b) {
    if (a.kind != b.kind || a.bits != b.bits || a.result != b.result || a.children.count != b.children.count)
        return false;
    if (a.text.size() != b.text.size() || a.keyword.size() != b.keyword.size()) return false;
    if ((!a.text.empty() && !same_name(a.text, b.text)) || (!a.keyword.empty() && !same_name(a.keyword, b.keyword)))
        return false;
    for (std::int32_t k = 0; k < a.children.count; ++k)
        if (!same_argument(g, g[a.children[k]], g[b.children[k]])) return false;
    return true;
}
constexpr bool same_call(graph_view g, const node& a, const node& b) {
    if (a.op != b.op || a.arguments.count != b.arguments.count || a.values.count != b.values.count ||
        a.constant != b.constant)
        return false;
    for (std::int32_t i = 0; i < a.arguments.count; ++i)
        if (!same_argument(g, g.argument_of(a, i), g.argument_of(b, i))) return false;
    for (std::int32_t k = 0; k < a.values.count; ++k) // the maker of an npu.view decides its type
        if (const auto& x = g[a.values[k]], &y = g[b.values[k]]; x.kind != y.kind || !(x.type == y.type)) return false;
    return true;
}
constexpr std::uint64_t hash_of(graph_view g, const argument& a, std::uint64_t hash) {
    hash = (hash ^ (static_cast<std::uint64_t>(a.kind) + 16 * static_cast<std::uint64_t>(a.result)) ^
            static_cast<std::uint64_t>(a.bits)) *
           0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
    for (std::int32_t k = 0; k < a.children.count; ++k) hash = hash_of(g, g[a.children[k]], hash);
    return hash;
}

/// Whether the call is the only reader of one of its operands: then it has no duplicate.
constexpr bool reads_alone(const node* nodes, const argument* arguments, const node& n) {
    const auto end = n.arguments.first + n.arguments.count;
    for (auto i = n.arguments.first; i < end; ++i)
        if (arguments[i].kind == argument_kind::node && nodes[arguments[i].bits].use_count == 1) return true;
    return false;
}

/// Calls by the computation that they do: open addressing over the nodes of one graph.
class call_table {
public:
    constexpr explicit call_table(graph_view g) : streams_(g), slots_(size_for(g.header().used.nodes)) {}
    /// Returns an earlier node that computes the same; if there is none, adds the node and returns none.
    constexpr node_id find_or_add(graph_view g, node_id id) {
        const auto& n = g[id];
        auto hash = static_cast<std::uint64_t>(n.op.index);
        for (std::int32_t i = 0; i < n.arguments.count; ++i) hash = hash_of(g, g.argument_of(n, i), hash);
        const auto mask = slots_.size() - 1;
        auto* slots = slots_.data();
        auto at = static_cast<std::int64_t>(hash) & mask;
        for (; slots[at] != 0; at = (at + 1) & mask)
            if (const node_id other{slots[at] - 1}; same_call(g, n, g[other]) && streams_.together(id, other))
                return other;
        slots[at] = id.index + 1;
        return {};
    }

private:
    static constexpr std::int64_t size_for(std::int32_t nodes) {
        std::int64_t size = 16;
        while (size < 2 * nodes) size *= 2;
        return size;
    }
    air::stream_map streams_;
    fixed_buffer<std::int32_t> slots_; // node + 1; 0: empty
};

} // namespace detail

struct eliminate_duplicates_pass {
    static constexpr std::string_view name = "eliminate_duplicates";
    static constexpr toggle config::* option = &config::eliminate_duplicates;

    static constexpr bool applies(graph_view g, op_table) {
        detail::call_table met(g);
        const node* nodes = g.node_pool();
        const argument* arguments = g.argument_pool();
        for (auto id = g.first(); id.index >= 0; id = nodes[id.index].next)
            if (const auto& n = nodes[id.index]; n.kind == node_kind::call &&
                                                 !detail::reads_alone(nodes, arguments, n) &&
                                                 met.find_or_add(g, id).exists())
                return true;
        return false;
    }
    constexpr void operator()(graph_editor& g, const config&) const {
        for (auto before = g.changes() - 1; g.ok() && before != g.changes();) { // until a sweep finds none
            before = g.changes();
            detail::call_table met(g.view());
            for (node_id id : g) {
                if (!g.is_pure(id)) continue;
                const auto first = met.find_or_add(g.view(), id);
                if (!first.exists() || (g.is_returned(id) && g.is_returned(first))) continue;
                g.replace_all_uses_with(id, first);
                g.erase_node(id);
            }
        }
    }
};
inline constexpr eliminate_duplicates_pass eliminate_duplicates;

} // namespace ahead::pass
