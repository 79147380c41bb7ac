// SPDX-License-Identifier: MIT
// The independent judge of a plan's streams and events: whatever the streams do in between, every task finds what it
// would find if all were run in the order of launching. Knows nothing of how events were chosen; who comes before whom
// is found again from records and waits alone.
// Called by check.hpp for plans of several streams, which has judged the order of launching itself.
// Invariant: of two accesses to the same bytes of which one writes, the later one's task starts after the earlier one's
// has ended. It is on the graph's own streams where it has some, and what the graph's own waits hold up is held up.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/streams.hpp>
#include <ahead/plan/held_ranges.hpp>
#include <ahead/plan/plan.hpp>
#include <ahead/target/op/concat.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

/// Bytes [begin, end) of the arena, of the states, or of a port.
struct byte_range {
    std::int32_t space = 0; // 0: the arena; 1: the states; 2 and on: input 0 and on; -1: nobody writes it in a run
    std::int64_t begin = 0, end = 0;
};

/// One plan's streams on trial. Tasks count from the first of the run.
class order_judge {
public:
    constexpr order_judge(graph_view g, plan_view plan, diagnosis& d)
        : g_(g), plan_(plan), d_(d), map_(g), streams_(plan.summary.streams), first_(plan.summary.prepare_tasks),
          count_(plan.summary.run_tasks), clock_(std::int64_t{streams_} * streams_),
          event_(std::int64_t{plan.summary.events} * streams_), is_recorded_(plan.summary.events), launched_(streams_),
          last_(streams_), is_started_(streams_), place_(count_), done_(std::int64_t{count_} * streams_),
          held_(tenant_room()), writer_(tenant_room()), readers_(tenant_room() * streams_), free_(tenant_room()) {}

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
        for (std::int32_t t = 0; t < count_; ++t)
            if (!use(t)) return false;
        return map_.any() ? streams_ == 1 || (streams_are_the_graphs() && waits_hold()) : effects_are_in_order();
    }

