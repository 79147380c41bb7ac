// SPDX-License-Identifier: MIT
// Prints how a choice file applies to a program, as tab-separated values: a row for each key that may have several
// kernels, with its choice, the file's line, and the number of calls that have the key; then the file's lines that
// match no call.
//     key	choice	line	calls
//     npu.matmul m=8 n=512 ...	panels_of_64	4	1
//     npu.matmul m=1 n=10 ...	by_rule	none	2
//     npu.matmul m=9 n=512 ...	panels_of_64	5	0
#pragma once
#include <ahead/print/choice_report.hpp>
#include <ahead/print/text_sink.hpp>

namespace AHEAD_NAMESPACE::tune {

/// The table.
template <text_sink Sink> void print_choices(const choice_report& report, Sink& out) {
    const auto line = [&](std::string_view key, std::string_view kernel, const std::string& number,
                          std::int32_t calls) {
        out.append(key), out.append("\t"), out.append(kernel), out.append("\t"), out.append(number);
        out.append("\t"), out.append(std::to_string(calls)), out.append("\n");
    };
    out.append("key\tchoice\tline\tcalls\n");
    for (const auto& row : report.rows)
        line(row.key, row.choice, row.line > 0 ? std::to_string(row.line) : "none", row.calls);
    for (const auto& one : report.unused) line(one.key, one.choice, std::to_string(one.number), 0);
}
template <class Program, text_sink Sink> void print_choices(Sink& out) {
    print_choices(report_choices<Program>(), out);
}

} // namespace ahead::tune

namespace AHEAD_NAMESPACE {
using tune::print_choices;
} // namespace ahead
