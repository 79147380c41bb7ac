// SPDX-License-Identifier: MIT
// The order of one stream: what was launched there, or captured, what that has waited for, and when all of it is done.
//     launches.launch();              // one more
//     launches.mark(p);               // an event: behind what there is
//     others.wait(p, toll);           // what is launched there from now on comes behind it
// Invariant: who waits for a point waits for all that its stream knew of when it was marked, not for that stream's
// launches alone. Called by context/.
#pragma once
#include <ahead/machine/cost.hpp>
#include <ahead/npu/history.hpp>

namespace AHEAD_NAMESPACE::npu {

/// A place in the order of a stream: behind the `last` launch there, and all that is `known` to come before it.
struct launch_point {
    moment last;
    history known;
    machine::ticks at; // when all of it is done
};

class launch_order {
public:
    explicit launch_order(std::int32_t stream = 0) : last_{stream, 0} {}

    moment last() const { return last_; }
    moment next() const { return {last_.stream, last_.number + 1}; }
    const history& known() const { return known_; }
    machine::ticks done_at() const { return done_at_; }

    /// What comes next comes behind these.
    void learn(const history& others) { known_.learn(others); }
    moment launch() {
        last_ = next();
        known_.learn(last_);
        return last_;
    }
    void done_at(machine::ticks time) { done_at_ = time; }
    /// Another stream has the place: its launches go on counting, and it has waited for nothing.
    void begin_anew() {
        known_ = {};
        done_at_ = {};
    }
    /// Behind all that there is.
    void mark(launch_point& p) const {
        p.last = last_;
        p.known = known_;
        p.at = done_at_;
    }
    /// Behind one launch of another stream, of which it sees the end at that time.
    void wait(moment m, machine::ticks seen) {
        known_.learn(m);
        if (done_at_ < seen) done_at_ = seen;
    }
    /// `toll`: what waiting for another stream's point takes.
    void wait(const launch_point& p, machine::ticks toll) {
        known_.learn(p.known);
        if (const auto seen = p.at + toll; done_at_ < seen && p.last.stream != last_.stream) done_at_ = seen;
    }

private:
    moment last_;
    history known_; // of what comes next
    machine::ticks done_at_;
};

} // namespace ahead::npu
