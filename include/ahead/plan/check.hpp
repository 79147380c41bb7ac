// SPDX-License-Identifier: MIT
// The independent judge of a plan: plays the tasks in order and keeps, for every byte range in use, whose it is. Knows nothing of how
// the plan was made; lifetimes are counted again from the graph. Called by npu/compiled.hpp on every plan, and by tests on broken ones.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/plan/check_order.hpp>
#include <ahead/plan/plan.hpp>
#include <ahead/target/concat_op.hpp>
#include <ahead/target/writing_ops.hpp>

namespace AHEAD_NAMESPACE {

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
    std::int32_t readers = 0;  // to come
    std::int32_t read_at = -1; // the last task that read it
    bool written = false;
    bool is_tenant = false;
};

/// One plan on trial. Loops over plain arrays, because constant evaluation is billed by calls.
class plan_judge {
public:
    constexpr plan_judge(graph_view g, plan_view plan, const target::device& on, diagnosis& d)
        : g_(g), sum_(plan.summary), tasks_(plan.tasks.data()), placements_(plan.placements.data()), copies_(plan.copies.data()), alignment_(on.alignment), d_(d),
          read_room_(g.header().used.arguments), end_room_(plan.summary.prepare_tasks + plan.summary.run_tasks), storage_room_(static_cast<std::int64_t>(plan.placements.size())), live_room_(count_results()), holder_(count_ports()), placeholder_(count_ports()),
          reads_(read_room_.data()), end_of_reads_(end_room_.data()), storages_(storage_room_.data()), live_(live_room_.data()) {}

    constexpr bool run() {
        const auto total = sum_.prepare_tasks + sum_.run_tasks;
        if (sum_.parts_in_place > 0 && !check_parts()) return false;
        for (std::int32_t found = 0; node_id id : g_) {
            const auto& n = g_[id];
            if (found == sum_.inputs + sum_.states) break;
            if (n.kind == node_kind::call || n.kind == node_kind::output) continue;
            const auto& p = placements_[n.values.first];
            if (p.where != region::input && p.where != region::state) continue;
            const auto port = port_of(p);
            if (port < 0) return broken(id, "a port of the run", short_text() << p.port);
            if (p.where == region::state && !is_apart(id)) return false;
            placeholder_[port] = n.values.first;
            ++found;
        }
        fixed_buffer<bool> is_listed(g_.header().used.nodes);
        for (std::int32_t t = 0; t < total; ++t) {
            const auto n = tasks_[t].node;
            if (is_listed[n.index]) return broken(n, "tasks that are listed once", short_text("again as task ") << t);
            is_listed[n.index] = true;
            list_reads(g_[n]);
            end_of_reads_[t] = read_count_;
        }
        list_reads(g_[g_.last()]);
        for (std::int32_t t = 0; t < total; ++t) {
            if (!play(t)) return false;
            if (t + 1 == sum_.prepare_tasks) clear_scratch();
        }
        for (auto i = total > 0 ? end_of_reads_[total - 1] : 0; i < read_count_; ++i)
            if (!storages_[reads_[i].storage].is_tenant)
                return broken(g_.last(), "outputs that are still there at the end", short_text("output ") << reads_[i].argument);
        return inputs_hold_their_new_values();
    }

private:
    /// A storage that a node reads, and through which of its arguments.
    struct reading {
        std::int32_t storage = 0;
        std::int32_t argument = 0;
    };

    graph_view g_;
    const plan_summary& sum_;
    const task* tasks_;
    const placement* placements_;
    const constant_copy* copies_;
    std::int64_t alignment_;
    diagnosis& d_;
    fixed_buffer<reading> read_room_;
    fixed_buffer<std::int32_t> end_room_;
    fixed_buffer<storage_state> storage_room_;
    fixed_buffer<tenancy> live_room_;
    fixed_buffer<std::int32_t> holder_;      // by port: the value that the caller's memory, or the session's, holds, + 1; 0: the one it came with
    fixed_buffer<std::int32_t> placeholder_; // by port: its value
    fixed_buffer<bool> in_slice_;            // by value: it lies in its slice of a concatenation; empty if none does
    fixed_buffer<std::int32_t> joined_;      // by value: the concatenation that computes it but is no task, + 1; 0: none
    reading* reads_; // of all tasks in order, then of the output
    std::int32_t read_count_ = 0;
    std::int32_t* end_of_reads_; // by task
    storage_state* storages_;
    tenancy* live_;
    std::int32_t live_count_ = 0;

