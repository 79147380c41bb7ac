// SPDX-License-Identifier: MIT
// A stream with a thread: launches are queued, and the thread runs them in order, a program with several streams on
// lanes (plan_threads.hpp).
// Called by npu/context/.
// Invariant: one thread at a time pushes; a launch returns before it has run, unless the queue is full.
#pragma once
#include <ahead/npu/captured_graph.hpp>
#include <ahead/npu/context/core_gate.hpp>
#include <ahead/runtime/threads/progress.hpp>
#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

class stream_queue {
public:
    /// gate: limits the launches and replays that run at once; may be null.
    explicit stream_queue(core_gate* gate, std::int32_t priority) : gate_(gate) { begin(priority); }
    stream_queue(const stream_queue&) = delete;
    stream_queue& operator=(const stream_queue&) = delete;
    ~stream_queue() { stop(); }
    /// Runs the queued commands and ends the thread. If another queue waits for this one, both are stopped before this
    /// one is destroyed.
    void stop() {
        end();
        if (thread_.joinable()) thread_.join();
    }
    /// The thread ends by itself after the queued commands; other queues can still wait for launches of this one.
    void end() {
        if (!std::exchange(is_open_, false)) return;
        push([](command& c) { c.what = kind::stop; });
    }
    /// Joins the thread if it has ended.
    void reap() {
        if (!is_open_ && taken_.count() >= count_ && thread_.joinable()) thread_.join();
    }
    /// Starts a thread for later commands: at first, and after end(). Throws std::system_error if the system has no
    /// more threads.
    void begin(std::int32_t priority) {
        stop();
        priority_ = priority;
        thread_ = std::thread([this, next = count_, last = finished_.count()] { work(next, last); });
        is_open_ = true;
    }

    /// number: of the launch on this stream; finished() reaches it when the launch has run. The externals are copied.
    /// row: the trace row, or null.
    void launch(std::uint64_t number, const runtime::kernel_launch& k, std::size_t externals, trace_row* row) {
        push([&](command& c) {
            c.what = kind::launch;
            c.row = row;
            c.number = number;
            c.externals.assign(k.given.externals, k.given.externals + externals);
            c.kernel = k;
            c.kernel.given.externals = c.externals.data();
        });
    }
    /// The graph must exist until finished() reaches number. row: as above, followed by rows for its launches.
    void launch(std::uint64_t number, const captured_graph& g, trace_row* row) {
        push([&](command& c) {
            c.what = kind::graph;
            c.row = row;
            c.number = number;
            c.graph = &g;
        });
    }
    /// Writes a few bytes, which are copied twice: now, and to their destination in queue order. Counts as a launch.
    static constexpr std::size_t largest_value = 64;
    void write(std::uint64_t number, std::byte* to, std::span<const std::byte> value) {
        push([&](command& c) {
            c.what = kind::write;
            c.row = nullptr;
            c.number = number;
            c.to = to;
            c.bytes = value.size();
            std::copy(value.begin(), value.end(), c.value.begin());
        });
    }
    void wait(const stream_queue& other, std::uint64_t number) {
        push([&](command& c) {
            c.what = kind::wait;
            c.other = &other;
            c.number = number;
        });
    }
    /// The same, but continues even if the launch waited for fails.
    void wait_for_end(const stream_queue& other, std::uint64_t number) {
        push([&](command& c) {
            c.what = kind::wait_for_end;
            c.other = &other;
            c.number = number;
        });
    }
    const runtime::progress& finished() const { return finished_; }

    /// Waits until everything queued, including waits, is over.
    void drain() const { taken_.wait_for(count_); }

    /// The first launch that threw, or waited for one that did: it and all later ones do not run, until forget_error().
    /// 0: none.
    std::uint64_t first_failed() const { return first_failed_.load(std::memory_order_acquire); }
    /// The exception of that launch. pre: it has finished
    const std::exception_ptr& error() const { return error_; }
    /// pre: this queue and all that wait for it are drained
    void forget_error() {
        error_ = nullptr;
        first_failed_.store(0, std::memory_order_release);
    }

private:
    enum class kind : std::uint8_t { launch, graph, write, wait, wait_for_end, stop };
    struct command {
        kind what = kind::stop;
        std::uint64_t number = 0;
        runtime::kernel_launch kernel;
        std::vector<const std::byte*> externals; // keeps its capacity when the slot is reused
        const captured_graph* graph = nullptr;
        trace_row* row = nullptr;
        const stream_queue* other = nullptr;
        std::byte* to = nullptr; // destination of the first `bytes` bytes of `value`
        std::size_t bytes = 0;
        std::array<std::byte, largest_value> value;
    };
    static constexpr std::size_t room = 256;

    std::array<command, room> ring_;
    std::uint64_t count_ = 0; // number pushed
    runtime::progress pushed_, taken_, finished_;
    std::atomic<std::uint64_t> first_failed_{0};
    std::exception_ptr error_;
    runtime::plan_threads programs_;
    core_gate* gate_;
    std::int32_t priority_ = 0;
    bool is_open_ = false; // the thread was not told to end
    std::thread thread_;

    template <class Fill> void push(Fill fill) {
        if (count_ >= room) taken_.wait_for(count_ + 1 - room);
        fill(ring_[count_ % room]);
        pushed_.reach(++count_);
    }
    /// next: the next command; last: the last launch that has finished
    void work(std::uint64_t next, std::uint64_t last) {
        for (;; ++next) {
            pushed_.wait_for(next + 1);
            const auto& c = ring_[next % room];
            if (c.what == kind::stop) {
                programs_.end();
                return taken_.reach(next + 1);
            }
            const auto number = c.number;
            const bool is_launch = c.what != kind::wait && c.what != kind::wait_for_end;
            if (is_launch) last = number;
            if (c.what == kind::wait_for_end) c.other->finished_.wait_for(number);
            else if (!is_launch) wait_for(*c.other, number, last + 1);
            else if (first_failed() == 0) run(c);
            if (is_launch) finished_.reach(number);
            taken_.reach(next + 1);
        }
    }
    void wait_for(const stream_queue& other, std::uint64_t number, std::uint64_t next) {
        other.finished_.wait_for(number);
        const auto failed = other.first_failed();
        if (failed != 0 && failed <= number && first_failed() == 0) fail(next, other.error_);
    }
    void fail(std::uint64_t number, std::exception_ptr thrown) {
        error_ = std::move(thrown);
        first_failed_.store(number, std::memory_order_release);
    }
    void run(const command& c) {
        const bool takes_core = gate_ && c.what != kind::write;
        if (takes_core) gate_->enter(priority_);
        try {
            const timed_row timed(c.row);
            if (c.what == kind::launch) programs_.run(c.kernel);
            else if (c.what == kind::write) std::copy_n(c.value.begin(), c.bytes, c.to);
            else c.graph->run(c.row ? c.row + 1 : nullptr);
        } catch (...) {
            fail(c.number, std::current_exception());
        }
        if (takes_core) gate_->leave();
    }
};

} // namespace ahead::npu
