// SPDX-License-Identifier: MIT
// The independent judge of a plan's streams and events: whatever the streams do in between, every task finds what it would find if all were run in the
// order of launching. Knows nothing of how events were chosen; who comes before whom is found again from records and waits alone.
// Called by check.hpp for plans of several streams, which has judged the order of launching itself.
// Invariant: of two accesses to the same bytes of which one writes, the later one's task starts after the earlier one's has ended.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/ir/streams.hpp>
#include <ahead/plan/plan.hpp>
#include <ahead/target/concat_op.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

/// Bytes [begin, end) of a region, or of one port of it.
struct byte_range {
    region where = region::nowhere;
    std::int32_t port = 0;
    std::int64_t begin = 0, end = 0;

    constexpr bool meets(const byte_range& other) const {
        return where == other.where && port == other.port && begin < other.end && other.begin < end;
    }
};

/// One plan's streams on trial. Tasks count from the first of the run.
class order_judge {
public:
    constexpr order_judge(graph_view g, plan_view plan, diagnosis& d)
        : g_(g), plan_(plan), d_(d), map_(g), streams_(plan.summary.streams), first_(plan.summary.prepare_tasks), count_(plan.summary.run_tasks),
          clock_(std::int64_t{streams_} * streams_), event_(std::int64_t{plan.summary.events} * streams_), is_recorded_(plan.summary.events),
          launched_(streams_), last_(streams_), is_started_(streams_), place_(count_), done_(std::int64_t{count_} * streams_), held_(tenant_room()),
          readers_(tenant_room() * streams_) {}

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
        if (next < sync_count) return broken(g_.last(), fault::plan_is_broken, "records and waits in the order of launching", short_text() << syncs[next].before);
        for (std::int32_t s = 1; s < streams_; ++s)
            if (clock_[s] < launched_[s])
                return broken(node_of(last_[s]), fault::stream_is_not_joined, "a wait of the main stream for all of its tasks", name_of_stream(s));
        for (std::int32_t t = 0; t < count_; ++t)
            if (!use(t)) return false;
        return true;
    }

