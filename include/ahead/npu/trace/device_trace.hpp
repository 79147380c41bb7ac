// SPDX-License-Identifier: MIT
// A trace of a context on this machine's clock: the host's calls, and what ran when on each stream.
//     npu::device_trace trace(npu);                           // from here on; rows for some thousand launches
//     ... launch, replay, synchronize ...
//     print_trace(trace, text);                               // print/device_trace.hpp: for Perfetto
// or the steps of torch.profiler's schedule alone:
//     npu::device_trace trace(npu, {.rows = 10'000}, profile_schedule({.wait = 1, .warmup = 1, .active = 3}));
//     for (...) { ...; if (trace.step()) print_trace(trace, text); }
// Invariant: the same work runs in the same order as without a trace; no call allocates. A graph within a graph is one
// launch of the outer one, a program with several streams is one launch.
#pragma once
#include <ahead/npu/context.hpp>
#include <ahead/runtime/profile/schedule.hpp>

namespace AHEAD_NAMESPACE::npu {

struct trace_options {
    std::int64_t rows = 8192; // one for each call, for each launch or replay, and for each launch of a replay
};

class device_trace {
public:
    /// One at a time per context. Throws trace_is_underway, option_is_out_of_range.
    explicit device_trace(context& npu, const trace_options& options = {}) : device_trace(npu, options, {}, true) {}
    /// Records the steps that the schedule selects, beginning with the current one.
    device_trace(context& npu, const trace_options& options, const profile_schedule& steps)
        : device_trace(npu, options, steps, steps.is_recording()) {}
    device_trace(const device_trace&) = delete;
    device_trace& operator=(const device_trace&) = delete;
    /// Waits for all launches.
    ~device_trace() { npu_->end_trace(rows_); }

    /// Goes to the next step of the schedule. Returns whether the previous one was the last of a cycle: then this waits
    /// for all launches, and rows() has the cycle until recording continues. Without a schedule: false.
    bool step() {
        if (!steps_) return false;
        const bool is_last = steps_->action() == runtime::profile_action::record_and_save;
        steps_->step();
        npu_->record_trace(rows_, steps_->is_recording(), is_last);
        return is_last;
    }
    runtime::profile_action action() const { return steps_ ? steps_->action() : runtime::profile_action::record; }
    /// Stops recording, until the schedule continues it; waits for all launches.
    void stop() { npu_->record_trace(rows_, false, true); }

    /// All recorded rows, in the order of the calls; waits for all launches. Launches that did not run, because an
    /// earlier one threw, have no times.
    std::span<const trace_row> rows() const {
        npu_->finish_trace();
        return rows_.rows();
    }
    /// Number of rows that did not fit.
    std::int64_t dropped() const { return rows_.dropped(); }
    /// Time since the start of the recording.
    machine::ticks since_begin(trace_row::clock::time_point time) const {
        return machine::ticks::of(std::chrono::duration_cast<std::chrono::nanoseconds>(time - rows_.began()));
    }
    context& npu() const { return *npu_; }

private:
    context* npu_;
    trace_rows rows_;
    std::optional<profile_schedule> steps_;

    device_trace(context& npu, const trace_options& options, std::optional<profile_schedule> steps, bool records)
        : npu_(&npu), rows_(room_of(options)), steps_(steps) {
        npu.begin_trace(rows_, records);
    }
    static std::size_t room_of(const trace_options& options) {
        if (options.rows < 1)
            refuse_call(fault::option_is_out_of_range, "device_trace", "rows", "1 or more",
                        short_text() << options.rows);
        return static_cast<std::size_t>(options.rows);
    }
};

} // namespace ahead::npu
