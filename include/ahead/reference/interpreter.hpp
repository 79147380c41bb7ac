// SPDX-License-Identifier: MIT
// The reference interpreter: runs a typed graph node by node with the naive meaning of its operators. It is the oracle
// of the tests; the same function runs at compile time and at run time. Slow on purpose: one element at a time, in
// logical order.
// Invariant: a view shares the storage of its base, so every alias sees in-place operators, as in PyTorch.
#pragma once
#include <ahead/core/error.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/check_copied_views.hpp>
#include <ahead/ir/check_dtypes.hpp>
#include <ahead/ir/registry.hpp>
#include <ahead/reference/evaluate.hpp>
#include <ahead/reference/interpret_blocks.hpp>

namespace AHEAD_NAMESPACE::interpreter {

using evaluate_function = void (*)(evaluate_context&);

} // namespace ahead::interpreter
namespace AHEAD_NAMESPACE::detail {

template <class Op> constexpr evaluate_function evaluate_of() {
    if constexpr (requires(evaluate_context& c) { Op::evaluate(c); })
        return [](evaluate_context& c) { Op::evaluate(c); };
    else if constexpr (requires {
                           Op::rule;
                           Op::accepts;
                       })
        return &evaluate_meaning<Op>;
    else if constexpr (requires { typename Op::functional; }) return evaluate_of<typename Op::functional>();
    else return nullptr;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::interpreter {

/// The evaluate function of each row of Registry::table; null for operators that only make views.
template <class Registry> struct reference_table {
private:
    static constexpr auto by_position = []<std::size_t... Nth>(std::index_sequence<Nth...>) {
        return std::array<evaluate_function, Registry::size>{detail::evaluate_of<op_of<Registry, Nth>>()...};
    }(std::make_index_sequence<Registry::size>{});

public:
    static constexpr evaluate_function at(op_id id) { return by_position[Registry::position_of(id)]; }
};

} // namespace ahead::interpreter
namespace AHEAD_NAMESPACE::detail {

/// Like reference_table, but only for the operators of one graph: the meanings of all others are not compiled.
template <class Front> struct table_of_graph {
private:
    using registry = typename Front::registry;
    static constexpr auto used = [] {
        std::array<bool, registry::size> out{};
        for (const auto& n : Front::storage.nodes)
            if (n.kind == node_kind::call && n.op.exists()) out[registry::position_of(n.op)] = true;
        return out;
    }();
    template <std::size_t Nth> static constexpr evaluate_function one() {
        if constexpr (used[Nth]) return evaluate_of<op_of<registry, Nth>>();
        else return nullptr;
    }
    static constexpr auto by_position = []<std::size_t... Nth>(std::index_sequence<Nth...>) {
        return std::array<evaluate_function, registry::size>{one<Nth>()...};
    }(std::make_index_sequence<registry::size>{});

public:
    static constexpr evaluate_function at(op_id id) { return by_position[registry::position_of(id)]; }
};

/// Allocates a buffer for each result that owns storage. `computes`: set if any result is not a view.
constexpr void make_storages(graph_view g, node_id id, std::vector<host_buffer>& storages, bool& computes) {
    for (std::int32_t k = 0; k < g[id].values.count; ++k) {
        const auto& v = g.value_of(id, k);
        if (v.kind != value_kind::tensor) continue;
        if (v.storage != g[id].values[k]) continue;
        storages[static_cast<std::size_t>(v.storage.index)] = {v.type.type, v.type.offset + extent_of(v.type)};
        computes = true;
    }
}

/// Appends the inputs and weights whose bytes a call writes, in program order, with their current values. A copy of a
/// tensor onto itself does not count as a write.
constexpr void collect_written(graph_view g, op_table ops, const std::vector<host_buffer>& storages,
                               std::vector<host_tensor>& outputs) {
    fixed_buffer<bool> written(static_cast<std::int64_t>(g.values().size()));
    for (node_id id : g) {
        const auto& n = g[id];
        const auto operand = written_operand(g, n, ops);
        if (operand < 0) continue;
        const auto& self = g.value_of(g.argument_of(n, operand));
        if (n.target == "aten.copy_.default" && g.value_of(g.argument_of(n, 1)).storage == self.storage &&
            g.value_of(g.argument_of(n, 1)).type == self.type)
            continue;
        written[self.storage.index] = true;
    }
    for (node_id id : g)
        if (g[id].kind != node_kind::call && g[id].values.count == 1 && written[g[id].values.first])
            outputs.push_back(copy_of(g, argument::of(id), storages));
}

constexpr host_tensor scalar_tensor_of(std::int64_t v) {
    host_tensor out(tensor_of(dtype::i64, {}));
    out.data.put(0, v);
    return out;
}
constexpr bool take_random_state(graph_view g, node_id at, array_view<const host_tensor> inputs, std::size_t& next,
                                 std::int64_t& seed, std::int64_t& offset, diagnosis& d) {
    for (auto* to : {&seed, &offset}) {
        const std::string_view name = to == &seed ? "rng_seed" : "rng_offset";
        if (next == inputs.size())
            return refuse_at(d, g[at], fault::input_count_differs, short_text(name) << ", an i64[]",
                             short_text() << inputs.size() << " inputs");
        const auto& given = inputs[next++];
        if (given.type.type != dtype::i64 || given.type.rank != 0)
            return refuse_at(d, g[at], fault::input_has_wrong_type, short_text(name) << ", an i64[]",
                             print(given.type));
        *to = given.get<std::int64_t>({});
    }
    return true;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::interpreter {

/// When interpret calls the visitor: before a call, with its current operands, and after it, with its results too.
enum class visit_moment : std::uint8_t { before_call, after_call };

struct visit_nothing {
    constexpr void operator()(node_id, visit_moment, const std::vector<host_buffer>&) const {}
};

/// Runs the graph. `inputs`: one tensor per placeholder and get_attr (except literals), in program order; `outputs`:
/// every tensor that the graph returns, flat and contiguous, then the last value of every input and weight that its
/// calls write, in program order. A graph that draws random numbers takes rng_seed and rng_offset, both i64 of rank 0,
/// after its placeholders, and returns the new offset as its last output. `visit`, if given, is called before and after
/// every call, views included, with all storages, indexed by the value that owns them; it is not called for calls in
/// blocks. Refuses writes that a copied view would see (check_copied_views), and a loop of more than a million rounds
/// (loop_exceeds_bound). pre: infer_types succeeded.
template <class Registry, class Table = reference_table<Registry>, class Visit = visit_nothing>
constexpr bool interpret(graph_view g, array_view<const host_tensor> inputs, std::vector<host_tensor>& outputs,
                         diagnosis& d, Visit&& visit = {}) {
    if (!check_copied_views(g, Registry::table, d)) return false;
    std::vector<host_buffer> storages(g.values().size());
    std::size_t next_input = 0;
    std::int64_t seed = 0, offset = 0;
    const auto state_at = place_of_random_state(g, Registry::table);
    for (node_id id : g) {
        const auto& n = g[id];
        if (id == state_at && !detail::take_random_state(g, id, inputs, next_input, seed, offset, d)) return false;
        if (n.kind == node_kind::output) {
            for_each_operand(g, n.arguments, [&](const argument& a) {
                if (g.value_of(a).kind == value_kind::tensor) outputs.push_back(detail::copy_of(g, a, storages));
            });
            detail::collect_written(g, Registry::table, storages, outputs);
            if (state_at.exists()) outputs.push_back(detail::scalar_tensor_of(offset));
            continue;
        }
        bool computes = false;
        detail::make_storages(g, id, storages, computes);
        if (!check_dtypes(g, n, Registry::table, d)) return refuse_at(d, n, d.what);
        if (is_literal(n)) {
            auto& data = storages[static_cast<std::size_t>(n.values.first)];
            const auto& values = g.argument_of(n, 0).children;
            for (std::int32_t i = 0; i < values.count; ++i) {
                const auto& a = g[values[i]];
                if (a.kind == argument_kind::real) data.put(i, a.real());
                else data.put(i, a.bits);
            }
            continue;
        }
        if (n.kind != node_kind::call) {
            if (next_input == inputs.size())
                return refuse_at(d, n, fault::input_count_differs, short_text() << next_input + 1 << " inputs",
                                 short_text() << inputs.size());
            const auto& given = inputs[next_input++];
            const auto& type = g.value_of(id).type;
            if (given.type.type != type.type || sizes_of(given.type) != sizes_of(type))
                return refuse_at(d, n, fault::input_has_wrong_type, print(type), print(given.type));
            auto& data = storages[static_cast<std::size_t>(n.values.first)];
            for_each_index(sizes_of(type), [&](const int_list& at) {
                data.copy(position_of(type, at), given.data, position_of(given.type, at));
            });
            continue;
        }
        const auto& row = Registry::table[static_cast<std::size_t>(n.op.index)];
        visit(id, visit_moment::before_call, storages);
        const bool checks = row.effect.has_side_effect && Table::at(n.op) != nullptr; // and may refuse
        if (!computes && !checks && row.effect.mutates < 0) {
            visit(id, visit_moment::after_call, storages);
            continue;
        }
        if (row.effect.blocks_take >= 0) {
            const auto own = [&](graph_view in, array_view<const host_tensor> given, std::vector<host_tensor>& made) {
                return interpret<Registry, Table>(in, given, made, d);
            };
            if (!detail::interpret_blocks(g, Registry::table, id, storages, d, own)) return false;
            visit(id, visit_moment::after_call, storages);
            continue;
        }
        const auto evaluate = Table::at(n.op);
        if (evaluate == nullptr) return refuse_at(d, n, fault::operator_has_no_meaning, "an evaluate", row.name);
        bound_arguments bound;
        if (!bind_arguments(g, id, row, bound, d)) return false;
        evaluate_context context(call_view(g, id, bound, d), host_memory(storages, seed, &offset));
        evaluate(context);
        if (!d.ok()) return refuse_at(d, n, d.what);
        visit(id, visit_moment::after_call, storages);
    }
    return true;
}

/// The outputs that PyTorch computes for the graph of `net`, which is trace(...) or fx<...>. `inputs`: one per
/// placeholder and get_attr in program order, except those whose values are in the graph. Compiles only the meanings of
/// this graph's operators. Throws ahead::error if an operator has none, or if an input has the wrong type.
template <const auto& Net> std::vector<host_tensor> reference(array_view<const host_tensor> inputs) {
    using front = std::remove_cvref_t<decltype(Net)>;
    std::vector<host_tensor> outputs;
    diagnosis d;
    if (!interpret<typename front::registry, detail::table_of_graph<front>>(front::storage.view(), inputs, outputs, d))
        raise(d);
    return outputs;
}

} // namespace ahead::interpreter

namespace AHEAD_NAMESPACE {
using interpreter::reference;
} // namespace ahead
