// SPDX-License-Identifier: MIT
// Runs the streams of launched programs' plans on threads: stream 0 on the thread that runs the launch, each other one
// on a separate lane. There is one object for each thread that runs launches: that of stream_queue.hpp, and each lane
// of stream_executor.hpp.
// Invariant: a launch leaves the same bits, and throws the same exception, as its plan run in order (stream_threads.hpp
// runs each stream); once there are enough lanes, a launch allocates nothing and takes no lock. A launch of one stream
// runs directly on the calling thread.
#pragma once
#include <ahead/core/error.hpp>
#include <ahead/runtime/launch/kernel_launch.hpp>
#include <ahead/runtime/threads/stream_event.hpp>
#include <ahead/runtime/threads/stream_thread.hpp>
#include <ahead/runtime/threads/task_times.hpp>
#include <deque>
#include <exception>
#include <memory>
#include <optional>

namespace AHEAD_NAMESPACE::runtime {

/// A stream in a run: its current step, and the reason if it stopped.
struct stream_progress {
    std::int32_t at = 0; // the index of the current step
    run_number run = 0;
    bool stopped = false;        // by its own exception, or by an event that a stopped stream recorded
    std::exception_ptr thrown{}; // by a task of this stream
    std::int32_t thrown_by = 0;  // the task
    std::optional<diagnosis> refused{}; // refusal by a task of this stream
    const task_times* times = nullptr;  // where the times of its tasks are written
};

/// Ends a run in which some streams stopped: of the tasks that threw or refused, the first in the plan's order
/// determines the result: its exception is rethrown, or *d gets its refusal. Clears the exceptions of all streams.
/// lanes: each has a stream_progress.
template <class Lanes> [[gnu::cold]] void rethrow_first(Lanes& lanes, diagnosis* d) {
    stream_progress* first = nullptr;
    for (auto& each : lanes)
        if (auto& now = each.progress; (now.thrown || now.refused) && (!first || now.thrown_by < first->thrown_by))
            first = &now;
    const auto thrown = first->thrown;
    if (first->refused) *d = *first->refused;
    for (auto& each : lanes) {
        each.progress.thrown = nullptr;
        each.progress.refused.reset();
    }
    if (thrown) std::rethrow_exception(thrown);
}

/// How a launch runs each stream of its plan: run[s] executes stream s from its first to its last step; it is null for
/// a stream without steps.
struct plan_streams {
    using stream_function = void (*)(const region_bases&, stream_event*, stream_progress&) noexcept;
    std::int32_t count = 1, events = 0;
    const stream_function* run = nullptr;
};

class plan_threads {
public:
    plan_threads() = default;
    plan_threads(const plan_threads&) = delete;
    plan_threads& operator=(const plan_threads&) = delete;

    /// Makes lanes and events for such a plan, if there are not enough. Throws std::system_error if the system cannot
    /// create more threads.
    void reserve(const plan_streams& plan) {
        if (events_made_ < plan.events) {
            lanes_.clear(); // a lane may still be finishing the recording of an event
            events_ = std::make_unique<stream_event[]>(static_cast<std::size_t>(plan.events));
            events_made_ = plan.events;
        }
        while (std::ssize(lanes_) < plan.count) lanes_.emplace_back();
        for (std::int32_t s = 1; s < plan.count; ++s)
            if (auto& l = lanes_[static_cast<std::size_t>(s)]; !l.thread)
                l.thread.emplace([this, &l, s] {
                    l.progress.run = run_;
                    plan_->run[s](memory_, events_.get(), l.progress);
                });
    }
    /// Ends the threads of the lanes.
    void end() { lanes_.clear(); }
    /// Returns when the whole launch is done. Throws the exception that a run in order would throw.
    void run(const kernel_launch& k) {
        if (!k.streams) return k();
        reserve(*k.streams);
        plan_ = k.streams;
        memory_ = k.given;
        auto& mine = lanes_.front().progress;
        mine.run = ++run_;
        for (std::int32_t s = 1; s < plan_->count; ++s)
            if (plan_->run[s]) lanes_[static_cast<std::size_t>(s)].thread->begin();
        plan_->run[0](memory_, events_.get(), mine);
        if (!mine.stopped) return;
        diagnosis d;
        rethrow_first(lanes_, &d);
        raise(d);
    }

private:
    struct alignas(64) lane {
        stream_progress progress;
        std::optional<stream_thread> thread; // none: the thread that runs the launch
    };
    std::unique_ptr<stream_event[]> events_;
    std::int32_t events_made_ = 0;
    const plan_streams* plan_ = nullptr; // of the current run
    region_bases memory_{};
    run_number run_ = 0;
    std::deque<lane> lanes_; // destroyed first
};

} // namespace ahead::runtime
