// SPDX-License-Identifier: MIT
// The order of one stream: its launches (run or captured), what they have waited for, and when all of them are done.
//     launches.launch();              // one more
//     launches.mark(p);               // an event: after all launches so far
//     others.wait(p, toll);           // later launches there are ordered after it
// Invariant: waiting is transitive: waiting for a point also waits for everything that the recording stream had waited
// for when the point was marked. Called by context/.
#pragma once
#include <ahead/machine/cost.hpp>
#include <ahead/npu/history.hpp>

namespace AHEAD_NAMESPACE::npu {

/// A point in the order of a stream: after its launch `last`, and after everything in `known`.
struct launch_point {
    moment last;
    history known;
    machine::ticks at; // when all of these are done
};

class launch_order {
public:
    explicit launch_order(std::int32_t stream = 0) : last_{stream, 0} {}

    moment last() const { return last_; }
    moment next() const { return {last_.stream, last_.number + 1}; }
    const history& known() const { return known_; }
    machine::ticks done_at() const { return done_at_; }

    /// The next launch is ordered after these.
    void learn(const history& others) { known_.learn(others); }
    moment launch() {
        last_ = next();
        known_.learn(last_);
        return last_;
    }
    void done_at(machine::ticks time) { done_at_ = time; }
    /// The slot is given to another stream: launch numbers continue, and it has waited for nothing.
    void begin_anew() {
        known_ = {};
        done_at_ = {};
    }
    /// Sets p to the point after all launches so far.
    void mark(launch_point& p) const {
        p.last = last_;
        p.known = known_;
        p.at = done_at_;
    }
    /// Orders the next launch after one launch of another stream; this stream sees its end at time `seen`.
    void wait(moment m, machine::ticks seen) {
        known_.learn(m);
        if (done_at_ < seen) done_at_ = seen;
    }
    /// `toll`: the time that waiting for a point of another stream takes.
    void wait(const launch_point& p, machine::ticks toll) {
        known_.learn(p.known);
        if (const auto seen = p.at + toll; done_at_ < seen && p.last.stream != last_.stream) done_at_ = seen;
    }

private:
    moment last_;
    history known_; // of the next launch
    machine::ticks done_at_;
};

} // namespace ahead::npu
