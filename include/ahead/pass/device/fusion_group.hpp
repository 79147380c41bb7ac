// SPDX-License-Identifier: MIT
// Calls of a device graph that are to be fused into one: the last of them, and earlier calls whose readers all have
// joined or come later. A member with later readers is a further result. Called by fuse_reductions.hpp and
// fuse_multi_output.hpp, which decide which calls may join and what they read.
// Invariant: members are listed readers before operands; each value that members read and no member computes is listed
// once for each way it is read in. The walk goes from the last call to the first and marks the calls that come later.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/pass/device/pointwise_program.hpp>

namespace AHEAD_NAMESPACE::pass::detail {

/// A value that members read; wide: one element for each element of a row, else one per row.
struct reading {
    pointwise_operand value;
    bool wide = false;
};

class fusion_group {
public:
    std::int32_t members = 0, reads = 0;
    node_id member[device::max_fused_steps]{};
    reading read[2 * device::max_fused_operands]{};

    constexpr explicit fusion_group(graph_view g)
        : g_(g), nodes_(g.node_pool()), arguments_(g.argument_pool()), streams_(g), is_behind_(g.header().used.nodes) {}

    /// keeps: calls with later readers may join too.
    constexpr void begin(bool keeps = true) {
        members = reads = steps_ = numbers_ = kept_ = 0;
        keeps_ = keeps;
    }
    /// Whether members other than the last one are results.
    constexpr bool has_kept() const { return kept_ > 0; }
    /// Moves the walk to the call before this one.
    constexpr void pass_by(node_id id) { is_behind_.data()[id.index] = true; }
    /// Whether the call's readers, position and constness let it join.
    constexpr bool may_join(node_id id) const {
        const auto& n = nodes_[id.index];
        return n.constant == nodes_[member[0].index].constant && streams_.together(id, member[0]) &&
               are_readers_here(n) &&
               (!is_kept(id) || (keeps_ && kept_ + 1 < device::max_fused_results && is_in_room(id)));
    }
    /// Whether it has readers that are not members.
    constexpr bool is_kept(node_id id) const {
        for (auto use = nodes_[id.index].first_use.index; use >= 0; use = arguments_[use].next_use.index)
            if (!is_member(arguments_[use].owner)) return true;
        return false;
    }
    /// Whether each reader comes after the last member or is a member.
    constexpr bool are_readers_here(const node& n) const {
        const bool* behind = is_behind_.data();
        for (auto use = n.first_use.index; use >= 0; use = arguments_[use].next_use.index)
            if (const auto owner = arguments_[use].owner; !behind[owner.index] && !is_member(owner)) return false;
        return true;
    }
    /// Makes the call a member with this program, unless the group would become too large. find_reading(operand, wide)
    /// returns the operand's index in `read`, or the length of `read`; -1: the group cannot read it.
    constexpr bool take(node_id id, const pointwise_program& own, auto find_reading) {
        if (steps_ + own.steps > device::max_fused_steps ||
            numbers_ + own.constants > device::fused_step_code::max_constants)
            return false;
        const auto before = reads;
        std::int32_t others = 0;
        for (std::int32_t i = 0; i < own.operands; ++i) {
            bool wide = false;
            const auto k = find_reading(own.operand[i], wide);
            if (k == reads) read[reads++] = {own.operand[i], wide};
            if (k >= 0) continue;
            reads = before;
            return false;
        }
        for (std::int32_t k = 0; k < reads; ++k) others += read[k].value.node != id.index;
        if (others > device::max_fused_operands) {
            reads = before;
            return false;
        }
        others = 0;
        for (std::int32_t k = 0; k < reads; ++k)
            if (read[k].value.node != id.index) read[others++] = read[k];
        reads = others;
        if (members > 0) kept_ += is_kept(id);
        member[members++] = id;
        steps_ += own.steps;
        numbers_ += own.constants;
        return true;
    }
    constexpr std::int32_t find(const pointwise_operand& value, bool wide) const {
        std::int32_t k = 0;
        while (k < reads &&
               (read[k].value.node != value.node || read[k].value.result != value.result || read[k].wide != wide))
            ++k;
        return k;
    }

