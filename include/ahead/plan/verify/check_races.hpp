// SPDX-License-Identifier: MIT
// The verifier of races between streams: of two accesses to the same bytes of which one writes, the later one's task
// starts after the earlier one's has ended. Parts that are woven into one whole have no byte in common, as
// check_tasks.hpp has verified: each holds the whole's byte range, at the same time as the others.
// Called by verify/check_order.hpp, when the order of tasks is known. Tasks are numbered from the first of the run.
#pragma once
#include <ahead/device/concat.hpp>
#include <ahead/plan/arena/held_ranges.hpp>
#include <ahead/plan/verify/launched_order.hpp>

namespace AHEAD_NAMESPACE::detail {

/// Bytes [begin, end) of the arena, of the states, or of a port.
struct byte_range {
    std::int32_t space = 0; // 0: the arena; 1: the states; 2 and on: input 0 and on; -1: no run writes it
    std::int64_t begin = 0, end = 0;
};

class race_verifier {
public:
    constexpr explicit race_verifier(const launched_order& order)
        : order_(order), g_(order.graph()), plan_(order.plan()), streams_(order.streams()), held_(tenant_room()),
          writer_(tenant_room()), readers_(tenant_room() * streams_), free_(tenant_room()), woven_(tenant_room()),
          beside_(tenant_room()), under_(tenant_room() * streams_) {}

    constexpr bool run() {
        for (std::int32_t t = 0; t < order_.count(); ++t)
            if (!use(t)) return false;
        return true;
    }

private:
    const launched_order& order_;
    graph_view g_;
    plan_view plan_;
    std::int32_t streams_;
    held_ranges held_;
    fixed_buffer<std::int32_t> writer_;  // by holder: the task that wrote it, + 1; 0: it was there before the run
    fixed_buffer<std::int32_t> readers_; // by holder and stream: the last task that read it, + 1
    fixed_buffer<std::int32_t> free_;    // holders that are not in use
    fixed_buffer<std::int32_t> woven_;   // by holder: the woven part that it holds, + 1; 0: none
    fixed_buffer<std::int32_t> beside_;  // by holder: the holder of another part of the same whole, + 1; 0: none
    fixed_buffer<std::int32_t> under_;   // by holder and stream: the last task that used the bytes before it, + 1
    std::int32_t free_count_ = 0, holders_ = 0;

    /// The most holders. A write adds at most two: its range, and the rest of an older range after it. A concatenation
    /// that copies some parts writes several times.
    constexpr std::int64_t tenant_room() const {
        const auto parts = plan_.summary.parts_in_place > 0 ? g_.header().used.arguments : 0;
        return 2 * (std::int64_t{g_.header().used.values} + plan_.summary.run_tasks + parts) + 2;
    }
    /// The whole that a part is woven into; none if it is not woven.
    constexpr value_id whole_of(std::int32_t storage) const {
        const auto whole = plan_.placements.data()[storage].part_of;
        return whole.exists() && !is_contiguous(g_[value_id{storage}].type) ? whole : value_id{};
    }
    constexpr byte_range range_of(std::int32_t storage) const {
        if (const auto whole = whole_of(storage); whole.exists()) storage = whole.index;
        const auto& p = plan_.placements.data()[storage];
        if (p.where == region::input) return {2 + p.port, 0, p.bytes};
        return {p.where == region::arena ? 0 : p.where == region::state ? 1 : -1, p.offset, p.offset + p.bytes};
    }

