// SPDX-License-Identifier: MIT
// The third verifier plays the tasks in order and records, for every byte range in use, its holder: what a task reads
// was written and is not overwritten yet, and what it overwrites has no reader left.
// Called by plan/check.hpp, when every value has its place. Loops over plain arrays, because calls dominate the cost of
// constant evaluation.
#pragma once
#include <ahead/plan/arena/held_ranges.hpp>
#include <ahead/plan/verify/listed_reads.hpp>

namespace AHEAD_NAMESPACE::detail {

/// The state of one storage while the tasks are played.
struct storage_state {
    std::int32_t readers = 0;  // reads still to come
    std::int32_t read_at = -1; // the last task that read it
    bool written = false;
    bool is_tenant = false;
};

class byte_verifier {
public:
    constexpr explicit byte_verifier(verifier_state& trial)
        : t_(trial), g_(trial.g), sum_(trial.plan.summary), placements_(trial.places), needs_(trial.needs.data()),
          listed_(trial), storage_room_(trial.values), live_(count_written() + 1), holder_(count_ports()),
          placeholder_(count_ports()), reads_(listed_.reads()), end_of_reads_(listed_.end_of_reads()),
          storages_(storage_room_.data()) {}

    constexpr bool run() {
        const auto* joined = t_.joined.data();
        for (auto id = g_.first(); id.index >= 0; id = t_.nodes[id.index].next) {
            const auto& n = t_.nodes[id.index];
            if (n.kind == node_kind::output || n.values.count == 0) continue;
            const auto& p = placements_[n.values.first];
            if (n.kind != node_kind::call && p.where != region::parameter) placeholder_[port_of(p)] = n.values.first;
            if (n.kind == node_kind::call && joined[n.values.first] != 0 && arena_end_ < p.offset + p.bytes)
                arena_end_ = p.offset + p.bytes;
        }
        for (std::int32_t i = 0; i < end_of_reads_[t_.total]; ++i) ++storages_[reads_[i].storage].readers;
        for (std::int32_t t = 0; t < t_.total; ++t) {
            if (t == sum_.prepare_tasks) live_.clear();
            if (!play(t)) return false;
        }
        for (auto i = end_of_reads_[t_.total - 1]; i < end_of_reads_[t_.total]; ++i)
            if (const auto v = reads_[i].storage; placements_[v].where != region::arena || !storages_[v].is_tenant)
                return broken(g_.last(), "outputs that are still there at the end",
                              short_text("output ") << reads_[i].argument);
        return inputs_hold_their_new_values() && copies_are_read();
    }
    /// The end of the bytes that the tasks wrote in the arena, and in the scratch.
    constexpr std::int64_t arena_end() const { return arena_end_; }
    constexpr std::int64_t scratch_end() const { return scratch_end_; }

private:
    verifier_state& t_;
    graph_view g_;
    const plan_summary& sum_;
    const placement* placements_;
    const device::kernel_needs* needs_;
    listed_reads listed_;
    fixed_buffer<storage_state> storage_room_;
    held_ranges live_; // of the scratch, then of the arena: held by a value, or by -1 - t, the workspace of task t
    fixed_buffer<std::int32_t>
        holder_; // by port: the value in the caller's or the session's memory, + 1; 0: the initial one
    fixed_buffer<std::int32_t> placeholder_; // by port: its placeholder's value
    const reading* reads_;                   // of all tasks in order, then of the output
    const std::int32_t* end_of_reads_;       // by task; there is a 0 before the first
    storage_state* storages_;
    std::int64_t arena_end_ = 0, scratch_end_ = 0;
    std::int32_t effect_ = -1; // the last task without results, by its number in the graph

    constexpr std::int64_t count_written() const {
        std::int64_t count = t_.total + 2 * t_.parts;
        for (std::int32_t t = 0; t < t_.total; ++t) count += t_.nodes[t_.tasks[t].node.index].values.count;
        return count;
    }
    constexpr bool broken(node_id n, std::string_view expected, const short_text& found) const {
        return t_.broken(n, expected, found);
    }

