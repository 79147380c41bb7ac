// SPDX-License-Identifier: MIT
// The second verifier: every value has its place, in the region where it belongs; copies are of weights; constants and
// states never share bytes.
// Called by plan/check.hpp, when task_verifier has listed the tasks. The exact places of results are checked when they
// are written (check_bytes.hpp).
#pragma once
#include <ahead/core/heap_sort.hpp>
#include <ahead/plan/verify/verifier_state.hpp>

namespace AHEAD_NAMESPACE::detail {

class offset_verifier {
public:
    constexpr explicit offset_verifier(verifier_state& trial) : t_(trial), g_(trial.g), sum_(trial.plan.summary) {}

    constexpr bool run() {
        return values_have_their_places() && copies_are_whose() && constants_are_apart() && states_are_apart();
    }

private:
    verifier_state& t_;
    graph_view g_;
    const plan_summary& sum_;

    constexpr bool broken(node_id n, std::string_view expected, const short_text& found) const {
        return t_.broken(n, expected, found);
    }
    constexpr bool values_have_their_places() {
        std::int32_t seen = 0;
        for (auto id = g_.first(); id.index >= 0; id = t_.nodes[id.index].next) {
            const auto& n = t_.nodes[id.index];
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v, ++seen)
                if (!has_its_place(id, n, v)) return false;
        }
        if (seen == t_.values) return true;
        fixed_buffer<bool> is_live(t_.values);
        for (node_id id : g_)
            for (auto v = g_[id].values.first; v < g_[id].values.first + g_[id].values.count; ++v) is_live[v] = true;
        for (std::int32_t v = 0; v < t_.values; ++v)
            if (!is_live[v] && !(t_.places[v] == placement{}))
                return broken(g_.last(), "places of values of the graph", short_text("value ") << v);
        return true;
    }
    /// The exact places of results are checked when they are written.
    constexpr bool has_its_place(node_id id, const node& n, std::int32_t v) {
        const auto& p = t_.places[v];
        if (p.shares.index < -1 || p.shares.index >= t_.values || p.part_of.index < -1 || p.part_of.index >= t_.values)
            return broken(id, "values of the graph", short_text() << p.shares.index << ", " << p.part_of.index);
        const bool is_listed = t_.task_of.data()[id.index] != 0;
        if (n.kind != node_kind::call) return n.kind == node_kind::output || has_its_port(id, n, v);
        if (t_.types[v].storage.index != v) { // npu.assign, or a view
            const auto port = t_.types[v].storage;
            const auto& q = t_.places[port.index];
            const auto t = t_.task_of[id.index] - 1;
            const bool is_right =
                is_listed ? p == placement{q.where, q.port, q.offset, q.bytes, t, t, port, {}, -1} : p == placement{};
            return is_right || broken(id, is_listed ? "the place of what it writes into" : "no place of its own",
                                      short_text() << p.offset);
        }
        if (!is_listed && t_.joined[v] == 0)
            return p == placement{} || broken(id, "no place: it computes nothing", short_text() << p.offset);
        const bool in_slice = t_.in_slice.data()[v];
        if (p.part_of.index >= 0 && !in_slice)
            return broken(id, "its slice of a concatenation", short_text() << p.offset);
        const bool is_port = p.where == region::input || p.where == region::state;
        const auto bytes = is_port || in_slice ? t_.needed(v) : t_.aligned(t_.needed(v));
        if (p.bytes != bytes)
            return broken(id, "room for the result", short_text() << p.bytes << " of " << bytes << " bytes");
        if (p.copy != -1 || (!is_port && p.port != 0))
            return broken(id, "no port, and no copy to begin as", short_text() << p.port << ", " << p.copy);
        if (is_listed) return true;
        if (p.where != region::arena || p.shares.exists() ||
            (!in_slice && !t_.is_inside(p.offset, p.bytes, sum_.peak_bytes)))
            return broken(id, "an aligned offset inside its region", short_text() << p.offset);
        return true;
    }
    /// The caller's tensors and the weights have ports in the order of the graph; weights that a run writes are states.
    constexpr bool has_its_port(node_id id, const node& n, std::int32_t v) {
        const auto& p = t_.places[v];
        const bool is_input = n.kind == node_kind::placeholder && n.role == input_role::user;
        const auto where = is_input ? region::input : t_.assigned_by[v] != 0 ? region::state : region::parameter;
        const auto port = is_input ? t_.inputs++ : t_.parameters++;
        t_.states += where == region::state;
        if (p.where != where || p.port != port)
            return broken(id,
                          is_input                 ? "the next input of the run"
                          : where == region::state ? "the next weight, which a run writes"
                                                   : "the next weight",
                          short_text() << static_cast<int>(p.where) << ", port " << p.port);
        if (p.bytes != t_.needed(v)) return broken(id, "the bytes of its type", short_text() << p.bytes);
        if (where != region::state && p.offset != 0)
            return broken(id, "the first byte of its port", short_text() << p.offset);
        if (p.shares.exists() || p.part_of.exists() || (is_input && p.copy != -1))
            return broken(id, "memory of its own", "another's");
        const bool has_copy = p.copy >= 0 && p.copy < sum_.copies && t_.plan.copies.data()[p.copy].parameter.index == v;
        if (has_copy || (where != region::state && p.copy == -1)) return true;
        return broken(id, where == region::state ? "a copy that the state begins as" : "a copy of its own, or none",
                      short_text() << p.copy);
    }
    /// Each copy belongs to one value. Each state has a copy, see has_its_port, and so has each weight that a run
    /// reads, see byte_verifier.
    constexpr bool copies_are_whose() {
        for (std::int32_t i = 0; i < sum_.copies; ++i) {
            const auto& c = t_.plan.copies.data()[i];
            const auto v = c.parameter.index;
            if (v < 0 || v >= t_.values || t_.places[v].copy != i)
                return broken(g_.last(), "copies of weights", short_text("copy ") << i << " of value " << v);
            if (c.bytes != t_.aligned(t_.needed(v))) return t_.broken_of(v, "a copy of all its bytes", c.bytes);
        }
        return true;
    }

