// SPDX-License-Identifier: MIT
// Maps operators to the rows of a list whose rows have operator names; each name is looked up once, when its operator
// is first met.
// Invariant: of several rows with one name the first counts. Called by passes that identify operators by name.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/graph.hpp>
#include <ahead/ir/op.hpp>

namespace AHEAD_NAMESPACE::ir {

/// Row has the operator's name as its member `op`.
template <class Row> class operator_map {
public:
    constexpr operator_map(array_view<const Row> rows, op_table ops)
        : rows_(rows), place_(static_cast<std::int64_t>(ops.size())) {}
    /// The index of the row for the call's operator; -1 if there is not one. pre: the operator exists
    constexpr std::int32_t of(const node& call) {
        auto& known = place_[call.op.index];
        if (known == 0) {
            const Row* rows = rows_.data();
            const auto count = static_cast<std::int16_t>(rows_.size());
            const auto length = call.target.size();
            known = -1;
            for (std::int16_t i = 0; i < count && known < 0; ++i)
                if (rows[i].op.size() == length && same_name(rows[i].op, call.target))
                    known = static_cast<std::int16_t>(i + 1);
        }
        return known < 0 ? -1 : known - 1;
    }
    /// The first node at or after `id` that calls an operator with a row; none() if there is not one.
    constexpr node_id next(graph_view g, node_id id) {
        const node* nodes = g.nodes().data();
        const std::int16_t* place = place_.data();
        for (; id.index >= 0; id = nodes[id.index].next)
            if (const auto op = nodes[id.index].op.index; op >= 0 && place[op] >= 0 && of(nodes[id.index]) >= 0) break;
        return id;
    }

private:
    array_view<const Row> rows_;
    fixed_buffer<std::int16_t> place_; // by operator: row index + 1; -1: no row
};

} // namespace ahead::ir
