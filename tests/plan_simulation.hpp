// What a plan does to every byte, and what it says of itself, found out the long way: every region as cells that know whose bytes they hold, every order that
// records and waits allow. What a kernel may overwrite it takes from kernel_needs. Slow, and knowing nothing of the verifier or of the planner.
// SPDX-License-Identifier: MIT
#pragma once
#include "harness.hpp"
#include "every_path.hpp"

#include <ahead/air/stream_map.hpp>
#include <ahead/device/assign.hpp>
#include <ahead/device/concat.hpp>
#include <ahead/device/kernel_needs.hpp>

#include <optional>

namespace test {

class plan_simulation {
public:
    /// known: the order of the tasks, where it was found out before.
    plan_simulation(graph_view g, array_view<const kernel_needs> needs, plan_view plan, const every_path* known = nullptr)
        : g_(g), needs_(needs), plan_(plan), known_(known), values_(g.header().used.values) {
        is_sane_ = counts_are_sane() && list_nodes() && numbers_are_sane();
        if (is_sane_) describe();
    }
    /// Whether every reader finds what was written for it, and every number is what it says.
    bool is_right() {
        if (!is_sane_ || !tasks_are_listed() || !describes_itself() || !places_are_legal()) return false;
        if (plan_.summary.streams > 1 || !plan_.syncs.empty()) {
            if (!known_) known_ = &paths_.emplace(plan_);
            if (!known_->is_legal || !streams_do_as_the_graph_says()) return false;
        }
        return bytes_are_right();
    }
    /// The plan with everything that follows from where and when its tasks compute. pre: sane.
    bool is_sane() const { return is_sane_; }
    template <class Plan> void redescribe(Plan& plan) const {
        plan.summary = sum_;
        for (std::size_t v = 0; v < places_.size(); ++v) plan.placements[v] = places_[v];
        for (std::size_t t = 0; t < workspaces_.size(); ++t) plan.tasks[t].workspace_bytes = workspaces_[t];
        for (std::int32_t i = 0; i < sum_.copies; ++i) plan.copies[static_cast<std::size_t>(i)].bytes = aligned(needed(plan.copies[static_cast<std::size_t>(i)].parameter.index));
    }

private:
    struct slice { // of a concatenation
        std::int32_t part = 0; // storage
        std::int64_t begin = 0, bytes = 0;
        bool is_all = false; // its storage holds nothing else, in this order
    };
    struct join {
        node_id node;
        std::int32_t whole = 0;
        bool are_blocks = true;
        bool are_woven = false; // each part has the whole's strides, and gaps where the others are
        std::vector<slice> slices;
    };
    struct made { // a result
        std::int32_t task = -1;
        node_id node;
    };

    graph_view g_;
    array_view<const kernel_needs> needs_;
    plan_view plan_;
    const every_path* known_;
    std::optional<every_path> paths_;
    std::int32_t values_, total_ = 0;
    bool is_sane_ = false;
    std::vector<int> task_of_;         // by node, + 1
    std::vector<node_id> owner_;       // by value: the node that has it as result
    std::vector<join> joins_;
    std::vector<int> join_of_;         // by value, + 1
    std::vector<node_id> assigns_;
    std::vector<placement> places_;    // as they should be
    std::vector<std::int64_t> workspaces_;
    plan_summary sum_;

    static std::int64_t aligned(std::int64_t bytes) { return machine::aligned(bytes); }
    static std::int64_t size_of(const tensor_type& t) { return static_cast<std::int64_t>(bytes_of(t.type)); }
    std::int64_t needed(std::int32_t v) const { return extent_of(g_[value_id{v}].type) * size_of(g_[value_id{v}].type); }
    const placement& place(std::int32_t v) const { return plan_.placements[static_cast<std::size_t>(v)]; }
    const task& job(std::int32_t t) const { return plan_.tasks[static_cast<std::size_t>(t)]; }
    int task_of(node_id n) const { return task_of_[static_cast<std::size_t>(n.index)] - 1; }
    bool is_value(value_id v) const { return v.index >= 0 && v.index < values_; }
    std::int32_t storage_of(const argument& a) const { return g_.value_of(a).storage.index; }
    const join* join_at(std::int32_t v) const { return join_of_[static_cast<std::size_t>(v)] > 0 ? &joins_[static_cast<std::size_t>(join_of_[static_cast<std::size_t>(v)] - 1)] : nullptr; }