    /// Task t reads its operands and writes its results.
    constexpr bool use(std::int32_t t) {
        const auto& job = order_.task_of(t);
        const auto& n = g_[job.node];
        bool ok = true;
        for_each_operand(g_, n.arguments, [&](const argument& a) { ok = ok && read(t, g_.value_of(a).storage.index); });
        if (!ok) return false;
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
            const auto storage = g_[value_id{v}].storage.index;
            if (!(whole_of(storage).exists() ? write_woven(t, storage) : write_result(t, n, range_of(storage))))
                return false;
        }
        return job.workspace_bytes == 0 ||
               write(t, {0, job.workspace_offset, job.workspace_offset + job.workspace_bytes});
    }
    /// Writes a result; of a concatenation, the bytes that were not computed in their slices.
    constexpr bool write_result(std::int32_t t, const node& n, const byte_range& bytes) {
        if (plan_.summary.parts_in_place == 0 || !device::is_concat(n)) return write(t, bytes);
        const auto parts = g_.argument_of(n, 0).children;
        auto from = bytes.begin, slice = bytes.begin;
        for (std::int32_t k = 0; k < parts.count; ++k) {
            const auto& part = g_.value_of(g_[parts[k]]);
            const auto& p = plan_.placements.data()[part.storage.index];
            const auto behind = slice + bytes_of(part.type.type, element_count(part.type));
            if (p.part_of.index == n.values.first && p.offset == slice) {
                if (from < slice && !write(t, {bytes.space, from, slice})) return false;
                from = behind;
            }
            slice = behind;
        }
        return from == bytes.end || write(t, {bytes.space, from, bytes.end});
    }
    /// The end of a value's bytes, or of those of the whole that it is woven into.
    constexpr std::int64_t end_of(std::int64_t begin, std::int32_t storage) const {
        const auto whole = whole_of(storage);
        const auto& type = g_[whole.exists() ? whole : value_id{storage}].type;
        return begin + bytes_of(type.type, extent_of(type));
    }
    /// The first part of a whole overwrites what was there, after all its users; the other parts share the range with
    /// it, and also come after those users.
    constexpr bool write_woven(std::int32_t t, std::int32_t part) {
        auto bytes = range_of(part);
        bytes.end = end_of(bytes.begin, part);
        const auto at = held_.first_behind(bytes.space, bytes.begin);
        std::int32_t beside = 0;
        if (held_.meets(at, bytes.space, bytes.end) && held_[at].begin == bytes.begin && held_[at].end == bytes.end) {
            const auto there = woven_[held_[at].holder] - 1;
            if (there >= 0 && whole_of(there) == whole_of(part)) beside = held_[at].holder + 1;
        }
        if (beside == 0) {
            if (!write(t, bytes)) return false;
            woven_[held_[held_.first_behind(bytes.space, bytes.begin)].holder] = part + 1;
            return true;
        }
        const held_range mine{bytes.space, new_holder(t + 1), bytes.begin, bytes.end};
        woven_[mine.holder] = part + 1;
        beside_[mine.holder] = beside;
        for (std::int32_t s = 0; s < streams_; ++s) {
            const auto last = under_[(beside - 1) * streams_ + s];
            if (last > 0 && last != t + 1 && !order_.is_before(last - 1, t)) return reuses(t, bytes.space, last - 1);
            under_[mine.holder * streams_ + s] = last;
        }
        held_.replace(at, at + 1, &mine, 1);
        return true;
    }
    /// The caller's tensors and the session's states hold values from before the run.
    static constexpr bool is_from_before(std::int32_t space) { return space > 0; }
    /// A holder without readers.
    constexpr std::int32_t new_holder(std::int32_t writer) {
        const auto holder = free_count_ > 0 ? free_[--free_count_] : holders_++;
        writer_[holder] = writer;
        woven_[holder] = beside_[holder] = 0;
        for (std::int32_t s = 0; s < streams_; ++s) readers_[holder * streams_ + s] = under_[holder * streams_ + s] = 0;
        return holder;
    }
    constexpr bool read(std::int32_t t, std::int32_t storage) {
        auto bytes = range_of(storage);
        if (bytes.space < 0) return true;
        if (plan_.summary.parts_in_place > 0 &&
            bytes.space == 0) { // parts do not write the padding up to the next buffer
            bytes.end = end_of(bytes.begin, storage);
        }
        const auto from = held_.first_behind(bytes.space, bytes.begin);
        const bool one_of_woven = whole_of(storage).exists();
        for (auto i = from; held_.meets(i, bytes.space, bytes.end); ++i)
            for (auto holder = held_[i].holder; holder >= 0; holder = beside_[holder] - 1) {
                if (one_of_woven && woven_[holder] != 0 && woven_[holder] != storage + 1) continue;
                if (const auto writer = writer_[holder]; writer > 0 && !order_.is_before(writer - 1, t))
                    return races(t, writer - 1, "reads");
                readers_[holder * streams_ + order_.stream_of(t)] = t + 1;
            }
        if (held_.meets(from, bytes.space, bytes.end) || !is_from_before(bytes.space) || bytes.begin == bytes.end)
            return true;
        const held_range mine{bytes.space, new_holder(0), bytes.begin, bytes.end};
        readers_[mine.holder * streams_ + order_.stream_of(t)] = t + 1;
        held_.replace(from, from, &mine, 1);
        return true;
    }
    /// Adds the users of `was`, and of the holders that share its range, to those of the bytes before the holder's
    /// write.
    constexpr void keep_under(std::int32_t holder, std::int32_t was) {
        const auto keep = [&](std::int32_t s, std::int32_t task) {
            if (auto& last = under_[holder * streams_ + s]; last < task) last = task;
        };
        for (; was >= 0; was = beside_[was] - 1) {
            if (writer_[was] > 0) keep(order_.stream_of(writer_[was] - 1), writer_[was]);
            for (std::int32_t s = 0; s < streams_; ++s) keep(s, readers_[was * streams_ + s]);
        }
    }
    /// The overwritten bytes are then t's: a task after t is after their earlier users. The rest on both sides
    /// keeps its users.
    constexpr bool write(std::int32_t t, const byte_range& bytes) {
        if (bytes.begin >= bytes.end) return true;
        held_range left[3]{};
        std::int32_t count = 0;
        const auto from = held_.first_behind(bytes.space, bytes.begin);
        auto to = from;
        held_range behind{};
        for (; held_.meets(to, bytes.space, bytes.end); ++to) {
            const auto held = held_[to];
            for (auto holder = held.holder; holder >= 0; holder = beside_[holder] - 1) {
                if (const auto writer = writer_[holder] - 1; writer >= 0 && writer != t && !order_.is_before(writer, t))
                    return reuses(t, bytes.space, writer);
                for (std::int32_t s = 0; s < streams_; ++s)
                    if (const auto reader = readers_[holder * streams_ + s];
                        reader > 0 && reader != t + 1 && !order_.is_before(reader - 1, t))
                        return reuses(t, bytes.space, reader - 1);
            }
            const bool is_left = held.begin<bytes.begin, is_behind = held.end> bytes.end;
            if (is_left) left[count++] = {held.space, held.holder, held.begin, bytes.begin};
            if (is_behind) behind = {held.space, held.holder, bytes.end, held.end};
            if (is_left && is_behind) {
                behind.holder = new_holder(writer_[held.holder]);
                for (std::int32_t s = 0; s < streams_; ++s)
                    readers_[behind.holder * streams_ + s] = readers_[held.holder * streams_ + s];
                woven_[behind.holder] = woven_[held.holder];
                beside_[behind.holder] = beside_[held.holder];
            }
        }
        const auto mine = new_holder(t + 1);
        for (auto i = from; i < to; ++i) keep_under(mine, held_[i].holder);
        for (auto i = from; i < to; ++i)
            if (held_[i].begin >= bytes.begin && held_[i].end <= bytes.end) free_[free_count_++] = held_[i].holder;
        left[count++] = {bytes.space, mine, bytes.begin, bytes.end};
        if (behind.begin < behind.end) left[count++] = behind;
        held_.replace(from, to, left, count);
        return true;
    }

    constexpr bool races(std::int32_t t, std::int32_t other, std::string_view what) {
        return order_.broken(
            order_.node_of(t), fault::streams_race,
            short_text("an event between ") << print(g_[order_.node_of(other)].name).view() << " and it",
            short_text(what) << " what " << order_.name_of_stream(order_.stream_of(other)).view()
                             << " may still write, on " << order_.name_of_stream(order_.stream_of(t)).view());
    }
    constexpr bool reuses(std::int32_t t, std::int32_t space, std::int32_t other) {
        const auto what = is_from_before(space) ? fault::streams_race : fault::memory_is_reused_too_early;
        return order_.broken(order_.node_of(t), what,
                             short_text("an event between ")
                                 << print(g_[order_.node_of(other)].name).view() << " and it",
                             short_text("writes over what ")
                                 << order_.name_of_stream(order_.stream_of(other)).view() << " may still use, on "
                                 << order_.name_of_stream(order_.stream_of(t)).view());
    }
};

} // namespace ahead::detail
