// SPDX-License-Identifier: MIT
// Where the threads of a run write the times of each task, and whether they do: a watched task reads the clock before
// and after it runs.
// Invariant: unwatched tasks cost nothing. Used by stream_threads.hpp and runtime/profile.
#pragma once
#include <ahead/plan/timeline.hpp>
#include <chrono>

namespace AHEAD_NAMESPACE::runtime {

struct task_times {
    using clock = std::chrono::steady_clock;
    clock::time_point began{};    // of the run
    timeline_row* rows = nullptr; // of the run's tasks; null: this run is not measured
    std::int32_t first = 0;       // the first task of the run
    machine::ticks now() const {
        return machine::ticks::of(std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - began));
    }
};

/// A `task` object lives as long as the task runs.
struct unwatched {
    struct task {
        constexpr task(const task_times*, std::int32_t, std::int32_t) {}
    };
};
struct watched {
    class task {
    public:
        task(const task_times* times, std::int32_t number, std::int32_t stream)
            : times_(times->rows ? times : nullptr),
              row_{number, stream, times_ ? times_->now() : machine::ticks{}, {}} {}
        task(const task&) = delete;
        task& operator=(const task&) = delete;
        ~task() {
            if (!times_) return;
            row_.end = times_->now();
            times_->rows[row_.task - times_->first] = row_;
        }

    private:
        const task_times* times_;
        timeline_row row_;
    };
};

} // namespace ahead::runtime
