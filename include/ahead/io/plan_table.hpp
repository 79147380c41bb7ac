// SPDX-License-Identifier: MIT
// A plan as a table for people: one row per task, prepare's first, with the bytes each one writes.
#pragma once
#include <ahead/io/text/print_super_kernels.hpp>
#include <string>

namespace AHEAD_NAMESPACE {

namespace detail {
inline void pad_to(std::string& out, std::size_t column, std::size_t line_start) {
    while (out.size() - line_start < column) out += ' ';
    out += ' ';
}

/// Whether a task has one of the node's results, or a view of it, as an operand.
inline bool is_read(graph_view g, plan_view plan, const node& n) {
    bool found = false;
    const auto total = plan.summary.prepare_tasks + plan.summary.run_tasks;
    for (std::int32_t t = 0; t < total; ++t)
        for_each_operand(g, g[plan.tasks[static_cast<std::size_t>(t)].node].arguments, [&](const argument& a) {
            const auto owner = g.value_of(a).storage.index;
            found = found || (owner >= n.values.first && owner < n.values.first + n.values.count);
        });
    return found;
}
/// "not read: y, weight w", where there are such: a run takes them nevertheless.
inline void list_unread(graph_view g, plan_view plan, std::string& out) {
    std::string_view between = "not read: ";
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.kind != node_kind::placeholder || is_read(g, plan, n)) continue;
        out += between;
        out += n.role == input_role::user ? std::string(print(n.name).view()) : "weight " + std::string(n.weight);
        between = ", ";
    }
    if (between == ", ") out += '\n';
}
} // namespace detail

/// "program  task  operator  writes  place", in how many parts where it is not one, on how many cores where these are
/// limited, and in which super kernel; then the sizes of the regions,
/// how many tasks the AI CPU runs, if any, the planner's effort, how many cores a task may have parts on, its super
/// kernels, and the inputs and weights that no task reads. Bytes are decimal.
inline std::string plan_table(graph_view g, plan_view plan) {
    std::string out =
        "program  task              operator                  result                      bytes written\n";
    const auto total = plan.summary.prepare_tasks + plan.summary.run_tasks;
    const super_kernels launches(g, plan);
    for (std::int32_t t = 0; t < total; ++t) {
        const auto& job = plan.tasks[static_cast<std::size_t>(t)];
        const auto& n = g[job.node];
        const auto start = out.size();
        const auto end_row = [&] {
            if (job.parts != 1) out += " in " + std::to_string(job.parts) + " parts";
            const auto run = t - plan.summary.prepare_tasks;
            const auto place = launches.places().of(job.node);
            if (run >= 0 && place.limit != core_limit{}) (out += " on ") += print(place.limit).view();
            if (run >= 0 && place.super_kernel > 0)
                (out += launches.continues(run) ? " goes on in " : " in super kernel ") +=
                    launches.name(place.super_kernel);
            out += '\n';
        };
        out += t < plan.summary.prepare_tasks ? "prepare" : "run";
        detail::pad_to(out, 8, start);
        out += print(n.name).view();
        detail::pad_to(out, 26, start);
        out += n.target;
        if (n.values.count == 0) { // it prints
            end_row();
            continue;
        }
        const auto& v = g[n.values[0]];
        const auto& p = plan.placements[static_cast<std::size_t>(n.values.first)];
        detail::pad_to(out, 52, start);
        out += v.type.layout == memory_layout::packed ? std::string_view("packed") : print(v.type).view();
        detail::pad_to(out, 74, start);
        out += p.where == region::constants ? "constants "
               : p.where == region::scratch ? "scratch   "
               : p.where == region::input   ? "input     "
               : p.where == region::state   ? "state     "
                                            : "arena     ";
        out += "[" + std::to_string(p.offset) + ", " + std::to_string(p.offset + p.bytes) + ")";
        if (p.shares.exists()) out += " in place";
        if (p.part_of.exists()) out += " part";
        end_row();
    }
    out += "constants " + std::to_string(plan.summary.constant_bytes) + " B, arena " +
           std::to_string(plan.summary.peak_bytes) + " B (at least " + std::to_string(plan.summary.largest_live_bytes) +
           " for this order), workspace " + std::to_string(plan.summary.workspace_bytes) + " B";
    if (plan.summary.states > 0) out += ", states " + std::to_string(plan.summary.state_bytes) + " B";
    if (plan.summary.ai_cpu_tasks > 0) out += ", AI CPU tasks " + std::to_string(plan.summary.ai_cpu_tasks);
    out += ", effort ";
    out += print(plan.effort).view();
    out += ", cores " + std::to_string(plan.summary.cores) + "\n";
    print_super_kernels(g, plan, launches, out);
    detail::list_unread(g, plan, out);
    return out;
}

} // namespace ahead
