// SPDX-License-Identifier: MIT
// What of a plan can be judged without playing its tasks: that it speaks of the graph's nodes and values alone, that
// each task of the graph is listed once, what lies in which region, that constants and states are apart for ever, and
// that whatever the plan says of itself follows from the rest of it.
// Called by check.hpp, before the tasks are played and afterwards. Invariant: an index is looked at before it is used,
// so no plan makes a judge read elsewhere.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/core/heap_sort.hpp>
#include <ahead/ir/streams.hpp>
#include <ahead/plan/plan.hpp>
#include <ahead/target/op/concat.hpp>
#include <ahead/target/kernel_needs.hpp>
#include <ahead/target/op/assign.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

/// A storage that a node reads, and through which of its arguments.
struct reading {
    std::int32_t storage = 0;
    std::int32_t argument = 0;
};

/// A plan, what it is a plan of, and what judges find out about both.
struct plan_on_trial {
    graph_view g;
    array_view<const kernel_needs> needs; // by node
    plan_view plan;
    const target::device& on;
    diagnosis& d;
    // Pointers, because constant evaluation is billed by calls.
    const node* nodes = g.nodes().data();
    const argument* arguments = g.arguments().data();
    const value* types = g.values().data();
    const task* tasks = plan.tasks.data();
    const placement* places = plan.placements.data();
    std::int32_t values = g.header().used.values;
    std::int32_t total = 0;                                      // tasks
    fixed_buffer<std::int32_t> task_of{g.header().used.nodes};   // by node: its task, + 1; 0: none
    fixed_buffer<std::int32_t> number_of{g.header().used.nodes}; // by node: how many stand before it in the graph
    fixed_buffer<std::int32_t> joined{
        g.header().used.values}; // by value: the concatenation that computes it but is no task, + 1; 0: none
    fixed_buffer<std::int32_t> concat_of{
        g.header().used.values}; // by value: the same, and one that is a task but does not copy all of its parts
    fixed_buffer<std::int32_t> assigned_by{
        g.header().used.values};                               // by value, a port: the npu.assign to it, + 1; 0: none
    fixed_buffer<bool> in_slice{g.header().used.values};       // by value: it lies in its slice of a concatenation
    fixed_buffer<reading> operands{g.header().used.arguments}; // of all tasks in order, then of the output
    fixed_buffer<std::int32_t> end_of_operands{};              // by task, + 1; there is a 0 before the first
    std::int32_t inputs = 0, parameters = 0, states = 0, parts = 0, assigns = 0; // how many there are

    constexpr bool broken(node_id n, std::string_view expected, short_text found) const {
        d.op = g[n].target;
        d.name = print(g[n].name);
        d.line = g[n].from.line;
        return refuse(d, fault::plan_is_broken, expected, found);
    }
    constexpr std::int64_t aligned(std::int64_t bytes) const { return target::aligned(bytes, on); }
    /// What a value's storage takes at least.
    constexpr std::int64_t needed(std::int32_t v) const {
        const auto& type = types[v].type;
        return extent_of(type) * static_cast<std::int64_t>(bytes_of(type.type));
    }
    constexpr bool is_assign(const node& n) const {
        return n.kind == node_kind::call && same_name(n.target, device::assign::name);
    }
    /// Bytes [offset, offset + bytes) lie in a region of so many.
    static constexpr bool lies_in(std::int64_t offset, std::int64_t bytes, std::int64_t region_bytes) {
        return offset >= 0 && bytes >= 0 && bytes <= region_bytes && offset <= region_bytes - bytes;
    }
    /// And at an address that kernels can work with.
    constexpr bool is_inside(std::int64_t offset, std::int64_t bytes, std::int64_t region_bytes) const {
        return lies_in(offset, bytes, region_bytes) && offset % on.alignment == 0;
    }
    /// f(storage, where it begins in the whole, its bytes) of each operand of a concatenation that lies in its slice.
    template <class F> constexpr void each_part(const node& concat, F f) const {
        const auto of = g.argument_of(concat, 0).children;
        std::int64_t begin = 0;
        for (std::int32_t k = 0; k < of.count; ++k) {
            const auto& part = g.value_of(g[of[k]]);
            const auto bytes = element_count(part.type) * static_cast<std::int64_t>(bytes_of(part.type.type));
            const auto v = part.storage.index;
            if (in_slice[v] && places[v].part_of.index == concat.values.first &&
                places[v].offset - places[concat.values.first].offset == begin)
                f(v, begin, bytes);
            begin += bytes;
        }
    }
};

