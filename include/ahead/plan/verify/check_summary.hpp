// SPDX-License-Identifier: MIT
// The last verifier: everything that a plan states about itself follows from the rest of it: when values are live, how
// large its regions are, and all of its counts.
// Called by plan/check.hpp, when the tasks have been played.
#pragma once
#include <ahead/plan/verify/verifier_state.hpp>

namespace AHEAD_NAMESPACE::detail {

class summary_verifier {
public:
    constexpr explicit summary_verifier(verifier_state& trial) : t_(trial), g_(trial.g), sum_(trial.plan.summary) {}

    /// arena, scratch: the sizes that the played tasks used.
    constexpr bool run(std::int64_t arena, std::int64_t scratch) {
        return lifetimes_are_right() && summary_is_right(arena, scratch);
    }

private:
    verifier_state& t_;
    graph_view g_;
    const plan_summary& sum_;
    std::int64_t largest_live_ = 0;

    constexpr bool broken(node_id n, std::string_view expected, const short_text& found) const {
        return t_.broken(n, expected, found);
    }
    // Defined before its callers: clang does not evaluate a member template whose body comes later.
    template <class F> constexpr void each_part(node_id id, F f) const {
        const auto& n = g_[id];
        if (n.values.count == 0 || t_.concat_of[n.values.first] == 0) return;
        t_.each_part(n, [&](std::int32_t part, std::int64_t, std::int64_t) { f(part, n.values.first); });
    }
    /// Recomputes first_task and last_task, and the bytes live at each task: values on the same bytes count once.
    constexpr bool lifetimes_are_right() {
        fixed_buffer<std::int32_t> first_room(t_.values), last_room(t_.values), root_room(t_.values);
        fixed_buffer<std::int64_t> more_room(std::int64_t{t_.total} + 2); // by task: the change of the live bytes
        auto *first = first_room.data(), *last = last_room.data(), *root = root_room.data();
        auto* more = more_room.data();
        const auto *joined = t_.joined.data(), *end_of_operands = t_.end_of_operands.data() + 1;
        const auto* operands = t_.operands.data();
        for (std::int32_t v = 0; v < t_.values; ++v) {
            root[v] = v;
            if (joined[v] != 0) first[v] = t_.total;
        }
        for (std::int32_t t = 0; t <= t_.total; ++t) {
            for (auto i = end_of_operands[t - 1]; i < end_of_operands[t]; ++i) last[operands[i].storage] = t;
            if (t == t_.total) break;
            const auto& values = t_.nodes[t_.tasks[t].node.index].values;
            for (auto v = values.first; v < values.first + values.count; ++v) first[v] = last[v] = t;
            if (const auto workspace = t_.tasks[t].workspace_bytes; workspace > 0 && t >= sum_.prepare_tasks) {
                more[t] += workspace;
                more[t + 1] -= workspace;
            }
        }
        if (t_.parts > 0) {
            // A part is in the graph before its whole. Forwards, a whole begins with its first part; backwards, a part
            // lives as long as its whole.
            for (node_id id : g_)
                each_part(id, [&](std::int32_t part, std::int32_t whole) {
                    first[whole] = first[part] < first[whole] ? first[part] : first[whole];
                });
            for (auto id = g_.last(); id.exists(); id = g_[id].previous)
                each_part(id, [&](std::int32_t part, std::int32_t whole) {
                    last[part] = last[whole] > last[part] ? last[whole] : last[part];
                    root[part] = root[whole];
                });
        }
        for (auto id = g_.first(); id.index >= 0; id = t_.nodes[id.index].next) {
            const auto& n = t_.nodes[id.index];
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
                const auto& p = t_.places[v];
                if (p.where == region::nowhere || t_.types[v].storage.index != v) continue;
                if (p.first_task != first[v] || p.last_task != last[v])
                    return broken(
                        id, (short_text("tasks ") << first[v] << " to " << last[v] << " as those that use it").view(),
                        short_text() << p.first_task << " to " << p.last_task);
            }
        }
        largest_live_ = find_largest_live(first, last, root, more);
        return true;
    }
    constexpr std::int64_t find_largest_live(std::int32_t* first, std::int32_t* last, std::int32_t* root,
                                             std::int64_t* more) const {
        for (std::int32_t t = sum_.prepare_tasks; t < t_.total; ++t) {
            const auto& n = t_.nodes[t_.tasks[t].node.index];
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
                const auto& p = t_.places[v];
                if (p.where != region::arena) continue;
                if (p.shares.index >= 0) root[v] = root[p.shares.index];
                const auto owner = root[v];
                if (first[v] < first[owner]) first[owner] = first[v];
                if (last[owner] < last[v]) last[owner] = last[v];
            }
        }
        for (std::int32_t v = 0; v < t_.values; ++v) { // values of removed nodes have no place
            if (root[v] != v || t_.places[v].where != region::arena || last[v] < first[v]) continue;
            more[first[v]] += t_.places[v].bytes;
            more[last[v] + 1] -= t_.places[v].bytes;
        }
        std::int64_t live = 0, most = 0;
        for (std::int32_t t = 0; t <= t_.total; ++t) {
            live += more[t];
            if (most < live) most = live;
        }
        return most;
    }

    constexpr bool summary_is_right(std::int64_t arena, std::int64_t scratch) {
        std::int32_t events = 0, on_ai_cpu = 0;
        std::int64_t workspace = 0;
        for (auto t = sum_.prepare_tasks; t < t_.total; ++t) {
            on_ai_cpu += t_.needs.data()[t_.tasks[t].node.index].on_ai_cpu;
            if (workspace < t_.tasks[t].workspace_bytes) workspace = t_.tasks[t].workspace_bytes;
        }
        for (const auto& s : t_.plan.syncs) events += s.kind == sync_kind::record;
        return t_.is("inputs", sum_.inputs, t_.inputs) && t_.is("parameters", sum_.parameters, t_.parameters) &&
               t_.is("inputs written", sum_.inputs_written, t_.written[0]) &&
               t_.is("inputs written in place", sum_.inputs_written_in_place, t_.in_place[0]) &&
               t_.is("states", sum_.states, t_.states) &&
               t_.is("states written in place", sum_.states_written_in_place, t_.in_place[1]) &&
               t_.is("concatenations removed", sum_.cats_removed, t_.cats_removed) &&
               t_.is("parts in place", sum_.parts_in_place, t_.parts) && t_.is("events", sum_.events, events) &&
               t_.is("tasks on the AI CPU", sum_.ai_cpu_tasks, on_ai_cpu) &&
               t_.is("bytes of arena", sum_.peak_bytes, arena) &&
               t_.is("bytes of states", sum_.state_bytes, t_.state_bytes) &&
               t_.is("bytes of constants", sum_.constant_bytes, t_.constant_bytes) &&
               t_.is("bytes of scratch", sum_.scratch_bytes, scratch) &&
               t_.is("bytes of the largest workspace", sum_.workspace_bytes, workspace) &&
               t_.is("bytes alive at once", sum_.largest_live_bytes, largest_live_);
    }
};

} // namespace ahead::detail
