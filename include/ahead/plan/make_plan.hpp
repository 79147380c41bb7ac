// SPDX-License-Identifier: MIT
// Device graph -> plan: splits the tasks into prepare and run, finds lifetimes, has operands of
// concatenations computed in their slices, takes over dead operands in place, places buffers.
// Called by program/compiled.hpp. What a kernel needs (workspace, in-place) comes as one `needs` per node.
#pragma once
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/op.hpp>
#include <ahead/plan/place.hpp>
#include <ahead/plan/plan.hpp>
#include <ahead/plan/stream_uses.hpp>
#include <ahead/plan/streams.hpp>
#include <ahead/target/kernel_needs.hpp>
#include <ahead/target/op/assign.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

/// One plan in the making. Pools by pointer, because constant evaluation is billed by calls.
struct planner {
    graph_view g;
    const bool* constant;      // by node
    const kernel_needs* needs; // by node
    plan_summary& sum;
    task* tasks;
    placement* placements; // by value
    constant_copy* copies;
    const target::device& on;
    bool remove_cats;
    sync* syncs;
    const launch_rules* rules; // null: one stream
    effort most;
    std::int32_t task_count = 0;
    stream_uses uses{}; // of the run, where there are several streams
    fixed_buffer<std::int32_t> first_owner{
        g.header().used.values}; // by value, + 1: whose bytes it shares in the end; 0: its own
    fixed_buffer<std::int32_t> first_part{},
        next_part{};                        // by value, + 1: what lies in it, where anything does; 0: no more
    fixed_buffer<bool> is_done_elsewhere{}; // by task, until these are dropped; empty where nothing is

    constexpr std::int64_t aligned(std::int64_t bytes) const { return target::aligned(bytes, on); }
    constexpr std::int64_t bytes_of_value(const value& v) const {
        return extent_of(v.type) * static_cast<std::int64_t>(bytes_of(v.type.type));
    }
    /// Ports, then tasks: prepare's first.
    constexpr void list_tasks() {
        std::int32_t running = 0;
        for (node_id id : g) {
            const auto& n = g[id];
            if (n.kind == node_kind::call) {
                if (!needs[id.index].is_task) continue;
                if (constant[id.index]) tasks[sum.prepare_tasks++] = {id, 0, aligned(needs[id.index].workspace)};
                else ++running;
            } else if (n.kind != node_kind::output) {
                const auto& v = g.value_of(id);
                auto& p = placements[n.values.first];
                const bool is_input = n.kind == node_kind::placeholder && n.role == input_role::user;
                p.where = constant[id.index] ? region::parameter : is_input ? region::input : region::state;
                p.port = is_input ? sum.inputs++ : sum.parameters++;
                p.bytes = bytes_of_value(v);
                if (p.where == region::state) add_state(n.values.first, p);
            }
        }
        task_count = sum.prepare_tasks;
        sum.run_tasks = running;
        for (node_id id : g)
            if (needs[id.index].is_task && !constant[id.index])
                tasks[task_count++] = {id, 0, aligned(needs[id.index].workspace)};
    }

