// SPDX-License-Identifier: MIT
// Which events tasks on several streams need: turns what each task must come after into records and waits, and finds
// the order of tasks that these enforce.
// Called by plan/phase/assign_streams.hpp; the verifier finds the order separately (verify/check_order.hpp).
// Invariant: no event is redundant: without any one of them, a task would no longer come after another that it must.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/plan/plan.hpp>

namespace AHEAD_NAMESPACE::plan {

/// The order of tasks: for each task, how many tasks of each stream are done when it starts.
class stream_order {
public:
    constexpr stream_order() = default; // of one stream
    constexpr stream_order(std::int32_t tasks, std::int32_t streams)
        : streams_(streams), stream_(tasks), sequence_number_(tasks), done_(std::int64_t{tasks + 1} * streams) {}

    constexpr std::int32_t streams() const { return streams_; }
    constexpr std::int32_t stream_of(std::int32_t task) const { return stream_[task]; }
    /// A task's sequence number on its stream: how many tasks are launched there before it.
    constexpr std::int32_t sequence_number_of(std::int32_t task) const { return sequence_number_[task]; }
    /// How many tasks of the stream are done when the task starts.
    constexpr std::int32_t done(std::int32_t task, std::int32_t stream) const {
        return done_[task * streams_ + stream];
    }

private:
    friend struct synchroniser;
    std::int32_t streams_ = 1;
    fixed_buffer<std::int32_t> stream_, sequence_number_; // by task, from the first of the run
    fixed_buffer<std::int32_t> done_;                     // by task and stream; the last row is the end of the run
};

/// The events of one plan in progress. Tasks are numbered from the first of the run; the end of the run has the number
/// after the last task.
struct synchroniser {
    stream_order& order;
    std::int32_t tasks;
    fixed_buffer<std::int32_t> last;     // by stream: its last task so far, or -1
    fixed_buffer<std::int32_t> recorded; // by task + 1: 1 if a task waits for it; at 0: for the start of the run
    fixed_buffer<std::int32_t> needed;   // by stream: its latest task that must be done, + 1
    struct wait {
        std::int32_t after, before; // after: a task, -1 for the start
    };
    fixed_buffer<wait> waits;
    std::int32_t wait_count = 0;

    constexpr synchroniser(stream_order& made, std::int32_t count)
        : order(made), tasks(count), last(made.streams_), recorded(count + 1), needed(made.streams_),
          waits(std::int64_t{count + 1} * made.streams_) {
        for (std::int32_t s = 0; s < made.streams_; ++s) last[s] = -1;
    }

    /// The next launch, or the end, must come after this task.
    constexpr void require(std::int32_t task) {
        auto& latest = needed[order.stream_[task]];
        if (latest <= task) latest = task + 1;
    }
    constexpr void launch(std::int32_t stream) {
        const auto t = next_++;
        order.stream_[t] = stream;
        order.sequence_number_[t] = last[stream] < 0 ? 0 : order.sequence_number_[last[stream]] + 1;
        const bool started = stream == 0 || last[stream] >= 0;
        if (!wait_for_needed(t, stream) && !started) add(-1, t);
        last[stream] = t;
    }
    /// The run ends on the main stream when every stream is done.
    constexpr void end() {
        for (std::int32_t s = 1; s < order.streams_; ++s)
            if (last[s] >= 0) require(last[s]);
        wait_for_needed(tasks, 0);
    }
    /// Writes the syncs in launch order, and returns their number; events are numbered in the order of their records.
    /// first_task: the first of the run.
    constexpr std::int32_t write(std::int32_t first_task, sync* out, std::int32_t& events) {
        std::int32_t count = 0, w = 0;
        events = 0;
        fixed_buffer<std::int32_t> number(tasks + 1);
        for (std::int32_t t = 0; t <= tasks; ++t) {
            if (recorded[t] != 0) {
                number[t] = events++;
                out[count++] = {sync_kind::record, number[t], t == 0 ? 0 : order.stream_[t - 1], first_task + t};
            }
            for (; w < wait_count && waits[w].before == t; ++w)
                out[count++] = {sync_kind::wait, number[waits[w].after + 1], t == tasks ? 0 : order.stream_[t],
                                first_task + t};
        }
        return count;
    }

private:
    std::int32_t next_ = 0;

    constexpr void add(std::int32_t after, std::int32_t before) {
        recorded[after + 1] = 1;
        waits[wait_count++] = {after, before};
    }
    /// How many tasks of the stream are done when the task is done.
    constexpr std::int32_t done_after(std::int32_t task, std::int32_t stream) const {
        return stream == order.stream_[task] ? order.sequence_number_[task] + 1 : order.done(task, stream);
    }
    /// Adds waits for needed tasks that neither the stream's order nor another wait covers. Returns whether any.
    constexpr bool wait_for_needed(std::int32_t t, std::int32_t stream) {
        auto* mine = &order.done_[t * order.streams_];
        for (std::int32_t s = 0; s < order.streams_; ++s) mine[s] = last[stream] < 0 ? 0 : done_after(last[stream], s);
        bool waits_here = false;
        for (std::int32_t s = 0; s < order.streams_; ++s) {
            const auto task = needed[s] - 1;
            bool brought = task < 0 || mine[s] > order.sequence_number_[task];
            for (std::int32_t other = 0; other < order.streams_ && !brought; ++other)
                brought =
                    other != s && needed[other] > 0 && order.done(needed[other] - 1, s) > order.sequence_number_[task];
            if (brought) continue;
            add(task, t);
            waits_here = true;
        }
        for (std::int32_t s = 0; s < order.streams_; ++s) {
            if (needed[s] > 0)
                for (std::int32_t x = 0; x < order.streams_; ++x)
                    if (const auto done = done_after(needed[s] - 1, x); mine[x] < done) mine[x] = done;
            needed[s] = 0;
        }
        return waits_here;
    }
};

} // namespace ahead::plan