    struct kept {
        std::int64_t begin = 0, end = 0;
        std::int32_t value = 0;
    };
    /// Whether no two ranges that are kept for ever share a byte. post: sorted.
    constexpr bool are_apart(kept* all, std::int32_t count, std::string_view expected) const {
        bool sorted = true;
        for (std::int32_t i = 1; i < count; ++i) sorted = sorted && all[i - 1].begin <= all[i].begin;
        if (!sorted) heap_sort(all, count, [](const kept& a, const kept& b) { return a.begin < b.begin; });
        for (std::int32_t i = 0, last = -1; i < count; ++i) {
            if (all[i].begin == all[i].end) continue;
            if (last >= 0 && all[i].begin < all[last].end) return t_.broken_of(all[i].value, expected, all[i].begin);
            last = i;
        }
        return true;
    }
    constexpr bool constants_are_apart() {
        std::int64_t room = sum_.copies;
        for (std::int32_t t = 0; t < sum_.prepare_tasks; ++t) room += g_[t_.tasks[t].node].values.count;
        fixed_buffer<kept> all(room);
        std::int32_t count = 0;
        const auto add = [&](std::int64_t offset, std::int64_t bytes, std::int32_t v) {
            if (!t_.is_inside(offset, bytes, sum_.constant_bytes))
                return t_.broken_of(v, "an aligned offset inside the constants", offset);
            all[count++] = {offset, offset + bytes, v};
            if (t_.constant_bytes < offset + bytes) t_.constant_bytes = offset + bytes;
            return true;
        };
        for (std::int32_t t = 0; t < sum_.prepare_tasks; ++t) {
            const auto& n = g_[t_.tasks[t].node];
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v)
                if (const auto& p = t_.places[v]; p.where == region::constants && !add(p.offset, p.bytes, v))
                    return false;
        }
        for (std::int32_t i = 0; i < sum_.copies; ++i)
            if (const auto& c = t_.plan.copies.data()[i]; !add(c.offset, c.bytes, c.parameter.index)) return false;
        return are_apart(all.data(), count, "a constant apart from the others");
    }
    /// A session keeps the states after its arena.
    constexpr bool states_are_apart() {
        fixed_buffer<kept> all(t_.states);
        std::int32_t count = 0;
        for (node_id id : g_) {
            if (count == t_.states) break;
            const auto& n = g_[id];
            if (n.kind == node_kind::call || n.kind == node_kind::output) continue;
            const auto& p = t_.places[n.values.first];
            if (p.where != region::state) continue;
            if (!t_.is_inside(p.offset, p.bytes, sum_.state_bytes))
                return broken(id, "an aligned offset inside the states", short_text() << p.offset);
            all[count++] = {p.offset, p.offset + p.bytes, n.values.first};
            if (const auto end = t_.aligned(p.offset + p.bytes); t_.state_bytes < end) t_.state_bytes = end;
        }
        return are_apart(all.data(), count, "a state apart from the others");
    }
};

} // namespace ahead::detail