    /// Whether the kernel lets its result v take the place of this argument (v is the first result, or any of the
    /// argument's type if each_may_overwrite), and the first elements of both are at the same byte.
    constexpr bool is_taken_over(node_id id, std::int32_t argument, std::int32_t v) const {
        const auto& n = g_[id];
        const auto& asked = needs_[id.index];
        if (argument >= 16 || (asked.may_overwrite >> argument & 1) == 0) return false;
        const auto& a = g_.argument_of(n, argument);
        if (a.kind != argument_kind::node) return false;
        const auto& operand = g_.value_of(a);
        if (asked.each_may_overwrite ? !(t_.types[v].type == operand.type) : v != n.values.first) return false;
        const auto &theirs = placements_[operand.storage.index], &mine = placements_[v];
        const auto skipped = [](const tensor_type& type) { return bytes_of(type.type, type.offset); };
        return theirs.where == mine.where && theirs.port == mine.port &&
               theirs.offset + skipped(operand.type) == mine.offset + skipped(g_[value_id{v}].type);
    }
    /// Whether task t reads the storage only through such arguments.
    constexpr bool takes_over(std::int32_t t, std::int32_t storage, std::int32_t v) const {
        for (auto i = end_of_reads_[t - 1]; i < end_of_reads_[t]; ++i)
            if (reads_[i].storage == storage && !is_taken_over(t_.tasks[t].node, reads_[i].argument, v)) return false;
        return true;
    }
    /// Whether the plan says that v shares the storage of one of these arguments, or of none if it is not in place.
    constexpr bool says_what_it_shares(node_id id, std::int32_t v, bool in_place) const {
        const auto shares = placements_[v].shares;
        const auto& n = g_[id];
        if (!in_place)
            return shares.index < 0 ||
                   broken(id, "memory that it has not from an operand", short_text() << shares.index);
        for (std::int32_t i = 0; i < n.arguments.count && shares.exists(); ++i)
            if (is_taken_over(id, i, v) && g_.value_of(g_.argument_of(n, i)).storage == shares) return true;
        return broken(id, "the operand whose place it takes", short_text() << shares.index);
    }

    /// Whether bytes of scratch or arena are inside the region, and aligned except for parts.
    constexpr bool is_inside(std::int32_t t, std::int64_t offset, std::int64_t bytes, bool is_part) {
        const bool preparing = t < sum_.prepare_tasks;
        const auto limit = preparing ? sum_.scratch_bytes : sum_.peak_bytes;
        if (is_part ? !t_.lies_in(offset, bytes, limit) : !t_.is_inside(offset, bytes, limit))
            return broken(t_.tasks[t].node, "an aligned offset inside its region", short_text() << offset);
        if (auto& most = preparing ? scratch_end_ : arena_end_; most < offset + bytes) most = offset + bytes;
        return true;
    }
    /// Task t writes its result v in scratch or arena; of a concatenation, the bytes that are not there already.
    constexpr bool write_result(std::int32_t t, std::int32_t v) {
        const auto id = t_.tasks[t].node;
        const auto& p = placements_[v];
        bool ok = is_inside(t, p.offset, p.bytes, t_.in_slice.data()[v]), in_place = false;
        if (const auto whole = t_.woven_into.data()[v] - 1; ok && whole >= 0) { // its gaps count as its bytes
            const auto begin = placements_[whole].offset;
            if (!write(t, begin, begin + t_.needed(whole), v, in_place)) return false;
            storages_[v].is_tenant = true;
            return says_what_it_shares(id, v, in_place);
        }
        auto from = p.offset;
        if (ok && t_.concat_of.data()[v] != 0)
            t_.each_part(g_[id], [&](std::int32_t, std::int64_t begin, std::int64_t bytes) {
                ok = ok && write(t, from, p.offset + begin, v, in_place);
                from = p.offset + begin + bytes;
            });
        if (!ok || !write(t, from, p.offset + p.bytes, v, in_place)) return false;
        storages_[v].is_tenant = true;
        return says_what_it_shares(id, v, in_place);
    }
    /// Task t writes bytes of scratch or arena (owner: the value, or -1 - t for its workspace). No task still reads
    /// what was there, except this one, in place. Woven parts share the range with all other parts of their whole.
    constexpr bool write(std::int32_t t, std::int64_t offset, std::int64_t end, std::int32_t owner, bool& in_place) {
        if (offset >= end) return true;
        const auto id = t_.tasks[t].node;
        const auto from = live_.first_behind(0, offset);
        auto to = from;
        for (; live_.meets(to, 0, end); ++to) {
            const auto held = live_[to].holder;
            const auto& mine = t_.nodes[id.index].values;
            if (held < 0) {
                if (held == -1 - t) return broken(id, "a workspace apart from the result", short_text() << offset);
                continue;
            }
            const auto whole = t_.woven_into.data()[held];
            if (whole != 0 && owner >= 0 && whole == t_.woven_into.data()[owner]) continue; // between its rows
            if (mine.first <= held && held < mine.first + mine.count)
                return broken(id, "results apart from each other", short_text() << offset);
            bool ok = true;
            const auto displace = [&](std::int32_t v) {
                auto& other = storages_[v];
                const bool reads_it = other.read_at == t;
                ok = ok && other.readers <= 0 && (!reads_it || (owner >= 0 && takes_over(t, v, owner)));
                in_place = in_place || reads_it;
                other.is_tenant = false;
            };
            if (whole == 0) displace(held);
            else
                t_.each_part(g_[node_id{t_.joined[whole - 1] - 1}],
                             [&](std::int32_t part, std::int64_t, std::int64_t) { displace(part); });
            if (!ok) return broken(id, "bytes that nobody reads any more", short_text() << "offset " << offset);
        }
        const held_range mine{0, owner, offset, end};
        live_.replace(from, to, &mine, 1);
        return true;
    }

