// SPDX-License-Identifier: MIT
// The independent judge of a plan: plays the tasks in order and keeps, for every byte range in use, whose it is. Knows nothing of how
// the plan was made; lifetimes are counted again from the graph. Called by npu/compiled.hpp on every plan, and by tests on broken ones.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/core/diagnosis.hpp>
#include <ahead/plan/plan.hpp>

namespace ahead {

namespace detail {

/// Bytes [begin, end) of the arena or scratch hold the storage `owner` until its last reader is done.
struct tenancy {
    std::int32_t owner = 0; // a value
    region where = region::nowhere;
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// What is known of one storage while the tasks are played.
struct storage_state {
    std::int32_t readers = 0;    // to come
    std::int32_t read_at = -1;   // the last task that read it
    bool written = false;
    bool is_tenant = false;
};

/// f(argument, its place) for each value that n reads, those in lists included, until one is false.
template <class F> constexpr bool all_reads(graph_view g, const node& n, F f) {
    for (std::int32_t i = 0; i < n.arguments.count; ++i) {
        const auto& a = g.argument_of(n, i);
        if (a.kind == argument_kind::node && !f(a, i)) return false;
        for (std::int32_t k = 0; k < a.children.count; ++k)
            if (const auto& child = g[a.children[k]]; child.kind == argument_kind::node && !f(child, i)) return false;
    }
    return true;
}

class plan_judge {
public:
    constexpr plan_judge(graph_view g, plan_view plan, diagnosis& d)
        : g_(g), sum_(plan.summary), tasks_(plan.tasks.data()), placements_(plan.placements.data()), d_(d),
          storages_(static_cast<std::int64_t>(plan.placements.size())) {}

    constexpr bool run() {
        const auto total = sum_.prepare_tasks + sum_.run_tasks;
        const auto count = [&](const argument& a, std::int32_t) {
            ++state_of(a).readers;
            return true;
        };
        std::int32_t results = 0;
        for (std::int32_t t = 0; t < total; ++t) {
            const auto& n = g_[tasks_[t].node];
            all_reads(g_, n, count);
            results += n.values.count;
        }
        live_ = fixed_buffer<tenancy>(results);
        all_reads(g_, g_[g_.last()], count);
        for (std::int32_t t = 0; t < total; ++t) {
            if (!play(t)) return false;
            if (t + 1 == sum_.prepare_tasks) evict([](const tenancy& held) { return held.where == region::scratch; });
        }
        const auto& output = g_[g_.last()];
        for (std::int32_t i = 0; i < output.arguments.count; ++i)
            if (!state_of(g_.argument_of(output, i)).is_tenant)
                return broken(g_.last(), "outputs that are still there at the end", short_text("output ") << i);
        return true;
    }

private:
    graph_view g_;
    const plan_summary& sum_;
    const task* tasks_;
    const placement* placements_;
    diagnosis& d_;
    fixed_buffer<storage_state> storages_;
    fixed_buffer<tenancy> live_;
    std::int32_t live_count_ = 0;

    constexpr storage_state& state_of(const argument& a) { return storages_[g_.value_of(a).storage.index]; }
    constexpr bool broken(node_id n, std::string_view expected, short_text found) {
        d_.op = g_[n].target;
        d_.name = print(g_[n].name);
        d_.line = g_[n].from.line;
        return refuse(d_, fault::plan_is_broken, expected, found);
    }
    template <class F> constexpr void evict(F leaves) {
        std::int32_t kept = 0;
        for (std::int32_t i = 0; i < live_count_; ++i) {
            if (leaves(live_[i])) storages_[live_[i].owner].is_tenant = false;
            else if (kept++ != i) live_[kept - 1] = live_[i];
        }
        live_count_ = kept;
    }

