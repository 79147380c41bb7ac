// SPDX-License-Identifier: MIT
// The begin and end time of each task of a run on this machine's clock, measured by the threads that ran them.
// Invariant: a row is written by one thread only; nothing allocates. Called by profile.hpp, profile/threads.hpp.
#pragma once
#include <ahead/plan/timeline.hpp>
#include <ahead/runtime/profile/schedule.hpp>
#include <ahead/runtime/threads/task_times.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The rows of one session's runs.
template <class Program> class task_rows {
public:
    /// One for each task of the last run, in the order of the plan, relative to the begin of the run: the input of
    /// print_trace and print_timeline. Empty before the first run, after a run that threw, and after one that the
    /// schedule does not record.
    array_view<const timeline_row> rows() const {
        return {rows_, complete_ ? static_cast<std::size_t>(Program::plan.run_tasks) : 0};
    }
    /// From now on runs are measured only in steps in which the schedule warms up or records, and rows() has those of
    /// recorded runs. The schedule must outlive this object; the caller advances it with its step().
    void follow(const profile_schedule& steps) { steps_ = &steps; }

protected:
    runtime::task_times times_{{}, rows_, Program::plan.prepare_tasks};

    task_rows() = default;
    task_rows(const task_rows&) = delete;
    task_rows& operator=(const task_rows&) = delete;
    /// Calls `run`, and returns its result.
    template <class F> bool measure(F run) {
        complete_ = false;
        const auto action = steps_ ? steps_->action() : runtime::profile_action::record;
        times_.rows = action == runtime::profile_action::none ? nullptr : rows_;
        if (times_.rows) times_.began = runtime::task_times::clock::now();
        const bool ok = run();
        complete_ = ok && action >= runtime::profile_action::record;
        return ok;
    }

private:
    const profile_schedule* steps_ = nullptr; // null: every run
    timeline_row rows_[static_cast<std::size_t>(Program::plan.run_tasks) + 1];
    bool complete_ = false;
};

} // namespace ahead::detail
