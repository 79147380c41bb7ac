// SPDX-License-Identifier: MIT
// What a context does, measured on this machine's clock: the host's calls, and what ran when on each stream.
//     npu::device_trace trace(npu);                           // from here on; rows for some thousand launches
//     ... launch, replay, synchronize ...
//     print_trace(trace, text);                               // print/device_trace.hpp: for Perfetto
// or the steps of torch.profiler's schedule alone:
//     npu::device_trace trace(npu, {.rows = 10'000}, profile_schedule({.wait = 1, .warmup = 1, .active = 3}));
//     for (...) { ...; if (trace.step()) print_trace(trace, text); }
// Invariant: what runs is what runs without it, in the same order; no call allocates. A graph within a graph is one
// launch of the outer one, a program of several streams one launch.
#pragma once
#include <ahead/npu/context.hpp>
#include <ahead/runtime/profile/schedule.hpp>

namespace AHEAD_NAMESPACE::npu {

struct trace_options {
    std::int64_t rows = 8192; // one for a call of the host's, one for what it launches, one for each launch of a replay
};

class device_trace {
public:
    /// One of a context at a time. Throws trace_is_underway, option_is_out_of_range.
    explicit device_trace(context& npu, const trace_options& options = {}) : device_trace(npu, options, {}, true) {}
    /// Records the steps that the schedule says, the first one now.
    device_trace(context& npu, const trace_options& options, const profile_schedule& steps)
        : device_trace(npu, options, steps, steps.is_recording()) {}
    device_trace(const device_trace&) = delete;
    device_trace& operator=(const device_trace&) = delete;
    /// Waits for what was launched.
    ~device_trace() { npu_->end_trace(rows_); }

    /// The next step of the schedule. Gives whether the one that ends is the last of a cycle: then this waits for what
    /// was launched, and rows() has the cycle until something is recorded again. Without a schedule: false.
    bool step() {
        if (!steps_) return false;
        const bool is_last = steps_->action() == profile_action::record_and_save;
        steps_->step();
        npu_->record_trace(rows_, steps_->is_recording(), is_last);
        return is_last;
    }
    profile_action action() const { return steps_ ? steps_->action() : profile_action::record; }
    /// Nothing more is recorded, until the schedule says so again; waits for what was launched.
    void stop() { npu_->record_trace(rows_, false, true); }

    /// All that was recorded, in the order of the calls; waits for what was launched. What did not run, behind what
    /// threw, has no times.
    std::span<const trace_row> rows() const {
        npu_->finish_trace();
        return rows_.rows();
    }
    /// Rows that found no room.
    std::int64_t dropped() const { return rows_.dropped(); }
    /// From the begin of what was recorded.
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