    bool counts_are_sane() {
        const auto& s = plan_.summary;
        total_ = 0;
        if (s.prepare_tasks < 0 || s.run_tasks < 0 || s.copies < 0 || s.streams < 1 || s.streams > 1000 || s.events < 0 || s.cores != 1) return false; // machine::npu has one
        if (static_cast<std::size_t>(s.prepare_tasks) + static_cast<std::size_t>(s.run_tasks) > plan_.tasks.size()) return false;
        if (static_cast<std::size_t>(s.copies) > plan_.copies.size() || s.syncs != static_cast<std::int64_t>(plan_.syncs.size())) return false;
        total_ = s.prepare_tasks + s.run_tasks;
        return true;
    }
    bool list_nodes() {
        const auto nodes = static_cast<std::size_t>(g_.header().used.nodes), values = static_cast<std::size_t>(values_);
        task_of_.assign(nodes, 0);
        owner_.assign(values, {});
        join_of_.assign(values, 0);
        for (std::int32_t t = 0; t < total_; ++t) {
            const auto n = job(t).node.index;
            if (n < 0 || static_cast<std::size_t>(n) >= nodes || task_of_[static_cast<std::size_t>(n)] != 0) return false;
            task_of_[static_cast<std::size_t>(n)] = t + 1;
        }
        for (node_id id : g_) {
            const auto& n = g_[id];
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) owner_[static_cast<std::size_t>(v)] = id;
            if (n.kind != node_kind::call) continue;
            if (n.target == device::assign::name) assigns_.push_back(id);
            if (n.target != device::concat::name) continue;
            join j{id, n.values.first, true, false, {}};
            const auto& type = g_.value_of(id).type;
            for (int d = 0; d < static_cast<int>(g_.argument_of(n, 1).integer()); ++d) j.are_blocks = j.are_blocks && type.size(d) == 1;
            std::int64_t at = 0;
            for (std::int32_t k = 0; k < g_.argument_of(n, 0).children.count; ++k) {
                const auto& part = g_.value_of(g_[g_.argument_of(n, 0).children[k]]);
                const auto bytes = element_count(part.type) * size_of(part.type);
                const bool is_all = is_contiguous(part.type) && part.type.offset == 0 && part.type.type == type.type && needed(part.storage.index) == bytes;
                j.slices.push_back({part.storage.index, at, bytes, is_all});
                at += bytes;
            }
            if (!j.are_blocks && g_.argument_of(n, 2).bits == 0) weave(j, n, type);
            joins_.push_back(j);
            join_of_[static_cast<std::size_t>(n.values.first)] = static_cast<int>(joins_.size());
        }
        return true;
    }
    void weave(join& j, const node& n, const tensor_type& type) {
        const auto axis = static_cast<int>(g_.argument_of(n, 1).integer());
        const auto parts = g_.argument_of(n, 0).children;
        auto slices = j.slices;
        std::int64_t begin = 0;
        for (std::int32_t k = 0; k < parts.count; ++k) {
            const auto& part = g_.value_of(g_[parts[k]]);
            auto cut = type;
            cut.sizes.at[axis] = part.type.size(axis);
            if (parts.count < 2 || part.type.size(axis) < 1 || !(part.type == cut) || !(g_[part.storage].type == part.type)) return;
            auto& s = slices[static_cast<std::size_t>(k)];
            s = {s.part, begin * type.stride(axis) * size_of(type), needed(s.part), true};
            for (std::int32_t other = 0; other < k; ++other)
                if (slices[static_cast<std::size_t>(other)].part == s.part) return;
            begin += part.type.size(axis);
        }
        j.are_woven = true;
        j.slices = slices;
    }
    /// No number is so far off that nothing can be made of it.
    bool numbers_are_sane() const {
        const auto is_near = [](std::int64_t offset) { return offset > -(std::int64_t{1} << 40) && offset < std::int64_t{1} << 40; };
        for (std::int32_t v = 0; v < values_; ++v)
            if (!is_near(place(v).offset) || !is_near(place(v).bytes) || place(v).port < -1000 || place(v).port > 1000 || place(v).where > region::scratch) return false;
        for (std::int32_t t = 0; t < total_; ++t)
            if (!is_near(job(t).workspace_offset) || job(t).stream < 0 || job(t).stream >= plan_.summary.streams || job(t).parts < 1 || job(t).parts > plan_.summary.cores) return false;
        for (std::int32_t i = 0; i < plan_.summary.copies; ++i)
            if (const auto& c = plan_.copies[static_cast<std::size_t>(i)]; !is_near(c.offset) || !is_value(c.parameter)) return false;
        for (const auto& s : plan_.syncs)
            if (s.kind > sync_kind::wait || s.event < 0 || s.event >= plan_.summary.events || s.stream < 0 || s.stream >= plan_.summary.streams) return false;
        return true;
    }

