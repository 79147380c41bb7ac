// SPDX-License-Identifier: MIT
// Whether a graph can be: every invariant that edits must keep, checked from the outside. Called after every pass and
// by tests.
// Invariant: knows nothing of how a graph was edited; one walk over the nodes, one over the arguments.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/ir/graph.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

class graph_judge {
public:
    constexpr graph_judge(graph_view g, diagnosis& d)
        : g_(g), d_(d), nodes_(g.nodes().data()), arguments_(g.arguments().data()), place_room_(g.header().used.nodes),
          use_room_(g.header().used.nodes), place_(place_room_.data()), uses_(use_room_.data()) {}

    constexpr bool run() {
        const auto& header = g_.header();
        std::int32_t count = 0, outputs = 0;
        node_id before;
        for (auto at = header.first; at.exists(); at = nodes_[at.index].next) {
            if (at.index >= header.used.nodes || count == header.live_nodes)
                return broken(before, "as many nodes as are counted", "more");
            const auto& n = nodes_[at.index];
            if (n.previous != before) return broken(at, "a link back to the node before it", print(n.name));
            if (n.erased) return broken(at, "a live node", "an erased one");
            const auto end = n.arguments.first + n.arguments.count;
            for (auto i = n.arguments.first; i < end; ++i) {
                const auto& a = arguments_[i];
                if (a.kind == argument_kind::node && a.owner.index == at.index && place_[a.bits] != 0 &&
                    a.result < nodes_[a.bits].values.count)
                    ++uses_[a.bits]; // as most are
                else if (!check(at, n, i)) return false;
            }
            place_[at.index] = ++count;
            if (n.kind == node_kind::output) ++outputs;
            before = at;
        }
        if (count != header.live_nodes)
            return broken(before, short_text() << header.live_nodes << " nodes", short_text() << count);
        if (before != header.last || outputs != 1 || nodes_[before.index].kind != node_kind::output)
            return broken(before, "one output, as the last node", short_text() << outputs << " outputs");
        for (auto id = header.first.index; id >= 0; id = nodes_[id].next.index)
            if (uses_[id] != nodes_[id].use_count)
                return broken({id}, short_text() << uses_[id] << " uses", short_text() << nodes_[id].use_count);
        return true;
    }

private:
    graph_view g_;
    diagnosis& d_;
    const node* nodes_;
    const argument* arguments_;
    fixed_buffer<std::int32_t> place_room_, use_room_;
    std::int32_t* place_; // by node: its place in program order, from 1; 0: not met yet
    std::int32_t* uses_;  // by node: how many arguments were seen to read it

    constexpr bool broken(node_id n, short_text expected, short_text found) {
        if (n.exists()) blame(d_, nodes_[n.index]);
        return refuse(d_, fault::graph_is_broken, expected, found);
    }
    constexpr bool check(node_id at, const node& n, std::int32_t i) {
        const auto& a = arguments_[i];
        if (a.kind == argument_kind::node) {
            const auto& read = nodes_[a.bits];
            if (read.erased || place_[a.bits] == 0) return broken(at, "operands above it", print(read.name));
            if (n.kind != node_kind::output && a.result >= read.values.count)
                return broken(at, short_text() << read.values.count << " results of " << print(read.name).view(),
                              short_text() << a.result + 1);
            if (a.owner != at) return broken(at, "arguments that know whose they are", print(read.name));
            ++uses_[a.bits];
        }
        for (std::int32_t k = 0; k < a.children.count; ++k)
            if (!check(at, n, a.children.first + k)) return false;
        return true;
    }
};

} // namespace detail

/// Refuses (graph_is_broken) lost and erased nodes, operands below their users, missing results, wrong lists of uses,
/// and anything but one output at the end. Types are checked by inferring them again (infer_types).
constexpr bool verify(graph_view g, diagnosis& d) { return detail::graph_judge(g, d).run(); }

} // namespace ahead
