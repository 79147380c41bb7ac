// SPDX-License-Identifier: MIT
// The times of a capture's launches if its streams have different priorities: of the launches that could run, the one
// with the highest priority gets its units first, and those with lower priority get the rest, whichever was captured
// first.
// Invariant: a launch begins after the previous one of its stream and after those that it waits for. Captures with a
// single priority are timed in captured order, and so are eager launches: a reported end never changes. Called by
// captures.hpp.
#pragma once
#include <ahead/npu/context/interface.hpp>
#include <algorithm>

namespace AHEAD_NAMESPACE::npu {

namespace detail {

class timed_by_priority {
public:
    /// takes: the demands of the graph's launches. toll: the time that waiting for another stream takes.
    timed_by_priority(captured_graph& g, std::span<const machine::demand> takes, machine::ticks toll)
        : g_(g), takes_(takes), toll_(toll), machine_(static_cast<std::int64_t>(takes.size())) {
        std::size_t launch = 0;
        for (const auto& c : g.calls) {
            lane_of(c.stream).calls.push_back({c.waits_for, launch});
            launch += c.waits_for.number == 0;
        }
    }
    /// Returns the end of a stream.
    machine::ticks run(std::int32_t of) {
        for (std::size_t placed = 0; placed < takes_.size(); ++placed) {
            lane* next = nullptr;
            for (auto& l : lanes_)
                if (is_ready(l) && (!next || goes_before(l, *next))) next = &l;
            place(*next);
        }
        for (auto& l : lanes_) static_cast<void>(is_ready(l));
        return lane_of(of).done;
    }

private:
    struct call {
        moment waits_for;
        std::size_t launch = 0;
    };
    struct lane {
        std::int32_t stream = 0;
        std::vector<call> calls{};
        std::vector<machine::ticks> ends{}; // of its launches
        std::size_t at = 0;                // index of the next call
        machine::ticks done{};
    };
    captured_graph& g_;
    std::span<const machine::demand> takes_;
    machine::ticks toll_;
    machine::shared_machine machine_;
    std::vector<lane> lanes_;

    lane& lane_of(std::int32_t stream) {
        const auto l =
            std::find_if(lanes_.begin(), lanes_.end(), [&](const lane& one) { return one.stream == stream; });
        return l == lanes_.end() ? lanes_.emplace_back(lane{stream}) : *l;
    }
    /// Consumes waits whose launches are done; returns whether a launch is next.
    bool is_ready(lane& l) {
        for (; l.at < l.calls.size() && l.calls[l.at].waits_for.number > 0; ++l.at) {
            const auto [stream, number] = l.calls[l.at].waits_for;
            const auto other =
                std::find_if(lanes_.begin(), lanes_.end(), [&](const lane& one) { return one.stream == stream; });
            if (other == lanes_.end() || other->ends.size() < number) return false;
            l.done = std::max(l.done, other->ends[number - 1] + toll_);
        }
        return l.at < l.calls.size();
    }
    const captured_step& next_of(const lane& l) const { return g_.steps[l.calls[l.at].launch]; }
    bool goes_before(const lane& a, const lane& b) const {
        const auto of_a = next_of(a).priority, of_b = next_of(b).priority;
        return of_a != of_b ? of_a < of_b : launch_of(a) < launch_of(b);
    }
    static std::size_t launch_of(const lane& l) { return l.calls[l.at].launch; }
    void place(lane& l) {
        const auto launch = l.calls[l.at++].launch;
        auto& step = g_.steps[launch];
        step.start = l.done;
        step.end = l.done = machine_.run(l.done, takes_[launch]);
        l.ends.push_back(l.done);
    }
};

} // namespace detail

} // namespace ahead::npu
