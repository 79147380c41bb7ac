// SPDX-License-Identifier: MIT
// How a context writes the rows that trace/device_trace.hpp shows.
// Invariant: rows are taken under the lock, and read when all launches are over. Called by device_trace.hpp, and by the
// context's calls.
#pragma once
#include <ahead/npu/context/interface.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::npu {

/// Records a call of the host, from now to the end of the scope. pre: the context is locked at both ends
class context::traced_call {
public:
    traced_call(context& npu, std::string_view name) : npu_(npu), trace_(npu.trace_), name_(name) {
        if (trace_ && !trace_->records()) trace_ = nullptr;
        if (!trace_) return;
        begun_ = trace_row::clock::now();
    }
    traced_call(const traced_call&) = delete;
    traced_call& operator=(const traced_call&) = delete;
    ~traced_call() {
        if (!trace_ || trace_ != npu_.trace_) return; // the trace ended while this call waited
        if (auto* row = trace_->take(1)) {
            row->name = name_;
            row->lane = trace_->this_thread();
            row->made = trace_->place_of(made_);
            row->begun = std::max(begun_, trace_->began());
            row->ended = trace_row::clock::now();
            row->has_run = true;
        }
    }
    /// The rows of a launch: one, and one for each of the graph's launches. Null: not traced.
    trace_row* launches(std::string_view name, std::int32_t stream, const captured_graph* g = nullptr) {
        if (!trace_) return nullptr;
        const auto steps = g ? g->steps.size() : 0;
        made_ = trace_->take(1 + steps);
        if (!made_) return nullptr;
        made_->name = name;
        made_->kind = g ? trace_kind::replay : trace_kind::launch;
        made_->lane = stream;
        for (std::size_t i = 0; i < steps; ++i) {
            auto& row = made_[1 + i];
            row.name = g->steps[i].name;
            row.kind = trace_kind::step;
            row.lane = stream;
            row.thread = g->lanes ? g->lanes->lane_of(g->steps[i].stream) : 0;
            row.captured_on = g->steps[i].stream;
        }
        return made_;
    }

private:
    context& npu_;
    trace_rows* trace_;     // null: no trace
    std::string_view name_; // must outlive the call
    trace_row* made_ = nullptr;
    trace_row::clock::time_point begun_{};
};

inline void context::begin_trace(trace_rows& rows, bool records) {
    check_not_called_back("device_trace");
    const std::scoped_lock lock(mutex_);
    if (trace_)
        refuse_call(fault::trace_is_underway, "device_trace", {}, "no trace of the context underway", "another one");
    rows.record(records);
    trace_ = &rows;
}
inline void context::record_trace(trace_rows& rows, bool records, bool waits) {
    check_not_called_back("device_trace");
    context_lock lock(mutex_);
    if (waits) finish_all(lock);
    rows.record(records);
    if (waits) rows.begin_anew();
}
inline void context::finish_trace() {
    check_not_called_back("device_trace");
    context_lock lock(mutex_);
    finish_all(lock);
}
/// All streams are idle when this returns, even if other threads launch meanwhile.
inline void context::finish_all(context_lock& lock) {
    for (bool has_waited = true; has_waited;) { // other threads may launch meanwhile
        has_waited = false;
        for (std::int32_t s = 0; s < count(); ++s)
            if (at(s).queue && at(s).queue->finished().count() < at(s).eager.last().number) {
                wait_for_stream(lock, s);
                has_waited = true;
            }
    }
}
inline void context::end_trace(trace_rows& rows) noexcept {
    context_lock lock(mutex_);
    finish_all(lock);
    if (trace_ == &rows) trace_ = nullptr;
}

} // namespace ahead::npu
