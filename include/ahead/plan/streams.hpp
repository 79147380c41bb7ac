// SPDX-License-Identifier: MIT
// Puts the tasks of a run on streams: where the graph says anything about streams as it says, else where schedule.hpp
// says, if that pays on a machine that the streams share. What a task must come after are the tasks whose results it
// reads or whose operands it overwrites, what prints before it, and what the user's waits name.
// Called by make_plan.hpp where a graph has scopes or may use several streams. Works with the tasks of the run alone,
// numbered from 0.
// Invariant: on streams of the graph's own, tasks stay in the order of the graph.
#pragma once
#include <ahead/core/heap_sort.hpp>
#include <ahead/ir/streams.hpp>
#include <ahead/plan/schedule.hpp>
#include <ahead/plan/synchronise.hpp>
#include <ahead/plan/timeline.hpp>
#include <ahead/target/op/assign.hpp>
#include <utility>

namespace AHEAD_NAMESPACE {

/// What a plan may do with streams.
struct launch_rules {
    std::int32_t streams = 1; // over how many the tasks of a graph are spread that says nothing of streams
    array_view<const target::demand> demands{}; // by node, of tasks; needed if streams > 1
    target::ticks event{};                      // what it costs to wait for another stream
    std::int32_t least_gain_permille = 0;       // what several streams must save of the time of one
    bool orders_data =
        true; // what is read on another stream is waited for. False, and the user's waits are all there are
};

namespace detail {

/// The run's tasks on their way to streams.
class stream_planner {
public:
    constexpr stream_planner(graph_view g, array_view<task> tasks, array_view<const placement> placements,
                             const launch_rules& rules, effort most)
        : g_(g), tasks_(tasks.data()), placements_(placements), rules_(rules), most_(most), map_(g),
          count_(static_cast<std::int32_t>(tasks.size())), streams_(map_.any() ? map_.streams() : rules.streams),
          maker_(g.header().used.values + 1), task_of_(g.header().used.nodes), edges_(2 * std::int64_t{count_} + 1) {}

    /// Puts the tasks in the order in which they are launched. Returns who comes before whom then; syncs: room for
    /// sync_room(tasks, streams).
    constexpr stream_order run(std::int32_t first_task, sync* syncs, plan_summary& sum) {
        for (std::int32_t t = 0; t < count_; ++t) {
            const auto& n = g_[tasks_[t].node];
            task_of_[tasks_[t].node.index] = t + 1;
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) maker_[v] = t + 1;
        }
        if (rules_.orders_data) order_data();
        if (map_.any()) order_by_user();
        sort_edges();
        fixed_buffer<std::int32_t> by_launch(count_);
        for (std::int32_t t = 0; t < count_; ++t) {
            tasks_[t].stream = map_.of(tasks_[t].node).stream;
            by_launch[t] = t;
        }
        if (map_.any()) return synchronise(by_launch.data(), first_task, syncs, sum);
        spread(by_launch.data());
        auto order = synchronise(by_launch.data(), first_task, syncs, sum);
        if (order_pays(first_task, syncs, sum)) return order;
        gather(by_launch.data());
        return synchronise(by_launch.data(), first_task, syncs, sum);
    }

private:
    struct edge {
        std::int32_t after = 0, task = 0; // `task` starts when `after` is done
    };

    graph_view g_;
    task* tasks_;
    array_view<const placement> placements_; // by value
    const launch_rules& rules_;
    effort most_;
    stream_map map_;
    std::int32_t count_;
    std::int32_t streams_;
    fixed_buffer<std::int32_t> maker_;   // by value: the task that computes it, + 1; 0: none of the run
    fixed_buffer<std::int32_t> task_of_; // by node, + 1
    fixed_buffer<edge> edges_;
    std::int32_t edge_count_ = 0;
    fixed_buffer<std::int32_t> first_need_, needs_;     // the edges by task
    fixed_buffer<std::int32_t> first_part_, next_part_; // by value, + 1: those that lie in it; 0: none

    constexpr void add(std::int32_t after, std::int32_t t) {
        if (after == t) return;
        if (edge_count_ == edges_.size()) {
            fixed_buffer<edge> more(2 * edges_.size());
            for (std::int32_t e = 0; e < edge_count_; ++e) more[e] = edges_[e];
            edges_ = std::move(more);
        }
        edges_[edge_count_++] = {after, t};
    }

