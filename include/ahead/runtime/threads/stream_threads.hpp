// SPDX-License-Identifier: MIT
// The second way to execute a plan: the tasks, records and waits of each stream as straight-line code of a separate
// thread, those of stream 0 on the caller's thread. Between runs a thread waits for the first event that its stream
// waits for, so starting a run costs nothing but the records in it.
// Invariant: the same bits, and if a task throws the same exception, as in order (run_tasks in
// instantiate_kernels.hpp), because the plan orders all tasks that depend on one another (plan/check.hpp proves it). A
// run takes no lock and allocates nothing. Used by threaded_session.hpp and launch.hpp.
#pragma once
#include <ahead/runtime/launch/instantiate_kernels.hpp>
#include <ahead/runtime/threads/plan_threads.hpp>
#include <ahead/runtime/threads/task_times.hpp>
#include <array>
#include <atomic>
#include <exception>
#include <thread>

namespace AHEAD_NAMESPACE::runtime {

namespace detail {

enum class step_kind : std::uint8_t { task, record, wait };

/// A step of a stream: a task of the plan, the record of an event, or a wait for one.
struct stream_step {
    step_kind kind = step_kind::task;
    std::int32_t number = 0; // of the task or of the event
};

/// Calls f for each step that the run launches on a stream, in order.
template <class F> constexpr void for_each_step(plan_view plan, std::int32_t stream, F f) {
    const auto first = plan.summary.prepare_tasks, end = first + plan.summary.run_tasks;
    auto sync = plan.syncs.begin();
    for (auto t = first; t <= end; ++t) {
        for (; sync != plan.syncs.end() && sync->before == t; ++sync)
            if (sync->stream == stream)
                f(stream_step{sync->kind == sync_kind::record ? step_kind::record : step_kind::wait, sync->event});
        if (t < end && plan.tasks.data()[t].stream == stream) f(stream_step{step_kind::task, t});
    }
}
constexpr std::int32_t count_steps(plan_view plan, std::int32_t stream) {
    std::int32_t count = 0;
    for_each_step(plan, stream, [&](stream_step) { ++count; });
    return count;
}

template <class Program, std::int32_t Stream, std::int32_t Count> constexpr auto list_steps() {
    std::array<stream_step, static_cast<std::size_t>(Count) + 1> out{};
    std::size_t next = 0;
    for_each_step(Program::plan_view(), Stream, [&](stream_step step) { out[next++] = step; });
    return out;
}
template <class Program, std::int32_t Stream> struct stream_steps {
    static constexpr std::int32_t count = count_steps(Program::plan_view(), Stream);
    static constexpr auto all = list_steps<Program, Stream, count>();
};

/// Executes step number At of a stream; returns false if it waited for a failed step, or refuses. Other threads use the
/// arena, too, so it is not declared __restrict here, unlike in run_chunk.
template <class Program, std::int32_t Stream, class Watch, std::int32_t At>
[[gnu::always_inline]] inline bool run_step(const region_bases& m, stream_event* events, stream_progress& now) {
    constexpr auto step_at = stream_steps<Program, Stream>::all[static_cast<std::size_t>(At)];
    constexpr auto number = step_at.number;
    now.at = At;
    [[maybe_unused]] const auto refuse = [&](const diagnosis& d) {
        now.refused = d;
        now.thrown_by = number;
        return false;
    };
    if constexpr (step_at.kind == step_kind::record) {
        events[number].record(now.run, true);
    } else if constexpr (step_at.kind == step_kind::wait) {
        return events[number].wait(now.run);
    } else if constexpr (is_written<Program>) {
        [[maybe_unused]] const typename Watch::task timed(now.times, number, Stream);
        if (diagnosis d; !run_tasks<Program, number, number + 1>(m, &d)) return refuse(d);
    } else {
        constexpr const auto& all = kernel_calls<Program>::made;
        using task = task_function<Program, all.code[number]>;
        const auto* at = all.addresses + all.first[number];
        [[maybe_unused]] const typename Watch::task timed(now.times, number, Stream);
        if constexpr (task::kernel::refuses) {
            if (diagnosis d; !call_task<Program, number>(m.externals, m.constants, m.arena, at, &d)) return refuse(d);
        } else {
            task::run(m.externals, m.constants, m.arena, at);
        }
    }
    return true;
}
template <class Program, std::int32_t Stream, class Watch, std::int32_t Begin, std::int32_t End>
bool run_steps(const region_bases& m, stream_event* events, stream_progress& now) {
    if constexpr (End - Begin <= chunk_size) {
        return [&]<std::int32_t... Nth>(std::integer_sequence<std::int32_t, Nth...>) __attribute__((always_inline)) {
            return (run_step<Program, Stream, Watch, Begin + Nth>(m, events, now) && ...);
        }(std::make_integer_sequence<std::int32_t, End - Begin>{});
    } else {
        constexpr auto middle = Begin + (End - Begin) / 2;
        return run_steps<Program, Stream, Watch, Begin, middle>(m, events, now) &&
               run_steps<Program, Stream, Watch, middle, End>(m, events, now);
    }
}

/// Executes the remaining steps of a stream that stopped: no task, but every wait, so that the run ends on all streams,
/// and every record, which reports the failure.
[[gnu::cold]] inline void run_rest(array_view<const stream_step> rest, stream_event* events,
                                   const stream_progress& now) {
    for (const auto& left : rest)
        if (left.kind == step_kind::record) events[left.number].record(now.run, false);
        else if (left.kind == step_kind::wait) events[left.number].wait(now.run);
}

} // namespace detail

/// Executes one stream of a run, from its first to its last step. Throws nothing.
template <class Program, std::int32_t Stream, class Watch = unwatched>
void run_stream(const region_bases& m, stream_event* events, stream_progress& now) noexcept {
    using steps = detail::stream_steps<Program, Stream>;
    guarded([&] { now.stopped = !detail::run_steps<Program, Stream, Watch, 0, steps::count>(m, events, now); },
            [&](std::exception_ptr thrown) {
                now.stopped = true;
                now.thrown = std::move(thrown);
                now.thrown_by = steps::all[static_cast<std::size_t>(now.at)].number;
            });
    if (now.stopped)
        detail::run_rest({steps::all.data() + now.at + 1, static_cast<std::size_t>(steps::count - now.at - 1)}, events,
                         now);
}

/// The threads of one session's streams, started by the constructor and ended by the destructor. Not thread-safe, like
/// a session.
template <class Program, class Watch = unwatched> class stream_threads {
public:
    static constexpr std::int32_t streams = Program::plan.streams;

    /// times: where watched tasks write. Throws std::system_error if the system cannot create more threads.
    explicit stream_threads(const task_times* times = nullptr) {
        for (auto& each : lanes_) each.progress.times = times;
        guarded([&] { begin(std::make_integer_sequence<std::int32_t, streams - 1>{}); },
                [&](std::exception_ptr thrown) {
                    end();
                    std::rethrow_exception(std::move(thrown));
                });
    }
    ~stream_threads() { end(); }
    stream_threads(const stream_threads&) = delete;
    stream_threads& operator=(const stream_threads&) = delete;

    /// Returns when all streams are done. Of the tasks that threw or refused, the first in the plan's order determines
    /// the result: its exception is rethrown, or the result is false and *d gives the reason. The later tasks of its
    /// stream, and tasks that wait for it, were not run.
    bool run(const region_bases& m, diagnosis* d) {
        memory_ = m;
        auto& mine = lanes_[0].progress;
        ++mine.run;
        run_stream<Program, 0, Watch>(memory_, events_.data(), mine);
        return !mine.stopped || rethrow(d);
    }

private:
    struct alignas(64) lane {
        stream_progress progress;
        std::thread thread;
    };
    std::array<stream_event, static_cast<std::size_t>(Program::plan.events)> events_;
    std::array<lane, static_cast<std::size_t>(streams)> lanes_;
    alignas(64) region_bases memory_{}; // of the current run
    std::atomic<bool> ends_{false};

    template <std::int32_t... Nth> void begin(std::integer_sequence<std::int32_t, Nth...>) {
        (begin_stream<Nth + 1>(), ...);
    }
    /// A stream without steps, whose calls were all moved elsewhere or removed, has no thread.
    template <std::int32_t Stream> void begin_stream() {
        if constexpr (detail::stream_steps<Program, Stream>::count > 0) {
            static_assert(detail::stream_steps<Program, Stream>::all[0].kind == detail::step_kind::wait,
                          "a stream is forked");
            lanes_[Stream].thread = std::thread([this] { work<Stream>(); });
        }
    }
    template <std::int32_t Stream> void work() {
        for (auto& now = lanes_[Stream].progress; !ends_.load(std::memory_order_relaxed);) {
            ++now.run;
            run_stream<Program, Stream, Watch>(memory_, events_.data(), now);
        }
    }
    /// Records every event in a run that does not take place, with ok = false; the threads, on their way out, do the
    /// same for the events of their streams.
    void end() {
        ends_.store(true, std::memory_order_relaxed);
        auto& mine = lanes_[0].progress;
        ++mine.run;
        for (auto& event : events_) event.record(mine.run, false);
        for (auto& each : lanes_)
            if (each.thread.joinable()) each.thread.join();
    }
    [[gnu::cold]] bool rethrow(diagnosis* d) {
        rethrow_first(lanes_, d);
        return false;
    }
};

} // namespace ahead::runtime
