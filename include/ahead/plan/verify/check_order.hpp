// SPDX-License-Identifier: MIT
// The independent verifier of a plan's streams and events: whatever the streams do in between, every task finds what it
// would find if all tasks ran in launch order. Does not depend on how events were chosen; the order of tasks is
// recomputed from records and waits alone.
// Called by check.hpp for plans of several streams, after it has verified the launch order itself.
// Invariant: no two tasks race (check_races.hpp). If the graph names streams, each task is on the stream that the graph
// names for it, and the graph's waits take effect.
#pragma once
#include <ahead/plan/verify/check_races.hpp>
#include <ahead/plan/verify/launched_order.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The verifier of one plan's streams. Tasks are numbered from the first of the run.
class order_verifier {
public:
    constexpr order_verifier(graph_view g, plan_view plan, diagnosis& d) : g_(g), order_(g, plan, d) {}

    constexpr bool run() {
        if (!order_.run() || !race_verifier(order_).run()) return false;
        return order_.map().has_stream_scopes() ? order_.streams() == 1 || (streams_are_the_graphs() && waits_hold())
                                           : effects_are_in_order();
    }

private:
    graph_view g_;
    launched_order order_;

    constexpr bool streams_are_the_graphs() {
        const auto& map = order_.map();
        for (std::int32_t t = 0; t < order_.count(); ++t)
            if (const auto s = map.of(order_.node_of(t)).stream; order_.stream_of(t) != s)
                return order_.broken(order_.node_of(t), fault::plan_is_broken,
                                     short_text("a task on ") << order_.name_of_stream(s).view(),
                                     order_.name_of_stream(order_.stream_of(t)));
        return true;
    }
    /// On streams that the graph does not name, tasks with effects (printing) run one after another.
    constexpr bool effects_are_in_order() {
        for (std::int32_t t = 0, last = -1; t < order_.count(); ++t) {
            if (g_[order_.node_of(t)].values.count > 0) continue;
            if (last >= 0 && !order_.is_before(last, t))
                return order_.broken(order_.node_of(t), fault::plan_is_broken,
                                     short_text("an event between ")
                                         << print(g_[order_.node_of(last)].name).view() << " and it",
                                     "effects at the same time");
            last = t;
        }
        return true;
    }
    /// The first task after a wait of the graph, on its stream, starts after the last task before the record.
    constexpr bool waits_hold() {
        const auto& map = order_.map();
        const auto streams = map.streams();
        fixed_buffer<std::int32_t> task_of(g_.header().used.nodes),
            recorded(g_.header().used.nodes); // by node: a task; the last one before a record, + 1
        fixed_buffer<std::int32_t> last(streams), held(std::int64_t{streams} * streams);
        for (std::int32_t t = 0; t < order_.count(); ++t) task_of[order_.node_of(t).index] = t + 1;
        const auto hold = [&](std::int32_t s, node_id record) {
            if (!record.exists() || recorded[record.index] == 0) return;
            auto& after = held[s * streams + map.of(record).stream];
            if (after < recorded[record.index]) after = recorded[record.index];
        };
        for (node_id id : g_) {
            const auto& n = g_[id];
            const auto s = map.of(id).stream;
            if (const auto t = task_of[id.index]; t > 0) {
                last[s] = t;
                for (std::int32_t other = 0; other < streams; ++other) {
                    auto& after = held[s * streams + other];
                    if (after > 0 && after != t && !order_.is_before(after - 1, t - 1))
                        return order_.broken(id, fault::plan_is_broken,
                                             short_text("an event between ")
                                                 << print(g_[order_.node_of(after - 1)].name).view() << " and it",
                                             "a wait of the graph's that holds nothing up");
                    after = 0;
                }
                continue;
            }
            const auto word = air::stream_word_of(n);
            if (word == air::stream_word::record || word == air::stream_word::tagged_event_record)
                recorded[id.index] = last[s];
            if (word == air::stream_word::wait)
                for_each_operand(g_, n.arguments, [&](const argument& a) { hold(s, a.node()); });
            if (word == air::stream_word::tagged_event_wait) hold(s, record_of_tag(id));
        }
        return true;
    }
    /// The last record of the tag before the wait.
    constexpr node_id record_of_tag(node_id wait) const {
        const auto tag = stream_argument(g_, g_[wait], 0, "tag").text;
        for (auto id = g_[wait].previous; id.exists(); id = g_[id].previous)
            if (air::stream_word_of(g_[id]) == air::stream_word::tagged_event_record &&
                same_name(stream_argument(g_, g_[id], 0, "tag").text, tag))
                return id;
        return {};
    }
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::plan {

/// pre: check_plan accepts the launch order, and the numbers of streams and events. Refuses a stream that is not forked
/// or not joined, a wait that is never met, a read that races with its write (streams_race), and bytes that are written
/// while another stream may still use them (memory_is_reused_too_early). Also (plan_is_broken) a task that is not on
/// the stream that the graph names, a wait of the graph that has no effect, and effects that are out of order.
constexpr bool check_order(graph_view g, plan_view plan, diagnosis& d) {
    return (plan.summary.streams == 1 && plan.syncs.empty()) || detail::order_verifier(g, plan, d).run();
}

} // namespace ahead::plan
