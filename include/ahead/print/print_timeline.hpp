// SPDX-License-Identifier: MIT
// A timeline as text: a picture, one row per stream, and a table, one line per task. At compile time as well.
// Invariant: the table is complete, in microseconds with three digits, truncated; the picture has the same width for
// every program.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/compile/timing.hpp>
#include <ahead/core/fixed_string.hpp>
#include <ahead/print/text_sink.hpp>

namespace AHEAD_NAMESPACE::detail {

inline constexpr std::int64_t timeline_columns = 64;

/// "12.345", from picoseconds, in microseconds.
constexpr short_text in_microseconds(machine::ticks t) {
    const auto ns = t.count / 1000;
    short_text out;
    out << ns / 1000 << ".";
    for (std::int64_t digit = 100; digit > 0; digit /= 10) out << ns / digit % 10;
    return out;
}

/// The row of the task that runs on the stream at the time; -1: none.
constexpr std::int32_t row_at(array_view<const timeline_row> rows, std::int32_t stream, machine::ticks now) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].stream == stream && rows[i].start <= now && now < rows[i].end) return static_cast<std::int32_t>(i);
    return -1;
}

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// "stream  start  end  op", separated by tabs, then the same fields of each row; also the number of cores that a task
/// may have if some are limited, and its super kernel if there are some. Times are in microseconds. A stream is shown
/// by its label if the graph has labels, else by its number.
template <text_sink Sink>
constexpr void print_timeline_table(graph_view g, plan_view plan, array_view<const timeline_row> rows, Sink& out) {
    using detail::in_microseconds;
    const air::stream_map streams(g);
    out.append("stream\tstart\tend\top");
    if (streams.has_limits()) out.append("\tcores");
    if (streams.super_kernels() > 0) out.append("\tsuper kernel");
    out.append("\n");
    for (const auto& row : rows) {
        out.append(streams.has_stream_scopes() ? streams.label(row.stream) : (short_text() << row.stream).view());
        out.append("\t");
        out.append(in_microseconds(row.start).view());
        out.append("\t");
        out.append(in_microseconds(row.end).view());
        out.append("\t");
        const auto id = plan.tasks[static_cast<std::size_t>(row.task)].node;
        out.append(g[id].target);
        if (streams.has_limits()) {
            out.append("\t");
            out.append(print(streams.of(id).limit).view());
        }
        if (streams.super_kernels() > 0) {
            out.append("\t");
            out.append(streams.name_of_super_kernel(streams.of(id).super_kernel));
        }
        out.append("\n");
    }
}

/// "a" to "z" are tasks in order, repeated; "." is a stream that waits. Then the table.
template <text_sink Sink>
constexpr void print_timeline(graph_view g, plan_view plan, array_view<const timeline_row> rows, Sink& out) {
    const auto makespan = makespan_of(rows);
    const air::stream_map map(g);
    std::int32_t streams = 1;
    for (const auto& row : rows)
        if (row.stream >= streams) streams = row.stream + 1;
    out.append("makespan ");
    out.append(detail::in_microseconds(makespan).view());
    out.append(" us\n");
    for (std::int32_t stream = 0; stream < streams; ++stream) {
        out.append((short_text("stream ") << stream << " |").view());
        for (std::int64_t column = 0; column < detail::timeline_columns; ++column) {
            const auto row =
                detail::row_at(rows, stream, {makespan.count * (2 * column + 1) / (2 * detail::timeline_columns)});
            const char letter = row < 0 ? '.' : static_cast<char>('a' + row % 26);
            out.append({&letter, 1});
        }
        out.append(map.has_stream_scopes() ? "| " : "|");
        if (map.has_stream_scopes()) out.append(map.label(stream));
        out.append("\n");
    }
    print_timeline_table(g, plan, rows, out);
}

/// For a program on its toolchain's device.
template <class Program, text_sink Sink> constexpr void print_timeline_table(Sink& out) {
    print_timeline_table(Program::lowered_graph(), Program::plan_view(), Program::plan.timeline, out);
}
template <class Program, text_sink Sink> constexpr void print_timeline(Sink& out) {
    print_timeline(Program::lowered_graph(), Program::plan_view(), Program::plan.timeline, out);
}
/// For another device: print_timeline<program, machine::ascend_910b2>(out).
template <class Program, const machine::device& On, text_sink Sink> constexpr void print_timeline(Sink& out) {
    print_timeline(Program::lowered_graph(), Program::plan_view(), timing<Program, On>::timeline, out);
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_timeline;
} // namespace ahead
