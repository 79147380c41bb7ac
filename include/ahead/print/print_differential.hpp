// SPDX-License-Identifier: MIT
// A differential report (differential/compare_with_reference.hpp) as text: what was compared, what diverges and where,
// what was not compared and why.
// Invariant: one fact per line; fields of a table are separated by tabs. Called by users.
#pragma once
#include <ahead/differential/report.hpp>
#include <ahead/print/text_sink.hpp>
#include <cstdio>
#include <string>

namespace AHEAD_NAMESPACE::detail {

/// "[1, 2]".
inline std::string index_text(const std::vector<std::int64_t>& index) {
    std::string out = "[";
    for (auto i : index) out.append(out.size() > 1 ? ", " : "").append(std::to_string(i));
    return out + "]";
}
inline std::string short_number(double v) {
    char text[32];
    return {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.3g", v))};
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// "16 tasks: 14 compared, 2 skipped, 1 diverges; largest difference 0.25", the first divergence in words, then a row
/// for each task that diverges, and for each that was skipped.
template <text_sink Sink> void print_differential(const differential_report& report, Sink& out) {
    const auto count = [](auto n) { return std::to_string(n); };
    const auto place = [&](const divergence& one) {
        return one.stage == differential_stage::passes    ? "passes"
               : one.stage == differential_stage::results ? "end"
                                                          : count(one.task);
    };
    out.append(count(report.tasks) + " tasks: " + count(report.compared) + " compared, " +
               count(report.skipped.size()) + " skipped, " + count(report.diverging.size()) +
               (report.diverging.size() == 1 ? " diverges" : " diverge") + "; largest difference " +
               detail::short_number(report.max_difference) + "\n");
    if (const auto* first = report.first()) {
        out.append("first to diverge: " + first->name + " = " + first->op +
                   (first->line > 0 ? ", line " + count(first->line) : ""));
        out.append(first->stage == differential_stage::passes    ? ", by what the passes did"
                   : first->stage == differential_stage::results ? ", overwritten before the end"
                                                                 : ", task " + count(first->task));
        if (!first->device_op.empty())
            out.append(", " + first->device_op + (first->fused == first->name ? "" : " of " + first->fused));
        out.append("\n" + (first->comment.empty() ? "" : first->comment + "\n") + first->type + " at " +
                   detail::index_text(first->index) + ": expected " + first->expected + ", got " + first->got + "\n");
        out.append("task\tname\top\tdevice_op\tline\ttype\twrong\tat\texpected\tgot\tdifference\n");
    }
    for (const auto& one : report.diverging)
        out.append(place(one) + "\t" + one.name + "\t" + one.op + "\t" + (one.device_op.empty() ? "-" : one.device_op) +
                   "\t" + count(one.line) + "\t" + one.type + "\t" + count(one.wrong) + "\t" +
                   detail::index_text(one.index) + "\t" + one.expected + "\t" + one.got + "\t" +
                   detail::short_number(one.max_difference) + "\n");
    if (!report.skipped.empty()) out.append("skipped\tname\tdevice_op\treason\n");
    for (const auto& one : report.skipped)
        out.append(count(one.task) + "\t" + one.name + "\t" + one.device_op + "\t" + one.reason + "\n");
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_differential;
} // namespace ahead