    /// Turns the last member into a call of op and erases the others. program_of(m) is the program of member m, with
    /// operands in `read` or computed by a member; steps_begin(m, s) receives the member's first step.
    constexpr void become(graph_editor& g, op_id op, std::int32_t first, auto program_of, auto find_reading,
                          auto steps_begin) {
        using code = device::fused_step_code;
        const auto root = member[0];
        auto calls = g.rewriter();
        pointwise_program all;
        std::int32_t step_of[device::max_fused_steps]{}; // by member: the step of its result
        std::int64_t results = 0;
        for (auto m = members; m-- > 0;) {
            const auto own = program_of(member[m]);
            std::int32_t what[device::max_fused_operands]{};
            for (std::int32_t i = 0; i < own.operands; ++i) {
                auto operand = m + 1;
                while (operand < members && member[operand].index != own.operand[i].node) ++operand;
                what[i] = operand < members ? code::first_step + step_of[operand]
                                            : code::first_operand + find_reading(member[m], own.operand[i]);
            }
            steps_begin(member[m], all.steps);
            all.append(own, what);
            step_of[m] = all.steps - 1;
            if (m > 0 && is_kept(member[m])) results |= std::int64_t{1} << step_of[m];
        }
        calls.become(root, op, first + reads + 1 + (results != 0));
        for (std::int32_t k = 0; k < reads; ++k)
            calls.set_operand(root, first + k, read[k].value.node, read[k].value.result);
        all.write(calls, root, first + reads, "program");
        if (results != 0) {
            calls.set_integer(root, first + reads + 1, results, "results");
            calls.add_results(root, kept_);
        }
        for (std::int32_t m = 1; m < members && calls.ok(); ++m) {
            if ((results >> step_of[m] & 1) != 0)
                calls.replace_by_result(member[m], root, device::result_of_step(results, all.steps, step_of[m]));
            g.erase_node(member[m]);
        }
    }

private:
    // Pointers, because constant evaluation is charged per call.
    graph_view g_;
    const node* nodes_;
    const argument* arguments_;
    air::stream_map streams_;
    fixed_buffer<bool> is_behind_; // by node
    std::int32_t steps_ = 0, numbers_ = 0, kept_ = 0;
    bool keeps_ = true;

    /// Whether fusing the call needs no more memory than before. The operands of a member live until the last member
    /// computes, at the same time as all results, unless a result is written in place over an operand. Operands that
    /// are small compared to the result, such as a number for each row, are not counted.
    constexpr bool is_in_room(node_id id) const {
        const auto& n = nodes_[id.index];
        const auto &mine = type_of(n), &last = type_of(nodes_[member[0].index]);
        std::int64_t dying = 0;                   // bytes freed after the call
        std::int32_t places = 0, others = -kept_; // in-place candidates: of these, for the call; of members' operands
        for (std::int32_t i = 0; i < n.arguments.count; ++i) {
            const auto& a = arguments_[n.arguments.first + i];
            if (a.kind != argument_kind::node) continue;
            const auto& operand = g_.value_of(a);
            if (16 * bytes_of_tensor(operand.type) <= bytes_of_tensor(mine) || is_read(operand.storage) ||
                !dies(a.node()))
                continue;
            dying += bytes_of_tensor(operand.type);
            places += operand.type == mine;
        }
        for (std::int32_t k = 0; k < reads; ++k)
            others += read[k].value.node != id.index && dies({read[k].value.node}) &&
                      g_.value_of({read[k].value.node}, read[k].value.result).type == last;
        const auto bytes = bytes_of_tensor(mine), beside = bytes_of_tensor(last);
        const auto at_it = dying + (places > 0 ? 0 : bytes), at_last = bytes + (others > 0 ? 0 : beside);
        const auto needed =
            dying + (places > 0 ? 0 : bytes) + (others > 0 || (places > 1 && mine == last) ? 0 : beside);
        return needed <= (at_it > at_last ? at_it : at_last) && (dying <= bytes || is_next(id));
    }
    constexpr const tensor_type& type_of(const node& n) const { return g_[value_id{n.values.first}].type; }
    static constexpr std::int64_t bytes_of_tensor(const tensor_type& t) {
        return element_count(t) * static_cast<std::int64_t>(bytes_of(t.type));
    }
    constexpr bool is_read(value_id storage) const {
        std::int32_t k = 0;
        while (k < reads && g_.value_of({read[k].value.node}, read[k].value.result).storage != storage) ++k;
        return k < reads;
    }
    constexpr bool is_view(const node& n) const {
        return n.kind == node_kind::call && n.values.count == 1 &&
               g_[value_id{n.values.first}].storage.index != n.values.first;
    }
    /// Whether the run computes it, and no call after the last member reads it or the tensor that it is a view of.
    constexpr bool dies(node_id id) const {
        while (is_view(nodes_[id.index])) id = arguments_[nodes_[id.index].arguments.first].node();
        return nodes_[id.index].kind == node_kind::call && !nodes_[id.index].constant && !is_read_behind(id);
    }
    constexpr bool is_read_behind(node_id id) const {
        for (auto use = nodes_[id.index].first_use.index; use >= 0; use = arguments_[use].next_use.index)
            if (const auto owner = arguments_[use].owner;
                is_behind_.data()[owner.index] || (is_view(nodes_[owner.index]) && is_read_behind(owner)))
                return true;
        return false;
    }
    /// Whether no other task of the run comes between the call and the last member.
    constexpr bool is_next(node_id id) const {
        do id = nodes_[id.index].next;
        while (id != member[0] && (is_member(id) || is_view(nodes_[id.index]) || nodes_[id.index].constant));
        return id == member[0];
    }
    constexpr bool is_member(node_id id) const {
        std::int32_t m = 0;
        while (m < members && member[m].index != id.index) ++m;
        return m < members;
    }
};

} // namespace ahead::pass::detail