    /// Whether a part of a concatenation is where it is to be. Woven ones all are, or none is.
    bool lies_there(const join& j, const slice& s) const {
        const auto there = [&](const slice& other) { return is_at_its_slice(j, other); };
        return there(s) && (j.are_blocks || (j.are_woven && task_of(j.node) < 0 && std::all_of(j.slices.begin(), j.slices.end(), there)));
    }
    bool is_at_its_slice(const join& j, const slice& s) const {
        const auto &whole = place(j.whole), &part = place(s.part);
        return s.is_all && s.bytes > 0 && part.where == region::arena && whole.where == region::arena && part.offset == whole.offset + s.begin;
    }
    /// And the plan says that it is not copied: else it is, whatever lies there.
    bool is_part(const join& j, const slice& s) const { return lies_there(j, s) && place(s.part).part_of.index == j.whole; }
    bool all_lie_there(const join& j) const {
        return (j.are_blocks || j.are_woven) && std::all_of(j.slices.begin(), j.slices.end(), [&](const slice& s) { return s.bytes == 0 || is_part(j, s); });
    }
    bool is_woven_part(std::int32_t v) const {
        for (const auto& j : joins_)
            for (const auto& s : j.slices)
                if (j.are_woven && s.part == v && is_part(j, s)) return true;
        return false;
    }
    /// f(begin, end) of the bytes that a type has elements in, run by run.
    template <class F> void each_run(const tensor_type& type, const F& f) const {
        std::vector<std::int64_t> at{0};
        for (int d = 0; d < type.rank; ++d) {
            std::vector<std::int64_t> next;
            for (const auto from : at)
                for (std::int64_t i = 0; i < type.size(d); ++i) next.push_back(from + i * type.stride(d));
            at = next;
        }
        std::sort(at.begin(), at.end());
        for (std::size_t i = 0, begin = 0; i < at.size(); ++i)
            if (i + 1 == at.size() || at[i + 1] != at[i] + 1) {
                f(at[begin] * size_of(type), (at[i] + 1) * size_of(type));
                begin = i + 1;
            }
    }
    bool tasks_are_listed() const {
        int listed = 0;
        for (node_id id : g_) {
            if (g_[id].kind != node_kind::call) continue;
            const bool is_listed = task_of(id) >= 0;
            listed += is_listed;
            if (is_listed && !needs_[static_cast<std::size_t>(id.index)].is_task) return false;
            if (is_listed || !needs_[static_cast<std::size_t>(id.index)].is_task || g_[id].target == device::assign::name) continue;
            if (g_[id].values.count == 0) return false;
            const auto* j = join_at(g_[id].values.first);
            if (!j || !all_lie_there(*j)) return false;
        }
        return listed == total_;
    }

    // ---- what the plan should say of itself

