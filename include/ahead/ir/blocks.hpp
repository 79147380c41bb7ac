// SPDX-License-Identifier: MIT
// Blocks: the branches and loop bodies that a call holds, one for each argument of kind block. Code that walks a graph
// with all of its blocks uses these functions.
// Invariant: a block reads only its nodes and its parameters; values from outside are operands of the call that holds
// it, as in torch.ops.higher_order.cond(pred, true_graph_0, false_graph_0, [x, y]). The head of a block comes before
// the heads of its inner blocks in the pool (verify.hpp).
// Called by verification, inference, passes and printers. For a graph without blocks the cost is one test.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/ir/graph.hpp>

namespace AHEAD_NAMESPACE::ir {

constexpr bool has_blocks(graph_view g) { return g.header().blocks > 0; }
/// The call that holds the block.
constexpr node_id holder_of(graph_view g, block_id b) { return g[g[b].first_use].owner; }
/// The next block after b in the pool; for none(), the first one. Returns none() at the end.
constexpr block_id next_block(graph_view g, block_id b = {}) {
    const auto end = has_blocks(g) ? g.header().used.nodes : 0;
    while (++b.index < end)
        if (g[b].kind == node_kind::block && !g[b].erased) return b;
    return {};
}

/// The blocks that a call holds, in the order of its arguments, including those in lists: `for (block_id b :
/// blocks_of(g, n))`.
class blocks_of {
public:
    constexpr blocks_of(graph_view g, const node& n)
        : pool_(g.argument_pool()), first_(pool_ + n.arguments.first),
          end_(first_ + (has_blocks(g) ? n.arguments.count : 0)) {}
    struct iterator {
        const argument *pool, *at, *end;
        const argument *behind = nullptr, *outer_end = nullptr; // outer list: where to resume; end
        constexpr block_id operator*() const { return at->block(); }
        constexpr iterator& operator++() {
            ++at;
            skip();
            return *this;
        }
        constexpr bool operator==(const iterator& other) const { return at == other.at; }
        constexpr void skip() {
            while (true) {
                if (at == end) {
                    if (behind == nullptr) return;
                    at = behind;
                    end = outer_end;
                    behind = nullptr;
                } else if (at->kind == argument_kind::block) {
                    return;
                } else if (at->children.count > 0 && behind == nullptr) {
                    behind = at + 1;
                    outer_end = end;
                    end = pool + at->children.first + at->children.count;
                    at = pool + at->children.first;
                } else ++at;
            }
        }
    };
    constexpr iterator begin() const {
        iterator out{pool_, first_, end_};
        out.skip();
        return out;
    }
    constexpr iterator end() const { return {pool_, end_, end_}; }

private:
    const argument *pool_, *first_, *end_;
};
constexpr bool holds_blocks(graph_view g, const node& n) {
    const blocks_of held(g, n);
    return !(held.begin() == held.end());
}

/// Calls f(graph) for the whole graph, then for every block in it, outer ones first, until f returns false.
template <class F> constexpr bool for_each_graph(graph_view g, F f) {
    block_id b;
    do {
        if (!f(g.inside(b))) return false;
        b = next_block(g, b);
    } while (b.exists());
    return true;
}

/// The block that contains n; none() for the graph itself. Walks to the head of n's list, which works for a broken list
/// too.
constexpr block_id block_of(graph_view g, node_id n) {
    for (auto left = g.header().used.nodes; left > 0 && g[n].previous.exists(); --left) n = g[n].previous;
    for (auto b = next_block(g); b.exists(); b = next_block(g, b))
        if (g[b].next == n) return b;
    return {};
}

/// "a call that holds true_graph_0 false_graph_0"
constexpr short_text describe_held(graph_view g, node_id n) {
    short_text out("a call that holds");
    for (block_id b : blocks_of(g, g[n])) out << " " << print(g[b].name).view();
    return out;
}
/// Refuses (control_flow_is_not_run) a call that holds blocks.
constexpr bool check_holds_none(graph_view g, node_id n, diagnosis& d) {
    return !holds_blocks(g, g[n]) ||
           refuse_at(d, g[n], fault::control_flow_is_not_run, "no branches and loops", describe_held(g, n));
}
/// The same for the first such call of a graph. Used where uncompiled blocks would be lost.
constexpr bool check_has_no_blocks(graph_view g, diagnosis& d) {
    if (has_blocks(g))
        for (node_id id : g)
            if (!check_holds_none(g, id, d)) return false;
    return true;
}

} // namespace ahead::ir
