// SPDX-License-Identifier: MIT
// An event between the threads of streams: its progress is the number of the run in which it last happened, so that no
// run has to reset it.
// Invariant: a thread that has waited for a record sees everything that happened before it. An event is recorded once
// in a run, and a run begins after the previous one has ended on all streams. Used by stream_threads.hpp and
// plan_threads.hpp.
#pragma once
#include <ahead/runtime/threads/progress.hpp>

namespace AHEAD_NAMESPACE::runtime {

/// The number of a run, counted from 1.
using run_number = std::uint64_t;

class stream_event {
public:
    /// Records that it has happened in this run. ok: all steps before it were done; false: some of them failed, and the
    /// waiting thread must not read their results.
    void record(run_number run, bool ok) { happened_.reach(2 * run + (ok ? 0 : 1)); }
    /// Returns when it has happened in this run, with the `ok` of its record.
    bool wait(run_number run) const {
        happened_.wait_for(2 * run);
        return happened_.count() % 2 == 0;
    }

private:
    progress happened_; // on separate cache lines
};

} // namespace ahead::runtime
