// Describes a plan anew, from where and when its tasks compute: placements, lifetimes, sizes. Base of plan_simulation.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan_in_graph.hpp"

#include <map>

namespace test {

class plan_description : protected plan_in_graph {
public:
    bool is_sane() const { return is_sane_; }
    /// The plan with everything that follows from where and when its tasks compute. pre: sane.
    template <class Plan> void redescribe(Plan& plan) const {
        plan.summary = sum_;
        for (std::size_t v = 0; v < places_.size(); ++v) plan.placements[v] = places_[v];
        for (std::size_t t = 0; t < workspaces_.size(); ++t) plan.tasks[t].workspace_bytes = workspaces_[t];
        for (std::int32_t i = 0; i < sum_.copies; ++i) plan.copies[static_cast<std::size_t>(i)].bytes = aligned(needed(plan.copies[static_cast<std::size_t>(i)].parameter.index));
    }

protected:
    plan_description(graph_view g, array_view<const device::kernel_needs> needs, plan_view plan) : plan_in_graph(g, needs, plan) {
        if (is_sane_) describe();
    }

    bool describes_itself() const {
        for (std::int32_t v = 0; v < values_; ++v)
            if (!(place(v) == places_[static_cast<std::size_t>(v)])) return false;
        for (std::int32_t t = 0; t < total_; ++t)
            if (job(t).workspace_bytes != workspaces_[static_cast<std::size_t>(t)] || (job(t).workspace_bytes == 0 && job(t).workspace_offset != 0)) return false;
        return plan_.summary == sum_;
    }