private:
    graph_view g_;
    plan_view plan_;
    diagnosis& d_;
    stream_map map_;
    std::int32_t streams_;
    std::int32_t first_, count_;
    fixed_buffer<std::int32_t>
        clock_; // by stream and stream: how many tasks of the other are done before the next one starts
    fixed_buffer<std::int32_t> event_;    // by event and stream: the same, when it is recorded
    fixed_buffer<bool> is_recorded_;      // by event
    fixed_buffer<std::int32_t> launched_; // by stream
    fixed_buffer<std::int32_t> last_;     // by stream: its last task
    fixed_buffer<bool> is_started_;       // by stream
    fixed_buffer<std::int32_t> place_;    // by task: how many of its stream were launched before
    fixed_buffer<std::int32_t> done_;     // by task and stream: how many are done when it starts
    held_ranges held_;
    fixed_buffer<std::int32_t> writer_;  // by holder: the task that wrote it, + 1; 0: it was there before the run
    fixed_buffer<std::int32_t> readers_; // by holder and stream: the last task that read it, + 1
    fixed_buffer<std::int32_t> free_;    // holders of nothing any more
    std::int32_t free_count_ = 0, holders_ = 0;

    /// A write adds at most two: its own, and what is left behind it of what was there. A concatenation that copies
    /// some parts writes several times.
    constexpr std::int64_t tenant_room() const {
        const auto parts = plan_.summary.parts_in_place > 0 ? g_.header().used.arguments : 0;
        return 2 * (std::int64_t{g_.header().used.values} + plan_.summary.run_tasks + parts) + 2;
    }
    constexpr node_id node_of(std::int32_t t) const { return plan_.tasks.data()[first_ + t].node; }
    constexpr std::int32_t stream_of(std::int32_t t) const { return plan_.tasks.data()[first_ + t].stream; }
    constexpr bool is_before(std::int32_t a, std::int32_t b) const {
        return done_[b * streams_ + stream_of(a)] > place_[a];
    }

    constexpr short_text name_of_stream(std::int32_t s) const {
        return map_.any() && s < map_.streams() ? short_text(map_.label(s)) : short_text("stream ") << s;
    }
    constexpr bool broken(node_id n, fault what, short_text expected, short_text found) {
        d_.op = g_[n].target;
        d_.name = print(g_[n].name);
        d_.line = g_[n].from.line;
        return refuse(d_, what, expected, found);
    }
    /// The next task of the stream, or the graph's end: what a sync stands before.
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
        place_[t] = launched_[s]++;
        last_[s] = t;
        for (std::int32_t k = 0; k < streams_; ++k) done_[t * streams_ + k] = clock_[s * streams_ + k];
        clock_[s * streams_ + s] = launched_[s];
        return true;
    }

    constexpr byte_range range_of(std::int32_t storage) const {
        const auto& p = plan_.placements.data()[storage];
        if (p.where == region::input) return {2 + p.port, 0, p.bytes};
        return {p.where == region::arena ? 0 : p.where == region::state ? 1 : -1, p.offset, p.offset + p.bytes};
    }

    /// Task t reads its operands and writes its results.
    constexpr bool use(std::int32_t t) {
        const auto& job = plan_.tasks.data()[first_ + t];
        const auto& n = g_[job.node];
        bool ok = true;
        for_each_operand(g_, n, [&](const argument& a) { ok = ok && read(t, g_.value_of(a).storage.index); });
        if (!ok) return false;
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
            if (!write_result(t, n, range_of(g_[value_id{v}].storage.index))) return false;
        return job.workspace_bytes == 0 ||
               write(t, {0, job.workspace_offset, job.workspace_offset + job.workspace_bytes});
    }
    /// Of a concatenation, what was not computed in its slice.
    constexpr bool write_result(std::int32_t t, const node& n, const byte_range& bytes) {
        if (plan_.summary.parts_in_place == 0 || !same_name(n.target, device::concat::name)) return write(t, bytes);
        const auto parts = g_.argument_of(n, 0).children;
        auto from = bytes.begin, slice = bytes.begin;
        for (std::int32_t k = 0; k < parts.count; ++k) {
            const auto& part = g_.value_of(g_[parts[k]]);
            const auto& p = plan_.placements.data()[part.storage.index];
            const auto behind = slice + element_count(part.type) * static_cast<std::int64_t>(bytes_of(part.type.type));
            if (p.part_of.index == n.values.first && p.offset == slice) {
                if (from < slice && !write(t, {bytes.space, from, slice})) return false;
                from = behind;
            }
            slice = behind;
        }
        return from == bytes.end || write(t, {bytes.space, from, bytes.end});
    }
    /// The caller's tensors, and the session's states.
    static constexpr bool is_from_before(std::int32_t space) { return space > 0; }
    /// A holder that nobody has read yet.
    constexpr std::int32_t new_holder(std::int32_t writer) {
        const auto holder = free_count_ > 0 ? free_[--free_count_] : holders_++;
        writer_[holder] = writer;
        for (std::int32_t s = 0; s < streams_; ++s) readers_[holder * streams_ + s] = 0;
        return holder;
    }
    constexpr bool read(std::int32_t t, std::int32_t storage) {
        auto bytes = range_of(storage);
        if (bytes.space < 0) return true;
        if (plan_.summary.parts_in_place > 0 &&
            bytes.space == 0) { // nobody writes what lies between parts and the next buffer
            const auto& type = g_[value_id{storage}].type;
            bytes.end = bytes.begin + extent_of(type) * static_cast<std::int64_t>(bytes_of(type.type));
        }
        const auto from = held_.first_behind(bytes.space, bytes.begin);
        for (auto i = from; held_.meets(i, bytes.space, bytes.end); ++i) {
            const auto holder = held_[i].holder;
            if (const auto writer = writer_[holder]; writer > 0 && !is_before(writer - 1, t))
                return races(t, writer - 1, "reads");
            readers_[holder * streams_ + stream_of(t)] = t + 1;
        }
        if (held_.meets(from, bytes.space, bytes.end) || !is_from_before(bytes.space) || bytes.begin == bytes.end)
            return true;
        const held_range mine{bytes.space, new_holder(0), bytes.begin, bytes.end};
        readers_[mine.holder * streams_ + stream_of(t)] = t + 1;
        held_.replace(from, from, &mine, 1);
        return true;
    }
    /// What is written over is t's: whoever comes after t comes after those before it. What is left on both sides
    /// stays.
    constexpr bool write(std::int32_t t, const byte_range& bytes) {
        if (bytes.begin >= bytes.end) return true;
        held_range left[3]{};
        std::int32_t count = 0;
        const auto from = held_.first_behind(bytes.space, bytes.begin);
        auto to = from;
        held_range behind{};
        for (; held_.meets(to, bytes.space, bytes.end); ++to) {
            const auto held = held_[to];
            if (const auto writer = writer_[held.holder] - 1; writer >= 0 && writer != t && !is_before(writer, t))
                return reuses(t, bytes.space, writer);
            for (std::int32_t s = 0; s < streams_; ++s)
                if (const auto reader = readers_[held.holder * streams_ + s];
                    reader > 0 && reader != t + 1 && !is_before(reader - 1, t))
                    return reuses(t, bytes.space, reader - 1);
            const bool is_left = held.begin<bytes.begin, is_behind = held.end> bytes.end;
            if (is_left) left[count++] = {held.space, held.holder, held.begin, bytes.begin};
            if (is_behind) behind = {held.space, held.holder, bytes.end, held.end};
            if (is_left && is_behind) {
                behind.holder = new_holder(writer_[held.holder]);
                for (std::int32_t s = 0; s < streams_; ++s)
                    readers_[behind.holder * streams_ + s] = readers_[held.holder * streams_ + s];
            }
            if (!is_left && !is_behind) free_[free_count_++] = held.holder;
        }
        left[count++] = {bytes.space, new_holder(t + 1), bytes.begin, bytes.end};
        if (behind.begin < behind.end) left[count++] = behind;
        held_.replace(from, to, left, count);
        return true;
    }

    constexpr bool streams_are_the_graphs() {
        for (std::int32_t t = 0; t < count_; ++t)
            if (const auto s = map_.of(node_of(t)).stream; stream_of(t) != s)
                return broken(node_of(t), fault::plan_is_broken, short_text("a task on ") << name_of_stream(s).view(),
                              name_of_stream(stream_of(t)));
        return true;
    }
    /// What prints on streams that the graph says nothing of prints one after the other.
    constexpr bool effects_are_in_order() {
        for (std::int32_t t = 0, last = -1; t < count_; ++t) {
            if (g_[node_of(t)].values.count > 0) continue;
            if (last >= 0 && !is_before(last, t))
                return broken(node_of(t), fault::plan_is_broken,
                              short_text("an event between ") << print(g_[node_of(last)].name).view() << " and it",
                              "effects at the same time");
            last = t;
        }
        return true;
    }
    /// The first task behind a wait of the graph's on its stream starts after the last one before the record.
    constexpr bool waits_hold() {
        fixed_buffer<std::int32_t> task_of(g_.header().used.nodes),
            recorded(g_.header().used.nodes); // by node: a task; the last one before a record, + 1
        fixed_buffer<std::int32_t> last(map_.streams()), held(std::int64_t{map_.streams()} * map_.streams());
        for (std::int32_t t = 0; t < count_; ++t) task_of[node_of(t).index] = t + 1;
        const auto hold = [&](std::int32_t s, node_id record) {
            if (!record.exists() || recorded[record.index] == 0) return;
            auto& after = held[s * map_.streams() + map_.of(record).stream];
            if (after < recorded[record.index]) after = recorded[record.index];
        };
        for (node_id id : g_) {
            const auto& n = g_[id];
            const auto s = map_.of(id).stream;
            if (const auto t = task_of[id.index]; t > 0) {
                last[s] = t;
                for (std::int32_t other = 0; other < map_.streams(); ++other) {
                    auto& after = held[s * map_.streams() + other];
                    if (after > 0 && after != t && !is_before(after - 1, t - 1))
                        return broken(id, fault::plan_is_broken,
                                      short_text("an event between ")
                                          << print(g_[node_of(after - 1)].name).view() << " and it",
                                      "a wait of the graph's that holds nothing up");
                    after = 0;
                }
                continue;
            }
            const auto word = stream_word_of(n);
            if (word == stream_word::record || word == stream_word::tagged_event_record) recorded[id.index] = last[s];
            if (word == stream_word::wait) for_each_operand(g_, n, [&](const argument& a) { hold(s, a.node()); });
            if (word == stream_word::tagged_event_wait) hold(s, record_of_tag(id));
        }
        return true;
    }
    /// The last record of the tag above the wait.
    constexpr node_id record_of_tag(node_id wait) const {
        const auto tag = stream_argument(g_, g_[wait], 0, "tag").text;
        for (auto id = g_[wait].previous; id.exists(); id = g_[id].previous)
            if (stream_word_of(g_[id]) == stream_word::tagged_event_record &&
                same_name(stream_argument(g_, g_[id], 0, "tag").text, tag))
                return id;
        return {};
    }
    constexpr bool races(std::int32_t t, std::int32_t other, std::string_view what) {
        return broken(node_of(t), fault::streams_race,
                      short_text("an event between ") << print(g_[node_of(other)].name).view() << " and it",
                      short_text(what) << " what " << name_of_stream(stream_of(other)).view() << " may still write, on "
                                       << name_of_stream(stream_of(t)).view());
    }
    constexpr bool reuses(std::int32_t t, std::int32_t space, std::int32_t other) {
        const auto what = is_from_before(space) ? fault::streams_race : fault::memory_is_reused_too_early;
        return broken(node_of(t), what,
                      short_text("an event between ") << print(g_[node_of(other)].name).view() << " and it",
                      short_text("writes over what ") << name_of_stream(stream_of(other)).view()
                                                      << " may still use, on " << name_of_stream(stream_of(t)).view());
    }
};

} // namespace detail

/// pre: check_plan accepts the order of launching, and how many streams and events there are. Refuses a stream that is
/// not forked or not joined, a wait that is never met, a read that races with its write (streams_race), and bytes that
/// are written while another stream may still use them (memory_is_reused_too_early). Also (plan_is_broken) a task that
/// is not on the stream of the graph's own, a wait of the graph's that is none, and effects that are not in order.
constexpr bool check_order(graph_view g, plan_view plan, diagnosis& d) {
    return (plan.summary.streams == 1 && plan.syncs.empty()) || detail::order_judge(g, plan, d).run();
}

} // namespace ahead
