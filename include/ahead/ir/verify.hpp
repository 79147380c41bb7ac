// SPDX-License-Identifier: MIT
// Whether a graph is valid: checks every invariant that edits must keep, independently of the editing code, for the
// graph and all blocks in it. Called after every pass and by tests.
// Invariant: does not depend on how a graph was edited; one walk over the nodes, one over the arguments.
#pragma once
#include <ahead/ir/blame.hpp>
#include <ahead/ir/blocks.hpp>

namespace AHEAD_NAMESPACE::detail {

class graph_verifier {
public:
    constexpr graph_verifier(graph_view g, diagnosis& d)
        : g_(g), d_(d), nodes_(g.nodes().data()), arguments_(g.arguments().data()), place_room_(g.header().used.nodes),
          use_room_(g.header().used.nodes), place_(place_room_.data()), uses_(use_room_.data()) {}

    constexpr bool run() {
        const auto& header = g_.header();
        std::int32_t held = 0;
        if (!run({})) return false;
        for (auto b = next_block(g_); b.exists(); b = next_block(g_, b), ++held)
            if (!check_holder(b) || !run(b)) return false;
        if (count_ != header.live_nodes || held != header.blocks)
            return broken(g_.last(), short_text() << header.live_nodes << " nodes, " << header.blocks << " blocks",
                          short_text() << count_ << " nodes, " << held << " blocks");
        block_id b;
        do {
            for (auto id = g_.inside(b).first().index; id >= 0; id = nodes_[id].next.index)
                if (uses_[id] != nodes_[id].use_count)
                    return broken({id}, short_text() << uses_[id] << " uses", short_text() << nodes_[id].use_count);
            b = next_block(g_, b);
        } while (b.exists());
        return true;
    }

private:
    graph_view g_;
    diagnosis& d_;
    const node* nodes_;
    const argument* arguments_;
    fixed_buffer<std::int32_t> place_room_, use_room_;
    std::int32_t* place_;    // by node: its place in program order, from 1, block after block; 0: not visited yet
    std::int32_t* uses_;     // by node: number of arguments seen that read it
    block_id block_;         // the block being walked
    std::int32_t above_ = 0; // places up to this one are in other blocks
    std::int32_t count_ = 0; // nodes visited

    /// Checks the graph itself, or a block.
    constexpr bool run(block_id b) {
        const auto& header = g_.header();
        const auto own = g_.inside(b);
        std::int32_t count = count_, outputs = 0;
        const auto above = count;
        block_ = b;
        above_ = above;
        node_id before;
        for (auto at = own.first(); at.exists(); at = nodes_[at.index].next) {
            if (at.index >= header.used.nodes || count == header.live_nodes)
                return broken(before, "as many nodes as are counted", "more");
            const auto& n = nodes_[at.index];
            if (n.previous.index != before.index) return broken(at, "a link back to the node before it", print(n.name));
            if (n.erased) return broken(at, "a live node", "an erased one");
            const auto end = n.arguments.first + n.arguments.count;
            for (auto i = n.arguments.first; i < end; ++i) {
                const auto& a = arguments_[i];
                if (a.kind == argument_kind::node && a.owner.index == at.index && place_[a.bits] > above &&
                    a.result < nodes_[a.bits].values.count)
                    ++uses_[a.bits]; // the common case
                else if (is_to_check(a) && !check_argument(at, n, i)) return false;
            }
            place_[at.index] = ++count;
            if (n.kind == node_kind::output) ++outputs;
            before = at;
        }
        count_ = count;
        if (before == own.last() && outputs == 1 && nodes_[before.index].kind == node_kind::output)
            return !b.exists() || check_inputs(own);
        short_text expected("one output, as the last node");
        if (b.exists()) expected << " of " << print(g_[b].name).view();
        return broken(before.exists() || !b.exists() ? before : holder_of(g_, b), expected,
                      short_text() << outputs << " outputs");
    }

    constexpr bool broken(node_id n, const short_text& expected, const short_text& found) {
        return n.exists() ? refuse_at(d_, nodes_[n.index], fault::graph_is_broken, expected, found)
                          : refuse(d_, fault::graph_is_broken, expected, found);
    }
    constexpr bool check_argument(node_id at, const node& n, std::int32_t i) {
        const auto& a = arguments_[i];
        if (a.kind == argument_kind::node) {
            const auto& read = nodes_[a.bits];
            if (read.erased || place_[a.bits] <= above_) {
                if (!read.erased && block_of(g_, a.node()) != block_) return is_outside(n, print(read.name));
                return broken(at, "operands above it", print(read.name));
            }
            if (n.kind != node_kind::output && a.result >= read.values.count)
                return broken(at, short_text() << read.values.count << " results of " << print(read.name).view(),
                              short_text() << a.result + 1);
            if (a.owner != at) return broken(at, "arguments that know whose they are", print(read.name));
            ++uses_[a.bits];
        }
        if (a.kind == argument_kind::block &&
            (a.bits < 0 || a.bits >= g_.header().used.nodes || nodes_[a.bits].kind != node_kind::block ||
             nodes_[a.bits].erased || nodes_[a.bits].first_use.index != i || a.owner != at))
            return broken(at, "blocks of its own", short_text("block ") << a.bits);
        for (std::int32_t k = 0; k < a.children.count; ++k)
            if (is_to_check(arguments_[a.children.first + k]) && !check_argument(at, n, a.children.first + k))
                return false;
        return true;
    }
    /// Numbers and words are valid in any place.
    static constexpr bool is_to_check(const argument& a) {
        return a.children.count != 0 || a.kind == argument_kind::node || a.kind == argument_kind::block;
    }
    constexpr bool is_outside(const node& n, const short_text& found) {
        return refuse_at(d_, n, fault::operand_is_outside_its_block,
                         short_text("a node of ")
                             << (block_.exists() ? print(g_[block_].name) : short_text("the graph")).view(),
                         found);
    }
    /// A block is one argument of a call that was visited before.
    constexpr bool check_holder(block_id b) {
        const auto& head = g_[b];
        std::int32_t held = 0;
        if (head.first_use.exists() && place_[holder_of(g_, b).index] > 0)
            for (block_id own : blocks_of(g_, g_[holder_of(g_, b)])) held += own == b;
        if (held == 1 && head.use_count == 1) return true;
        return broken(g_.last(), short_text("one call above it that holds ") << print(head.name).view(),
                      short_text() << held);
    }
    /// A block reads outside values through its parameters only.
    constexpr bool check_inputs(graph_view own) {
        for (node_id at : own) {
            const auto& n = nodes_[at.index];
            if (n.kind == node_kind::get_attr && !is_literal(n))
                return is_outside(n, short_text("the weight ") << n.weight);
            if (n.kind == node_kind::placeholder && n.role != input_role::user)
                return broken(at, "parameters that stand for operands", role_names[static_cast<std::size_t>(n.role)]);
        }
        return true;
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::ir {

/// Refuses (graph_is_broken) lost and erased nodes, operands below their users, missing results, wrong lists of uses,
/// anything but one output at the end, and blocks that no call holds; and (operand_is_outside_its_block) a node that
/// reads a node of another block, and a weight in a block. Infer types again to check them (infer_types).
/// pre: g is the whole graph.
constexpr bool verify(graph_view g, diagnosis& d) { return detail::graph_verifier(g, d).run(); }

} // namespace ahead::ir
