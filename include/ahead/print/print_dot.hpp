// SPDX-License-Identifier: MIT
// A graph as a picture: the text that Graphviz's dot draws. ATen and device graphs alike, at compile time and at run
// time. A block is a frame around its boxes, with its name; a dotted line goes from its output to the call that
// contains it.
// Invariant: a box for every live node and an arrow for every use, two if a node is used twice; nodes are identified by
// their index in the pool, so names may be any text. Called by users and tests.
#pragma once
#include <ahead/ir/blocks.hpp>
#include <ahead/ir/op.hpp>
#include <ahead/print/escaped_text.hpp>

namespace AHEAD_NAMESPACE::detail {

template <text_sink Sink> class dot_writer {
public:
    constexpr dot_writer(graph_view g, Sink& out) : g_(g), out_(out) {}

    constexpr void print() {
        put("digraph {\n    node [shape=box];\n");
        put_nodes(g_);
        put("}\n");
    }

private:
    graph_view g_;
    Sink& out_;

    template <class... Parts> constexpr void put(const Parts&... parts) { detail::put(out_, {parts...}); }
    constexpr void put_nodes(graph_view g) {
        for (node_id id : g) {
            put_box(id);
            put_arrows(id);
            for (block_id b : blocks_of(g, g[id])) put_block(b, id);
        }
    }
    constexpr void put_block(block_id b, node_id held_by) {
        put("    subgraph cluster", b.index, " {\n    label=\"");
        put_escaped(ahead::print(g_[b].name).view());
        put("\";\n");
        put_nodes(g_.inside(b));
        put("    }\n    n", g_[b].previous.index, " -> n", held_by.index, " [style=dotted];\n");
    }
    /// Escaped for double quotes.
    constexpr void put_escaped(std::string_view text) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto c = text.substr(i, 1);
            if (c == "\n") {
                put("\\n");
            } else {
                if (c == "\"" || c == "\\") put("\\");
                put(c);
            }
        }
    }
    static constexpr std::string_view shape_of(const node& n) {
        if (n.kind == node_kind::output) return "doubleoctagon";
        if (n.kind == node_kind::get_attr || n.role != input_role::user) return "cylinder";
        return n.kind == node_kind::placeholder ? "ellipse" : "box";
    }
    constexpr void put_box(node_id id) {
        const auto& n = g_[id];
        put("    n", id.index, " [label=\"");
        if (n.kind == node_kind::output) {
            put("output");
        } else {
            put_escaped(ahead::print(n.name).view());
            if (n.kind == node_kind::call) {
                put("\\n");
                put_escaped(without_aten(n.target));
            }
            put_types(n);
        }
        put("\"");
        if (const auto shape = shape_of(n); shape != "box") put(", shape=", shape);
        put("];\n");
    }
    constexpr void put_types(const node& n) {
        std::string_view between = "\\n";
        for (std::int32_t i = 0; i < n.values.count; ++i) {
            const auto& v = g_[n.values[i]];
            if (v.kind != value_kind::tensor) continue;
            put(between,
                v.type.layout == memory_layout::packed ? std::string_view("packed") : ahead::print(v.type).view());
            between = ", ";
        }
    }
    /// Which of several results n reads: the second argument of a getitem.
    constexpr std::int64_t result_of(const node& n, const argument& a) const {
        return n.target == "operator.getitem" && n.arguments.count == 2 ? g_.argument_of(n, 1).integer() : a.result;
    }
    constexpr void put_arrows(node_id to) {
        for_each_operand(g_, g_[to].arguments, [&](const argument& a) {
            put("    n", a.node().index, " -> n", to.index);
            if (g_[a.node()].values.count > 1) put(" [label=\"", result_of(g_[to], a), "\"]");
            put(";\n");
        });
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// Prints the graph for `dot -Tsvg`: calls are boxes with name, operator and types, user inputs ellipses, weights and
/// constants cylinders, blocks clusters. An arrow goes from a node to each of its uses; if the node has several results
/// the arrow is labelled with the result.
template <text_sink Sink> constexpr void print_dot(graph_view g, Sink& out) {
    detail::dot_writer<Sink>(g, out).print();
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_dot;
} // namespace ahead
