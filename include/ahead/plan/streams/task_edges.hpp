// SPDX-License-Identifier: MIT
// The tasks that each task of a run must come after: those whose results it reads or whose operands it overwrites, the
// one that prints before it, and those that the user's waits name.
// Called by plan/phase/assign_streams.hpp. Works with the tasks of the run alone, numbered from 0, before they are
// reordered.
// Invariant: a task comes after earlier ones only.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/plan/buffers.hpp>
#include <ahead/plan/streams/reader_lists.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::detail {

class task_edges {
public:
    constexpr task_edges(graph_view g, array_view<const task> tasks, const buffer_table& buffers,
                         const air::stream_map& map)
        : g_(g), tasks_(tasks.data()), buffers_(buffers), map_(map), count_(static_cast<std::int32_t>(tasks.size())),
          maker_(g.header().used.values + 1), task_of_(g.header().used.nodes), edges_(2 * std::int64_t{count_} + 1) {
        for (std::int32_t t = 0; t < count_; ++t) {
            const auto& n = g_[tasks_[t].node];
            task_of_[tasks_[t].node.index] = t + 1;
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) maker_[v] = t + 1;
        }
    }

    /// orders_data: as in launch_rules. post: the needs are known.
    constexpr void find(bool orders_data) {
        if (orders_data) order_data();
        if (map_.has_stream_scopes()) order_by_user(orders_data);
        sort();
    }
    /// By task: where its needs begin; one entry more.
    constexpr const fixed_buffer<std::int32_t>& first_need() const { return first_need_; }
    /// The tasks that are needed.
    constexpr const fixed_buffer<std::int32_t>& needs() const { return needs_; }

private:
    struct edge {
        std::int32_t after = 0, task = 0; // `task` starts when `after` is done
    };

    graph_view g_;
    const task* tasks_;
    const buffer_table& buffers_;
    const air::stream_map& map_;
    std::int32_t count_;
    fixed_buffer<std::int32_t> maker_;   // by value: the task that computes it, + 1; 0: no task of the run
    fixed_buffer<std::int32_t> task_of_; // by node, + 1
    fixed_buffer<edge> edges_;
    std::int32_t edge_count_ = 0;
    fixed_buffer<std::int32_t> first_need_, needs_; // the edges by task

    constexpr void add(std::int32_t after, std::int32_t t) {
        if (after == t) return;
        if (edge_count_ == edges_.size()) {
            fixed_buffer<edge> more(2 * edges_.size());
            for (std::int32_t e = 0; e < edge_count_; ++e) more[e] = edges_[e];
            edges_ = std::move(more);
        }
        edges_[edge_count_++] = {after, t};
    }

    constexpr void order_data() {
        std::int32_t printed = -1;
        reader_lists readers(g_);
        for (std::int32_t t = 0; t < count_; ++t) {
            const auto& n = g_[tasks_[t].node];
            for_each_operand(g_, n.arguments, [&](const argument& a) {
                order_read(g_.value_of(a).storage.index, t);
                readers.add(g_.value_of(a).storage.index, t);
            });
            if (n.values.count > 0) continue;
            if (printed >= 0) add(printed, t);
            printed = t;
        }
        for (node_id id : g_)
            if (const auto& n = g_[id]; device::is_assign(n)) order_write(id, readers);
    }
    constexpr void order_read(std::int32_t storage, std::int32_t t) {
        if (const auto made = maker_[storage]; made > 0) return add(made - 1, t);
        buffers_.for_each_part(storage, [&](std::int32_t part) { order_read(part, t); }); // no task computes it
    }
    /// The caller's tensor gets its new value after all tasks that read the old one.
    constexpr void order_write(node_id assign, const reader_lists& readers) {
        const auto& n = g_[assign];
        const auto port = g_.value_of(g_.argument_of(n, 0)).storage;
        const auto writer = (task_of_[assign.index] > 0 ? task_of_[assign.index]
                                                        : maker_[g_.value_of(g_.argument_of(n, 1)).storage.index]) -
                            1;
        readers.for_each(port.index, [&](std::int32_t t) { add(t, writer); });
    }

    /// The edges that the graph's own stream calls ask for: the first task after a wait, on its stream, starts when the
    /// tasks before the record, on the record's stream, are done. Unless orders_data already waits for operands, a
    /// scope also begins after the tasks before it on the enclosing stream.
    constexpr void order_by_user(bool orders_data) {
        const auto nodes = g_.header().used.nodes;
        const auto streams = map_.streams();
        fixed_buffer<std::int32_t> last(streams);           // by stream: its last task, + 1
        fixed_buffer<std::int32_t> recorded(nodes);         // by node, a record: the last task before it, + 1
        fixed_buffer<std::int32_t> held(streams * streams); // by stream and stream: the other's task to wait for, + 1
        air::tagged_records tagged(g_);
        const auto hold = [&](std::int32_t stream, std::int32_t after) {
            if (after == 0) return;
            auto& latest = held[stream * streams + map_.of(tasks_[after - 1].node).stream];
            if (latest < after) latest = after;
        };
        for (node_id id : g_) {
            const auto& n = g_[id];
            const auto s = map_.of(id).stream;
            if (const auto t = task_of_[id.index]; t > 0) {
                for (std::int32_t other = 0; other < streams; ++other)
                    if (auto& after = held[s * streams + other]; after > 0) {
                        add(after - 1, t - 1);
                        after = 0;
                    }
                last[s] = t;
                continue;
            }
            switch (air::stream_word_of(n)) {
            case air::stream_word::scope_enter:
                if (const auto inner = stream_inside(id); !orders_data && inner != s) hold(inner, last[s]);
                break;
            case air::stream_word::tagged_event_record: tagged.put(tagged.find(id), id); [[fallthrough]];
            case air::stream_word::record: recorded[id.index] = last[s]; break;
            case air::stream_word::wait:
                for_each_operand(g_, n.arguments, [&](const argument& a) { hold(s, recorded[a.bits]); });
                break;
            case air::stream_word::tagged_event_wait: hold(s, recorded[tagged[tagged.find(id)].index]); break;
            default: break;
            }
        }
    }
    constexpr std::int32_t stream_inside(node_id enter) const {
        const auto next = g_[enter].next;
        return next.exists() ? map_.of(next).stream : 0;
    }

    constexpr void sort() {
        first_need_ = fixed_buffer<std::int32_t>(count_ + 1);
        needs_ = fixed_buffer<std::int32_t>(edge_count_);
        auto* first = first_need_.data();
        for (std::int32_t e = 0; e < edge_count_; ++e) ++first[edges_[e].task];
        for (std::int32_t t = 0, sum = 0; t <= count_; ++t) first[t] = sum += t < count_ ? first[t] : 0;
        for (std::int32_t e = 0; e < edge_count_; ++e) needs_[--first[edges_[e].task]] = edges_[e].after;
    }
};

} // namespace ahead::detail