private:
    /// A range, who wrote it, and, in readers_, by stream who read it last. No two meet.
    struct tenant {
        byte_range bytes;
        std::int32_t writer = -1; // -1: it was there before the run
    };

    graph_view g_;
    plan_view plan_;
    diagnosis& d_;
    stream_map map_;
    std::int32_t streams_;
    std::int32_t first_, count_;
    fixed_buffer<std::int32_t> clock_;    // by stream and stream: how many tasks of the other are done before the next one starts
    fixed_buffer<std::int32_t> event_;    // by event and stream: the same, when it is recorded
    fixed_buffer<bool> is_recorded_;      // by event
    fixed_buffer<std::int32_t> launched_; // by stream
    fixed_buffer<std::int32_t> last_;     // by stream: its last task
    fixed_buffer<bool> is_started_;       // by stream
    fixed_buffer<std::int32_t> place_;    // by task: how many of its stream were launched before
    fixed_buffer<std::int32_t> done_;     // by task and stream: how many are done when it starts
    fixed_buffer<tenant> held_;
    fixed_buffer<std::int32_t> readers_; // by tenant and stream: the last task that read it, + 1
    std::int32_t held_count_ = 0;

    /// A write adds at most two: its own, and what is left behind it of what was there. A concatenation that copies some parts writes several times.
    constexpr std::int64_t tenant_room() const {
        const auto parts = plan_.summary.parts_in_place > 0 ? g_.header().used.arguments : 0;
        return 2 * (std::int64_t{g_.header().used.values} + plan_.summary.run_tasks + parts) + 1;
    }
    constexpr node_id node_of(std::int32_t t) const { return plan_.tasks.data()[first_ + t].node; }
    constexpr std::int32_t stream_of(std::int32_t t) const { return plan_.tasks.data()[first_ + t].stream; }
    constexpr bool is_before(std::int32_t a, std::int32_t b) const { return done_[b * streams_ + stream_of(a)] > place_[a]; }

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
        if (s.stream < 0 || s.stream >= streams_ || s.event < 0 || s.event >= plan_.summary.events)
            return broken(node_behind(s), fault::plan_is_broken, "a stream and an event of the plan", short_text() << s.stream << ", " << s.event);
        auto* clock = &clock_[s.stream * streams_];
        auto* event = &event_[s.event * streams_];
        if (s.kind == sync_kind::record) {
            if (!is_started_[s.stream]) return not_forked(s.stream, node_behind(s));
            if (is_recorded_[s.event])
                return broken(node_behind(s), fault::plan_is_broken, "events that are recorded once", short_text("event ") << s.event);
            is_recorded_[s.event] = true;
            for (std::int32_t k = 0; k < streams_; ++k) event[k] = clock[k];
            return true;
        }
        if (!is_recorded_[s.event])
            return broken(node_behind(s), fault::wait_is_never_met, short_text("a record of event ") << s.event << " before the wait",
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
        if (s < 0 || s >= streams_) return broken(node_of(t), fault::plan_is_broken, "a stream of the plan", short_text() << s);
        if (!is_started_[s]) return not_forked(s, node_of(t));
        place_[t] = launched_[s]++;
        last_[s] = t;
        for (std::int32_t k = 0; k < streams_; ++k) done_[t * streams_ + k] = clock_[s * streams_ + k];
        clock_[s * streams_ + s] = launched_[s];
        return true;
    }

    constexpr byte_range range_of(std::int32_t storage) const {
        const auto& p = plan_.placements.data()[storage];
        return {p.where, p.where == region::input ? p.port : 0, p.where == region::input ? 0 : p.offset,
                p.where == region::input ? p.bytes : p.offset + p.bytes};
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
        return job.workspace_bytes == 0 || write(t, {region::arena, 0, job.workspace_offset, job.workspace_offset + job.workspace_bytes});
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
                if (from < slice && !write(t, {bytes.where, bytes.port, from, slice})) return false;
                from = behind;
            }
            slice = behind;
        }
        return from == bytes.end || write(t, {bytes.where, bytes.port, from, bytes.end});
    }
    /// The caller's tensors, and the session's states.
    static constexpr bool is_from_before(const byte_range& bytes) { return bytes.where == region::input || bytes.where == region::state; }
    constexpr bool read(std::int32_t t, std::int32_t storage) {
        auto bytes = range_of(storage);
        if (plan_.summary.parts_in_place > 0 && bytes.where == region::arena) { // nobody writes what lies between parts and the next buffer
            const auto& type = g_[value_id{storage}].type;
            bytes.end = bytes.begin + extent_of(type) * static_cast<std::int64_t>(bytes_of(type.type));
        }
        if (bytes.where != region::arena && !is_from_before(bytes)) return true; // nobody writes it in a run
        bool found = false;
        for (std::int32_t i = 0; i < held_count_; ++i) {
            const auto& held = held_[i];
            if (!held.bytes.meets(bytes)) continue;
            if (held.writer >= 0 && !is_before(held.writer, t)) return races(t, held, "reads");
            readers_[i * streams_ + stream_of(t)] = t + 1;
            found = true;
        }
        if (found || !is_from_before(bytes)) return true;
        held_[held_count_] = {bytes, -1};
        for (std::int32_t s = 0; s < streams_; ++s) readers_[held_count_ * streams_ + s] = s == stream_of(t) ? t + 1 : 0;
        ++held_count_;
        return true;
    }
    constexpr bool write(std::int32_t t, const byte_range& bytes) {
        auto count = held_count_;
        for (std::int32_t i = 0; i < held_count_; ++i) {
            auto& held = held_[i];
            if (!held.bytes.meets(bytes)) continue;
            if (held.writer >= 0 && held.writer != t && !is_before(held.writer, t)) return reuses(t, held, held.writer);
            for (std::int32_t s = 0; s < streams_; ++s)
                if (const auto reader = readers_[i * streams_ + s]; reader > 0 && reader != t + 1 && !is_before(reader - 1, t))
                    return reuses(t, held, reader - 1);
            // What is written over is t's: whoever comes after t comes after those before it. What is left on both sides stays.
            if (held.bytes.end > bytes.end) {
                held_[count] = held;
                held_[count].bytes.begin = bytes.end;
                for (std::int32_t s = 0; s < streams_; ++s) readers_[count * streams_ + s] = readers_[i * streams_ + s];
                ++count;
            }
            held.bytes.end = held.bytes.begin < bytes.begin ? bytes.begin : held.bytes.begin;
        }
        std::int32_t kept = 0;
        for (std::int32_t i = 0; i < count; ++i) {
            if (held_[i].bytes.begin == held_[i].bytes.end) continue;
            if (kept != i) {
                held_[kept] = held_[i];
                for (std::int32_t s = 0; s < streams_; ++s) readers_[kept * streams_ + s] = readers_[i * streams_ + s];
            }
            ++kept;
        }
        held_[kept] = {bytes, t};
        for (std::int32_t s = 0; s < streams_; ++s) readers_[kept * streams_ + s] = 0;
        held_count_ = kept + 1;
        return true;
    }
    constexpr bool races(std::int32_t t, const tenant& held, std::string_view what) {
        const auto other = held.writer;
        return broken(node_of(t), fault::streams_race,
                      short_text("an event between ") << print(g_[node_of(other)].name).view() << " and it",
                      short_text(what) << " what " << name_of_stream(stream_of(other)).view() << " may still write, on " << name_of_stream(stream_of(t)).view());
    }
    constexpr bool reuses(std::int32_t t, const tenant& held, std::int32_t other) {
        const auto what = is_from_before(held.bytes) ? fault::streams_race : fault::memory_is_reused_too_early;
        return broken(node_of(t), what, short_text("an event between ") << print(g_[node_of(other)].name).view() << " and it",
                      short_text("writes over what ") << name_of_stream(stream_of(other)).view() << " may still use, on "
                                                      << name_of_stream(stream_of(t)).view());
    }
};

} // namespace detail

/// pre: check_plan accepts the order of launching. Refuses a stream that is not forked or not joined, a wait that is never met, a read that races with
/// its write (streams_race), and bytes that are written while another stream may still use them (memory_is_reused_too_early).
constexpr bool check_order(graph_view g, plan_view plan, diagnosis& d) { return detail::order_judge(g, plan, d).run(); }

} // namespace ahead