    constexpr std::int64_t count_results() const {
        std::int64_t count = 0;
        for (std::int32_t t = 0; t < sum_.prepare_tasks + sum_.run_tasks; ++t) count += g_[tasks_[t].node].values.count;
        return count;
    }

    constexpr bool broken(node_id n, std::string_view expected, short_text found) {
        d_.op = g_[n].target;
        d_.name = print(g_[n].name);
        d_.line = g_[n].from.line;
        return refuse(d_, fault::plan_is_broken, expected, found);
    }
    constexpr void list_reads(const node& n) {
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = g_.argument_of(n, i);
            if (a.kind == argument_kind::node) list_read(a, i);
            for (std::int32_t k = 0; k < a.children.count; ++k)
                if (const auto& child = g_[a.children[k]]; child.kind == argument_kind::node) list_read(child, i);
        }
    }
    constexpr void list_read(const argument& a, std::int32_t number) { list_storage(g_.value_of(a).storage.index, number); }
    constexpr void list_storage(std::int32_t storage, std::int32_t number) {
        if (sum_.parts_in_place > 0 && joined_[storage] != 0) {
            const auto parts = parts_of(storage);
            for (std::int32_t k = 0; k < parts.count; ++k)
                if (const auto& part = g_.value_of(g_[parts[k]]); element_count(part.type) > 0) list_storage(part.storage.index, number);
            return;
        }
        reads_[read_count_++] = {storage, number};
        ++storages_[storage].readers;
    }

    /// What is said to be part of a concatenation lies in its slice of it. A concatenation that is no task has all of its parts there: whoever
    /// reads it reads them.
    constexpr bool check_parts() {
        const auto values = storage_room_.size();
        in_slice_ = fixed_buffer<bool>(values);
        joined_ = fixed_buffer<std::int32_t>(values);
        fixed_buffer<bool> is_task(g_.header().used.nodes);
        for (std::int32_t t = 0; t < sum_.prepare_tasks + sum_.run_tasks; ++t) is_task[tasks_[t].node.index] = true;
        for (node_id id : g_)
            if (const auto& n = g_[id]; n.kind == node_kind::call && same_name(n.target, device::concat::name)) {
                const bool all = find_parts(n);
                if (is_task[id.index]) continue;
                if (!all) return broken(id, "a task, or all parts in their slices", "neither");
                joined_[n.values.first] = id.index + 1;
            }
        for (node_id id : g_)
            for (auto v = g_[id].values.first; v < g_[id].values.first + g_[id].values.count; ++v)
                if (placements_[v].part_of.exists() && !in_slice_[v]) return broken(id, "its slice of a concatenation", short_text() << placements_[v].offset);
        std::int64_t more = 0;
        for (std::int32_t i = 0; i < g_.header().used.arguments; ++i)
            if (const auto& a = g_[argument_id{i}]; a.kind == argument_kind::node) more += count_parts(g_.value_of(a).storage.index);
        read_room_ = fixed_buffer<reading>(g_.header().used.arguments + more);
        reads_ = read_room_.data();
        return true;
    }
    /// Marks the operands that lie in their slices. Whether these are all.
    constexpr bool find_parts(const node& n) {
        const auto& whole = placements_[n.values.first];
        const auto& type = g_[value_id{n.values.first}].type;
        bool all = true;
        for (std::int64_t d = 0; d < g_.argument_of(n, 1).integer(); ++d) all = all && type.size(static_cast<int>(d)) == 1;
        const bool are_blocks = all;
        auto offset = whole.offset;
        for (std::int32_t k = 0; k < g_.argument_of(n, 0).children.count; ++k) {
            const auto& part = g_.value_of(g_[g_.argument_of(n, 0).children[k]]);
            const auto& p = placements_[part.storage.index];
            const auto bytes = element_count(part.type) * static_cast<std::int64_t>(bytes_of(part.type.type));
            const bool lies_there = are_blocks && p.part_of.index == n.values.first && p.where == whole.where && p.offset == offset &&
                                    part.type.type == type.type && part.type.offset == 0 && is_contiguous(part.type) && p.bytes == bytes;
            if (lies_there) in_slice_[part.storage.index] = true;
            all = all && (lies_there || bytes == 0);
            offset += bytes;
        }
        return all;
    }
    /// The operands of a concatenation that is no task; those without elements are nowhere.
    constexpr id_range<argument_id> parts_of(std::int32_t whole) const { return g_.argument_of(g_[node_id{joined_[whole] - 1}], 0).children; }
    /// As how many storages one is read.
    constexpr std::int64_t count_parts(std::int32_t storage) const {
        if (joined_[storage] == 0) return 1;
        std::int64_t count = 0;
        const auto parts = parts_of(storage);
        for (std::int32_t k = 0; k < parts.count; ++k)
            if (const auto& part = g_.value_of(g_[parts[k]]); element_count(part.type) > 0) count += count_parts(part.storage.index);
        return count;
    }
    /// Whether v lies in a slice of `whole`, or of what does.
    constexpr bool is_within(std::int32_t v, std::int32_t whole) const {
        if (sum_.parts_in_place == 0) return false;
        while (v != whole && in_slice_[v]) v = placements_[v].part_of.index;
        return v == whole;
    }
    /// Whether task t writes its result over a concatenation that lay there, and has read this part of it as such only.
    constexpr bool takes_over_whole(std::int32_t t, std::int32_t part, const placement& result) const {
        const auto whole = result.shares.index;
        if (whole < 0 || !is_within(part, whole) || placements_[whole].offset != result.offset) return false;
        for (auto i = t > 0 ? end_of_reads_[t - 1] : 0; i < end_of_reads_[t]; ++i) {
            const auto& a = g_.argument_of(g_[tasks_[t].node], reads_[i].argument);
            if (reads_[i].storage == part && (a.kind != argument_kind::node || g_.value_of(a).storage.index != whole)) return false;
        }
        return true;
    }
    constexpr void clear_scratch() {
        std::int32_t kept = 0;
        for (std::int32_t i = 0; i < live_count_; ++i) {
            if (live_[i].where == region::scratch)
                storages_[live_[i].owner].is_tenant = false;
            else
                live_[kept++] = live_[i];
        }
        live_count_ = kept;
    }

    /// Whether nothing that task t writes (owner: the value, or -1 for a workspace) is still read by others. A storage with no readers left may
    /// be taken over; one that this very task reads, only in place.
    constexpr bool is_writable(std::int32_t t, region where, std::int64_t offset, std::int64_t bytes, std::int32_t owner) {
        const auto limit = where == region::arena ? sum_.peak_bytes : where == region::constants ? sum_.constant_bytes : sum_.scratch_bytes;
        const bool is_part = owner >= 0 && sum_.parts_in_place > 0 && in_slice_[owner];
        if (offset < 0 || offset + bytes > limit || (!is_part && offset % alignment_ != 0))
            return broken(tasks_[t].node, "an aligned offset inside its region", short_text() << offset);
        const auto* live = live_;
        for (std::int32_t i = 0; i < live_count_; ++i) {
            const auto& held = live[i];
            if (held.where != where || held.begin >= offset + bytes || offset >= held.end || held.owner == owner) continue;
            if (owner >= 0 && is_within(held.owner, owner)) continue;
            const auto& other = storages_[held.owner];
            const bool taken_over = owner >= 0 && other.readers == 0 &&
                                    ((placements_[owner].shares.index == held.owner && held.begin == offset) ||
                                     takes_over_whole(t, held.owner, placements_[owner]));
            if (!taken_over && (other.readers > 0 || other.read_at == t))
                return broken(tasks_[t].node, "bytes that nobody reads any more", short_text() << "offset " << offset);
        }
        return true;
    }

    /// Ports: the inputs, then the parameters, of which some are states.
    constexpr std::int64_t count_ports() const { return sum_.inputs + (sum_.states > 0 ? sum_.parameters : 0); }
    /// The port that a value of an input or a state lies in; -1: in none.
    constexpr std::int32_t port_of(const placement& p) const {
        if (p.where == region::input) return p.port >= 0 && p.port < sum_.inputs ? p.port : -1;
        return p.where == region::state && sum_.states > 0 && p.port >= 0 && p.port < sum_.parameters ? sum_.inputs + p.port : -1;
    }
    /// Whether a state has its own bytes behind the arena, and some to begin with among the constants.
    constexpr bool is_apart(node_id id) {
        const auto v = g_[id].values.first;
        const auto& p = placements_[v];
        const auto& type = g_[value_id{v}].type;
        const auto needed = extent_of(type) * static_cast<std::int64_t>(bytes_of(type.type));
        if (p.bytes < needed || p.offset < 0 || p.offset + p.bytes > sum_.state_bytes || (sum_.peak_bytes + p.offset) % alignment_ != 0)
            return broken(id, "an aligned offset inside the states", short_text() << p.offset);
        for (const auto other : placeholder_.all())
            if (const auto& q = placements_[other]; other != v && q.where == region::state && q.offset < p.offset + p.bytes && p.offset < q.offset + q.bytes)
                return broken(id, "a state apart from the others", short_text() << p.offset);
        const bool begins = p.copy >= 0 && p.copy < sum_.copies && copies_[p.copy].parameter.index == v && copies_[p.copy].bytes >= needed &&
                            copies_[p.copy].offset >= 0 && copies_[p.copy].offset + needed <= sum_.constant_bytes;
        return begins || broken(id, "a copy that the state begins as", short_text() << p.copy);
    }
    /// Whether the caller's memory, or the session's, holds this value, a placeholder or what was written over it.
    constexpr bool is_in_port(std::int32_t v) const {
        const auto port = port_of(placements_[v]);
        if (port < 0) return false;
        const auto holder = holder_[port];
        return holder == 0 ? placeholder_[port] == v : holder == v + 1;
    }
    /// Value v is written into an input or a state: nobody reads what was there any more, but perhaps this task, in place.
    constexpr bool write_port(std::int32_t t, std::int32_t v, bool preparing) {
        const auto n = tasks_[t].node;
        const auto storage = g_[value_id{v}].storage.index;
        const auto port = port_of(placements_[v]);
        if (preparing || port < 0) return broken(n, "an input of the run to write into", short_text() << placements_[v].port);
        const auto old = holder_[port] == 0 ? placeholder_[port] : holder_[port] - 1;
        const auto original = placeholder_[port];
        if (!(g_[value_id{v}].type == g_[value_id{original}].type)) return broken(n, "a value of the input's type", print(g_[value_id{v}].type, true));
        if (placements_[v].where == region::state && placements_[v].offset != placements_[original].offset)
            return broken(n, "the place of the state", short_text() << placements_[v].offset);
        auto reads_here = 0;
        for (auto i = t > 0 ? end_of_reads_[t - 1] : 0; i < end_of_reads_[t]; ++i) reads_here += reads_[i].storage == old;
        const bool assigns = storage != v; // reads the port as what it writes to
        if (assigns && (storage != original || g_[n].target != device::assign::name)) return broken(n, "npu.assign to the input", print(g_[n].name));
        const bool in_place = assigns || placements_[v].shares.index == old;
        if (storages_[old].readers > 0 || reads_here > (in_place ? 1 : 0))
            return broken(n, "an input whose old value nobody reads any more", short_text("input ") << port);
        holder_[port] = v + 1;
        return true;
    }
    /// Every npu.assign was done, by itself or by what computed its value.
    constexpr bool inputs_hold_their_new_values() {
        for (node_id id : g_) {
            const auto& n = g_[id];
            if (n.kind != node_kind::call || n.target != device::assign::name) continue;
            const auto port = port_of(placements_[g_.value_of(g_.argument_of(n, 0)).storage.index]);
            const auto& source = g_.value_of(g_.argument_of(n, 1));
            const auto holder = port < 0 ? -1 : holder_[port] - 1;
            const bool computed_there = holder == source.storage.index && source.type == g_[source.storage].type;
            if (holder != n.values.first && !computed_there) return broken(id, "an input that holds its new value", short_text("input ") << port);
        }
        return true;
    }

    constexpr bool play(std::int32_t t) {
        const auto& job = tasks_[t];
        const auto& n = g_[job.node];
        const bool preparing = t < sum_.prepare_tasks;
        const auto arena = preparing ? region::scratch : region::arena;
        // Every operand has been written, and is still there.
        for (auto i = t > 0 ? end_of_reads_[t - 1] : 0; i < end_of_reads_[t]; ++i) {
            const auto storage = reads_[i].storage;
            auto& state = storages_[storage];
            const auto where = placements_[storage].where;
            const bool there = where == region::input || where == region::state ? !preparing && is_in_port(storage)
                               : where == region::parameter ? true
                               : where == region::constants ? state.written
                                                            : state.is_tenant;
            if (!there)
                return broken(job.node, "operands that are written and not yet overwritten", short_text("operand ") << reads_[i].argument);
            --state.readers;
            state.read_at = t;
        }
        const auto workspace_end = job.workspace_offset + job.workspace_bytes;
        if (job.workspace_bytes > 0 && !is_writable(t, arena, job.workspace_offset, job.workspace_bytes, -1)) return false;
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
            const auto& p = placements_[v];
            const auto& type = g_[value_id{v}].type;
            if (p.where == region::input || p.where == region::state || g_[value_id{v}].storage.index != v) {
                if (!write_port(t, v, preparing)) return false;
                continue;
            }
            const auto needed = extent_of(type) * static_cast<std::int64_t>(bytes_of(type.type));
            if (p.bytes < needed) return broken(job.node, "room for the result", short_text() << p.bytes << " of " << needed << " bytes");
            if (!is_writable(t, p.where, p.offset, p.bytes, v)) return false;
            if (job.workspace_bytes > 0 && p.where == arena && p.offset < workspace_end && job.workspace_offset < p.offset + p.bytes)
                return broken(job.node, "a workspace apart from the result", short_text() << job.workspace_offset);
            for (auto other = n.values.first; other < v; ++other) {
                const auto& q = placements_[other];
                if (q.where == p.where && q.offset < p.offset + p.bytes && p.offset < q.offset + q.bytes)
                    return broken(job.node, "results apart from each other", short_text() << p.offset);
            }
        }
        change_tenants(n, job, arena);
        return true;
    }

    /// Overwritten tenants leave, and those without readers; the results with readers move in.
    constexpr void change_tenants(const node& n, const task& job, region arena) {
        auto* live = live_;
        const auto workspace_end = job.workspace_offset + job.workspace_bytes;
        std::int32_t kept = 0;
        for (std::int32_t i = 0; i < live_count_; ++i) {
            const auto& held = live[i];
            auto& state = storages_[held.owner];
            bool leaves = state.readers == 0 ||
                          (job.workspace_bytes > 0 && held.where == arena && held.begin < workspace_end && job.workspace_offset < held.end);
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
                const auto& p = placements_[v];
                leaves = leaves || (held.where == p.where && held.begin < p.offset + p.bytes && p.offset < held.end && !is_within(held.owner, v));
            }
            if (leaves)
                state.is_tenant = false;
            else if (kept++ != i)
                live[kept - 1] = held;
        }
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
            auto& state = storages_[v];
            state.written = true;
            if (const auto where = placements_[v].where; where == region::constants || where == region::input || where == region::state || state.readers == 0) continue;
            state.is_tenant = true;
            live[kept++] = {v, placements_[v].where, placements_[v].offset, placements_[v].offset + placements_[v].bytes};
        }
        live_count_ = kept;
    }
};

} // namespace detail

/// Refuses (plan_is_broken) a task listed twice, an operand read before it is written or after it is overwritten, a result or workspace laid over bytes
/// that somebody still reads, a concatenation without task whose parts do not all lie in their slices, an input or a state written while its old value is still read, or not written, states that are not apart, offsets outside their region, and misaligned ones;
/// of a plan with several streams also whatever check_order refuses.
constexpr bool check_plan(graph_view g, plan_view plan, diagnosis& d, const target::device& on = target::npu) {
    return detail::plan_judge(g, plan, on, d).run() && (plan.summary.streams <= 1 || check_order(g, plan, d));
}

} // namespace ahead