    /// Which tasks read what the graph assigns to.
    class reader_lists {
    public:
        constexpr explicit reader_lists(graph_view g) : first_(g.header().used.values) {
            std::int32_t written = 0;
            for (node_id id : g)
                if (const auto& n = g[id]; n.kind == node_kind::call && same_name(n.target, device::assign::name)) {
                    first_[g.value_of(g.argument_of(n, 0)).storage.index] = -1;
                    ++written;
                }
            if (written > 0) readings_ = fixed_buffer<reading>(g.header().used.arguments);
        }
        /// Told in the order of tasks.
        constexpr void add(std::int32_t storage, std::int32_t task) {
            auto& first = first_[storage];
            if (first == 0 || (first > 0 && readings_[first - 1].task == task)) return;
            readings_[count_] = {task, first};
            first = ++count_;
        }
        template <class F>
        constexpr void for_each(std::int32_t storage, F f) const {
            for (auto i = first_[storage]; i > 0; i = readings_[i - 1].next) f(readings_[i - 1].task);
        }

    private:
        struct reading {
            std::int32_t task, next;
        };
        fixed_buffer<std::int32_t>
            first_; // by storage: its last reading, + 1; -1: nobody reads it, 0: nobody assigns to it
        fixed_buffer<reading> readings_;
        std::int32_t count_ = 0;
    };

    constexpr void order_data() {
        const auto values = g_.header().used.values;
        first_part_ = fixed_buffer<std::int32_t>(values);
        next_part_ = fixed_buffer<std::int32_t>(values);
        for (auto v = values; v-- > 0;)
            if (const auto whole = placements_.data()[v].part_of; whole.exists()) {
                next_part_[v] = first_part_[whole.index];
                first_part_[whole.index] = v + 1;
            }
        std::int32_t printed = -1;
        reader_lists readers(g_);
        for (std::int32_t t = 0; t < count_; ++t) {
            const auto& n = g_[tasks_[t].node];
            for_each_operand(g_, n, [&](const argument& a) {
                order_read(g_.value_of(a).storage, t);
                readers.add(g_.value_of(a).storage.index, t);
            });
            if (n.values.count > 0) continue;
            if (printed >= 0) add(printed, t);
            printed = t;
        }
        for (node_id id : g_)
            if (const auto& n = g_[id]; n.kind == node_kind::call && same_name(n.target, device::assign::name))
                order_write(id, readers);
    }
    constexpr void order_read(value_id storage, std::int32_t t) {
        if (const auto made = maker_[storage.index]; made > 0) return add(made - 1, t);
        if (placements_.data()[storage.index].where != region::arena) return;
        for (auto part = first_part_[storage.index]; part > 0; part = next_part_[part - 1])
            order_read({part - 1}, t); // a concatenation that is no task
    }
    /// The caller's tensor gets its new value after all that read the old one.
    constexpr void order_write(node_id assign, const reader_lists& readers) {
        const auto& n = g_[assign];
        const auto port = g_.value_of(g_.argument_of(n, 0)).storage;
        const auto writer = (task_of_[assign.index] > 0 ? task_of_[assign.index]
                                                        : maker_[g_.value_of(g_.argument_of(n, 1)).storage.index]) -
                            1;
        readers.for_each(port.index, [&](std::int32_t t) { add(t, writer); });
    }

    /// What the graph's own calls about streams say: a wait holds up what follows it on its stream until what was
    /// before the record is done. Unless results are waited for anyhow, a scope begins after what stands before it on
    /// the stream around it.
    constexpr void order_by_user() {
        const auto nodes = g_.header().used.nodes;
        fixed_buffer<std::int32_t> last(streams_);            // by stream: its last task, + 1
        fixed_buffer<std::int32_t> recorded(nodes);           // by node, a record: the last task before it, + 1
        fixed_buffer<std::int32_t> held(streams_ * streams_); // by stream and stream: what the next task waits for, + 1
        tagged_records tagged(g_);
        const auto hold = [&](std::int32_t stream, std::int32_t after) {
            if (after == 0) return;
            auto& latest = held[stream * streams_ + map_.of(tasks_[after - 1].node).stream];
            if (latest < after) latest = after;
        };
        for (node_id id : g_) {
            const auto& n = g_[id];
            const auto s = map_.of(id).stream;
            if (const auto t = task_of_[id.index]; t > 0) {
                for (std::int32_t other = 0; other < streams_; ++other)
                    if (auto& after = held[s * streams_ + other]; after > 0) {
                        add(after - 1, t - 1);
                        after = 0;
                    }
                last[s] = t;
                continue;
            }
            switch (stream_word_of(n)) {
            case stream_word::scope_enter:
                if (const auto inner = stream_inside(id); !rules_.orders_data && inner != s) hold(inner, last[s]);
                break;
            case stream_word::tagged_event_record: tagged.put(tagged.find(id), id); [[fallthrough]];
            case stream_word::record: recorded[id.index] = last[s]; break;
            case stream_word::wait:
                for_each_operand(g_, n, [&](const argument& a) { hold(s, recorded[a.bits]); });
                break;
            case stream_word::tagged_event_wait: hold(s, recorded[tagged[tagged.find(id)].index]); break;
            default: break;
            }
        }
    }
    constexpr std::int32_t stream_inside(node_id enter) const {
        const auto next = g_[enter].next;
        return next.exists() ? map_.of(next).stream : 0;
    }

