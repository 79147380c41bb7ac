// SPDX-License-Identifier: MIT
// The declared cases of a converter as one graph: one call per case, each on its own placeholders.
// Invariant: calls and returned results are in case order. Called by
// run_supported.hpp.
#pragma once
#include <ahead/differential/case_arguments.hpp>
#include <ahead/ir/infer.hpp>
#include <tuple>

namespace AHEAD_NAMESPACE::detail {

template <std::size_t Cases> struct case_graph {
    static constexpr auto count = static_cast<std::int32_t>(Cases);
    graph_storage<capacity{24 * count + 1, 96 * count + 16, 32 * count}> storage;
    std::int32_t case_of[16 * Cases]{}; // indexed by output
    diagnosis error;
};

/// Appends the call, with a getitem per tensor if it has several results. Appends the results to `returned`.
constexpr bool append_case(graph g, op_table ops, std::string_view op, std::int32_t line, const case_arguments& given,
                           argument* returned, std::int32_t& returns, diagnosis& d) {
    const auto append = [&](std::string_view target, array_view<const argument> arguments,
                            array_view<const argument> elements, node_id& id) {
        node n;
        n.op = find_op(ops, target);
        n.target = target;
        n.name = {base_of(target), g.header().used.nodes};
        n.from.line = line;
        if (!reserve_arguments(g, static_cast<std::int32_t>(arguments.size()), n.arguments, d) ||
            !append_node(g, n, id, d))
            return false;
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            auto a = arguments[static_cast<std::size_t>(i)];
            const auto from = a.children;
            if (from.count > 0 && !reserve_arguments(g, from.count, a.children, d)) return false;
            for (std::int32_t k = 0; k < from.count; ++k)
                set_argument(g, a.children[k], elements[static_cast<std::size_t>(from.first + k)], id);
            set_argument(g, n.arguments[i], a, id);
        }
        return infer_node(g, ops, id, d);
    };
    node_id call;
    if (!append(op, {given.all, static_cast<std::size_t>(given.next)}, given.all, call)) return false;
    if (g[call].values.count == 1) {
        returned[returns++] = argument::of(call);
        return true;
    }
    for (std::int32_t k = 0; k < g[call].values.count; ++k) {
        if (g.value_of(call, k).kind != value_kind::tensor || element_count(g.value_of(call, k).type) == 0) continue;
        const argument pick[] = {argument::of(call), argument::of(k)};
        node_id picked;
        if (!append("operator.getitem", pick, {}, picked)) return false;
        returned[returns++] = argument::of(picked);
    }
    return true;
}

template <class List> struct cases_of;
template <class... Supports> struct cases_of<cases<Supports...>> {
    template <class... Arguments> static constexpr void place(case_tensors& out, support<Arguments...>) {
        (out.add(Arguments{}), ...);
    }
    static constexpr auto graph_of(op_table ops, std::string_view op) {
        case_graph<sizeof...(Supports)> out;
        const auto g = out.storage.edit();
        case_tensors tensors{g, out.error};
        (place(tensors, Supports{}), ...);
        argument returned[16 * sizeof...(Supports)];
        std::int32_t returns = 0, line = 0, next_tensor = 0;
        const auto one = [&]<class... Arguments>(support<Arguments...>) {
            if (!out.error.ok()) return;
            case_arguments given(sizeof...(Arguments), next_tensor);
            (given.add(Arguments{}), ...);
            const auto before = returns;
            append_case(g, ops, op, ++line, given, returned, returns, out.error);
            for (auto k = before; k < returns; ++k) out.case_of[k] = line;
        };
        (one(Supports{}), ...);
        node n;
        n.kind = node_kind::output;
        n.name = {"output", 0};
        n.target = "output";
        node_id id;
        if (out.error.ok() && reserve_arguments(g, returns, n.arguments, out.error) && append_node(g, n, id, out.error))
            for (std::int32_t k = 0; k < returns; ++k) set_argument(g, n.arguments[k], returned[k], id);
        return out;
    }
};

/// The cases of Converter as a graph that can be compiled.
template <class Converter, class Registry> struct supported_graph {
    using registry = Registry;
    static constexpr auto made =
        cases_of<typename Converter::supported>::graph_of(Registry::table, Converter::op::name);
    static constexpr const auto& storage = made.storage;
    static constexpr const diagnosis& error = made.error;
};

} // namespace ahead::detail
