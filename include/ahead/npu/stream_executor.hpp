// SPDX-License-Identifier: MIT
// Replays a capture of several streams on as many threads: one lane per stream; the first lane is the thread that
// replays. A lane waits for the launches of other lanes that its stream waited for in the capture, and runs programs
// with several streams on lanes of their own (plan_threads.hpp).
// Invariant: a replay has the same effects, and throws the same, as its launches in captured order; it allocates
// nothing, and ends when all lanes have ended. One thread at a time replays. Made by context/captures.hpp at the end of
// a capture, run by captured_graph.hpp.
#pragma once
#include <ahead/npu/history.hpp>
#include <ahead/npu/trace/trace_rows.hpp>
#include <ahead/runtime/threads/plan_threads.hpp>
#include <algorithm>
#include <span>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

/// A captured operation of a stream: a wait for a launch of another stream if waits_for is set, otherwise a launch.
struct captured_call {
    std::int32_t stream = 0;
    moment waits_for;
};

class stream_executor {
public:
    /// Whether anything can run in parallel: otherwise a replay needs no lanes.
    static bool are_of_use(std::span<const runtime::kernel_launch> launches, std::span<const captured_call> calls) {
        return streams_of(calls).size() > 1 ||
               std::any_of(launches.begin(), launches.end(),
                           [](const runtime::kernel_launch& k) { return k.streams != nullptr; });
    }

    /// calls: in captured order; launches: those of the calls, which must not move. Throws std::system_error if the
    /// system has no more threads.
    stream_executor(std::span<const runtime::kernel_launch> launches, std::span<const captured_call> calls)
        : streams_(streams_of(calls)), lanes_(streams_.size()) {
        const auto lane_of = [&](std::int32_t stream) { return static_cast<std::size_t>(this->lane_of(stream)); };
        auto launch = launches.begin();
        for (const auto& c : calls) {
            const auto on = lane_of(c.stream);
            if (c.waits_for.number == 0) {
                if (launch->streams) lanes_[on].programs.reserve(*launch->streams);
                lanes_[on].steps.push_back({&*launch, launch - launches.begin(), nullptr, 0});
                ++lanes_[on].launches, ++launch;
            } else if (on < lanes_.size()) { // other streams launch nothing
                lanes_[on].steps.push_back({nullptr, 0, &lanes_[lane_of(c.waits_for.stream)], c.waits_for.number});
            }
        }
        for (auto& l : std::span(lanes_).subspan(lanes_.empty() ? 0 : 1))
            l.thread.emplace([this, &l] { l.run(run_, rows_); });
    }
    stream_executor(const stream_executor&) = delete;
    stream_executor& operator=(const stream_executor&) = delete;

    /// The lane that runs the operations captured on the stream; 0 is the thread that replays.
    std::int32_t lane_of(std::int32_t stream) const {
        return static_cast<std::int32_t>(std::find(streams_.begin(), streams_.end(), stream) - streams_.begin());
    }
    /// Runs one replay, which must end before this object is destroyed. Throws the exception of the first failed
    /// launch, in captured order; launches that waited for it were not run. rows: the trace rows of the launches, or
    /// null.
    void run(trace_row* rows = nullptr) {
        ++run_;
        rows_ = rows;
        for (auto& l : lanes_)
            if (l.thread) l.thread->begin();
        lanes_.front().run(run_, rows_);
        bool has_failed = false;
        for (auto& l : lanes_) {
            l.done.wait_for(run_ * l.launches);
            has_failed = has_failed || l.first_failed.load(std::memory_order_acquire) != 0;
        }
        if (has_failed) rethrow();
    }

private:
    struct lane;
    struct lane_step {
        const runtime::kernel_launch* launch = nullptr; // null: a wait
        std::ptrdiff_t place = 0;              // index of the launch among all
        const lane* other = nullptr;           // the lane to wait for, until it has done `number` launches of a replay
        std::uint64_t number = 0;
    };
    struct lane {
        std::vector<lane_step> steps;
        std::uint64_t launches = 0; // per replay
        runtime::progress done;              // launches in all replays, including those that were not run
        std::atomic<std::uint64_t> first_failed{
            0};                    // of these: the first that did not complete; neither did later ones. 0: none
        std::exception_ptr thrown; // by a launch of this lane
        std::ptrdiff_t thrown_by = 0;
        runtime::plan_threads programs;
        std::optional<runtime::stream_thread> thread; // none: the thread that replays

        void run(std::uint64_t number, trace_row* rows) noexcept {
            const auto before = (number - 1) * launches;
            auto next = before + 1;
            for (const auto& s : steps)
                if (s.launch ? !launch(s, rows) : !s.other->has_done((number - 1) * s.other->launches + s.number)) {
                    first_failed.store(next, std::memory_order_release);
                    break;
                } else if (s.launch) {
                    done.reach(next++);
                }
            done.reach(before + launches);
        }
        bool launch(const lane_step& s, trace_row* rows) {
            try {
                const timed_row timed(rows ? rows + s.place : nullptr);
                programs.run(*s.launch);
                return true;
            } catch (...) {
                thrown = std::current_exception();
                thrown_by = s.place;
                return false;
            }
        }
        /// Waits for the launch. False: it failed, or did not run.
        bool has_done(std::uint64_t launch) const {
            done.wait_for(launch);
            const auto failed = first_failed.load(std::memory_order_acquire);
            return failed == 0 || failed > launch;
        }
    };

    std::uint64_t run_ = 0;
    trace_row* rows_ = nullptr;
    std::vector<std::int32_t> streams_; // by lane
    std::vector<lane> lanes_;

    static std::vector<std::int32_t> streams_of(std::span<const captured_call> calls) {
        std::vector<std::int32_t> out;
        for (const auto& c : calls)
            if (c.waits_for.number == 0 && std::find(out.begin(), out.end(), c.stream) == out.end())
                out.push_back(c.stream);
        return out;
    }
    [[gnu::cold]] void rethrow() {
        lane* first = nullptr;
        for (auto& l : lanes_)
            if (l.thrown && (!first || l.thrown_by < first->thrown_by)) first = &l;
        const auto thrown = first->thrown;
        for (auto& l : lanes_) {
            l.thrown = nullptr;
            l.first_failed.store(0, std::memory_order_relaxed);
        }
        std::rethrow_exception(thrown);
    }
};

} // namespace ahead::npu
