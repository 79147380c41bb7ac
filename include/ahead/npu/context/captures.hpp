// SPDX-License-Identifier: MIT
// Beginning and ending a capture.
// Invariant: a capture that fails is abandoned, which restores the state before it began.
#pragma once
#include <ahead/npu/context/priorities.hpp>

namespace AHEAD_NAMESPACE::npu {

inline void context::begin_capture(captured_graph& into, const stream& on, std::optional<mempool_id> pool,
                                   capture_mode mode) {
    check_not_called_back("capture_begin");
    const std::scoped_lock lock(mutex_);
    check_mine(on.npu_, "capture_begin");
    check_exists(on, "capture_begin");
    if (into.is_complete)
        refuse_call(fault::graph_is_captured_already, "capture_begin", {}, "a graph without a capture",
                    "one that has been captured");
    if (on.number_ == 0)
        refuse_call(fault::stream_is_default, "capture_begin", name_of_stream(0), "a stream of new_stream()",
                    "the default one");
    if (capture_)
        refuse_call(fault::capture_is_underway, "capture_begin", name_of_stream(on.number_), "no capture underway",
                    name_of_stream(capture_->origin));
    const auto given = pool ? pool_of(*pool, "capture_begin") : -1;
    if (given >= 0) check_not_recording(given, "beginAllocateToPool");
    step("capture_begin");
    const auto row = given >= 0 ? given : memory_.make_pool({captured_pools_ + 1, 0});
    if (given >= 0) memory_.use(row);
    try {
        step("capture_begin");
    } catch (...) {
        memory_.leave(row);
        throw;
    }
    if (given < 0) ++captured_pools_;
    into.id = ++captures_;
    into.pool = memory_.pool(row).id;
    into.pool_row = row;
    auto& s = at(on.number_);
    s.captured = launch_order(on.number_);
    s.is_captured = true;
    capture_ = {&into, on.number_, row, mode, std::this_thread::get_id(), into.id, memory_.segments()};
}

inline void context::end_capture(captured_graph& into, const stream& on) {
    check_not_called_back("capture_end");
    const std::scoped_lock lock(mutex_);
    if (!is_capturing_into(into))
        refuse_call(fault::capture_has_not_begun, "capture_end", {}, "a capture of this graph underway", "none");
    check_mine(on.npu_, "capture_end");
    check_exists(on, "capture_end");
    const auto origin = capture_->origin;
    if (on.number_ != origin)
        refuse_call(fault::capture_ends_on_another_stream, "capture_end", {}, name_of_stream(origin),
                    name_of_stream(on.number_));
    try {
        step("capture_end");
        const auto& end = at(origin).captured;
        for (std::int32_t i = 0; i < count(); ++i)
            if (at(i).is_captured && !end.known().knows(at(i).captured.last()))
                refuse_call(fault::stream_is_not_joined, "capture_end", name_of_stream(i),
                            short_text("an event behind its last launch, waited for on ")
                                << name_of_stream(origin).view(),
                            "none");
        into.first.push_back(into.externals.size());
        into.link();
        if (at(origin).queue && stream_executor::are_of_use(into.launches, into.calls))
            into.lanes = std::make_unique<stream_executor>(into.launches, into.calls);
        into.makespan = end.done_at();
        const auto is_another = [&](const captured_step& s) { return s.priority != into.steps.front().priority; };
        if (std::any_of(into.steps.begin(), into.steps.end(), is_another))
            into.makespan = detail::timed_by_priority(into, capture_->takes, options_.device.launch.event).run(origin);
        for (auto b = memory_.first(); b >= 0; b = memory_[b].behind)
            if (memory_[b].graph == into.id && memory_[b].holders > 0) into.kept.push_back(b);
        step("capture_end");
    } catch (...) {
        abandon();
        throw;
    }
    into.is_complete = true;
    leave_capture();
}

/// Ends the capture: resets its state in blocks and streams, and destroys the streams that end with it.
inline void context::leave_capture() noexcept {
    for (auto b = memory_.first(); b >= 0; b = memory_[b].behind) memory_[b].in_capture.clear();
    for (auto& s : streams_) {
        s.is_captured = false;
        if (s.ends_with_capture) end_stream(s);
    }
    capture_.reset();
}

inline void context::abandon() noexcept {
    auto& g = *capture_->into;
    const auto segments = capture_->segments;
    leave_capture();
    for (auto b = memory_.first(); b >= 0; b = memory_[b].behind)
        if (memory_[b].graph == g.id) memory_[b].graph = 0;
    for (const auto& t : g.given) memory_.drop(t.block);
    memory_.give_back(g.pool_row, segments);
    memory_.leave(g.pool_row);
    g.clear();
}

} // namespace ahead::npu
