// SPDX-License-Identifier: MIT
// What was captured on several streams, replayed on as many threads: a lane for each stream, the first one's on the thread that replays. A lane waits for the
// launches of others that its stream waited for in the capture.
// Invariant: a replay runs what the launches in captured order would, and throws what they would; it allocates nothing, and is over when all lanes are. One
// thread at a time replays. Made by context_launch.hpp when a capture ends, run by captured_graph.hpp.
#pragma once
#include <ahead/npu/history.hpp>
#include <ahead/npu/kernel_launch.hpp>
#include <ahead/npu/progress.hpp>
#include <algorithm>
#include <atomic>
#include <exception>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

/// What was done on a stream in a capture: a launch, or, where it waits for one of another stream, that.
struct captured_call {
    std::int32_t stream = 0;
    moment waits_for;
};

class graph_lanes {
public:
    static std::int32_t count(std::span<const captured_call> calls) { return static_cast<std::int32_t>(streams_of(calls).size()); }

    /// calls: in the order of the capture; launches: theirs, which stay where they are. Throws std::system_error where the system has no more threads.
    graph_lanes(std::span<const kernel_launch> launches, std::span<const captured_call> calls) : lanes_(streams_of(calls).size()) {
        const auto streams = streams_of(calls);
        const auto lane_of = [&](std::int32_t stream) {
            return static_cast<std::size_t>(std::find(streams.begin(), streams.end(), stream) - streams.begin());
        };
        auto launch = launches.begin();
        for (const auto& c : calls) {
            const auto on = lane_of(c.stream);
            if (c.waits_for.number == 0) {
                lanes_[on].steps.push_back({&*launch, launch - launches.begin(), nullptr, 0});
                ++lanes_[on].launches, ++launch;
            } else if (on < lanes_.size()) { // else it launches nothing
                lanes_[on].steps.push_back({nullptr, 0, &lanes_[lane_of(c.waits_for.stream)], c.waits_for.number});
            }
        }
        try {
            for (auto& l : std::span(lanes_).subspan(1))
                l.thread = std::thread([this, &l] {
                    for (std::uint64_t run = 1; begun_.wait_for(run), !ends_.load(std::memory_order_relaxed); ++run) l.run(run);
                });
        } catch (...) {
            end();
            throw;
        }
    }
    graph_lanes(const graph_lanes&) = delete;
    graph_lanes& operator=(const graph_lanes&) = delete;
    /// pre: no replay is underway
    ~graph_lanes() { end(); }

    /// One replay. Throws what the first launch in the order of the capture threw, of those that did; what waited for them was not run.
    void run() {
        begun_.reach(++run_);
        lanes_.front().run(run_);
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
        const kernel_launch* launch = nullptr; // none: a wait
        std::ptrdiff_t place = 0;              // of the launch among all
        const lane* other = nullptr;           // that is waited for, until so many launches of a replay are done there
        std::uint64_t number = 0;
    };
    struct lane {
        std::vector<lane_step> steps;
        std::uint64_t launches = 0;                 // in a replay
        progress done;                              // launches, in all replays; one that was not run counts
        std::atomic<std::uint64_t> first_failed{0}; // of these: it, and those behind it, did not run to their end. 0: none
        std::exception_ptr thrown;                  // by a launch of its own
        std::ptrdiff_t thrown_by = 0;
        std::thread thread;

        void run(std::uint64_t number) noexcept {
            const auto before = (number - 1) * launches;
            auto next = before + 1;
            for (const auto& s : steps)
                if (s.launch ? !launch(s) : !s.other->has_done((number - 1) * s.other->launches + s.number)) {
                    first_failed.store(next, std::memory_order_release);
                    break;
                } else if (s.launch) {
                    done.reach(next++);
                }
            done.reach(before + launches);
        }
        bool launch(const lane_step& s) {
            try {
                (*s.launch)();
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

    std::vector<lane> lanes_;
    progress begun_;
    std::uint64_t run_ = 0;
    std::atomic<bool> ends_{false};

    static std::vector<std::int32_t> streams_of(std::span<const captured_call> calls) {
        std::vector<std::int32_t> out;
        for (const auto& c : calls)
            if (c.waits_for.number == 0 && std::find(out.begin(), out.end(), c.stream) == out.end()) out.push_back(c.stream);
        return out;
    }
    void end() {
        ends_.store(true, std::memory_order_relaxed);
        begun_.reach(run_ + 1);
        for (auto& l : lanes_)
            if (l.thread.joinable()) l.thread.join();
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