    static bool is_port(const placement& p) { return p.where == region::input || p.where == region::state; }
    node_id assign_to(std::int32_t port) const {
        for (auto id : assigns_)
            if (storage_of(g_.argument_of(g_[id], 0)) == port) return id;
        return {};
    }
    /// The placeholder in whose place v is computed: the assignment of v to it is no task.
    std::int32_t port_computed_by(std::int32_t v) const {
        for (auto id : assigns_)
            if (task_of(id) < 0 && storage_of(g_.argument_of(g_[id], 1)) == v && place(v).where == place(storage_of(g_.argument_of(g_[id], 0))).where &&
                place(v).port == place(storage_of(g_.argument_of(g_[id], 0))).port)
                return storage_of(g_.argument_of(g_[id], 0));
        return -1;
    }
    struct address {
        int space = -1; // 0: arena; 1: scratch; 2: constants; 3: states; 4 and on: inputs
        std::int64_t at = 0;
        friend bool operator==(const address&, const address&) = default;
    };
    /// Of a storage as task t sees it; t: total_ for what is read at the end.
    address address_of(std::int32_t v, bool running) const {
        const auto& p = place(v);
        switch (p.where) {
        case region::arena: return {running ? 0 : -1, p.offset};
        case region::scratch: return {running ? -1 : 1, p.offset};
        case region::constants: return {2, p.offset};
        case region::state: return {running ? 3 : -1, p.offset};
        case region::input: return {running && p.port >= 0 ? 4 + p.port : -1, 0};
        case region::parameter:
            for (std::int32_t i = 0; running && i < plan_.summary.copies; ++i)
                if (plan_.copies[static_cast<std::size_t>(i)].parameter.index == v) return {2, plan_.copies[static_cast<std::size_t>(i)].offset};
            return {running ? -1 : -2, 0}; // -2: the weights' own
        default: return {};
        }
    }
    /// Whether result v of the node may be computed where the argument lies: result 0, or where each may, those of the argument's type.
    bool may_overwrite(node_id id, std::int32_t i, std::int32_t v, bool running) const {
        const auto& n = g_[id];
        const auto& a = g_.argument_of(n, i);
        if (i > 15 || a.kind != argument_kind::node || (needs_[static_cast<std::size_t>(id.index)].may_overwrite >> i & 1) == 0) return false;
        if (needs_[static_cast<std::size_t>(id.index)].each_may_overwrite ? !(g_[value_id{v}].type == g_.value_of(a).type) : v != n.values.first) return false;
        auto from = address_of(storage_of(a), running), to = address_of(v, running);
        from.at += g_.value_of(a).type.offset * size_of(g_.value_of(a).type);
        to.at += g_[value_id{v}].type.offset * size_of(g_[value_id{v}].type);
        return from == to;
    }
    /// As many bytes as a storage keeps from others: rounded up, but of what is written part by part.
    std::int64_t held(std::int32_t v) const { return join_at(v) && task_of(joins_[static_cast<std::size_t>(join_of_[static_cast<std::size_t>(v)] - 1)].node) < 0 ? needed(v) : place(v).bytes; }
    bool overlap(std::int32_t result, std::int32_t operand, bool running) const {
        const auto to = address_of(result, running), from = address_of(operand, running);
        return to.space >= 0 && to.space == from.space && to.at < from.at + held(operand) && from.at < to.at + held(result);
    }
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
    bool describes_itself() const {
        for (std::int32_t v = 0; v < values_; ++v)
            if (!(place(v) == places_[static_cast<std::size_t>(v)])) return false;
        for (std::int32_t t = 0; t < total_; ++t)
            if (job(t).workspace_bytes != workspaces_[static_cast<std::size_t>(t)] || (job(t).workspace_bytes == 0 && job(t).workspace_offset != 0)) return false;
        return plan_.summary == sum_;
    }

    // ---- whether it may