    constexpr void sort_edges() {
        first_need_ = fixed_buffer<std::int32_t>(count_ + 1);
        needs_ = fixed_buffer<std::int32_t>(edge_count_);
        auto* first = first_need_.data();
        for (std::int32_t e = 0; e < edge_count_; ++e) ++first[edges_[e].task];
        for (std::int32_t t = 0, sum = 0; t <= count_; ++t) first[t] = sum += t < count_ ? first[t] : 0;
        for (std::int32_t e = 0; e < edge_count_; ++e) needs_[--first[edges_[e].task]] = edges_[e].after;
    }

    constexpr const target::demand& demand_of(std::int32_t t) const {
        return rules_.demands.data()[tasks_[t].node.index];
    }
    /// Each task on the stream where schedule.hpp puts it, and the tasks in the order of their starts: by_launch says
    /// which was which.
    constexpr void spread(std::int32_t* by_launch) {
        fixed_buffer<target::ticks> ticks(count_);
        fixed_buffer<scheduled_task> made(count_);
        for (std::int32_t t = 0; t < count_; ++t) ticks[t] = demand_of(t).alone;
        schedule_tasks(
            {ticks.all(), first_need_.all(), needs_.all(), streams_, rules_.event, rules_.least_gain_permille, most_},
            made.data());
        heap_sort(by_launch, count_, [&](std::int32_t a, std::int32_t b) {
            return made[a].start != made[b].start ? made[a].start < made[b].start : a < b;
        });
        fixed_buffer<task> moved(count_);
        for (std::int32_t t = 0; t < count_; ++t) {
            moved[t] = tasks_[by_launch[t]];
            moved[t].stream = made[by_launch[t]].stream;
        }
        for (std::int32_t t = 0; t < count_; ++t) tasks_[t] = moved[t];
    }
    /// Whether the streams save what they must where they share the machine.
    constexpr bool order_pays(std::int32_t first_task, const sync* syncs, const plan_summary& sum) const {
        if (sum.streams <= 1) return true;
        fixed_buffer<target::demand> demands(count_);
        fixed_buffer<timeline_row> rows(count_);
        target::ticks work;
        for (std::int32_t t = 0; t < count_; ++t) work += (demands[t] = demand_of(t)).alone;
        const plan_view made{sum,
                             {tasks_ - first_task, static_cast<std::size_t>(first_task + count_)},
                             placements_,
                             {},
                             {syncs, static_cast<std::size_t>(sum.syncs)}};
        lay_out(made, demands.all(), {{}, {}, {}, rules_.event}, launching::once, rows.data());
        target::ticks joined; // when the main stream sees that all have ended
        for (const auto& row : rows.all())
            if (const auto seen = row.stream == 0 ? row.end : row.end + rules_.event; joined < seen) joined = seen;
        return saves(work, joined, rules_.least_gain_permille);
    }
    /// Back to the main stream, in the order of the graph.
    constexpr void gather(std::int32_t* by_launch) {
        fixed_buffer<task> moved(count_);
        for (std::int32_t t = 0; t < count_; ++t) moved[by_launch[t]] = tasks_[t];
        for (std::int32_t t = 0; t < count_; ++t) {
            tasks_[t] = moved[t];
            tasks_[t].stream = 0;
            by_launch[t] = t;
        }
    }

    constexpr stream_order synchronise(const std::int32_t* by_launch, std::int32_t first_task, sync* syncs,
                                       plan_summary& sum) {
        fixed_buffer<std::int32_t> launched(count_);
        for (std::int32_t t = 0; t < count_; ++t) launched[by_launch[t]] = t;
        stream_order order(count_, streams_);
        synchroniser events(order, count_);
        sum.streams = 1;
        for (std::int32_t t = 0; t < count_; ++t) {
            for (auto i = first_need_[by_launch[t]]; i < first_need_[by_launch[t] + 1]; ++i)
                events.require(launched[needs_[i]]);
            events.launch(tasks_[t].stream);
            if (sum.streams <= tasks_[t].stream) sum.streams = tasks_[t].stream + 1;
        }
        events.end();
        sum.syncs = events.write(first_task, syncs, sum.events);
        return order;
    }
};

} // namespace detail

/// How many syncs so many tasks can have: records, and waits for each other stream.
constexpr std::int64_t sync_room(std::int64_t tasks, std::int64_t streams) {
    return streams <= 1 ? 0 : (tasks + 1) * streams;
}

} // namespace ahead
