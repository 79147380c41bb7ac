// SPDX-License-Identifier: MIT
// Which buffers of a run of several streams may share bytes: two are apart if every task that writes one starts after
// all tasks that use the other are done, by records and waits, whatever the streams do in between.
// Made by stream_uses.hpp for arena/offset_solver.hpp; the counterpart of disjoint_lifetimes
// (arena/offset_problem.hpp), which is for one stream.
// Invariant: a buffer that is over for another one is apart from it and from all that begin with a later task.
#pragma once
#include <ahead/plan/arena/offset_problem.hpp>
#include <ahead/plan/streams/synchronise.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::plan {

/// Buffers have their numbers in the problem, tasks are numbered from the first of the run.
class apart_on_streams {
public:
    std::int32_t streams;

    /// As stream_uses::apart. Each buffer begins with its first task unless begin_by is called. until: by the buffer's
    /// number in the plan and by stream, how many tasks of the stream must be done before it is over; a buffer that
    /// lives until `end`, the number of the plan's tasks, never is. pre: buffers and order outlive this.
    constexpr apart_on_streams(array_view<const arena_buffer> buffers, const std::int32_t* owners,
                               const stream_order& order, const std::int32_t* until, std::int32_t first_task,
                               std::int32_t end)
        : streams(order.streams()), order_(&order), first_task_(first_task), all_(buffers.data()),
          begins_room_(static_cast<std::int64_t>(buffers.size()) * streams), ends_room_(begins_room_.size()),
          least_room_(std::int64_t{end - first_task} * streams), begins_(begins_room_.data()), ends_(ends_room_.data()),
          least_(least_room_.data()) {
        const auto count = static_cast<std::int32_t>(buffers.size());
        for (std::int32_t i = 0; i < count; ++i) {
            const auto first = all_[i].live.first - first_task;
            for (std::int32_t s = 0; s < streams; ++s) {
                begins_[i * streams + s] = order.done(first, s);
                if (owners[i] >= 0) ends_[i * streams + s] = until[owners[i] * streams + s];
            }
            if (owners[i] < 0) ends_[i * streams + order.stream_of(first)] = order.sequence_number_of(first) + 1;
            else if (all_[i].live.last == end) ends_[i * streams] = end + 1; // outputs are never over
        }
        for (auto t = end - first_task; t-- > 0;)
            for (std::int32_t s = 0; s < streams; ++s) {
                auto& least = least_[t * streams + s];
                least = order.done(t, s);
                if (t + 1 < end - first_task && least_[(t + 1) * streams + s] < least)
                    least = least_[(t + 1) * streams + s];
            }
    }

    /// Task t of the plan also writes a value of the buffer: tasks that may not be done when t starts do not count as
    /// done when the buffer begins.
    constexpr void begin_by(std::int32_t buffer, std::int32_t t) {
        for (std::int32_t s = 0; s < streams; ++s)
            if (const auto done = order_->done(t - first_task_, s); begins_[buffer * streams + s] > done)
                begins_[buffer * streams + s] = done;
    }

    /// Whether the two are never in use at the same time.
    constexpr bool operator()(std::int32_t a, std::int32_t b) const {
        return ends_before(a, begins_ + std::int64_t{b} * streams) ||
               ends_before(b, begins_ + std::int64_t{a} * streams);
    }
    /// Whether a is apart from b and from all buffers that begin with b's first task or a later one.
    constexpr bool is_over(std::int32_t a, std::int32_t b) const {
        return ends_before(a, least_ + std::int64_t{all_[b].live.first - first_task_} * streams);
    }

private:
    const stream_order* order_;
    std::int32_t first_task_;
    const arena_buffer* all_;
    fixed_buffer<std::int32_t> begins_room_, ends_room_, least_room_;
    std::int32_t* begins_; // by buffer and stream: how many tasks of the stream are done when the buffer begins
    std::int32_t* ends_;   // by buffer and stream: how many must be done before it is over
    std::int32_t* least_;  // by task and stream: how many are done when it or any later one starts

    /// Whether no task uses the buffer any more once the given number of tasks of each stream are done.
    constexpr bool ends_before(std::int32_t buffer, const std::int32_t* done) const {
        const auto* end = ends_ + std::int64_t{buffer} * streams;
        for (std::int32_t s = 0; s < streams; ++s)
            if (end[s] > done[s]) return false;
        return true;
    }
};

} // namespace ahead::plan
