// SPDX-License-Identifier: MIT
// An event between the threads of streams: how far it has come says in which run it last happened, so that no run has
// to reset it.
// Invariant: what happened before a record is seen by whoever waited for it. An event is recorded once in a run, and a
// run begins when the one before it is over on all streams. Used by stream_threads.hpp and plan_threads.hpp.
#pragma once
#include <ahead/runtime/threads/progress.hpp>

namespace AHEAD_NAMESPACE::runtime {

/// Runs count from 1.
using run_number = std::uint64_t;

class stream_event {
public:
    /// It has happened in this run. ok: all that stands before it was done; false: some of that failed, and who waits
    /// must not read it.
    void record(run_number run, bool ok) { happened_.reach(2 * run + (ok ? 0 : 1)); }
    /// Returns when it has happened in this run, with what record said.
    bool wait(run_number run) const {
        happened_.wait_for(2 * run);
        return happened_.count() % 2 == 0;
    }

private:
    progress happened_; // on lines of its own
};

} // namespace ahead::runtime
