// SPDX-License-Identifier: MIT
// A record of a program's compilation, as log lines at run time: options, every pass, the device graph, the plan.
// Invariant: a level has the same contents for every program: EVENT the totals, INFO the changes, DEBUG the passes
// without changes, and the options. Called by users.
#pragma once
#include <ahead/pass/pipeline.hpp>
#include <ahead/plan/plan.hpp>
#include <ahead/print/choice_report.hpp>
#include <ahead/print/log.hpp>

namespace AHEAD_NAMESPACE::printers {

/// Writes, with the caller's place:
///     [DEBUG] ... option remove_noop_ops: on             every option of the passes, and
///     [DEBUG] ... option effort: constant                the planner's
///     [INFO] ... captured graph: 6 nodes
///     [INFO] ... remove_noop_ops: 6 -> 5 nodes, 2 changes every pass that is on; [DEBUG] ... eliminate_duplicates:
///     nothing to do
///     [INFO] ... device graph: 9 nodes
///     [WARNING] ... choices: 1 of 3 keys has no line ... if a choice file does not match the graph (tune/)
///     [EVENT] ... compiled: 4 tasks in a run, 2 in prepare; arena of 1024 bytes, constants of 512 bytes
template <class Program>
    requires requires { typename Program::passes; }
void log_compilation(const log_writer& log, const std::source_location& where = std::source_location::current()) {
    using imported = typename Program::imported;
    constexpr op_table ops = imported::registry::table;
    const config& options = Program::tools::options;
    const graph_view captured = Program::captured(), functional = imported::storage.view();
    const auto counted = [](std::int64_t count, const char* what) {
        return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
    };
    const auto tell = [&](log_level level, const std::string& message) { log.write(level, message, where); };

    for (const auto& row : pass::option_table)
        tell(log_level::debug, "option " + std::string(row.name) + (options.is_on(row.option) ? ": on" : ": off"));
    tell(log_level::debug, "option effort: " + std::string(print(options.effort).view()));
    std::int64_t before = captured.header().live_nodes;
    const auto tell_step = [&](std::string_view name, graph_view now, const std::string& changes) {
        const std::int64_t after = now.header().live_nodes;
        if (changes.empty()) tell(log_level::debug, std::string(name) + ": nothing to do");
        else
            tell(log_level::info,
                 std::string(name) + ": " + std::to_string(before) + " -> " + counted(after, "node") + changes);
        before = after;
    };
    tell(log_level::info, "captured graph: " + counted(before, "node"));
    tell_step("functionalise", functional, captured.nodes().data() == functional.nodes().data() ? "" : ", no writes");

    heap_storage storage(pass::room_for_passes(typename Program::passes{}, functional, ops, functional.header().used));
    copy_graph(functional, storage.edit());
    diagnosis d; // stays empty: these passes ran when the program was compiled
    static_cast<void>(pass::run(typename Program::passes{}, {options, Program::tools::device}, storage.edit(), ops, d,
                                [&](std::string_view name, graph_view now, std::int32_t changes) {
                                    tell_step(name, now, changes == 0 ? "" : ", " + counted(changes, "change"));
                                }));

    const plan_summary& plan = Program::plan;
    tell(log_level::info, "device graph: " + counted(Program::lowered_graph().header().live_nodes, "node"));
    if constexpr (!Program::tools::options.choices.empty()) {
        report_choices<Program>().each_note(
            [&](const std::string& note) { tell(log_level::warning, "choices: " + note); });
    }
    tell(log_level::event,
         "compiled: " + counted(plan.run_tasks, "task") + " in a run, " +
             (plan.ai_cpu_tasks > 0 ? std::to_string(plan.ai_cpu_tasks) + " of them on the AI CPU, " : "") +
             std::to_string(plan.prepare_tasks) + " in prepare; arena of " + counted(plan.peak_bytes, "byte") +
             ", constants of " + counted(plan.constant_bytes, "byte"));
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::log_compilation;
} // namespace ahead
