// SPDX-License-Identifier: MIT
// The activity of a context as a trace in the Trace Event Format, which Perfetto and chrome://tracing open: a lane for
// each thread of the host, with its calls; one for each stream, with launches and replays; one for each further thread
// of replays; an arrow from the call that launches to the launched work.
// Invariant: valid JSON whatever the operators' names; times are microseconds from the start of the recording; a slice
// ends a nanosecond before the interval that it shows, so that adjacent slices do not overlap. Called by users.
#pragma once
#include <ahead/npu/trace/device_trace.hpp>
#include <ahead/print/escaped_text.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::detail {

template <text_sink Sink> class device_trace_writer {
public:
    device_trace_writer(const npu::device_trace& trace, Sink& out)
        : trace_(trace), rows_(trace.rows()), out_(out), rank_(trace.npu().rank_id()) {}

    void print(std::string_view title) {
        put(out_, {"{\"displayTimeUnit\":\"ns\",\"distributedInfo\":{\"rank\":", rank_,
                   "},\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":", rank_ + 1,
                   ",\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"", json_text{title}, "\"}}"});
        begin("M", 0);
        put(out_, {",\"name\":\"process_labels\",\"args\":{\"labels\":\"rank", rank_, "\"}}"});
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const auto is_alike = [&](const npu::trace_row& r) { return lane_of(r) == lane_of(rows_[i]); };
            if (std::none_of(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(i), is_alike))
                put_lane(rows_[i]);
        }
        for (const auto& r : rows_)
            if (r.has_run) put_slice(r);
        std::int32_t arrows = 0;
        for (const auto& r : rows_)
            if (r.made >= 0 && made_by(r).has_run) {
                put_end("s", r, arrows);
                put_end("f", made_by(r), arrows++);
            }
        put(out_, {"\n]}\n"});
    }

private:
    const npu::device_trace& trace_;
    std::span<const npu::trace_row> rows_;
    Sink& out_;
    std::int32_t rank_;

    static constexpr std::int32_t lanes_of_a_stream = 100;
    /// The host's threads come first, then each stream, followed by the further threads of its replays.
    static std::int32_t lane_of(const npu::trace_row& r) {
        return r.kind == npu::trace_kind::call ? r.lane : (r.lane + 1) * lanes_of_a_stream + r.thread;
    }
    const npu::trace_row& made_by(const npu::trace_row& r) const { return rows_[static_cast<std::size_t>(r.made)]; }
    void begin(std::string_view kind, std::int32_t lane) {
        put(out_, {",\n{\"ph\":\"", kind, "\",\"pid\":", rank_ + 1, ",\"tid\":", lane});
    }
    void put_lane(const npu::trace_row& r) {
        short_text name;
        if (r.kind == npu::trace_kind::call) name = r.lane == 0 ? short_text("host") : short_text("host ") << r.lane;
        else if (r.thread == 0) name = r.lane == 0 ? short_text("default stream") : short_text("stream ") << r.lane;
        else name = short_text("stream ") << r.lane << ", thread " << r.thread << " of replays";
        begin("M", lane_of(r));
        put(out_, {",\"name\":\"thread_name\",\"args\":{\"name\":\"", json_text{name.view()}, "\"}}"});
        begin("M", lane_of(r));
        put(out_, {",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":", lane_of(r), "}}"});
    }
    static std::string_view category_of(npu::trace_kind kind) {
        switch (kind) {
        case npu::trace_kind::call: return "host";
        case npu::trace_kind::launch: return "launch";
        case npu::trace_kind::replay: return "replay";
        case npu::trace_kind::step: break;
        }
        return "step";
    }
    void put_slice(const npu::trace_row& r) {
        constexpr machine::ticks nanosecond{1000};
        const auto start = trace_.since_begin(r.begun), takes = trace_.since_begin(r.ended) - start;
        begin("X", lane_of(r));
        put(out_, {",\"cat\":\"", category_of(r.kind), "\",\"name\":\"", json_text{r.name.view()}, "\",\"ts\":", start,
                   ",\"dur\":", nanosecond < takes ? takes - nanosecond : machine::ticks{}});
        if (r.captured_on >= 0) put(out_, {",\"args\":{\"captured on stream\":", r.captured_on, "}"});
        put(out_, {"}"});
    }
    void put_end(std::string_view kind, const npu::trace_row& r, std::int32_t number) {
        begin(kind, lane_of(r));
        put(out_, {",\"cat\":\"launches\",\"name\":\"", json_text{r.name.view()}, "\",\"id\":", number,
                   ",\"ts\":", trace_.since_begin(r.begun), kind == "f" ? ",\"bp\":\"e\"}" : "}"});
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::printers {

/// JSON for ui.perfetto.dev and chrome://tracing, with all that the trace has recorded; waits for the launched work.
/// Each slice is named after the call, or after the launched work; its category is host, launch, replay, or step, which
/// is a launch within a replay.
/// within a replay.
template <text_sink Sink>
void print_trace(const npu::device_trace& trace, Sink& out, std::string_view title = "device") {
    detail::device_trace_writer<Sink>(trace, out).print(title);
}

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::print_trace;
} // namespace ahead