    bool places_are_legal() const {
        const auto is_aligned = [](std::int64_t offset) { return offset >= 0 && offset % machine::npu.alignment == 0; };
        int effect = -1, number = 0;
        std::vector<int> order(task_of_.size(), 0);
        for (node_id id : g_) order[static_cast<std::size_t>(id.index)] = number++;
        for (std::int32_t v = 0; v < values_; ++v) {
            const auto& p = place(v);
            if (p.where != region::nowhere && (p.part_of.exists() ? p.offset < 0 : !is_aligned(p.offset))) return false;
            const auto n = owner_[static_cast<std::size_t>(v)];
            if (!n.exists() || g_[n].kind != node_kind::call || p.where == region::nowhere || g_[value_id{v}].storage.index != v) continue;
            const auto t = task_of(n);
            const bool preparing = t >= 0 && t < plan_.summary.prepare_tasks;
            if (preparing ? p.where != region::scratch && p.where != region::constants : p.where != region::arena && !is_port(p)) return false;
            if (is_port(p) && port_computed_by(v) < 0) return false;
        }
        for (std::int32_t t = 0; t < total_; ++t) {
            const auto& n = g_[job(t).node];
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
                if (place(v).where == region::nowhere) return false;
            if (!is_aligned(job(t).workspace_offset)) return false;
            if (t < plan_.summary.prepare_tasks && job(t).stream != 0) return false;
            if (n.values.count > 0) continue;
            if (t < plan_.summary.prepare_tasks || order[static_cast<std::size_t>(job(t).node.index)] < effect) return false;
            effect = order[static_cast<std::size_t>(job(t).node.index)];
        }
        std::vector<int> reads(static_cast<std::size_t>(values_), 0);
        for (auto t = plan_.summary.prepare_tasks; t <= total_; ++t)
            for_each_operand(g_, (t == total_ ? g_[g_.last()] : g_[job(t).node]).arguments, [&](const argument& a) { reads[static_cast<std::size_t>(storage_of(a))] = 1; });
        for (std::int32_t i = 0; i < plan_.summary.copies; ++i) {
            const auto& c = plan_.copies[static_cast<std::size_t>(i)];
            if (!is_aligned(c.offset) || c.bytes != aligned(needed(c.parameter.index)) || place(c.parameter.index).copy != i) return false;
        }
        for (std::int32_t v = 0; v < values_; ++v)
            if (place(v).where == region::state ? place(v).copy < 0 && g_[owner_[static_cast<std::size_t>(v)]].kind != node_kind::call
                                                : place(v).where == region::parameter && (place(v).copy >= 0) != (reads[static_cast<std::size_t>(v)] != 0))
                return false;
        return true;
    }
    bool is_before(int a, int b) const { return !known_ || known_->before[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] != 0; }
    /// On streams of the graph's own each task is where the graph says, and what a wait names comes before all that follows it. On others effects come one
    /// after the other.
    bool streams_do_as_the_graph_says() const {
        const stream_map map(g_);
        const auto first = plan_.summary.prepare_tasks;
        const auto run_task = [&](node_id id) { return task_of(id) - first; };
        if (!map.any()) {
            int last = -1;
            for (std::int32_t t = first; t < total_; ++t) {
                if (g_[job(t).node].values.count > 0) continue;
                if (last >= 0 && !is_before(last, t - first)) return false;
                last = t - first;
            }
            return true;
        }
        if (plan_.summary.streams == 1) return true;
        for (std::int32_t t = first; t < total_; ++t)
            if (job(t).stream != map.of(job(t).node).stream) return false;
        std::vector<node_id> above;
        for (node_id wait : g_) {
            const auto word = stream_word_of(g_[wait]);
            std::vector<node_id> records;
            if (word == stream_word::wait) for_each_operand(g_, g_[wait].arguments, [&](const argument& a) { records.push_back(a.node()); });
            if (word == stream_word::tagged_event_wait)
                for (auto id : above)
                    if (stream_word_of(g_[id]) == stream_word::tagged_event_record && g_.argument_of(g_[id], 0).text == g_.argument_of(g_[wait], 0).text) records.assign(1, id);
            for (auto record : records)
                for (node_id earlier : g_) {
                    if (earlier == record) break;
                    if (run_task(earlier) < 0 || map.of(earlier).stream != map.of(record).stream) continue;
                    for (auto later = wait; later.exists(); later = g_[later].next)
                        if (run_task(later) >= 0 && map.of(later).stream == map.of(wait).stream && !is_before(run_task(earlier), run_task(later))) return false;
                }
            above.push_back(wait);
        }
        return true;
    }

    // ---- the bytes

