// SPDX-License-Identifier: MIT
// The launches of a program's super kernels, as text: how many each one takes, and for each task that begins another
// one the reason. At compile time as well.
// Invariant: depends on the graph and the plan alone, so that it agrees with the cost model.
#pragma once
#include <ahead/plan/super_kernels.hpp>
#include <ahead/print/text_sink.hpp>

namespace AHEAD_NAMESPACE::printers {

/// "sp1: 3 tasks in 2 launches; exp_1 follows an event", a line for each super kernel that scopes name; nothing without
/// such scopes.
template <text_sink Sink>
constexpr void print_super_kernels(graph_view g, plan_view plan, const super_kernels& all, Sink& out) {
    for (std::int32_t k = 1; k <= all.count(); ++k) {
        const auto tasks = all.tasks_of(k), launches = all.launches_of(k);
        out.append(all.name(k));
        out.append((short_text(": ") << tasks << (tasks == 1 ? " task in " : " tasks in ") << launches
                                     << (launches == 1 ? " launch" : " launches"))
                       .view());
        for (std::int32_t i = 0; i < plan.summary.run_tasks; ++i) {
            if (all.of(i) != k || all.reason_for_split(i) == split_reason::no) continue;
            out.append("; ");
            out.append(print(g[plan.tasks.data()[plan.summary.prepare_tasks + i].node].name).view());
            out.append(" ");
            out.append(print(all.reason_for_split(i)));
        }
        out.append("\n");
    }
}

template <text_sink Sink> constexpr void print_super_kernels(graph_view g, plan_view plan, Sink& out) {
    print_super_kernels(g, plan, super_kernels(g, plan), out);
}

/// For a program.
template <class Program, text_sink Sink> constexpr void print_super_kernels(Sink& out) {
    print_super_kernels(Program::lowered_graph(), Program::plan_view(), out);
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_super_kernels;
} // namespace ahead