    /// Ports: the inputs, then the parameters, some of which are states.
    constexpr std::int64_t count_ports() const { return t_.inputs + (t_.states > 0 ? t_.parameters : 0); }
    /// The port of a value of an input or a state; -1: none.
    constexpr std::int32_t port_of(const placement& p) const {
        if (p.where == region::input) return p.port >= 0 && p.port < t_.inputs ? p.port : -1;
        return p.where == region::state && t_.states > 0 && p.port >= 0 && p.port < t_.parameters ? t_.inputs + p.port
                                                                                                  : -1;
    }
    /// Whether the caller's or the session's memory holds this value, a placeholder or one that was written over it.
    constexpr bool is_in_port(std::int32_t v) const {
        const auto port = port_of(placements_[v]);
        if (port < 0) return false;
        const auto holder = holder_[port];
        return holder == 0 ? placeholder_[port] == v : holder == v + 1;
    }
    /// Value v is written into an input or a state: no task reads the old value any more, except perhaps this one, in
    /// place.
    constexpr bool write_port(std::int32_t t, std::int32_t v) {
        const auto n = t_.tasks[t].node;
        const auto storage = g_[value_id{v}].storage.index;
        const auto& p = placements_[v];
        const auto port = port_of(p);
        const auto original = port < 0 ? 0 : placeholder_[port];
        if (t < sum_.prepare_tasks || port < 0 || placements_[original].where != p.where ||
            t_.assigned_by[original] == 0)
            return broken(n, "an input of the run to write into", short_text() << p.port);
        const auto old = holder_[port] == 0 ? original : holder_[port] - 1;
        if (!(g_[value_id{v}].type == g_[value_id{original}].type))
            return broken(n, "a value of the input's type", print(g_[value_id{v}].type, true));
        if (p.offset != placements_[original].offset)
            return broken(n, p.where == region::state ? "the place of the state" : "the first byte of the input",
                          short_text() << p.offset);
        const node_id assign{t_.assigned_by[original] - 1};
        const bool assigns = storage != v; // its storage is the port that it writes to
        if (assigns ? storage != original || n != assign
                    : t_.task_of[assign.index] != 0 || g_.value_of(g_.argument_of(g_[assign], 1)).storage.index != v)
            return broken(n, "npu.assign to the input", print(g_[n].name));
        bool reads_it = false, is_read_besides = false;
        for (auto i = end_of_reads_[t - 1]; i < end_of_reads_[t]; ++i) {
            if (reads_[i].storage != old) continue;
            reads_it = true;
            is_read_besides =
                is_read_besides || (assigns ? reads_[i].argument != 0 : !is_taken_over(n, reads_[i].argument, v));
        }
        if (storages_[old].readers > 0 || is_read_besides)
            return broken(n, "an input whose old value nobody reads any more", short_text("input ") << port);
        holder_[port] = v + 1;
        storages_[v].written = true;
        return assigns || says_what_it_shares(n, v, reads_it);
    }
    /// Whether every npu.assign was done, by its task or by the one that computed its value.
    constexpr bool inputs_hold_their_new_values() {
        if (t_.assigns == 0) return true;
        for (node_id id : g_) {
            const auto& n = g_[id];
            if (!device::is_assign(n)) continue;
            const auto port = port_of(placements_[g_.value_of(g_.argument_of(n, 0)).storage.index]);
            const auto& source = g_.value_of(g_.argument_of(n, 1));
            const auto holder = port < 0 ? -1 : holder_[port] - 1;
            const bool computed_there =
                t_.task_of[id.index] == 0 && holder == source.storage.index && source.type == g_[source.storage].type;
            if (holder != n.values.first && !computed_there)
                return broken(id, "an input that holds its new value", short_text("input ") << port);
        }
        return true;
    }
    /// Whether a run reads each parameter that has a copy among the constants.
    constexpr bool copies_are_read() {
        for (std::int32_t i = 0; i < sum_.copies; ++i)
            if (const auto v = t_.plan.copies.data()[i].parameter.index;
                placements_[v].where == region::parameter && storages_[v].read_at < sum_.prepare_tasks)
                return broken(node_of(g_, {v}), "a copy that a run reads", short_text("copy ") << i);
        return true;
    }