/// Judges it, and finds out.
class place_judge {
public:
    constexpr explicit place_judge(plan_on_trial& trial) : t_(trial), g_(trial.g), sum_(trial.plan.summary) {}

    /// Before the tasks are played.
    constexpr bool run() {
        return counts_fit() && list_tasks() && every_task_is_listed() && values_have_their_places() &&
               copies_are_whose() && constants_are_apart() && states_are_apart();
    }

    /// When they have been: arena and scratch are as large as the tasks found them. What the plan says of itself is so.
    constexpr bool describes_itself(std::int64_t arena, std::int64_t scratch) {
        return lifetimes_are_right() && summary_is_right(arena, scratch);
    }

private:
    plan_on_trial& t_;
    graph_view g_;
    const plan_summary& sum_;
    std::int64_t constant_bytes_ = 0, state_bytes_ = 0, largest_live_ = 0;
    std::int32_t cats_removed_ = 0;
    std::int32_t written_[2]{}, in_place_[2]{}; // inputs, states

    constexpr bool broken(node_id n, std::string_view expected, short_text found) const {
        return t_.broken(n, expected, found);
    }
    constexpr bool broken_of(std::int32_t v, std::string_view expected, std::int64_t found) const {
        const auto n = node_of(g_, {v});
        return broken(n.exists() ? n : g_.last(), expected, short_text() << found);
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
        auto* task_of = t_.task_of.data();
        for (std::int32_t t = 0; t < t_.total; ++t) {
            const auto n = t_.tasks[t].node;
            if (n.index < 0 || n.index >= nodes)
                return broken(g_.last(), "tasks that are nodes of the graph", short_text() << n.index);
            if (task_of[n.index] != 0)
                return broken(n, "tasks that are listed once", short_text("again as task ") << t);
            const auto s = t_.tasks[t].stream;
            if (s < 0 || s >= sum_.streams || (s != 0 && t < sum_.prepare_tasks))
                return broken(n, "a stream of the plan", short_text() << s);
            if (streams <= s) streams = s + 1;
            task_of[n.index] = t + 1;
        }
        return is("streams", sum_.streams, streams);
    }
    constexpr bool is(std::string_view what, std::int64_t said, std::int64_t found) const {
        return said == found || broken(g_.last(), (short_text() << found << " " << what).view(), short_text() << said);
    }
    /// But a concatenation whose parts are in their places, and an assignment of what was computed in its place, which
    /// the played tasks show.
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
            if (t_.is_assign(n)) {
                const auto port = g_.value_of(g_.argument_of(n, 0)).storage.index;
                const int kind = t_.places[port].where == region::state;
                t_.assigned_by[port] = id.index + 1;
                ++t_.assigns;
                ++written_[kind];
                in_place_[kind] += !is_listed;
            } else if (same_name(n.target, device::concat::name)) {
                const auto before = t_.parts;
                const bool all = find_parts(n);
                if (!is_listed || t_.parts > before) t_.concat_of[n.values.first] = id.index + 1;
                if (is_listed) continue;
                if (!all) return broken(id, "a task, or all parts in their slices", "neither");
                t_.joined[n.values.first] = id.index + 1;
                ++cats_removed_;
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
            const auto& of = t_.nodes[t < t_.total ? t_.tasks[t].node.index : g_.header().last.index].arguments;
            for (std::int32_t i = 0; i < of.count; ++i) {
                const auto& a = all[of.first + i];
                if (a.kind == argument_kind::node) to[count++] = {storage_of(a), i};
                for (auto k = a.children.first; k < a.children.first + a.children.count; ++k)
                    if (all[k].kind == argument_kind::node) to[count++] = {storage_of(all[k]), i};
            }
        }
    }
    /// Marks the operands that lie in their slices. Whether these are all.
    constexpr bool find_parts(const node& n) {
        const auto& whole = t_.places[n.values.first];
        const auto& type = g_[value_id{n.values.first}].type;
        const bool are_blocks = device::concat::are_blocks(type, g_.argument_of(n, 1).integer());
        bool all = are_blocks;
        const auto parts = g_.argument_of(n, 0).children;
        auto offset = static_cast<std::uint64_t>(whole.offset); // which may be any number
        for (std::int32_t k = 0; k < parts.count; ++k) {
            const auto& part = g_.value_of(g_[parts[k]]);
            const auto& p = t_.places[part.storage.index];
            const auto bytes = element_count(part.type) * static_cast<std::int64_t>(bytes_of(part.type.type));
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
    /// Where exactly results lie is seen when they are written.
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
    /// The caller's tensors and the weights have ports in the order of the graph; weights that are written are states.
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
    /// Each copy is one value's. Each state has one, as its port says, and each weight that a run reads, which the
    /// played tasks show.
    constexpr bool copies_are_whose() {
        for (std::int32_t i = 0; i < sum_.copies; ++i) {
            const auto& c = t_.plan.copies.data()[i];
            const auto v = c.parameter.index;
            if (v < 0 || v >= t_.values || t_.places[v].copy != i)
                return broken(g_.last(), "copies of weights", short_text("copy ") << i << " of value " << v);
            if (c.bytes != t_.aligned(t_.needed(v))) return broken_of(v, "a copy of all its bytes", c.bytes);
        }
        return true;
    }

    struct kept {
        std::int64_t begin = 0, end = 0;
        std::int32_t value = 0;
    };
    /// What lies in a region for ever shares no byte. post: sorted.
    constexpr bool are_apart(kept* all, std::int32_t count, std::string_view expected) const {
        bool sorted = true;
        for (std::int32_t i = 1; i < count; ++i) sorted = sorted && all[i - 1].begin <= all[i].begin;
        if (!sorted) heap_sort(all, count, [](const kept& a, const kept& b) { return a.begin < b.begin; });
        for (std::int32_t i = 0, last = -1; i < count; ++i) {
            if (all[i].begin == all[i].end) continue;
            if (last >= 0 && all[i].begin < all[last].end) return broken_of(all[i].value, expected, all[i].begin);
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
                return broken_of(v, "an aligned offset inside the constants", offset);
            all[count++] = {offset, offset + bytes, v};
            if (constant_bytes_ < offset + bytes) constant_bytes_ = offset + bytes;
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
    /// A session keeps them behind its arena.
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
            if (const auto end = t_.aligned(p.offset + p.bytes); state_bytes_ < end) state_bytes_ = end;
        }
        return are_apart(all.data(), count, "a state apart from the others");
    }

    // Before its callers: clang evaluates no member template whose body it reads later.
    template <class F> constexpr void each_part(node_id id, F f) const {
        const auto& n = g_[id];
        if (n.values.count == 0 || t_.concat_of[n.values.first] == 0) return;
        t_.each_part(n, [&](std::int32_t part, std::int64_t, std::int64_t) { f(part, n.values.first); });
    }
    /// first_task and last_task, found again. Also what lives at each task: for values on the same bytes once.
    constexpr bool lifetimes_are_right() {
        fixed_buffer<std::int32_t> first_room(t_.values), last_room(t_.values), root_room(t_.values);
        fixed_buffer<std::int64_t> more_room(std::int64_t{t_.total} + 2); // by task: bytes that live from there on
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
            // A part is in the graph before its whole. Forwards the wholes begin with their parts, backwards the parts
            // live as long as they.
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
        for (std::int32_t v = 0; v < t_.values; ++v) { // of nodes that are gone nothing is anywhere
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
        std::int32_t events = 0;
        std::int64_t workspace = 0;
        for (auto t = sum_.prepare_tasks; t < t_.total; ++t)
            if (workspace < t_.tasks[t].workspace_bytes) workspace = t_.tasks[t].workspace_bytes;
        for (const auto& s : t_.plan.syncs) events += s.kind == sync_kind::record;
        return is("inputs", sum_.inputs, t_.inputs) && is("parameters", sum_.parameters, t_.parameters) &&
               is("inputs written", sum_.inputs_written, written_[0]) &&
               is("inputs written in place", sum_.inputs_written_in_place, in_place_[0]) &&
               is("states", sum_.states, t_.states) &&
               is("states written in place", sum_.states_written_in_place, in_place_[1]) &&
               is("concatenations removed", sum_.cats_removed, cats_removed_) &&
               is("parts in place", sum_.parts_in_place, t_.parts) && is("events", sum_.events, events) &&
               is("bytes of arena", sum_.peak_bytes, arena) && is("bytes of states", sum_.state_bytes, state_bytes_) &&
               is("bytes of constants", sum_.constant_bytes, constant_bytes_) &&
               is("bytes of scratch", sum_.scratch_bytes, scratch) &&
               is("bytes of the largest workspace", sum_.workspace_bytes, workspace) &&
               is("bytes alive at once", sum_.largest_live_bytes, largest_live_);
    }
};

} // namespace detail

} // namespace ahead
