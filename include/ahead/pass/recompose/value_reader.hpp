// SPDX-License-Identifier: MIT
// Queries that the parts of recompose share: the operators that a graph calls; for a value, the tensor that it is a
// reshaped form of, numeric arguments, and readers.
// Invariant: the graph is not changed. Called by pass/recompose/.
#pragma once
#include <ahead/pass/editor.hpp>
#include <ahead/pass/reshaped_from.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// Operators that look up elements at the indices in tensors.
inline constexpr std::string_view lookups[] = {"aten.index.Tensor"sv, "aten._unsafe_index.Tensor"sv};

/// The operators that a graph calls, collected in one sweep: every composer checks for each graph whether its operators
/// occur.
class called_operators {
public:
    constexpr called_operators(graph_view graph, op_table table)
        : g(graph), ops(table), called_(static_cast<std::int64_t>(table.size())) {
        const node* nodes = g.node_pool();
        for (auto at = g.first().index; at >= 0; at = nodes[at].next.index)
            if (const auto op = nodes[at].op.index; op >= 0) called_[op] = true;
    }
    const graph_view g;
    const op_table ops;

    constexpr bool has(op_id op) const { return op.exists() && called_[op.index]; }
    constexpr bool has(std::string_view name) const { return has(find_op(ops, name)); }
    constexpr bool has_any(array_view<const std::string_view> names) const {
        for (auto name : names)
            if (has(name)) return true;
        return false;
    }
    constexpr bool has_all(std::initializer_list<std::string_view> names) const {
        for (auto name : names)
            if (!has(name)) return false;
        return true;
    }

private:
    fixed_buffer<bool> called_;
};

class value_reader {
public:
    constexpr explicit value_reader(graph_editor& g) : g_(g) {}

protected:
    graph_editor& g_;

    constexpr const tensor_type& type_of(node_id n) const { return g_.type_of(n); }
    constexpr node_id reshaped_from(node_id n) const { return detail::reshaped_from(g_.view(), n); }
    /// n, or the first tensor that n is a reshaped form of with these sizes; none if none has them.
    constexpr node_id with_sizes(node_id n, const int_list& sizes) const {
        while (n.exists() && sizes_of(type_of(n)) != sizes) n = reshaped_from(n);
        return n;
    }
    /// The call of the operator that n is a reshaped form of, if each intermediate form has one use; none if there is
    /// none.
    constexpr node_id behind_reshapes(node_id n, std::string_view op) const {
        while (n.exists() && !g_.calls(n, op)) n = g_.use_count(n) == 1 ? reshaped_from(n) : node_id{};
        return n;
    }
    /// Whether argument i of n is this number.
    constexpr bool is_number(node_id n, std::int32_t i, double number) const {
        if (i >= g_[n].arguments.count) return false;
        const auto& a = g_.argument_of(n, i);
        return a.kind == argument_kind::real
                   ? a.real() == number
                   : a.kind == argument_kind::integer && static_cast<double>(a.integer()) == number;
    }
    /// Whether n, an arange.start_step, gives its start and end by position, and counts by 1.
    constexpr bool counts_by_one(node_id n) const {
        for (std::int32_t i = 0; i < g_[n].arguments.count; ++i) {
            const auto keyword = g_.argument_of(n, i).keyword;
            const bool is_step = keyword.empty() ? i == 2 : same_name(keyword, "step");
            if ((i < 2 && !keyword.empty()) || (is_step && !is_number(n, i, 1))) return false;
        }
        return true;
    }
    /// Whether argument i of n is the last dim of a tensor of this rank.
    constexpr bool is_last_dim(node_id n, std::int32_t i, int rank) const {
        return is_number(n, i, -1) || is_number(n, i, rank - 1);
    }
};

} // namespace ahead::pass::detail