    /// Whether the storage that task t reads was written and is not overwritten yet.
    constexpr bool is_there(std::int32_t t, std::int32_t storage) const {
        const bool preparing = t < sum_.prepare_tasks;
        switch (placements_[storage].where) {
        case region::input:
        case region::state: return !preparing && is_in_port(storage);
        case region::parameter: return preparing || placements_[storage].copy >= 0;
        case region::constants: return storages_[storage].written;
        case region::scratch: return preparing && storages_[storage].is_tenant;
        case region::arena: return !preparing && storages_[storage].is_tenant;
        default: return false;
        }
    }
    constexpr bool play(std::int32_t t) {
        const auto& job = t_.tasks[t];
        const auto& n = t_.nodes[job.node.index];
        const bool preparing = t < sum_.prepare_tasks;
        for (auto i = end_of_reads_[t - 1]; i < end_of_reads_[t]; ++i) {
            const auto storage = reads_[i].storage;
            if (!is_there(t, storage))
                return broken(job.node, "operands that are written and not yet overwritten",
                              short_text("operand ") << reads_[i].argument);
            auto& state = storages_[storage];
            --state.readers;
            state.read_at = t;
        }
        if (n.values.count == 0) {
            if (preparing) return broken(job.node, "a run for what has an effect", "prepare");
            if (t_.number_of[job.node.index] < effect_)
                return broken(job.node, "effects in the order of the graph", short_text("as task ") << t);
            effect_ = t_.number_of[job.node.index];
        }
        auto workspace = needs_[job.node.index].workspace;
        if (workspace != 0) workspace = t_.aligned(workspace);
        if (job.workspace_bytes != workspace || (workspace == 0 && job.workspace_offset != 0))
            return broken(job.node, "the workspace that its kernel needs",
                          short_text() << job.workspace_bytes << " of " << workspace << " bytes");
        bool nothing = false; // a workspace takes over nothing in place
        if (workspace > 0 && (!is_inside(t, job.workspace_offset, workspace, false) ||
                              !write(t, job.workspace_offset, job.workspace_offset + workspace, -1 - t, nothing)))
            return false;
        for (auto v = n.values.first; v < n.values.first + n.values.count; ++v) {
            const auto& p = placements_[v];
            const bool own = t_.types[v].storage.index == v;
            if (p.where == region::input || p.where == region::state || !own) {
                if (!write_port(t, v)) return false;
                continue;
            }
            storages_[v].written = true;
            if (preparing && p.where == region::constants) { // it never shares bytes
                if (p.shares.index >= 0) return broken(job.node, "a constant in its own memory", "another's");
            } else if (p.where != (preparing ? region::scratch : region::arena)) {
                return broken(job.node, preparing ? "a place in constants or scratch" : "a place in the arena",
                              short_text() << static_cast<int>(p.where));
            } else if (!write_result(t, v)) return false;
        }
        return true;
    }
};

} // namespace ahead::detail
