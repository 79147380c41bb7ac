// SPDX-License-Identifier: MIT
// The effect of every pass on a graph, as a readable log: the original graph, then a line for each enabled pass, and
// the graph if it changed.
// Invariant: a node counts as removed or added by its index in the pool, which erasing keeps and inserting never
// reuses, not by its name. A call whose operands changed counts only in the number of changes. Called by users and
// tests; at compile time as well.
#pragma once
#include <ahead/convert/lower/lower_graph.hpp>
#include <ahead/pass/builtin.hpp>
#include <ahead/print/escaped_text.hpp>
#include <ahead/print/fx/print_fx.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Follows one graph through its passes.
template <text_sink Sink> class pass_log {
public:
    constexpr pass_log(graph_view g, Sink& out) : seen_(g.room().nodes), out_(out) {
        put("original graph: ");
        put_count(g.header().live_nodes, "node");
        put("\n");
        print_fx(g, readable_style(), out_);
        look(g);
    }
    constexpr void print(std::string_view name, graph_view g, std::int32_t changes) {
        put(name, ": ");
        if (changes == 0) {
            put("nothing to do\n");
            return;
        }
        put(count_, " -> ");
        put_count(g.header().live_nodes, "node");
        put(", ");
        put_count(changes, "change");
        std::string_view between = ": ";
        for (std::int32_t i = 0; i < count_; ++i)
            if (g[seen_[i]].erased) put_node(between, "- ", g[seen_[i]]);
        for_each_graph(g, [&](graph_view in) {
            for (node_id id : in)
                if (id.index >= used_) put_node(between, "+ ", g[id]);
            return true;
        });
        put("\n");
        print_fx(g, readable_style(), out_);
        look(g);
    }

private:
    fixed_buffer<node_id> seen_; // in program order, block after block
    std::int32_t count_ = 0;
    std::int32_t used_ = 0; // number of pool entries used
    Sink& out_;

    template <class... Parts> constexpr void put(const Parts&... parts) { detail::put(out_, {parts...}); }
    constexpr void put_count(std::int32_t count, std::string_view what) {
        put(count, " ", what, count == 1 ? "" : "s");
    }
    constexpr void put_node(std::string_view& between, std::string_view sign, const node& n) {
        put(between, sign,
            n.kind == node_kind::call          ? n.target
            : n.kind == node_kind::placeholder ? "placeholder"
                                               : "get_attr",
            " ", ahead::print(n.name));
        if (n.from.line > 0) put(" (line ", n.from.line, ")");
        between = ", ";
    }
    constexpr void look(graph_view g) {
        count_ = 0;
        for_each_graph(g, [&](graph_view in) {
            for (node_id id : in) seen_[count_++] = id;
            return true;
        });
        used_ = g.header().used.nodes;
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// Runs the passes on a copy of the graph and prints the effect of each one:
///     remove_noop_ops: 6 -> 5 nodes, 2 changes: - aten.clone.default clone (line 4)
///     eliminate_duplicates: nothing to do
/// The graph follows each line with changes, and is also printed first, in the form of print_readable() with inferred
/// types. Refuses all that pass::run refuses; the log ends before the pass at fault.
/// pre: g is typed and functional.
template <pass::pipeline_part Passes, text_sink Sink>
constexpr bool print_passes(graph_view g, const Passes& passes, const pass::setting& with, op_table ops, Sink& out,
                            diagnosis& d) {
    heap_storage storage(pass::room_for_passes(pass::pipeline<>{} | passes, g, ops, g.header().used));
    copy_graph(g, storage.edit());
    detail::pass_log<Sink> log(storage.view(), out);
    return pass::run(
        pass::pipeline<>{} | passes, with, storage.edit(), ops, d,
        [&log](std::string_view name, graph_view now, std::int32_t changes) { log.print(name, now, changes); });
}

/// The same for a compiled program: from its functional graph, from which its passes start, to
/// Program::optimized_graph().
template <class Program, text_sink Sink>
    requires requires { typename Program::passes; }
constexpr void print_passes(Sink& out) {
    using imported = typename Program::imported;
    diagnosis d; // stays empty: these passes ran when the program was compiled
    static_cast<void>(print_passes(imported::storage.view(), typename Program::passes{},
                                   {Program::tools::options, Program::tools::device}, imported::registry::table, out,
                                   d));
}

/// The same for its device graph: from the lowering of Program::optimized_graph() to Program::lowered_graph().
template <class Program, text_sink Sink>
    requires requires { typename Program::device_passes; }
void print_device_passes(Sink& out) {
    using front = typename Program::optimized;
    using tools = typename Program::tools;
    const auto& ops = front::registry::table;
    const auto& device_ops = tools::device_registry::table;
    const graph_view from = front::storage.view();
    const typename Program::device_passes passes;
    heap_storage lowered(convert::lowered_capacity(from, ops, tools::converters::table, device_ops,
                                                   {tools::options, tools::device}, passes));
    diagnosis d; // stays empty, as above
    static_cast<void>(convert::lower_graph(from, ops, tools::converters::table, lowered.edit(), device_ops,
                                           tools::options, d, pass::pipeline<>{}) &&
                      print_passes(lowered.view(), passes, {tools::options, tools::device}, device_ops, out, d));
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_device_passes, printers::print_passes;
} // namespace ahead
