// SPDX-License-Identifier: MIT
// The first verifier: a plan refers only to nodes and values of the graph, and each task of the graph is listed once,
// except for concatenations whose parts are all in their slices, and assignments of values that are computed in place.
// Called by plan/check.hpp; the tasks, their operands and the parts in slices are in the verifier_state afterwards.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/device/concat.hpp>
#include <ahead/plan/verify/verifier_state.hpp>

namespace AHEAD_NAMESPACE::detail {

class task_verifier {
public:
    constexpr explicit task_verifier(verifier_state& trial) : t_(trial), g_(trial.g), sum_(trial.plan.summary) {}

    constexpr bool run() { return counts_fit() && list_tasks() && every_task_is_listed(); }

private:
    verifier_state& t_;
    graph_view g_;
    const plan_summary& sum_;

    constexpr bool broken(node_id n, std::string_view expected, const short_text& found) const {
        return t_.broken(n, expected, found);
    }
    constexpr bool counts_fit() {
        const auto fits = [](std::int64_t count, std::size_t room) {
            return count >= 0 && count <= static_cast<std::int64_t>(room);
        };
        const auto& plan = t_.plan;
        if (!fits(sum_.prepare_tasks, plan.tasks.size()) ||
            !fits(sum_.run_tasks, plan.tasks.size() - static_cast<std::size_t>(sum_.prepare_tasks)) ||
            !fits(sum_.copies, plan.copies.size()) || !fits(sum_.events, plan.syncs.size()) ||
            sum_.syncs != static_cast<std::int64_t>(plan.syncs.size()) || !fits(t_.values, plan.placements.size()) ||
            !fits(g_.header().used.nodes, t_.needs.size()))
            return broken(g_.last(), "as many tasks, copies and syncs as it says",
                          short_text() << sum_.prepare_tasks << ", " << sum_.run_tasks << ", " << sum_.copies << ", "
                                       << sum_.syncs);
        t_.total = sum_.prepare_tasks + sum_.run_tasks;
        return true;
    }
    constexpr bool list_tasks() {
        const auto nodes = g_.header().used.nodes;
        std::int32_t streams = 1;
        if (sum_.cores < 1 || sum_.cores > machine::offered_cores(t_.on))
            return broken(g_.last(), (short_text("1 to ") << machine::offered_cores(t_.on) << " cores").view(),
                          short_text() << sum_.cores);
        auto* task_of = t_.task_of.data();
        const air::stream_map places(g_);
        for (std::int32_t t = 0; t < t_.total; ++t) {
            const auto n = t_.tasks[t].node;
            if (n.index < 0 || n.index >= nodes)
                return broken(g_.last(), "tasks that are nodes of the graph", short_text() << n.index);
            if (task_of[n.index] != 0)
                return broken(n, "tasks that are listed once", short_text("again as task ") << t);
            const auto s = t_.tasks[t].stream;
            if (s < 0 || s >= sum_.streams || (s != 0 && t < sum_.prepare_tasks))
                return broken(n, "a stream of the plan", short_text() << s);
            const auto cores = machine::cores_within(places.of(n).limit, t_.on);
            const auto most = cores < sum_.cores ? cores : sum_.cores;
            if (const auto parts = t_.tasks[t].parts; parts < 1 || parts > most)
                return broken(n, (short_text("1 to ") << most << " parts, a core for each").view(),
                              short_text() << parts);
            if (streams <= s) streams = s + 1;
            task_of[n.index] = t + 1;
        }
        return t_.is("streams", sum_.streams, streams);
    }
    /// Only a concatenation whose parts are in their slices, and an assignment of a value that is computed in place
    /// (which the played tasks show), may be missing.
    constexpr bool every_task_is_listed() {
        std::int32_t listed = 0, number = 0;
        const auto* task_of = t_.task_of.data();
        auto* number_of = t_.number_of.data();
        const auto* needs = t_.needs.data();
        for (auto id = g_.first(); id.index >= 0; id = t_.nodes[id.index].next) {
            const auto& n = t_.nodes[id.index];
            number_of[id.index] = number++;
            if (n.kind != node_kind::call) continue;
            const bool is_listed = task_of[id.index] != 0;
            listed += is_listed;
            if (is_listed && !needs[id.index].is_task) return broken(id, "calls that kernels run", "one that is none");
            if (device::is_assign(n)) {
                const auto port = g_.value_of(g_.argument_of(n, 0)).storage.index;
                const int kind = t_.places[port].where == region::state;
                t_.assigned_by[port] = id.index + 1;
                ++t_.assigns;
                ++t_.written[kind];
                t_.in_place[kind] += !is_listed;
            } else if (device::is_concat(n)) {
                const auto before = t_.parts;
                const bool all = (!is_listed && is_woven(n)) || find_parts(n);
                if (!is_listed || t_.parts > before) t_.concat_of[n.values.first] = id.index + 1;
                if (is_listed) continue;
                if (!all) return broken(id, "a task, or all parts in their slices", "neither");
                t_.joined[n.values.first] = id.index + 1;
                ++t_.cats_removed;
            } else if (!is_listed && needs[id.index].is_task) return broken(id, "a task", "none");
        }
        if (listed != t_.total)
            return broken(g_.last(), "tasks that are in the graph",
                          short_text() << t_.total - listed << " that are not");
        list_operands();
        return true;
    }
    constexpr void list_operands() {
        t_.end_of_operands = fixed_buffer<std::int32_t>(std::int64_t{t_.total} + 2);
        auto* end = t_.end_of_operands.data() + 1;
        auto* to = t_.operands.data();
        const auto* all = t_.arguments;
        const auto storage_of = [&](const argument& a) {
            return t_.types[t_.nodes[a.bits].values.first + a.result].storage.index;
        };
        std::int32_t count = 0;
        for (std::int32_t t = 0; t <= t_.total; end[t++] = count) {
            const auto& of = t_.nodes[t < t_.total ? t_.tasks[t].node.index : g_.last().index].arguments;
            for (std::int32_t i = 0; i < of.count; ++i) {
                const auto& a = all[of.first + i];
                if (a.kind == argument_kind::node) to[count++] = {storage_of(a), i};
                for (auto k = a.children.first; k < a.children.first + a.children.count; ++k)
                    if (all[k].kind == argument_kind::node) to[count++] = {storage_of(all[k]), i};
            }
        }
    }
    /// Whether all operands are woven into the result's bytes: each is all of a separate storage with the result's
    /// strides, placed where its slice of the result begins, so no two share the bytes of an element. Marks them.
    constexpr bool is_woven(const node& n) {
        const auto v = n.values.first;
        const auto& whole = t_.places[v];
        const auto& type = g_[value_id{v}].type;
        const auto axis = static_cast<int>(g_.argument_of(n, 1).integer());
        const auto parts = g_.argument_of(n, 0).children;
        const auto type_of = [&](std::int32_t k) { return g_.value_of(g_[parts[k]]).type; };
        if (g_.argument_of(n, 2).boolean() || whole.where != region::arena ||
            !device::concat::are_woven(type, axis, parts.count, type_of))
            return false;
        auto offset = static_cast<std::uint64_t>(whole.offset); // unsigned: the plan may have any number
        for (std::int32_t k = 0; k < parts.count; ++k) {
            const auto& part = g_.value_of(g_[parts[k]]);
            const auto& p = t_.places[part.storage.index];
            if (p.part_of.index != v || p.where != region::arena || static_cast<std::uint64_t>(p.offset) != offset ||
                !(g_[part.storage].type == part.type) || p.bytes != t_.needed(part.storage.index) ||
                t_.woven_into[part.storage.index] != 0)
                return false;
            offset += static_cast<std::uint64_t>(bytes_of(type.type, part.type.size(axis) * type.stride(axis)));
        }
        for (std::int32_t k = 0; k < parts.count; ++k) {
            const auto part = g_.value_of(g_[parts[k]]).storage.index;
            t_.in_slice[part] = true;
            t_.woven_into[part] = v + 1;
        }
        t_.parts += parts.count;
        return true;
    }
    /// Marks the operands that are in their slices. Returns whether all are.
    constexpr bool find_parts(const node& n) {
        const auto& whole = t_.places[n.values.first];
        const auto& type = g_[value_id{n.values.first}].type;
        const bool are_blocks = device::concat::are_blocks(type, g_.argument_of(n, 1).integer());
        bool all = are_blocks;
        const auto parts = g_.argument_of(n, 0).children;
        auto offset = static_cast<std::uint64_t>(whole.offset); // unsigned: the plan may have any number
        for (std::int32_t k = 0; k < parts.count; ++k) {
            const auto& part = g_.value_of(g_[parts[k]]);
            const auto& p = t_.places[part.storage.index];
            const auto bytes = bytes_of(part.type.type, element_count(part.type));
            const bool lies_there = are_blocks && bytes > 0 && p.part_of.index == n.values.first &&
                                    p.where == region::arena && whole.where == region::arena &&
                                    static_cast<std::uint64_t>(p.offset) == offset && part.type.type == type.type &&
                                    part.type.offset == 0 && is_contiguous(part.type) && p.bytes == bytes;
            if (lies_there) t_.in_slice[part.storage.index] = true;
            t_.parts += lies_there;
            all = all && (lies_there || bytes == 0);
            offset += static_cast<std::uint64_t>(bytes);
        }
        return all;
    }
};

} // namespace ahead::detail
