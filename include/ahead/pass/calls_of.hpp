// SPDX-License-Identifier: MIT
// The calls of one operator, in program order, as a range.
// Invariant: the current node may be erased, and nodes may be inserted, during the walk. Called by graph_editor, and by
// passes that ask whether there are any.
#pragma once
#include <ahead/ir/graph.hpp>

namespace AHEAD_NAMESPACE::pass {

class calls_of {
public:
    constexpr calls_of(graph_view g, op_id op) : nodes_(g.nodes().data()), first_(g.first().index), op_(op) {}
    struct iterator {
        const node* nodes;
        std::int32_t at;
        op_id op;
        constexpr node_id operator*() const { return {at}; }
        constexpr iterator& operator++() {
            at = nodes[at].next.index;
            skip();
            return *this;
        }
        constexpr bool operator==(const iterator& other) const { return at == other.at; }
        constexpr void skip() {
            while (at >= 0 && nodes[at].op.index != op.index) at = nodes[at].next.index;
        }
    };
    constexpr iterator begin() const {
        iterator out{nodes_, op_.exists() ? first_ : -1, op_};
        out.skip();
        return out;
    }
    constexpr iterator end() const { return {nodes_, -1, op_}; }
    constexpr bool is_empty() const { return begin() == end(); }

private:
    const node* nodes_;
    std::int32_t first_;
    op_id op_;
};

} // namespace ahead::pass
