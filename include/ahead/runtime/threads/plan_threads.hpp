// SPDX-License-Identifier: MIT
// The streams of launched programs' plans on threads: stream 0 on the thread that runs the launch, each other one on a
// lane of its own. One for each thread that runs launches: of stream_queue.hpp, and each lane of stream_executor.hpp.
// Invariant: a launch leaves the bits, and throws what, its plan in order would (stream_threads.hpp runs each stream);
// once there are lanes enough, a launch allocates nothing and takes no lock. A launch of one stream runs as it is.
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

/// A stream in a run: where it is, and what stopped it.
struct stream_progress {
    std::int32_t at = 0; // the step that it is at
    run_number run = 0;
    bool stopped = false;        // by an exception of its own, or by an event that another stream recorded after one
    std::exception_ptr thrown{}; // by a task of its own
    std::int32_t thrown_by = 0;  // the task
    std::optional<diagnosis> refused{}; // what a task of its own refused
    const task_times* times = nullptr;  // where its tasks are measured
};

/// How a run ends that some streams stopped in: the first task in the plan's order, of those that threw or refused,
/// says it, by its exception, or *d says why. Forgets what all of them threw. lanes: each has a stream_progress.
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

/// How a launch runs each stream of its plan: run[s] from the first to the last step of stream s. A stream without
/// steps has none.
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

    /// Lanes and events for such a plan, if there are not enough. Throws std::system_error where the system has no more
    /// threads.
    void reserve(const plan_streams& plan) {
        if (events_made_ < plan.events) {
            lanes_.clear(); // a lane may still be at the end of recording one
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
    /// Gives the lanes' threads back.
    void end() { lanes_.clear(); }
    /// Returns when all of it is done. Throws what it would in order.
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
    const plan_streams* plan_ = nullptr; // of this run
    region_bases memory_{};
    run_number run_ = 0;
    std::deque<lane> lanes_; // gone first
};

} // namespace ahead::runtime
