// SPDX-License-Identifier: MIT
// What was captured on several streams, replayed on as many threads: a lane for each stream, the first one's on the
// thread that replays. A lane waits for the launches of others that its stream waited for in the capture, and runs
// programs of several streams on lanes of theirs (plan_threads.hpp).
// Invariant: a replay runs what the launches in captured order would, and throws what they would; it allocates nothing,
// and is over when all lanes are. One thread at a time replays. Made by context/captures.hpp when a capture ends, run
// by captured_graph.hpp.
#pragma once
#include <ahead/npu/history.hpp>
#include <ahead/npu/trace/trace_rows.hpp>
#include <ahead/runtime/threads/plan_threads.hpp>
#include <algorithm>
#include <span>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

/// What was done on a stream in a capture: a launch, or, where it waits for one of another stream, that.
struct captured_call {
    std::int32_t stream = 0;
    moment waits_for;
};

class stream_executor {
public:
    /// Whether there is anything to run beside anything: otherwise a replay has no use for lanes.
    static bool are_of_use(std::span<const runtime::kernel_launch> launches, std::span<const captured_call> calls) {
        return streams_of(calls).size() > 1 ||
               std::any_of(launches.begin(), launches.end(),
                           [](const runtime::kernel_launch& k) { return k.streams != nullptr; });
    }

    /// calls: in the order of the capture; launches: theirs, which stay where they are. Throws std::system_error where
    /// the system has no more threads.
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
            } else if (on < lanes_.size()) { // else it launches nothing
                lanes_[on].steps.push_back({nullptr, 0, &lanes_[lane_of(c.waits_for.stream)], c.waits_for.number});
            }
        }
        for (auto& l : std::span(lanes_).subspan(lanes_.empty() ? 0 : 1))
            l.thread.emplace([this, &l] { l.run(run_, rows_); });
    }
    stream_executor(const stream_executor&) = delete;
    stream_executor& operator=(const stream_executor&) = delete;

    /// Which lane runs what was captured on the stream; 0 is the thread that replays.
    std::int32_t lane_of(std::int32_t stream) const {
        return static_cast<std::int32_t>(std::find(streams_.begin(), streams_.end(), stream) - streams_.begin());
    }
    /// One replay, which is over before this is gone. Throws what the first launch in the order of the capture threw,
    /// of those that did; what waited for them was not run. rows: where the launches are timed, or null.
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
        const runtime::kernel_launch* launch = nullptr; // none: a wait
        std::ptrdiff_t place = 0;              // of the launch among all
        const lane* other = nullptr;           // that is waited for, until so many launches of a replay are done there
        std::uint64_t number = 0;
    };
    struct lane {
        std::vector<lane_step> steps;
        std::uint64_t launches = 0; // in a replay
        runtime::progress done;              // launches, in all replays; one that was not run counts
        std::atomic<std::uint64_t> first_failed{
            0};                    // of these: it, and those behind it, did not run to their end. 0: none
        std::exception_ptr thrown; // by a launch of its own
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
        /// Waits for it. False: it failed, or did not run.
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
