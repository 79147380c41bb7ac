// SPDX-License-Identifier: MIT
// A plan as a readable table: one row per task, prepare's first, with the bytes that each one writes.
#pragma once
#include <ahead/print/print_super_kernels.hpp>
#include <string>

namespace AHEAD_NAMESPACE::detail {

/// The table's text so far.
struct table_text {
    std::string out;
    std::size_t row = 0; // where the row begins

    void append(std::string_view text) { out += text; }
    void append(std::string_view before, std::int64_t number, std::string_view after = {}) {
        append(before);
        append((short_text() << number).view());
        append(after);
    }
    /// Pads the row to at least `column` characters, and adds a space, before the next cell.
    void pad_to(std::size_t column) {
        const auto width = out.size() - row;
        out.append(width < column ? column - width + 1 : 1, ' ');
    }
};

/// "not read: y, weight w", if there are inputs that no task reads, directly or through a view; a run takes them
/// nevertheless.
inline void list_unread(graph_view g, plan_view plan, table_text& out) {
    fixed_buffer<bool> read(static_cast<std::int64_t>(g.values().size())); // by the value that owns a storage
    for (std::int32_t t = 0; t < plan.summary.prepare_tasks + plan.summary.run_tasks; ++t)
        for_each_operand(g, g[plan.tasks[static_cast<std::size_t>(t)].node].arguments, [&](const argument& a) {
            if (const auto owner = g.value_of(a).storage; owner.exists()) read[owner.index] = true;
        });
    std::string_view between = "not read: ";
    for (node_id id : g) {
        const auto& n = g[id];
        if (n.kind != node_kind::placeholder || read[n.values.first]) continue;
        out.append(between);
        if (n.role != input_role::user) out.append("weight ");
        out.append(n.role == input_role::user ? print(n.name).view() : n.weight);
        between = ", ";
    }
    if (between == ", ") out.append("\n");
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// "program  task  operator  writes  place"; also the number of a task's parts if it has several, its number of cores
/// if these are limited, and its super kernel; then the sizes of the regions, the number of tasks on the AI CPU, if
/// any, the planner's effort, the number of cores for the parts of a task, the super kernels, and the inputs and
/// weights that no task reads. Bytes are decimal.
inline std::string plan_table(graph_view g, plan_view plan) {
    detail::table_text out{
        "program  task              operator                  result                      bytes written\n"};
    const auto& all = plan.summary;
    const super_kernels launches(g, plan);
    for (std::int32_t t = 0; t < all.prepare_tasks + all.run_tasks; ++t) {
        const auto& job = plan.tasks[static_cast<std::size_t>(t)];
        const auto& n = g[job.node];
        out.row = out.out.size();
        out.append(t < all.prepare_tasks ? "prepare" : "run");
        out.pad_to(8);
        out.append(print(n.name).view());
        out.pad_to(26);
        out.append(n.target);
        if (n.values.count > 0) { // all except print
            const auto& v = g[n.values[0]];
            const auto& p = plan.placements[static_cast<std::size_t>(n.values.first)];
            out.pad_to(52);
            out.append(v.type.layout == memory_layout::packed ? std::string_view("packed") : print(v.type).view());
            out.pad_to(74);
            out.append(p.where == region::constants ? "constants "
                       : p.where == region::scratch ? "scratch   "
                       : p.where == region::input   ? "input     "
                       : p.where == region::state   ? "state     "
                                                    : "arena     ");
            out.append("[", p.offset, ", ");
            out.append("", p.offset + p.bytes, ")");
            if (p.shares.exists()) out.append(" in place");
            if (p.part_of.exists()) out.append(" part");
        }
        if (job.parts != 1) out.append(" in ", job.parts, " parts");
        if (const auto run = t - all.prepare_tasks; run >= 0) {
            const auto place = launches.places().of(job.node);
            if (place.limit != core_limit{}) {
                out.append(" on ");
                out.append(print(place.limit).view());
            }
            if (place.super_kernel > 0) {
                out.append(launches.continues(run) ? " goes on in " : " in super kernel ");
                out.append(launches.name(place.super_kernel));
            }
        }
        out.append("\n");
    }
    out.append("constants ", all.constant_bytes, " B, arena ");
    out.append("", all.peak_bytes, " B (at least ");
    out.append("", all.largest_live_bytes, " for this order), workspace ");
    out.append("", all.workspace_bytes, " B");
    if (all.states > 0) out.append(", states ", all.state_bytes, " B");
    if (all.ai_cpu_tasks > 0) out.append(", AI CPU tasks ", all.ai_cpu_tasks);
    out.append(", effort ");
    out.append(print(plan.effort).view());
    out.append(", cores ", all.cores, "\n");
    print_super_kernels(g, plan, launches, out);
    detail::list_unread(g, plan, out);
    return std::move(out.out);
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::plan_table;
} // namespace ahead
