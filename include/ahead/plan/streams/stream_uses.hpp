// SPDX-License-Identifier: MIT
// Which tasks use each buffer in a run of several streams, and so when its bytes may be written again.
// Filled by plan/phase/find_live_ranges.hpp, read by reuse_in_place.hpp and assign_offsets.hpp there. Tasks are
// numbered from the first of the plan, buffers have their numbers in it.
// Invariant: a buffer that is over is over by records and waits, whatever the streams do in between.
#pragma once
#include <ahead/plan/plan.hpp>
#include <ahead/plan/streams/apart_on_streams.hpp>

namespace AHEAD_NAMESPACE::plan {

class stream_uses {
public:
    constexpr stream_uses() = default; // of one stream: the order of the tasks is enough
    constexpr stream_uses(stream_order order, const plan_summary& sum, std::int32_t buffers)
        : order_(std::move(order)), first_task_(sum.prepare_tasks), end_(sum.prepare_tasks + sum.run_tasks),
          until_(std::int64_t{buffers} * order_.streams()) {}

    constexpr bool is_streamed() const { return order_.streams() > 1; }
    /// A task of the run reads or writes a value in the buffer. Called in launch order.
    constexpr void add(std::int32_t buffer, std::int32_t task) {
        const auto run = task - first_task_;
        until_[buffer * order_.streams() + order_.stream_of(run)] = order_.sequence_number_of(run) + 1;
    }
    /// Adds the uses of buffer `other`, whose value goes into `buffer`.
    constexpr void merge(std::int32_t buffer, std::int32_t other) {
        const auto streams = order_.streams();
        if (streams == 1) return;
        auto* until = until_.data();
        for (std::int32_t s = 0; s < streams; ++s)
            if (const auto theirs = until[other * streams + s]; until[buffer * streams + s] < theirs)
                until[buffer * streams + s] = theirs;
    }
    /// Whether a task on another stream uses the buffer and may still be running when this task starts.
    constexpr bool is_used_besides(std::int32_t buffer, std::int32_t task) const {
        for (std::int32_t s = 0, run = task - first_task_; s < order_.streams() && is_streamed(); ++s)
            if (s != order_.stream_of(run) && until_[buffer * order_.streams() + s] > order_.done(run, s)) return true;
        return false;
    }
    /// For the arena's buffers, in the problem's order. owners: by buffer, its number in the plan; -1 - t: the
    /// workspace of task t.
    constexpr apart_on_streams apart(array_view<const arena_buffer> buffers, const std::int32_t* owners) const {
        return {buffers, owners, order_, until_.data(), first_task_, end_};
    }

private:
    stream_order order_;
    std::int32_t first_task_ = 0, end_ = 0;
    fixed_buffer<std::int32_t>
        until_; // by buffer and stream: how many of the stream's tasks must be done before no task uses it any more
};

} // namespace ahead::plan
