// SPDX-License-Identifier: MIT
// Who uses what in a run of several streams: when a storage's bytes may be written again, and which intervals may lie
// on each other.
// Called by make_plan.hpp, which tells it every use. Tasks count from the first of the plan.
// Invariant: what is over is over by records and waits, whatever the streams do in between.
#pragma once
#include <ahead/plan/place.hpp>
#include <ahead/plan/plan.hpp>
#include <ahead/plan/synchronise.hpp>
#include <utility>

namespace AHEAD_NAMESPACE {

class stream_uses {
public:
    constexpr stream_uses() = default; // of one stream: the order of the tasks says all
    constexpr stream_uses(stream_order order, const plan_summary& sum, std::int32_t values)
        : order_(std::move(order)), first_task_(sum.prepare_tasks), end_(sum.prepare_tasks + sum.run_tasks),
          values_(values), until_(std::int64_t{values} * order_.streams()) {}

    constexpr bool is_streamed() const { return order_.streams() > 1; }
    /// A task of the run reads or writes the storage. Told in the order of launching.
    constexpr void add(std::int32_t storage, std::int32_t task) {
        const auto run = task - first_task_;
        until_[storage * order_.streams() + order_.stream_of(run)] = order_.place_of(run) + 1;
    }
    /// Whether a task on another stream uses the storage and is not done for sure when this one starts.
    constexpr bool is_used_besides(std::int32_t storage, std::int32_t task) const {
        for (std::int32_t s = 0, run = task - first_task_; s < order_.streams() && is_streamed(); ++s)
            if (s != order_.stream_of(run) && until_[storage * order_.streams() + s] > order_.done(run, s)) return true;
        return false;
    }
    /// Places the arena's intervals: two are apart if whoever writes one starts after all that use the other. Returns
    /// the arena's bytes. owners: by interval; below 0: a task's workspace. interval_of(v): the number of the interval
    /// that a value of the arena lies in.
    template <class IntervalOf>
    constexpr std::int64_t place(array_view<interval> intervals, const std::int32_t* owners,
                                 const placement* placements, const IntervalOf& interval_of, effort most) const {
        const auto streams = order_.streams();
        const auto count = static_cast<std::int64_t>(intervals.size());
        fixed_buffer<std::int32_t> begins(count *
                                          streams); // by interval and stream: how many tasks are done when it begins
        fixed_buffer<std::int32_t> ends(count * streams); // and how many must be done before it is over
        const auto* all = intervals.data();
        for (std::int32_t i = 0; i < count; ++i) {
            const auto run = all[i].first - first_task_;
            for (std::int32_t s = 0; s < streams; ++s) begins[i * streams + s] = order_.done(run, s);
            if (owners[i] < 0) ends[i * streams + order_.stream_of(run)] = order_.place_of(run) + 1;
            else if (all[i].last == end_) ends[i * streams] = end_ + 1; // outputs stay
        }
        for (std::int32_t v = 0; v < values_; ++v) {
            if (placements[v].where != region::arena) continue;
            const auto i = interval_of(v);
            const auto run = placements[v].first_task - first_task_;
            for (std::int32_t s = 0; s < streams; ++s) {
                if (auto& end = ends[i * streams + s]; end < until_[v * streams + s]) end = until_[v * streams + s];
                if (auto& begin = begins[i * streams + s]; begin > order_.done(run, s)) begin = order_.done(run, s);
            }
        }
        const auto least = least_done();
        return ahead::place(intervals,
                            apart_on_streams{streams, begins.data(), ends.data(), all, first_task_, least.data()},
                            effort{static_cast<std::int64_t>(most) / streams});
    }

private:
    /// By interval and stream: how many of its tasks are done when the interval begins, and how many must be before it
    /// is over; by task and stream: how many are done when it or any later one starts.
    struct apart_on_streams {
        std::int32_t streams;
        const std::int32_t *begins, *ends;
        const interval* all;
        std::int32_t first_task;
        const std::int32_t* least;

        constexpr bool operator()(std::int32_t a, std::int32_t b) const {
            return ends_before(a, begins + std::int64_t{b} * streams) ||
                   ends_before(b, begins + std::int64_t{a} * streams);
        }
        constexpr bool is_over(std::int32_t a, std::int32_t b) const {
            return ends_before(a, least + std::int64_t{all[b].first - first_task} * streams);
        }
        constexpr bool ends_before(std::int32_t a, const std::int32_t* done) const {
            const auto* end = ends + std::int64_t{a} * streams;
            for (std::int32_t s = 0; s < streams; ++s)
                if (end[s] > done[s]) return false;
            return true;
        }
    };
    constexpr fixed_buffer<std::int32_t> least_done() const {
        const auto streams = order_.streams(), tasks = end_ - first_task_;
        fixed_buffer<std::int32_t> out(std::int64_t{tasks} * streams);
        for (auto t = tasks; t-- > 0;)
            for (std::int32_t s = 0; s < streams; ++s) {
                auto& least = out[t * streams + s];
                least = order_.done(t, s);
                if (t + 1 < tasks && out[(t + 1) * streams + s] < least) least = out[(t + 1) * streams + s];
            }
        return out;
    }

    stream_order order_;
    std::int32_t first_task_ = 0, end_ = 0, values_ = 0;
    fixed_buffer<std::int32_t>
        until_; // by value and stream: how many of the stream's tasks must be done before nobody uses it any more
};

} // namespace ahead