    /// A session keeps it behind those before it, and begins with the weights' value.
    constexpr void add_state(std::int32_t v, placement& p) {
        p.offset = sum.state_bytes;
        sum.state_bytes += aligned(p.bytes);
        p.copy = sum.copies++;
        copies[p.copy] = {{v}, 0, aligned(p.bytes)};
        ++sum.states;
    }
    /// A storage that run reads but prepare made is a constant.
    constexpr void read(const argument& a, std::int32_t task_index, bool running) {
        const auto storage = g.value_of(a).storage;
        auto& p = placements[storage.index];
        p.last_task = task_index;
        if (!running) return;
        if (p.where == region::scratch) p.where = region::constants;
        if (p.where == region::parameter && p.copy < 0) {
            p.copy = sum.copies++;
            copies[p.copy] = {storage, 0, aligned(p.bytes)};
        }
    }
    constexpr void read_all(const node& n, std::int32_t task_index, bool running) {
        for_each_operand(g, n, [&](const argument& a) { read(a, task_index, running); });
    }
    constexpr void find_lifetimes() {
        for (std::int32_t t = 0; t < task_count; ++t) {
            const auto& n = g[tasks[t].node];
            const bool running = t >= sum.prepare_tasks;
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
                auto& p = placements[v];
                if (g[value_id{v}].storage.index != v) { // npu.assign
                    const auto port = g[value_id{v}].storage;
                    const auto& theirs = placements[port.index];
                    p = {theirs.where, theirs.port, theirs.offset, theirs.bytes, t, t, port, {}, -1};
                    sum.inputs_written += p.where == region::input;
                    continue;
                }
                p.where = running ? region::arena : region::scratch;
                p.bytes = aligned(bytes_of_value(g[value_id{v}]));
                p.first_task = p.last_task = t;
            }
            read_all(n, t, running);
        }
        read_all(g[g.last()], task_count, true);
    }

    /// How often n reads the storage.
    constexpr std::int32_t readings(const node& n, std::int32_t storage) const {
        std::int32_t count = 0;
        for_each_operand(g, n, [&](const argument& a) { count += g.value_of(a).storage.index == storage; });
        return count;
    }
    constexpr void leave_out(std::int32_t t) {
        if (is_done_elsewhere.size() == 0) is_done_elsewhere = fixed_buffer<bool>(task_count);
        is_done_elsewhere[t] = true;
    }
    /// What computes the new value of an input or a state writes it there, if the old value was read before, or is read
    /// by itself alone and may be overwritten: then npu.assign is no task.
    constexpr void write_through() {
        if (sum.inputs_written + sum.states == 0) return;
        fixed_buffer<std::int32_t> last_reader(g.header().used.values),
            reader_before(g.header().used.values); // by storage: tasks, + 1; 0: none
        for (std::int32_t t = 0; t < task_count; ++t)
            for_each_operand(g, g[tasks[t].node], [&](const argument& a) {
                const auto storage = g.value_of(a).storage.index;
                if (last_reader[storage] == t + 1) return;
                reader_before[storage] = last_reader[storage];
                last_reader[storage] = t + 1;
            });
        for (auto t = sum.prepare_tasks; t < task_count; ++t) {
            const auto& n = g[tasks[t].node];
            if (!same_name(n.target, device::assign::name)) continue;
            const auto port = g.value_of(g.argument_of(n, 0)).storage;
            const auto last = last_reader[port.index];
            if (!may_write_through(n, (last == t + 1 ? reader_before[port.index] : last) - 1)) continue;
            auto& mine = placements[g.value_of(g.argument_of(n, 1)).storage.index];
            const auto& theirs = placements[port.index];
            mine.where = theirs.where;
            mine.port = theirs.port;
            mine.offset = theirs.offset;
            mine.bytes = theirs.bytes;
            if (readings(g[tasks[mine.first_task].node], port.index) > 0) mine.shares = port;
            ++(mine.where == region::input ? sum.inputs_written_in_place : sum.states_written_in_place);
            placements[n.values.first] = {};
            leave_out(t);
        }
    }
    /// last_reader: the last task but n that reads what n assigns to.
    constexpr bool may_write_through(const node& n, std::int32_t last_reader) const {
        const auto port = g.value_of(g.argument_of(n, 0)).storage;
        const auto& source = g.value_of(g.argument_of(n, 1));
        const auto made = source.storage;
        const auto& mine = placements[made.index];
        if (mine.where != region::arena || !(source.type == g[port].type) || !(g[made].type == g[port].type))
            return false;
        if (readings(g[g.last()], made.index) > 0) return false; // an output is the session's
        const auto t = mine.first_task;
        if (last_reader > t) return false;
        const auto& producer = g[tasks[t].node];
        const auto reads = readings(producer, port.index);
        return reads == 0 || (producer.values.first == made.index && reads == overwritable(tasks[t].node, port.index));
    }
    /// How often the node reads the storage through arguments that its result may overwrite. If these are all: x * x,
    /// but not x + x.t(), may write x.
    constexpr std::int32_t overwritable(node_id id, std::int32_t storage) const {
        const auto& n = g[id];
        std::int32_t count = 0;
        for (std::int32_t i = 0; i < n.arguments.count && i < 16; ++i)
            if (const auto& a = g.argument_of(n, i);
                (needs[id.index].may_overwrite >> i & 1) != 0 && a.kind == argument_kind::node)
                count += g.value_of(a).storage.index == storage;
        return count;
    }
    /// What a task of the run computes for a concatenation, it writes into its slice of that; the same value goes to
    /// one slice only. The last concatenation first: what is part of a part goes to where that lies.
    constexpr void join() {
        for (auto t = task_count; remove_cats && t-- > sum.prepare_tasks;)
            if (needs[tasks[t].node.index].joins && placements[g[tasks[t].node].values.first].where == region::arena)
                join_parts(t);
    }
    constexpr void join_parts(std::int32_t t) {
        const auto& n = g[tasks[t].node];
        const value_id whole{n.values.first};
        const auto parts = g.argument_of(n, 0).children;
        auto offset = placements[whole.index].offset;
        const auto elsewhere = sum.parts_in_place;
        bool copies_none = true;
        for (std::int32_t k = 0; k < parts.count; ++k) {
            const auto& v = g.value_of(g[parts[k]]);
            auto& mine = placements[v.storage.index];
            const auto bytes = element_count(v.type) * static_cast<std::int64_t>(bytes_of(v.type.type));
            if (may_be_part(v)) {
                mine.part_of = whole;
                mine.offset = offset;
                mine.bytes = bytes;
                lie_in(owner_of(whole.index), v.storage.index);
                ++sum.parts_in_place;
            } else if (bytes > 0) {
                copies_none = false;
            }
            offset += bytes;
        }
        if (!copies_none || sum.parts_in_place == elsewhere)
            return; // of nothing: it would have no bytes that anybody wrote
        leave_out(t);
        ++sum.cats_removed;
    }
    constexpr void lie_in(std::int32_t owner, std::int32_t part) {
        if (first_part.size() == 0) {
            first_part = fixed_buffer<std::int32_t>(g.header().used.values);
            next_part = fixed_buffer<std::int32_t>(g.header().used.values);
        }
        first_owner[part] = owner + 1;
        next_part[part] = first_part[owner];
        first_part[owner] = part + 1;
    }
    /// The run's own, in no slice yet, and all of its storage in row-major order, be it as a view.
    constexpr bool may_be_part(const value& v) const {
        const auto& mine = placements[v.storage.index];
        const auto& made = g[v.storage].type;
        return mine.where == region::arena && !mine.part_of.exists() && made.layout == memory_layout::strided &&
               made.type == v.type.type && v.type.offset == 0 && is_contiguous(v.type) && element_count(v.type) > 0 &&
               extent_of(made) == element_count(v.type);
    }
    /// Whether task t or a later one reads what lies in a slice of this concatenation, but not through it.
    constexpr bool is_part_read(std::int32_t whole, std::int32_t t) const {
        for (auto part = sum.parts_in_place > 0 ? first_part[whole] : 0; part > 0; part = next_part[part - 1])
            if (placements[part - 1].last_task >= t || uses.is_used_besides(part - 1, t)) return true;
        return false;
    }
    /// Concatenations that have nothing to copy are no tasks, nor are assignments of what was computed in its place.
    constexpr void drop_tasks() {
        if (is_done_elsewhere.size() == 0) return;
        std::int32_t kept = 0;
        for (std::int32_t t = 0; t < task_count; ++t)
            if (!is_done_elsewhere[t]) tasks[kept++] = tasks[t];
        task_count = kept;
        sum.run_tasks = kept - sum.prepare_tasks;
    }
    /// The parts of a concatenation live as long as it does.
    constexpr void keep_parts() {
        for (std::int32_t v = 0; sum.parts_in_place > 0 && v < g.header().used.values; ++v) {
            auto& part = placements[v];
            for (auto in = part.part_of; in.exists(); in = placements[in.index].part_of) {
                auto& whole = placements[in.index];
                if (part.first_task < whole.first_task) whole.first_task = part.first_task;
                if (part.last_task < whole.last_task) part.last_task = whole.last_task;
            }
        }
    }
    constexpr void go_to_streams() {
        if (rules == nullptr || (rules->streams <= 1 && !g.header().has_streams)) return;
        const auto values = static_cast<std::size_t>(g.header().used.values);
        stream_planner spread(g, {tasks + sum.prepare_tasks, static_cast<std::size_t>(sum.run_tasks)},
                              {placements, values}, *rules, most);
        uses = stream_uses(spread.run(sum.prepare_tasks, syncs, sum), sum, g.header().used.values);
    }
    /// The tasks are those of the plan now, in its order: when each storage is used. Of a concatenation that is no
    /// task: until keep_parts.
    constexpr void count_lifetimes_again() {
        const auto values = g.header().used.values;
        if (is_done_elsewhere.size() == 0 && !uses.is_streamed()) return;
        for (std::int32_t v = 0; v < values; ++v) placements[v].first_task = placements[v].last_task = 0;
        for (std::int32_t v = 0; v < values; ++v)
            if (const auto whole = placements[v].part_of; whole.exists())
                placements[whole.index].first_task = task_count;
        for (std::int32_t t = 0; t < task_count; ++t) {
            const auto& n = g[tasks[t].node];
            const bool spread = uses.is_streamed() && t >= sum.prepare_tasks;
            for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
                placements[v].first_task = placements[v].last_task = t;
                if (spread) uses.add(v, t);
            }
            read_all(n, t, false);
            if (spread) for_each_operand(g, n, [&](const argument& a) { uses.add(g.value_of(a).storage.index, t); });
        }
        read_all(g[g.last()], task_count, false);
    }
    /// Whether task t starts after all that used the storage, but for itself.
    constexpr bool is_last_use(std::int32_t storage, std::int32_t t) const {
        return placements[storage].last_task == t && !uses.is_used_besides(storage, t);
    }
    /// A result takes over an operand's bytes if this is their last use. Followed to the first owner, so chains share
    /// one buffer.
    constexpr void share() {
        for (std::int32_t t = 0; t < task_count; ++t) {
            const auto id = tasks[t].node;
            const auto may = needs[id.index].may_overwrite;
            if (may == 0) continue;
            const auto& n = g[id];
            if (n.values.count == 0) continue;
            auto& mine = placements[n.values.first];
            if (mine.where != region::arena || mine.part_of.exists()) continue;
            for (std::int32_t i = 0; i < n.arguments.count && !mine.shares.exists(); ++i) {
                const auto& a = g.argument_of(n, i);
                if (a.kind != argument_kind::node || (may >> i & 1) == 0) continue;
                const auto operand = g.value_of(a).storage;
                const auto& theirs = placements[operand.index];
                if (!is_last_use(operand.index, t) || theirs.where != region::arena || mine.bytes == 0 ||
                    theirs.bytes != mine.bytes || theirs.part_of.exists())
                    continue;
                if (readings(n, operand.index) != overwritable(id, operand.index) || is_part_read(operand.index, t))
                    continue;
                mine.shares = operand;
                first_owner[n.values.first] = owner_of(operand.index) + 1;
            }
        }
    }
    constexpr std::int32_t owner_of(std::int32_t v) const { return first_owner[v] == 0 ? v : first_owner[v] - 1; }

    /// Intervals of one region, in order of time; shared storages lengthen their owner's. Returns the region's bytes.
    constexpr std::int64_t place_region(region where, std::int32_t from, std::int32_t to) {
        const auto values = g.header().used.values;
        const auto room = values + to - from;
        fixed_buffer<interval> intervals(room);
        fixed_buffer<std::int32_t> owner_by_interval(room);       // a value; -1 - t: the workspace of task t
        fixed_buffer<std::int32_t> interval_by_owner(values + 1); // + 1; 0: none
        std::int32_t count = 0;
        std::int64_t most_workspace = 0;
        for (std::int32_t t = from; t < to; ++t) {
            const auto& job = tasks[t];
            const auto& n = g[job.node];
            for (std::int32_t k = 0; k < n.values.count; ++k) {
                const auto& mine = placements[n.values.first + k];
                if (mine.where != where) continue;
                const auto owner = owner_of(n.values.first + k);
                auto& number = interval_by_owner[owner];
                if (number == 0) {
                    owner_by_interval[count] = owner;
                    intervals[count++] = {t, mine.last_task, placements[owner].bytes, 0};
                    number = count;
                }
                auto& last = intervals[number - 1].last;
                if (mine.last_task > last) last = mine.last_task;
            }
            if (job.workspace_bytes > 0) {
                owner_by_interval[count] = -1 - t;
                intervals[count++] = {t, t, job.workspace_bytes, 0};
                if (job.workspace_bytes > most_workspace) most_workspace = job.workspace_bytes;
            }
        }
        const auto used = intervals.all().first(static_cast<std::size_t>(count));
        const bool overlaps = where == region::arena && uses.is_streamed();
        const auto interval_of = [&](std::int32_t v) { return interval_by_owner[owner_of(v)] - 1; };
        const auto bytes =
            overlaps ? uses.place(used, owner_by_interval.data(), placements, interval_of, most) : place(used, most);
        for (std::int32_t i = 0; i < count; ++i) {
            const auto owner = owner_by_interval[i];
            (owner >= 0 ? placements[owner].offset : tasks[-1 - owner].workspace_offset) = intervals[i].offset;
        }
        if (where == region::arena) {
            sum.largest_live_bytes = largest_live_set(used);
            sum.workspace_bytes = most_workspace;
        }
        return bytes;
    }

    /// Constants live for ever: one after the other, in task order, then the parameters copied as they are.
    constexpr void place_constants() {
        for (std::int32_t t = 0; t < sum.prepare_tasks; ++t) {
            const auto& n = g[tasks[t].node];
            for (std::int32_t k = 0; k < n.values.count; ++k) {
                auto& p = placements[n.values.first + k];
                if (p.where != region::constants) continue;
                p.offset = sum.constant_bytes;
                sum.constant_bytes += p.bytes;
            }
        }
        for (std::int32_t i = 0; i < sum.copies; ++i) {
            copies[i].offset = sum.constant_bytes;
            sum.constant_bytes += copies[i].bytes;
        }
    }

    constexpr void run() {
        list_tasks();
        find_lifetimes();
        write_through();
        join();
        drop_tasks();
        go_to_streams();
        count_lifetimes_again();
        share();
        keep_parts();
        sum.scratch_bytes = place_region(region::scratch, 0, sum.prepare_tasks);
        sum.peak_bytes = place_region(region::arena, sum.prepare_tasks, task_count);
        for (std::int32_t v = 0; v < g.header().used.values; ++v)
            if (first_owner[v] != 0) placements[v].offset += placements[first_owner[v] - 1].offset;
        place_constants();
    }
};

} // namespace detail

/// remove_cats: concatenations are not copied where that can be avoided. rules: null for one stream. post: check_plan
/// accepts the result.
template <capacity Capacity, std::size_t Syncs>
constexpr void make_plan(graph_view g, array_view<const bool> constant, array_view<const kernel_needs> needs,
                         plan_storage<Capacity, Syncs>& plan, const target::device& on = target::npu,
                         bool remove_cats = true, const launch_rules* rules = nullptr, effort most = effort::constant) {
    plan.effort = most;
    detail::planner{g,
                    constant.data(),
                    needs.data(),
                    plan.summary,
                    plan.tasks.data(),
                    plan.placements.data(),
                    plan.copies.data(),
                    on,
                    remove_cats,
                    plan.syncs.data(),
                    rules,
                    most}
        .run();
}

} // namespace ahead
