// SPDX-License-Identifier: MIT
// The time that a program takes on a device, by the cost model. Nothing here is computed for a program unless it is
// used: these are static members of separate templates, so a graph that is not timed costs the compiler nothing.
//     static_assert(digits::plan.makespan < 40us);                                     // on the toolchain's device
//     static_assert(timing<digits, machine::ascend_910b2>::makespan < 100us);           // on another
// Invariant: the same program and device give the same ticks, in every compiler and at run time.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/device/concat.hpp>
#include <ahead/device/work_of.hpp>
#include <ahead/machine/cost.hpp>
#include <ahead/plan/super_kernels.hpp>
#include <ahead/plan/timeline.hpp>

namespace AHEAD_NAMESPACE::detail {

using work_function = machine::work (*)(const call_view&, const machine::steps*);

template <class Operators, std::size_t... Nth> constexpr auto work_functions(std::index_sequence<Nth...>) {
    return std::array<work_function, sizeof...(Nth)>{&device::work_of_call<typename Operators::template op<Nth>>...};
}

constexpr std::int64_t bytes_of_value(const value& v) { return bytes_of(v.type.type, element_count(v.type)); }

/// The bytes that a task reads and writes, by memory region. An expanded operand is read once.
constexpr void count_bytes(graph_view g, plan_view plan, const node& n, machine::work& out) {
    for_each_operand(g, n.arguments, [&](const argument& a) {
        const auto& v = g.value_of(a);
        const auto extent = bytes_of(v.type.type, extent_of(v.type));
        const auto bytes = bytes_of_value(v) < extent ? bytes_of_value(v) : extent;
        const auto where = plan.placements[static_cast<std::size_t>(v.storage.index)].where;
        (where == region::constants || where == region::parameter ? out.constant_bytes : out.moved_bytes) += bytes;
    });
    for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
        out.moved_bytes += bytes_of_value(g[value_id{v}]);
}

/// Subtracts the parts of a concatenation that are already stored in the result: they are not copied.
constexpr void leave_out_parts(graph_view g, plan_view plan, const node& n, machine::work& out) {
    if (plan.summary.parts_in_place == 0 || !device::is_concat(n)) return;
    for (std::int32_t v = 0; v < g.header().used.values; ++v) {
        if (plan.placements[static_cast<std::size_t>(v)].part_of.index != n.values.first) continue;
        out.vector.length -= element_count(g[value_id{v}].type);
        out.moved_bytes -= 2 * bytes_of_value(g[value_id{v}]);
    }
}

/// The work of each run task of a plan. alike: by node, the first node that is alike. function_of: an operator's
/// work_function. costs: by row of the device's registry.
template <class FunctionOf>
constexpr void list_task_work(graph_view g, array_view<const std::int32_t> alike, plan_view plan, op_table ops,
                              const machine::steps* costs, FunctionOf function_of, machine::work* out) {
    const air::stream_map places(g);
    const super_kernels launches(g, plan);
    fixed_buffer<machine::work> of_calls(plan.summary.run_tasks); // alike calls do the same work
    fixed_buffer<std::int32_t> task_of(g.header().used.nodes);    // by the first of alike nodes: their first task, + 1
    for (std::int32_t i = 0; i < plan.summary.run_tasks; ++i) {
        const auto id = plan.tasks.data()[plan.summary.prepare_tasks + i].node;
        const auto& n = g[id];
        auto& first = task_of[alike.data()[id.index]];
        if (first == 0) {
            first = i + 1;
            diagnosis d;
            of_calls[i] = function_of(n.op)(typed_call(g, id, ops, d), costs);
        }
        out[i] = of_calls[first - 1];
        if (out[i].held == machine::ticks{}) count_bytes(g, plan, n, out[i]); // a block counts its bytes itself
        leave_out_parts(g, plan, n, out[i]);
        out[i].limit = places.of(id).limit;
        out[i].continues = launches.continues(i);
    }
}

/// The work of each run task of a program.
template <class Program> constexpr auto make_task_work() {
    using operators = typename Program::operators;
    using registry = typename Program::device_registry;
    constexpr auto functions = work_functions<operators>(std::make_index_sequence<operators::ids.size()>{});
    constexpr auto& costs = registry::template rows_of<device::steps_maker>;
    std::array<machine::work, static_cast<std::size_t>(Program::plan.run_tasks)> out{};
    const auto function_of = [&](op_id op) {
        return functions[static_cast<std::size_t>(operators::numbered.number[op.index] - 1)];
    };
    list_task_work(Program::lowered_graph(), Program::alike, Program::plan_view(), registry::table, costs.data(),
                   function_of, out.data());
    return out;
}
template <class Program> inline constexpr auto task_work = make_task_work<Program>();

/// The bytes that a run uses repeatedly.
constexpr machine::footprint footprint_of(plan_view plan) {
    machine::footprint out{plan.summary.peak_bytes + plan.summary.state_bytes, 0};
    for (const auto& p : plan.placements)
        if (p.where == region::input) out.arena += p.bytes;
    out.all = out.arena + plan.summary.constant_bytes;
    return out;
}

/// The demand of each run task of a program on a device.
template <class Program, const machine::device& On> constexpr auto make_task_demands() {
    std::array<machine::demand, task_work<Program>.size()> out{};
    const auto used = footprint_of(Program::plan_view());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = machine::demand_of(task_work<Program>[i], On, used);
    return out;
}
template <class Program, const machine::device& On>
inline constexpr auto task_demands = make_task_demands<Program, On>();

template <class Program, const machine::device& On, launching By> constexpr auto make_rows() {
    constexpr auto& tasks = task_demands<Program, On>;
    std::array<timeline_row, tasks.size()> out{};
    lay_out(Program::plan_view(), tasks, On.launch, By, out.data());
    return out;
}
template <class Program, const machine::device& On, launching By>
inline constexpr auto rows_of = make_rows<Program, On, By>();

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::compile {

/// A run of Program on a device. Prepare is not counted.
template <class Program, const machine::device& On> struct timing {
    /// The graph launched once: one row per task, and the end of the last one.
    static constexpr array_view<const timeline_row> timeline = ahead::detail::rows_of<Program, On, launching::once>;
    static constexpr machine::ticks makespan = makespan_of(ahead::detail::rows_of<Program, On, launching::once>);
};

/// The same, every task launched by the host: reduce_overhead before it is captured.
template <class Program, const machine::device& On> struct eager_timing {
    static constexpr array_view<const timeline_row> timeline = ahead::detail::rows_of<Program, On, launching::each>;
    static constexpr machine::ticks makespan = makespan_of(ahead::detail::rows_of<Program, On, launching::each>);
};

/// The demand of a run on a device, from its first task to its last. work: of each run task.
constexpr machine::demand demand_of_run(plan_view plan, array_view<const machine::work> work,
                                        const machine::device& on) {
    const auto count = static_cast<std::int64_t>(work.size());
    fixed_buffer<machine::demand> tasks(count);
    fixed_buffer<timeline_row> rows(count);
    const auto used = ahead::detail::footprint_of(plan);
    for (std::int64_t i = 0; i < count; ++i) tasks[i] = machine::demand_of(work.data()[i], on, used);
    lay_out(plan, tasks.all(), on.launch, launching::once, rows.data());
    machine::demand out{makespan_of(rows.all()) - on.launch.graph};
    for (const auto& task : tasks.all()) out.add_work(task);
    return out;
}

/// The lazily computed members of a plan's summary: `plan.timeline` and `plan.makespan`; `plan.launches`, the launches
/// of its tasks if launched one by one, where a super kernel is one; and `plan.effort`, with which the plan was made.
template <class Program> struct timed_plan {
    static constexpr array_view<const timeline_row> timeline = timing<Program, Program::device>::timeline;
    static constexpr machine::ticks makespan = timing<Program, Program::device>::makespan;
    static constexpr std::int32_t launches = launches_of(Program::lowered_graph(), Program::plan_view());
    static constexpr core::effort effort = Program::plan_view().effort;
};

} // namespace ahead::compile

namespace AHEAD_NAMESPACE {
using compile::eager_timing, compile::timing;
} // namespace ahead