    /// Whether the operand has been written and is still there.
    constexpr bool is_readable(const argument& a, bool preparing) {
        const auto storage = g_.value_of(a).storage.index;
        const auto where = placements_[storage].where;
        if (where == region::input || where == region::parameter) return !(preparing && where == region::input);
        return where == region::constants ? storages_[storage].written : storages_[storage].is_tenant;
    }
    /// Whether nothing that task t writes (owner: the value, or -1 for a workspace) is still read by others. A storage with no readers left may
    /// be taken over; one that this very task reads, only in place.
    constexpr bool is_writable(std::int32_t t, region where, std::int64_t offset, std::int64_t bytes, std::int32_t owner) {
        const auto limit = where == region::arena ? sum_.peak_bytes : where == region::constants ? sum_.constant_bytes : sum_.scratch_bytes;
        if (offset < 0 || offset + bytes > limit || offset % target::npu.alignment != 0)
            return broken(tasks_[t].node, "an aligned offset inside its region", short_text() << offset);
        for (std::int32_t i = 0; i < live_count_; ++i) {
            const auto& held = live_[i];
            if (held.where != where || held.begin >= offset + bytes || offset >= held.end || held.owner == owner) continue;
            const auto& other = storages_[held.owner];
            const bool taken_over = owner >= 0 && placements_[owner].shares.index == held.owner && other.readers == 0 && held.begin == offset;
            if (!taken_over && (other.readers > 0 || other.read_at == t))
                return broken(tasks_[t].node, "bytes that nobody reads any more", short_text() << "offset " << offset);
        }
        return true;
    }

    constexpr bool play(std::int32_t t) {
        const auto& job = tasks_[t];
        const auto& n = g_[job.node];
        const bool preparing = t < sum_.prepare_tasks;
        const auto arena = preparing ? region::scratch : region::arena;
        if (!all_reads(g_, n, [&](const argument& a, std::int32_t i) {
                return is_readable(a, preparing) ||
                       broken(job.node, "operands that are written and not yet overwritten", short_text("operand ") << i);
            }))
            return false;
        all_reads(g_, n, [&](const argument& a, std::int32_t) {
            auto& state = state_of(a);
            --state.readers;
            state.read_at = t;
            return true;
        });
        const auto workspace_end = job.workspace_offset + job.workspace_bytes;
        if (job.workspace_bytes > 0 && !is_writable(t, arena, job.workspace_offset, job.workspace_bytes, -1)) return false;
        for (std::int32_t k = 0; k < n.values.count; ++k) {
            const auto v = n.values.first + k;
            const auto& p = placements_[v];
            const auto& type = g_[value_id{v}].type;
            const auto needed = extent_of(type) * static_cast<std::int64_t>(bytes_of(type.type));
            if (p.bytes < needed) return broken(job.node, "room for the result", short_text() << p.bytes << " of " << needed << " bytes");
            if (!is_writable(t, p.where, p.offset, p.bytes, v)) return false;
            if (job.workspace_bytes > 0 && p.where == arena && p.offset < workspace_end && job.workspace_offset < p.offset + p.bytes)
                return broken(job.node, "a workspace apart from the result", short_text() << job.workspace_offset);
            for (std::int32_t other = 0; other < k; ++other) {
                const auto& q = placements_[n.values.first + other];
                if (q.where == p.where && q.offset < p.offset + p.bytes && p.offset < q.offset + q.bytes)
                    return broken(job.node, "results apart from each other", short_text() << p.offset);
            }
        }
        move_in(n, job, arena);
        return true;
    }

    /// Overwritten tenants leave, and those without readers; new ones move in.
    constexpr void move_in(const node& n, const task& job, region arena) {
        for (std::int32_t k = 0; k < n.values.count; ++k) {
            const auto v = n.values.first + k;
            const auto& p = placements_[v];
            storages_[v].written = true;
            if (p.where == region::constants) continue;
            const auto end = p.offset + p.bytes;
            evict([&](const tenancy& held) { return held.where == p.where && held.begin < end && p.offset < held.end; });
            storages_[v].is_tenant = true;
            live_[live_count_++] = {v, p.where, p.offset, end};
        }
        const auto workspace_end = job.workspace_offset + job.workspace_bytes;
        evict([&](const tenancy& held) {
            return storages_[held.owner].readers == 0 ||
                   (job.workspace_bytes > 0 && held.where == arena && held.begin < workspace_end && job.workspace_offset < held.end);
        });
    }
};

} // namespace detail

/// Refuses (plan_is_broken) an operand read before it is written or after it is overwritten, a result or workspace laid over bytes
/// that somebody still reads, offsets outside their region, and misaligned ones.
constexpr bool check_plan(graph_view g, plan_view plan, diagnosis& d) { return detail::plan_judge(g, plan, d).run(); }

} // namespace ahead