    struct content { // byte x of the space holds byte x - base of the storage
        std::int32_t origin = -1;
        std::int64_t base = 0;
        friend bool operator==(const content&, const content&) = default;
    };
    struct use {
        int task = 0;
        bool writes = false;
        int space = 0;
        std::int64_t begin = 0, end = 0;
        content what;
    };
    /// f(content, begin, end) of the storage at an address: of a concatenation, what the parts in their places hold.
    template <class F> void each_content(std::int32_t v, std::int64_t at, const F& f) const {
        const auto* j = join_at(v);
        if (is_woven_part(v)) {
            each_run(g_[value_id{v}].type, [&](std::int64_t begin, std::int64_t end) { f(content{v, at}, at + begin, at + end); });
            return;
        }
        if (!j || !(j->are_blocks || (j->are_woven && all_lie_there(*j)))) {
            if (held(v) > 0) f(content{v, at}, at, at + held(v));
            return;
        }
        for (const auto& s : j->slices) {
            if (is_part(*j, s)) each_content(s.part, at + s.begin, f);
            else if (s.bytes > 0) f(content{v, at}, at + s.begin, at + s.begin + s.bytes);
        }
        if (needed(v) < held(v)) f(content{v, at}, at + needed(v), at + held(v));
    }
    bool bytes_are_right() const {
        std::vector<use> uses;
        const auto first = plan_.summary.prepare_tasks;
        const auto read = [&](int t, std::int32_t v, bool running) {
            const auto a = address_of(v, running);
            if (a.space == -2) return true;
            if (a.space < 0) return false;
            each_content(v, a.at, [&](content c, std::int64_t begin, std::int64_t end) { uses.push_back({t, false, a.space, begin, end, c}); });
            return true;
        };
        for (std::int32_t i = 0; i < plan_.summary.copies; ++i) {
            const auto& c = plan_.copies[static_cast<std::size_t>(i)];
            uses.push_back({-1, true, 2, c.offset, c.offset + c.bytes, {c.parameter.index, c.offset}});
        }
        for (std::int32_t t = 0; t <= total_; ++t) {
            if (t == first) { // what prepare leaves, and what a session and the caller bring
                for (std::int32_t v = 0; v < values_; ++v) {
                    const auto n = owner_[static_cast<std::size_t>(v)];
                    const auto& p = place(v);
                    if (!n.exists() || p.where == region::nowhere) continue;
                    if (p.where == region::constants || p.copy >= 0) {
                        const auto at = p.where == region::constants ? p.offset : plan_.copies[static_cast<std::size_t>(p.copy)].offset;
                        if (p.where == region::constants) each_content(v, at, [&](content c, std::int64_t begin, std::int64_t end) { uses.push_back({-1, false, 2, begin, end, c}); });
                        else uses.push_back({-1, false, 2, at, at + needed(v), {v, at}});
                    }
                    if (g_[n].kind == node_kind::call || !is_port(p)) continue;
                    const auto a = address_of(v, true);
                    uses.push_back({-1, true, a.space, a.at, a.at + p.bytes, {v, a.at}});
                    if (p.where == region::state) // apart from the others
                        for (std::int32_t w = 0; w < v; ++w)
                            if (place(w).where == region::state && g_[owner_[static_cast<std::size_t>(w)]].kind != node_kind::call && place(w).offset < p.offset + p.bytes &&
                                p.offset < place(w).offset + place(w).bytes)
                                return false;
                }
            }
            if (t == total_) break;
            const auto& n = g_[job(t).node];
            bool found = true;
            for_each_operand(g_, n.arguments, [&](const argument& a) { found = found && read(t, storage_of(a), t >= first); });
            if (!found || !writes_are_legal(t, uses)) return false;
        }
        bool found = true;
        for_each_operand(g_, g_[g_.last()].arguments, [&](const argument& a) { found = found && place(storage_of(a)).where == region::arena && read(total_, storage_of(a), true); });
        for (auto id : assigns_) {
            const auto port = address_of(storage_of(g_.argument_of(g_[id], 0)), true);
            const auto& source = g_.value_of(g_.argument_of(g_[id], 1));
            const auto& type = g_.value_of(g_.argument_of(g_[id], 0)).type;
            if (task_of(id) < 0 && (port_computed_by(source.storage.index) < 0 || !(source.type == type) || !(g_[source.storage].type == type))) return false;
            const auto what = task_of(id) < 0 ? source.storage.index : g_[id].values.first;
            if (port.space < 0) return false;
            each_content(what, port.at, [&](content c, std::int64_t begin, std::int64_t end) { uses.push_back({total_, false, port.space, begin, end, c}); });
        }
        return found && readers_find_their_own(uses);
    }
    /// Adds what task t writes. False where it writes over what it reads and may not.
    bool writes_are_legal(std::int32_t t, std::vector<use>& uses) const {
        const auto id = job(t).node;
        const auto& n = g_[id];
        const bool running = t >= plan_.summary.prepare_tasks;
        const auto from = uses.size();
        const auto meets_reading = [&](const use& w, std::int32_t result) {
            for (std::int32_t i = 0; i < n.arguments.count; ++i) {
                const auto meets = [&](const argument& a) {
                    if (a.kind != argument_kind::node) return false;
                    const auto r = address_of(storage_of(a), running);
                    bool found = false;
                    each_content(storage_of(a), r.at, [&](content, std::int64_t begin, std::int64_t end) { found = found || (r.space == w.space && begin < w.end && w.begin < end); });
                    return found;
                };
                const auto& a = g_.argument_of(n, i);
                if (meets(a) && !(result >= 0 && may_overwrite(id, i, result, running))) return true;
                for (std::int32_t k = 0; k < a.children.count; ++k)
                    if (meets(g_[a.children[k]])) return true;
            }
            return false;
        };
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
            const auto& p = place(v);
            if (g_[value_id{v}].storage.index != v) { // npu.assign
                const auto a = address_of(g_[value_id{v}].storage.index, running);
                const auto source = storage_of(g_.argument_of(n, 1));
                const auto from_there = address_of(source, running);
                if (a.space < 0 || (from_there.space == a.space && from_there.at < a.at + p.bytes && a.at < from_there.at + held(source))) return false;
                uses.push_back({t, true, a.space, a.at, a.at + p.bytes, {v, a.at}});
                continue;
            }
            const auto a = address_of(v, running);
            if (a.space < 0) return false;
            const auto* j = join_at(v);
            std::vector<use> mine;
            if (j && j->are_blocks) {
                for (const auto& s : j->slices)
                    if (s.bytes > 0 && !is_part(*j, s)) mine.push_back({t, true, a.space, a.at + s.begin, a.at + s.begin + s.bytes, {v, a.at}});
                if (needed(v) < p.bytes) mine.push_back({t, true, a.space, a.at + needed(v), a.at + p.bytes, {v, a.at}});
            } else if (is_woven_part(v)) {
                each_content(v, a.at, [&](content c, std::int64_t begin, std::int64_t end) { mine.push_back({t, true, a.space, begin, end, c}); });
            } else if (p.bytes > 0) {
                mine.push_back({t, true, a.space, a.at, a.at + p.bytes, {v, a.at}});
            }
            for (const auto& w : mine)
                if (meets_reading(w, v)) return false;
            uses.insert(uses.end(), mine.begin(), mine.end());
        }
        if (const auto& w = job(t); w.workspace_bytes > 0) {
            const use mine{t, true, running ? 0 : 1, w.workspace_offset, w.workspace_offset + w.workspace_bytes, {-2 - t, 0}};
            if (meets_reading(mine, -1)) return false;
            uses.push_back(mine);
        }
        for (auto a = from; a < uses.size(); ++a) // two results, or one and the workspace
            for (auto b = from; b < a; ++b)
                if (uses[a].space == uses[b].space && uses[a].begin < uses[b].end && uses[b].begin < uses[a].end) return false;
        return true;
    }
    bool readers_find_their_own(std::vector<use>& uses) const {
        std::vector<std::pair<int, std::int64_t>> cuts; // between two of them all bytes fare alike
        for (const auto& u : uses) {
            cuts.push_back({u.space, u.begin});
            cuts.push_back({u.space, u.end});
        }
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        std::vector<std::vector<const use*>> cells(cuts.size());
        for (const auto& u : uses)
            for (auto at = std::lower_bound(cuts.begin(), cuts.end(), std::pair{u.space, u.begin}); at->second != u.end; ++at)
                cells[static_cast<std::size_t>(at - cuts.begin())].push_back(&u);
        const auto first = plan_.summary.prepare_tasks;
        for (const auto& here : cells) {
            content holds;
            for (std::size_t b = 0; b < here.size(); ++b) {
                const auto& later = *here[b];
                if (!later.writes && !(later.what == holds)) return false;
                if (later.writes) holds = later.what;
                for (std::size_t a = 0; known_ && a < b && later.task >= first && later.task < total_; ++a)
                    if (here[a]->task >= first && here[a]->task != later.task && (here[a]->writes || later.writes) && !is_before(here[a]->task - first, later.task - first)) return false;
            }
        }
        return true;
    }
};

/// Whether the plan does what the graph says, whatever its streams do in between, and says of itself what is so.
inline bool plan_is_right(graph_view g, array_view<const kernel_needs> needs, plan_view plan, const every_path* known = nullptr) { return plan_simulation(g, needs, plan, known).is_right(); }
/// The plan after a change of where or when something is computed: whatever it says of itself is so again, where that can be.
template <class Plan> Plan redescribed(graph_view g, array_view<const kernel_needs> needs, const Plan& plan) {
    auto out = plan;
    if (const plan_simulation simulation(g, needs, plan.view()); simulation.is_sane()) simulation.redescribe(out);
    return out;
}

} // namespace test
