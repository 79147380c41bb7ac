// A plan beside its graph, without a look at the planner: which node a task is, which bytes a value has, how
// concatenations are joined. Base of plan_simulation.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/device/assign.hpp>
#include <ahead/device/concat.hpp>
#include <ahead/device/kernel_needs.hpp>

#include <algorithm>
#include <vector>

namespace test {

class plan_in_graph {
protected:
    plan_in_graph(graph_view g, array_view<const device::kernel_needs> needs, plan_view plan) : g_(g), needs_(needs), plan_(plan), values_(g.header().used.values) {
        is_sane_ = counts_are_sane() && list_nodes() && numbers_are_sane();
    }

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
    array_view<const device::kernel_needs> needs_;
    plan_view plan_;
    std::int32_t values_, total_ = 0;
    bool is_sane_ = false;
    std::vector<int> task_of_;         // by node, + 1
    std::vector<node_id> owner_;       // by value: the node that has it as result
    std::vector<join> joins_;
    std::vector<int> join_of_;         // by value, + 1
    std::vector<node_id> assigns_;

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
};

} // namespace test
