// SPDX-License-Identifier: MIT
// The independent judge of a plan: plays the tasks in order and keeps, for every byte range in use, whose it is. Knows nothing of how
// the plan was made; lifetimes are counted again from the graph. Called by npu/compiled.hpp on every plan, and by tests on broken ones.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/plan/plan.hpp>
#include <vector>

namespace ahead {

namespace detail {

/// Bytes [begin, end) of the arena or scratch hold the storage `owner` until its last reader is done.
struct tenancy {
    value_id owner;
    region where = region::nowhere;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int32_t readers_left = 0;
};

constexpr void count_readers(graph_view g, const node& n, std::vector<std::int32_t>& readers, std::int32_t by) {
    for (std::int32_t i = 0; i < n.arguments.count; ++i) {
        const auto& a = g.argument_of(n, i);
        if (a.kind == argument_kind::node) readers[static_cast<std::size_t>(g.value_of(a).storage.index)] += by;
        for (std::int32_t k = 0; k < a.children.count; ++k)
            if (g[a.children[k]].kind == argument_kind::node)
                readers[static_cast<std::size_t>(g.value_of(g[a.children[k]]).storage.index)] += by;
    }
}

} // namespace detail

/// Refuses (plan_is_broken) an operand read before it is written or after it is overwritten, a result or workspace laid over bytes
/// that somebody still reads, offsets outside their region, and misaligned ones.
constexpr bool check_plan(graph_view g, plan_view plan, diagnosis& d) {
    const auto broken = [&](node_id n, std::string_view expected, short_text found) {
        d.op = g[n].target;
        d.name = print(g[n].name);
        d.line = g[n].from.line;
        return refuse(d, fault::plan_is_broken, expected, found);
    };
    const auto total = plan.summary.prepare_tasks + plan.summary.run_tasks;
    std::vector<std::int32_t> readers(plan.placements.size(), 0);
    for (std::int32_t t = 0; t < total; ++t) detail::count_readers(g, g[plan.tasks[static_cast<std::size_t>(t)].node], readers, 1);
    detail::count_readers(g, g[g.last()], readers, 1);

    std::vector<char> written(plan.placements.size(), 0);
    std::vector<detail::tenancy> live;
    for (std::int32_t t = 0; t < total; ++t) {
        const auto& job = plan.tasks[static_cast<std::size_t>(t)];
        const auto& n = g[job.node];
        const bool preparing = t < plan.summary.prepare_tasks;

        // Every operand has been written, and is still there.
        const auto check_read = [&](const argument& a) {
            if (a.kind != argument_kind::node) return true;
            const auto storage = g.value_of(a).storage;
            const auto& p = plan.placements[static_cast<std::size_t>(storage.index)];
            if (p.where == region::input || p.where == region::parameter) return !(preparing && p.where == region::input);
            if (p.where == region::constants) return static_cast<bool>(written[static_cast<std::size_t>(storage.index)]);
            for (const auto& held : live)
                if (held.owner == storage) return true;
            return false;
        };
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = g.argument_of(n, i);
            bool ok = check_read(a);
            for (std::int32_t k = 0; ok && k < a.children.count; ++k) ok = check_read(g[a.children[k]]);
            if (!ok) return broken(job.node, "operands that are written and not yet overwritten", short_text("operand ") << i);
        }
        detail::count_readers(g, n, readers, -1);

        // Nothing it writes is still read by others. A storage with no readers left may be taken over, in place or not.
        const auto check_write = [&](region where, std::int64_t offset, std::int64_t bytes, value_id owner) {
            const auto limit = where == region::arena       ? plan.summary.peak_bytes
                               : where == region::constants ? plan.summary.constant_bytes
                                                            : plan.summary.scratch_bytes;
            if (offset < 0 || offset + bytes > limit || offset % target::npu.alignment != 0)
                return broken(job.node, "an aligned offset inside its region", short_text() << offset);
            for (const auto& held : live) {
                const bool overlaps = held.where == where && held.begin < offset + bytes && offset < held.end;
                if (!overlaps || held.owner == owner) continue;
                const bool taken_over = plan.placements[static_cast<std::size_t>(owner.exists() ? owner.index : 0)].shares == held.owner &&
                                        owner.exists() && readers[static_cast<std::size_t>(held.owner.index)] == 0 && held.begin == offset;
                const bool read_now = held.readers_left > 0;
                if (!taken_over && (readers[static_cast<std::size_t>(held.owner.index)] > 0 || read_now))
                    return broken(job.node, "bytes that nobody reads any more", short_text() << "offset " << offset);
            }
            return true;
        };
        // Who is read by this very task may be overwritten only in place.
        for (auto& held : live) {
            held.readers_left = 0;
            for (std::int32_t i = 0; i < n.arguments.count; ++i) {
                const auto& a = g.argument_of(n, i);
                if (a.kind == argument_kind::node && g.value_of(a).storage == held.owner) held.readers_left = 1;
                for (std::int32_t k = 0; k < a.children.count; ++k)
                    if (g[a.children[k]].kind == argument_kind::node && g.value_of(g[a.children[k]]).storage == held.owner) held.readers_left = 1;
            }
        }
        const auto arena = preparing ? region::scratch : region::arena;
        if (job.workspace_bytes > 0 && !check_write(arena, job.workspace_offset, job.workspace_bytes, {})) return false;
        for (std::int32_t k = 0; k < n.values.count; ++k) {
            const auto v = n.values[k];
            const auto& p = plan.placements[static_cast<std::size_t>(v.index)];
            const auto needed = extent_of(g[v].type) * static_cast<std::int64_t>(bytes_of(g[v].type.type));
            if (p.bytes < needed) return broken(job.node, "room for the result", short_text() << p.bytes << " of " << needed << " bytes");
            if (!check_write(p.where, p.offset, p.bytes, v)) return false;
            if (job.workspace_bytes > 0 && p.where == arena && p.offset < job.workspace_offset + job.workspace_bytes &&
                job.workspace_offset < p.offset + p.bytes)
                return broken(job.node, "a workspace apart from the result", short_text() << job.workspace_offset);
            for (std::int32_t other = 0; other < k; ++other) {
                const auto& q = plan.placements[static_cast<std::size_t>(n.values[other].index)];
                if (q.where == p.where && q.offset < p.offset + p.bytes && p.offset < q.offset + q.bytes)
                    return broken(job.node, "results apart from each other", short_text() << p.offset);
            }
        }
        // Overwritten tenants leave; new ones move in.
        for (std::int32_t k = 0; k < n.values.count; ++k) {
            const auto v = n.values[k];
            const auto& p = plan.placements[static_cast<std::size_t>(v.index)];
            written[static_cast<std::size_t>(v.index)] = 1;
            if (p.where == region::constants) continue;
            std::erase_if(live, [&](const auto& held) { return held.where == p.where && held.begin < p.offset + p.bytes && p.offset < held.end; });
            live.push_back({v, p.where, p.offset, p.offset + p.bytes, 0});
        }
        if (job.workspace_bytes > 0)
            std::erase_if(live, [&](const auto& held) {
                return held.where == arena && held.begin < job.workspace_offset + job.workspace_bytes && job.workspace_offset < held.end;
            });
        std::erase_if(live, [&](const auto& held) { return readers[static_cast<std::size_t>(held.owner.index)] == 0; });
        if (t + 1 == plan.summary.prepare_tasks) std::erase_if(live, [](const auto& held) { return held.where == region::scratch; });
    }
    for (std::int32_t i = 0; i < g[g.last()].arguments.count; ++i) {
        const auto& a = g.argument_of(g[g.last()], i);
        bool held = false;
        for (const auto& l : live) held = held || l.owner == g.value_of(a).storage;
        if (!held) return broken(g.last(), "outputs that are still there at the end", short_text("output ") << i);
    }
    return true;
}

} // namespace ahead
