// SPDX-License-Identifier: MIT
// From the device graph to its plan: the needs of each kernel, the plan on one stream, and, if the graph or the options
// require it, on several.
// Invariant: only operators that the graph calls are instantiated, and task times are computed only for a program of
// several streams. Called by compiled.hpp.
#pragma once
#include <ahead/compile/equal_calls.hpp>
#include <ahead/compile/graph_stages.hpp>
#include <ahead/compile/timing.hpp>
#include <ahead/compile/used_operators.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/kernels/kernels.hpp>
#include <ahead/plan/make_plan.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The needs of each node, for the planner, and whether each node has a kernel.
template <std::int32_t Nodes> struct needs_stage {
    std::array<device::kernel_needs, static_cast<std::size_t>(Nodes)> needs{};
    std::array<std::int32_t, static_cast<std::size_t>(Nodes)>
        alike{}; // the first node that is alike, or the node itself
    diagnosis error;
};
template <class Graph> constexpr auto find_needs() {
    using registry = typename Graph::registry;
    using used = used_operators<Graph>;
    needs_stage<Graph::storage.header.used.nodes> out;
    if (!Graph::is_complete) return out;
    const graph_view g = Graph::storage.view();
    compile::equal_calls classes(g);
    device::kernel_needs* all = out.needs.data();
    for (node_id id : g) {
        const auto& n = g[id];
        const auto first = classes.add(id);
        out.alike[static_cast<std::size_t>(id.index)] = first.index;
        if (n.kind != node_kind::call) continue;
        if (first != id) {
            all[id.index] = all[first.index];
            continue;
        }
        const auto& row = used::rows[static_cast<std::size_t>(used::numbered.number[n.op.index] - 1)];
        const typed_call call(g, id, registry::table, out.error);
        auto& mine = all[id.index];
        mine = row.needs(call);
        if (row.lacks_eigen(call)) {
            refuse_at(out.error, n, fault::kernel_header_is_not_included, "#include <ahead/eigen.hpp>", n.target);
            break;
        }
        if (!mine.is_task || row.has_kernel) continue;
        if (row.kernel_header.empty())
            refuse_at(out.error, n, fault::operator_has_no_kernel, "kernels::kernel_for specialised for it", n.target);
        else
            refuse_at(out.error, n, fault::kernel_header_is_not_included,
                      short_text("#include <") << row.kernel_header << ">", n.target);
        break;
    }
    return out;
}
template <class Graph> inline constexpr auto needs_in = find_needs<Graph>();

/// Front's device graph, as a holder of its storage.
template <class Front, class Tools> struct lowered_graph_of {
    using registry = typename Tools::device_registry;
    static constexpr const auto& storage = lowered_of<Front, Tools>.graph;
    static constexpr bool is_complete = lowered_of<Front, Tools>.error.ok();
};

/// The plan of Front's device graph on one stream.
template <class Front, class Tools, std::size_t Syncs = 0>
constexpr auto plan_stage(bool accepted, const launch_rules* rules = nullptr) {
    using device = lowered_graph_of<Front, Tools>;
    plan_storage<lowered_of<Front, Tools>.graph.header.used, Syncs> out;
    if (accepted)
        make_plan(device::storage.view(), needs_in<device>.needs, out, Tools::device,
                  Tools::options.is_on(&config::remove_cat_ops), rules, Tools::options.effort);
    return out;
}
/// Whether it takes more than one: the graph has scopes, or tasks may be spread over streams.
template <class Front, class Tools> constexpr bool is_streamed() {
    return air::has_stream_scopes(lowered_of<Front, Tools>.graph.view()) || Tools::options.most_streams() > 1;
}
/// The members of a program that compile/timing.hpp reads, for Front on one stream: the time of each task decides its
/// stream.
template <class Front, class Tools> struct on_one_stream {
    using device_registry = typename Tools::device_registry;
    using operators = used_operators<lowered_graph_of<Front, Tools>>;
    static constexpr auto planned = plan_stage<Front, Tools>(true);
    static constexpr const plan_summary& plan = planned.summary;
    static constexpr const auto& alike = needs_in<lowered_graph_of<Front, Tools>>.alike;
    static constexpr graph_view lowered_graph() { return lowered_of<Front, Tools>.graph.view(); }
    static constexpr plan::plan_view plan_view() { return planned.view(); }
};
template <class Front, class Tools> constexpr auto demands_by_node() {
    using program = on_one_stream<Front, Tools>;
    constexpr auto& tasks = task_demands<program, Tools::device>;
    std::array<machine::demand, static_cast<std::size_t>(lowered_of<Front, Tools>.graph.header.used.nodes)> out{};
    for (std::size_t i = 0; i < tasks.size(); ++i)
        out[static_cast<std::size_t>(
            program::planned.tasks[static_cast<std::size_t>(program::plan.prepare_tasks) + i].node.index)] = tasks[i];
    return out;
}
/// The plan of Front's device graph on the streams of its scopes, or on as many as the options allow.
template <class Front, class Tools> constexpr auto plan_streamed(bool accepted) {
    constexpr const auto& graph = lowered_of<Front, Tools>.graph;
    constexpr bool says = air::has_stream_scopes(graph.view());
    constexpr auto streams = says ? air::stream_map(graph.view()).streams() : Tools::options.most_streams();
    constexpr auto room = static_cast<std::size_t>(sync_room(graph.header.used.nodes, streams));
    launch_rules rules{streams,
                       {},
                       Tools::device.launch.event,
                       Tools::device.least_gain_permille,
                       Tools::options.mode == mode::max_autotune};
    if constexpr (says) {
        return plan_stage<Front, Tools, room>(accepted, &rules);
    } else {
        constexpr auto demands = demands_by_node<Front, Tools>();
        rules.demands = demands;
        return plan_stage<Front, Tools, room>(accepted, &rules);
    }
}
template <class Front, class Tools, bool Accepted> constexpr auto plan_of() {
    bool accepted = Accepted; // a variable: g++ -O2 evaluates a call of constants twice
    if constexpr (Accepted && is_streamed<Front, Tools>()) return plan_streamed<Front, Tools>(accepted);
    else return plan_stage<Front, Tools>(accepted);
}

} // namespace ahead::detail
