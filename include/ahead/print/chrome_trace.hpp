// SPDX-License-Identifier: MIT
// A run as a trace in the Trace Event Format, which Perfetto and chrome://tracing open: a lane for each stream, a slice
// for each task, an arrow for each wait, and a counter of the bytes alive in the arena. For the simulated timeline or a
// measured one; at compile time as well.
// Invariant: times are microseconds; a slice ends a nanosecond before its task does, because viewers that add
// floating-point numbers, or drop nanoseconds, show adjacent slices as overlapping: its arguments contain the exact
// picoseconds. Every arrow begins and ends inside a slice of its lane, as viewers require: in the task before the
// record and in the task after the wait, else in the slice of the whole run, which every lane has.
#pragma once
#include <ahead/compile/timing.hpp>
#include <ahead/plan/arena/arena_blocks.hpp>
#include <ahead/print/escaped_text.hpp>
#include <ahead/print/stream_name.hpp>

namespace AHEAD_NAMESPACE::detail {

template <text_sink Sink> class trace_writer {
public:
    constexpr trace_writer(graph_view g, plan_view plan, array_view<const timeline_row> rows, Sink& out,
                           std::int32_t rank_id)
        : g_(g), plan_(plan), rows_(rows), out_(out), rank_(rank_id), makespan_(makespan_of(rows)), streams_(g),
          launches_(g, plan) {}

    constexpr void print(std::string_view title) {
        put(out_, {"{\"displayTimeUnit\":\"ns\",\"distributedInfo\":{\"rank\":", rank_,
                   "},\"traceEvents\":[\n{\"ph\":\"M\",", "\"pid\":", rank_ + 1,
                   ",\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"", json_text{title}, "\"}}"});
        begin("M", 0);
        put(out_, {",\"name\":\"process_labels\",\"args\":{\"labels\":\"rank", rank_, "\"}}"});
        begin("M", 0);
        put(out_, {",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":", rank_, "}}"});
        for (std::int32_t s = 0; s < plan_.summary.streams; ++s) put_lane(s, title);
        for (const auto& row : rows_) put_task(row);
        put_arrows();
        put_counter();
        put(out_, {"\n]}\n"});
    }

private:
    graph_view g_;
    plan_view plan_;
    array_view<const timeline_row> rows_;
    Sink& out_;
    std::int32_t rank_;
    machine::ticks makespan_;
    air::stream_map streams_;
    super_kernels launches_;

    constexpr void begin(std::string_view kind, std::int32_t lane) {
        put(out_, {",\n{\"ph\":\"", kind, "\",\"pid\":", rank_ + 1, ",\"tid\":", lane});
    }
    constexpr void put_lane(std::int32_t s, std::string_view title) {
        begin("M", s);
        put(out_,
            {",\"name\":\"thread_name\",\"args\":{\"name\":\"", json_text{stream_name(streams_, s).view()}, "\"}}"});
        begin("M", s);
        put(out_, {",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":", s, "}}"});
        begin("X", s);
        put(out_, {",\"cat\":\"run\",\"name\":\"", json_text{title}, "\",\"ts\":0,\"dur\":", makespan_, "}"});
    }
    constexpr void put_types(const node& n) {
        std::string_view between;
        for (std::int32_t i = 0; i < n.values.count; ++i) {
            const auto& v = g_[n.values[i]];
            if (v.kind != value_kind::tensor) continue;
            put(out_, {between, v.type.layout == memory_layout::packed ? short_text("packed") : ahead::print(v.type)});
            between = ", ";
        }
    }
    constexpr void put_task(const timeline_row& row) {
        const auto& job = plan_.tasks.data()[row.task];
        const auto& n = g_[job.node];
        std::int64_t read = 0, written = 0;
        for_each_operand(g_, n.arguments, [&](const argument& a) { read += bytes_of_value(g_.value_of(a)); });
        for (std::int32_t i = 0; i < n.values.count; ++i) written += bytes_of_value(g_[n.values[i]]);
        begin("X", row.stream);
        put(out_, {",\"cat\":\"task\",\"name\":\"", json_text{n.target}, "\",\"ts\":", row.start,
                   ",\"dur\":", inside(row.start, row.end) - row.start, ",\"args\":{\"task\":", row.task,
                   ",\"begins at ps\":", row.start.count, ",\"takes ps\":", (row.end - row.start).count, ",\"node\":\"",
                   json_text{ahead::print(n.name).view()}, "\",\"result\":\""});
        put_types(n);
        put(out_,
            {"\",\"bytes read\":", read, ",\"bytes written\":", written, ",\"workspace bytes\":", job.workspace_bytes});
        if (const auto limit = streams_.of(job.node).limit; limit != core_limit{})
            put(out_, {",\"cores\":\"", ahead::print(limit), "\""});
        if (const auto in = streams_.of(job.node).super_kernel; in > 0)
            put(out_, {",\"super kernel\":\"", json_text{streams_.name_of_super_kernel(in)}, "\",\"is launched\":",
                       launches_.continues(row.task - plan_.summary.prepare_tasks) ? "false" : "true"});
        if (n.from.line > 0) put(out_, {",\"line\":", n.from.line});
        if (!n.from.comment.empty()) put(out_, {",\"source\":\"", json_text{n.from.comment}, "\""});
        if (!n.from.module_path.empty()) put(out_, {",\"module\":\"", json_text{n.from.module_path}, "\""});
        put(out_, {"}}"});
    }

    /// Just before the end of the last task on the stream that is launched before `task`: inside its slice.
    constexpr machine::ticks before(std::int32_t stream, std::int32_t task) const {
        machine::ticks at;
        for (const auto& row : rows_)
            if (row.stream == stream && row.task < task) at = inside(row.start, inside(row.start, row.end));
        return at;
    }
    /// The start of the first task on the stream that is launched at or after `task`; else the end of the run.
    constexpr machine::ticks behind(std::int32_t stream, std::int32_t task) const {
        for (const auto& row : rows_)
            if (row.stream == stream && row.task >= task) return row.start;
        return inside({}, makespan_);
    }
    static constexpr machine::ticks inside(machine::ticks start, machine::ticks end) {
        constexpr machine::ticks nanosecond{1000}; // the resolution of viewers
        return start + nanosecond < end ? end - nanosecond : start;
    }
    constexpr void put_arrows() {
        std::int32_t number = 0;
        for_each_wait(plan_, [&](const sync& record, const sync& wait) {
            put_end("s", record, number, before(record.stream, record.before));
            put_end("f", wait, number++, behind(wait.stream, wait.before));
        });
    }
    constexpr void put_end(std::string_view kind, const sync& at, std::int32_t number, machine::ticks when) {
        begin(kind, at.stream);
        put(out_, {",\"cat\":\"event\",\"name\":\"event ", at.event, "\",\"id\":", number, ",\"ts\":", when,
                   kind == "f" ? ",\"bp\":\"e\"}" : "}"});
    }

    constexpr void put_counter() {
        const arena_blocks blocks(g_, plan_, rows_);
        std::int64_t shown = -1; // nothing yet
        blocks.for_each_change([&](machine::ticks now, std::int64_t bytes) {
            if (shown < 0) put_bytes({}, shown = now == machine::ticks{} ? bytes : 0);
            if (now < makespan_ && bytes != shown) put_bytes(now, shown = bytes);
        });
        if (shown < 0) put_bytes({}, 0);
        if (machine::ticks{} < makespan_) put_bytes(makespan_, 0);
    }
    constexpr void put_bytes(machine::ticks now, std::int64_t bytes) {
        begin("C", 0);
        put(out_, {",\"name\":\"arena\",\"ts\":", now, ",\"args\":{\"live bytes\":", bytes, "}}"});
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// JSON for ui.perfetto.dev and chrome://tracing. rows: one for each run task, in the order of the plan: plan.timeline,
/// eager_timing's, or the rows of a profile. Each task's slice is named after its operator and has these arguments:
/// node, result types, bytes read, bytes written, bytes of workspace, the cores that it may use if these are limited,
/// its super kernel and whether it begins a launch of it, and its source location. rank_id, from 0: of the process that
/// runs it; traces of several ranks can be merged.
template <text_sink Sink>
constexpr void print_trace(graph_view g, plan_view plan, array_view<const timeline_row> rows, Sink& out,
                           std::string_view title = "run", std::int32_t rank_id = 0) {
    detail::trace_writer<Sink>(g, plan, rows, out, rank_id).print(title);
}

/// For a program, on its toolchain's device or with the given rows.
template <class Program, text_sink Sink>
constexpr void print_trace(Sink& out, std::string_view title = "run", std::int32_t rank_id = 0) {
    print_trace(Program::lowered_graph(), Program::plan_view(), Program::plan.timeline, out, title, rank_id);
}
template <class Program, text_sink Sink>
constexpr void print_trace(array_view<const timeline_row> rows, Sink& out, std::string_view title = "run",
                           std::int32_t rank_id = 0) {
    print_trace(Program::lowered_graph(), Program::plan_view(), rows, out, title, rank_id);
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_trace;
} // namespace ahead
