// SPDX-License-Identifier: MIT
// The order of tasks in a run of several streams, recomputed from records and waits alone: how many tasks of each
// stream are done when a task starts. Does not depend on how events were chosen.
// Called by verify/check_order.hpp, for a plan that has been played in launch order.
// Invariant: streams begin with a wait, events are recorded once and before they are waited for, and the main stream
// waits for all.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/plan/plan.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The streams of one plan. Tasks are numbered from the first of the run.
class launched_order {
public:
    constexpr launched_order(graph_view g, plan_view plan, diagnosis& d)
        : g_(g), plan_(plan), d_(d), map_(g), streams_(plan.summary.streams), first_(plan.summary.prepare_tasks),
          count_(plan.summary.run_tasks), clock_(std::int64_t{streams_} * streams_),
          event_(std::int64_t{plan.summary.events} * streams_), is_recorded_(plan.summary.events), launched_(streams_),
          last_(streams_), is_started_(streams_), sequence_number_(count_), done_(std::int64_t{count_} * streams_) {}

    constexpr bool run() {
        is_started_[0] = true;
        const auto* syncs = plan_.syncs.data();
        const auto sync_count = static_cast<std::int32_t>(plan_.syncs.size());
        std::int32_t next = 0;
        for (std::int32_t t = 0; t <= count_; ++t) {
            for (; next < sync_count && syncs[next].before == first_ + t; ++next)
                if (!play(syncs[next])) return false;
            if (t < count_ && !launch(t)) return false;
        }
        if (next < sync_count)
            return broken(g_.last(), fault::plan_is_broken, "records and waits in the order of launching",
                          short_text() << syncs[next].before);
        for (std::int32_t s = 1; s < streams_; ++s)
            if (clock_[s] < launched_[s])
                return broken(node_of(last_[s]), fault::stream_is_not_joined,
                              "a wait of the main stream for all of its tasks", name_of_stream(s));
        return true;
    }

    constexpr graph_view graph() const { return g_; }
    constexpr const plan_view& plan() const { return plan_; }
    constexpr const air::stream_map& map() const { return map_; }
    constexpr std::int32_t streams() const { return streams_; }
    /// The tasks of the run.
    constexpr std::int32_t count() const { return count_; }
    constexpr const task& task_of(std::int32_t t) const { return plan_.tasks.data()[first_ + t]; }
    constexpr node_id node_of(std::int32_t t) const { return plan_.tasks.data()[first_ + t].node; }
    constexpr std::int32_t stream_of(std::int32_t t) const { return plan_.tasks.data()[first_ + t].stream; }
    constexpr bool is_before(std::int32_t a, std::int32_t b) const {
        return done_[b * streams_ + stream_of(a)] > sequence_number_[a];
    }

    constexpr short_text name_of_stream(std::int32_t s) const {
        return map_.has_stream_scopes() && s < map_.streams() ? short_text(map_.label(s)) : short_text("stream ") << s;
    }
    constexpr bool broken(node_id n, fault what, const short_text& expected, const short_text& found) const {
        return refuse_at(d_, g_[n], what, expected, found);
    }

private:
    graph_view g_;
    plan_view plan_;
    diagnosis& d_;
    air::stream_map map_;
    std::int32_t streams_;
    std::int32_t first_, count_;
    fixed_buffer<std::int32_t>
        clock_; // by stream and other stream: how many tasks of the other are done before the next task starts
    fixed_buffer<std::int32_t> event_;           // by event and stream: how many tasks are done when it happens
    fixed_buffer<bool> is_recorded_;             // by event
    fixed_buffer<std::int32_t> launched_;        // by stream: the number of its launched tasks
    fixed_buffer<std::int32_t> last_;            // by stream: its last task
    fixed_buffer<bool> is_started_;              // by stream
    fixed_buffer<std::int32_t> sequence_number_; // by task: how many tasks of its stream were launched before
    fixed_buffer<std::int32_t> done_;            // by task and stream: how many tasks are done when it starts

    /// The node of the stream's next task after the sync, or the graph's end.
    constexpr node_id node_behind(const sync& s) const {
        for (auto t = s.before - first_; t < count_; ++t)
            if (stream_of(t) == s.stream) return node_of(t);
        return g_.last();
    }

    constexpr bool play(const sync& s) {
        if ((s.kind != sync_kind::record && s.kind != sync_kind::wait) || s.stream < 0 || s.stream >= streams_ ||
            s.event < 0 || s.event >= plan_.summary.events)
            return broken(node_behind(s), fault::plan_is_broken, "a stream and an event of the plan",
                          short_text() << s.stream << ", " << s.event);
        auto* clock = &clock_[s.stream * streams_];
        auto* event = &event_[s.event * streams_];
        if (s.kind == sync_kind::record) {
            if (!is_started_[s.stream]) return not_forked(s.stream, node_behind(s));
            if (is_recorded_[s.event])
                return broken(node_behind(s), fault::plan_is_broken, "events that are recorded once",
                              short_text("event ") << s.event);
            is_recorded_[s.event] = true;
            for (std::int32_t k = 0; k < streams_; ++k) event[k] = clock[k];
            return true;
        }
        if (!is_recorded_[s.event])
            return broken(node_behind(s), fault::wait_is_never_met,
                          short_text("a record of event ") << s.event << " before the wait",
                          short_text("none, and ") << name_of_stream(s.stream).view() << " waits");
        is_started_[s.stream] = true;
        for (std::int32_t k = 0; k < streams_; ++k)
            if (clock[k] < event[k]) clock[k] = event[k];
        return true;
    }
    constexpr bool not_forked(std::int32_t stream, node_id at) {
        return broken(at, fault::stream_is_not_forked, "a wait before the first call on it", name_of_stream(stream));
    }
    constexpr bool launch(std::int32_t t) {
        const auto s = stream_of(t);
        if (s < 0 || s >= streams_)
            return broken(node_of(t), fault::plan_is_broken, "a stream of the plan", short_text() << s);
        if (!is_started_[s]) return not_forked(s, node_of(t));
        sequence_number_[t] = launched_[s]++;
        last_[s] = t;
        for (std::int32_t k = 0; k < streams_; ++k) done_[t * streams_ + k] = clock_[s * streams_ + k];
        clock_[s * streams_ + s] = launched_[s];
        return true;
    }
};

} // namespace ahead::detail
