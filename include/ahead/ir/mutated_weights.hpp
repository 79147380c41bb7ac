// SPDX-License-Identifier: MIT
// The weights that a graph writes: the graph returns their new values (argument::writes). They are not constants, but
// state of the caller that runs the graph.
// Invariant: once checked, none is a constant, and none has a second placeholder. Called by passes that evaluate
// constants, and by lower.hpp.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/core/name_index.hpp>
#include <ahead/ir/graph.hpp>

namespace AHEAD_NAMESPACE::ir {

/// Whether n's values come with the weights, or are literals in the graph.
constexpr bool is_weight(const node& n) {
    return n.kind == node_kind::get_attr || (n.kind == node_kind::placeholder && n.role != input_role::user);
}
/// Whether a graph may write n: an input, or a weight that is not a constant. Attributes that FX reads belong to the
/// model, so they may be written unless they are literals.
constexpr bool may_be_written(const node& n) {
    if (n.kind == node_kind::get_attr) return !is_literal(n);
    return n.kind == node_kind::placeholder && n.role != input_role::constant;
}

/// The set of weights that g writes.
class mutated_weights {
public:
    constexpr mutated_weights() = default;
    constexpr explicit mutated_weights(graph_view g) {
        if (!g.last().exists()) return;
        const auto each = [&](auto f) {
            for_each_operand(g, g[g.last()].arguments, [&](const argument& a) {
                if (a.writes.exists() && is_weight(g[a.writes])) f(a.writes);
            });
        };
        std::int32_t count = 0;
        each([&](node_id) { ++count; });
        if (count == 0) return;
        all_ = fixed_buffer<node_id>(count);
        is_one_ = fixed_buffer<bool>(g.header().used.nodes);
        count = 0;
        each([&](node_id id) {
            all_[count++] = id;
            is_one_[id.index] = true;
        });
    }
    constexpr bool has(node_id id) const { return id.index < is_one_.size() && is_one_[id.index]; }
    /// Refuses constants (constant_is_written), and weights that the graph also reads as another input
    /// (state_has_two_names).
    constexpr bool check_graph(graph_view g, diagnosis& d) const {
        if (all_.size() == 0) return true;
        name_index names; // names of the written weights; entries are node indices
        const node* nodes = g.nodes().data();
        const auto name_at = [&](std::size_t i) { return nodes[i].weight; };
        for (const auto one : all_.all()) {
            const auto& n = nodes[one.index];
            if (!may_be_written(n))
                return refuse_at(g, n, d, fault::constant_is_written, "an input, a parameter or a buffer",
                                 print(n.name));
            if (names.find(n.weight, name_at) == name_index::none)
                names.insert(n.weight, static_cast<std::size_t>(one.index));
        }
        for (node_id id : g) {
            const auto& n = g[id];
            if (!is_weight(n)) continue;
            const auto one = names.find(n.weight, name_at);
            if (one != name_index::none && &nodes[one] != &n)
                return refuse_at(g, n, d, fault::state_has_two_names,
                                 short_text("one input of this weight, ") << print(nodes[one].name).view(),
                                 print(n.name));
        }
        return true;
    }

private:
    static constexpr bool refuse_at(graph_view g, const node& n, diagnosis& d, fault what, const short_text& expected,
                                    const short_text& found) {
        d.line = g[g.last()].from.line;
        d.op = "output";
        d.name = n.weight;
        return refuse(d, what, expected, found);
    }

    fixed_buffer<node_id> all_;
    fixed_buffer<bool> is_one_; // by node
};

/// Whether the node is a weight that runs do not change.
constexpr bool is_constant_weight(graph_view g, node_id id, const mutated_weights& written) {
    return is_weight(g[id]) && !written.has(id);
}

} // namespace ahead::ir