    std::vector<placement> places_; // as they should be
    std::vector<std::int64_t> workspaces_;
    plan_summary sum_;

private:
    value_id shares_of(node_id id, std::int32_t v) const {
        const bool running = task_of(id) >= plan_.summary.prepare_tasks;
        value_id found;
        for (std::int32_t i = 0; i < g_[id].arguments.count; ++i) {
            if (!may_overwrite(id, i, v, running) || !overlap(v, storage_of(g_.argument_of(g_[id], i)), running)) continue;
            if (!found.exists() || place(v).shares.index == storage_of(g_.argument_of(g_[id], i))) found = {storage_of(g_.argument_of(g_[id], i))};
        }
        return found;
    }
    void describe() {
        places_.assign(static_cast<std::size_t>(values_), {});
        sum_ = {};
        sum_.prepare_tasks = plan_.summary.prepare_tasks;
        sum_.run_tasks = plan_.summary.run_tasks;
        sum_.copies = plan_.summary.copies;
        sum_.syncs = plan_.summary.syncs;
        const auto to = [&](std::int32_t v) -> placement& { return places_[static_cast<std::size_t>(v)]; };
        for (node_id id : g_) {
            const auto& n = g_[id];
            if (n.kind == node_kind::output) continue;
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
                auto& p = to(v);
                if (n.kind != node_kind::call) {
                    const bool is_input = n.kind == node_kind::placeholder && n.role == input_role::user;
                    p.where = is_input ? region::input : assign_to(v).exists() ? region::state : region::parameter;
                    p.port = is_input ? sum_.inputs++ : sum_.parameters++;
                    p.bytes = needed(v);
                    if (p.where == region::state) {
                        p.offset = place(v).offset;
                        ++sum_.states;
                        sum_.state_bytes = std::max(sum_.state_bytes, aligned(p.offset + p.bytes));
                    }
                    for (std::int32_t i = 0; i < sum_.copies; ++i)
                        if (plan_.copies[static_cast<std::size_t>(i)].parameter.index == v) p.copy = i;
                } else if (g_[value_id{v}].storage.index == v && (task_of(id) >= 0 || join_at(v))) {
                    p.where = place(v).where;
                    p.offset = place(v).offset;
                    p.bytes = aligned(needed(v));
                    if (const auto port = port_computed_by(v); port >= 0) {
                        p = to(port); // whose node stands before
                        p.copy = -1;
                    }
                    for (const auto& j : joins_)
                        for (const auto& s : j.slices)
                            if (s.part == v && lies_there(j, s)) {
                                if (!p.part_of.exists() || place(v).part_of.index == j.whole) p.part_of = {j.whole};
                                p.bytes = needed(v);
                            }
                    if (task_of(id) >= 0) p.shares = shares_of(id, v);
                }
            }
        }
        workspaces_.clear();
        for (std::int32_t t = 0; t < total_; ++t) workspaces_.push_back(aligned(needs_[static_cast<std::size_t>(job(t).node.index)].workspace));
        describe_lifetimes();
        for (auto id : assigns_) {
            const auto port = storage_of(g_.argument_of(g_[id], 0));
            const bool is_state = place(port).where == region::state;
            ++(is_state ? sum_.states : sum_.inputs_written);
            if (is_state) --sum_.states; // counted by its placeholder
            if (const auto t = task_of(id); t < 0) {
                ++(is_state ? sum_.states_written_in_place : sum_.inputs_written_in_place);
            } else {
                const auto& theirs = to(port);
                to(g_[id].values.first) = {theirs.where, theirs.port, theirs.offset, theirs.bytes, t, t, {port}, {}, -1};
            }
        }
        describe_sizes();
    }
    void describe_lifetimes() {
        const auto to = [&](std::int32_t v) -> placement& { return places_[static_cast<std::size_t>(v)]; };
        for (const auto& j : joins_)
            if (task_of(j.node) < 0) to(j.whole).first_task = total_;
        for (std::int32_t t = 0; t < total_; ++t) {
            const auto& n = g_[job(t).node];
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) to(v).first_task = to(v).last_task = t;
            for_each_operand(g_, n.arguments, [&](const argument& a) { to(storage_of(a)).last_task = t; });
        }
        for_each_operand(g_, g_[g_.last()].arguments, [&](const argument& a) { to(storage_of(a)).last_task = total_; });
        for (bool changed = true; changed;) {
            changed = false;
            for (auto& p : places_) {
                if (!p.part_of.exists()) continue;
                auto& whole = to(p.part_of.index);
                changed = changed || p.first_task < whole.first_task || p.last_task < whole.last_task;
                whole.first_task = std::min(whole.first_task, p.first_task);
                p.last_task = std::max(whole.last_task, p.last_task);
            }
        }
    }
    void describe_sizes() {
        const auto at = [&](std::int32_t v) -> const placement& { return places_[static_cast<std::size_t>(v)]; };
        std::vector<std::int64_t> live(static_cast<std::size_t>(total_) + 1, 0);
        std::map<std::int32_t, std::pair<int, int>> buffers; // by storage: from when to when all that lie there are used
        for (std::int32_t v = 0; v < values_; ++v) {
            const auto& p = at(v);
            const auto end = p.offset + p.bytes;
            if (p.where == region::arena) sum_.peak_bytes = std::max(sum_.peak_bytes, end);
            if (p.where == region::scratch) sum_.scratch_bytes = std::max(sum_.scratch_bytes, end);
            if (p.where == region::constants) sum_.constant_bytes = std::max(sum_.constant_bytes, end);
            sum_.parts_in_place += p.part_of.exists();
            if (p.where != region::arena) continue;
            auto root = v;
            for (int steps = 0; steps <= values_ && (at(root).shares.exists() || at(root).part_of.exists()); ++steps)
                root = at(root).shares.exists() ? at(root).shares.index : at(root).part_of.index;
            auto& life = buffers.try_emplace(root, p.first_task, p.last_task).first->second;
            life = {std::min(life.first, p.first_task), std::max(life.second, p.last_task)};
        }
        for (const auto& [root, life] : buffers)
            for (int t = life.first; t <= life.second && t <= total_; ++t) live[static_cast<std::size_t>(t)] += at(root).bytes;
        for (std::int32_t t = 0; t < total_; ++t) {
            const auto bytes = workspaces_[static_cast<std::size_t>(t)];
            auto& end = t < sum_.prepare_tasks ? sum_.scratch_bytes : sum_.peak_bytes;
            if (bytes > 0) end = std::max(end, job(t).workspace_offset + bytes);
            if (t < sum_.prepare_tasks) continue;
            live[static_cast<std::size_t>(t)] += bytes;
            sum_.ai_cpu_tasks += needs_[static_cast<std::size_t>(job(t).node.index)].on_ai_cpu;
            sum_.workspace_bytes = std::max(sum_.workspace_bytes, bytes);
            sum_.streams = std::max(sum_.streams, job(t).stream + 1);
        }
        for (auto bytes : live) sum_.largest_live_bytes = std::max(sum_.largest_live_bytes, bytes);
        for (std::int32_t i = 0; i < sum_.copies; ++i) {
            const auto& c = plan_.copies[static_cast<std::size_t>(i)];
            sum_.constant_bytes = std::max(sum_.constant_bytes, c.offset + aligned(needed(c.parameter.index)));
        }
        for (const auto& j : joins_) sum_.cats_removed += task_of(j.node) < 0;
        for (const auto& s : plan_.syncs) sum_.events += s.kind == sync_kind::record;
    }
};

} // namespace test
