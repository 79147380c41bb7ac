// SPDX-License-Identifier: MIT
// Fuses pointwise calls into one task: a call whose readers are all steps of one loop becomes a step of it, too. t *
// sigmoid(t) computes a shared t once; chains, trees and diamonds pass over memory once. A comparison whose only reader
// is one step, such as a where, becomes a step together with it; its result there is a number, 1 or 0.
// Law: the steps compute what the calls would, in the same dtype. Constant and non-constant calls never share a loop,
// so that prepare keeps its work; nor do calls on different streams, or with a record or wait between them. A loop has
// at most max_fused_steps steps and max_fused_operands operands; calls that exceed this become a loop of their own
// before it. Nothing is computed twice, and no task is added, so no device is slower for it.
// Source: the fusion of XLA and of torch.compile's Inductor, which have the same condition on readers.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/device/pointwise_program.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

/// The calls of each loop. From the last call to the first: a call that did not join its readers begins a loop, and
/// takes the calls that only its steps read, first operands first.
class pointwise_groups {
public:
    constexpr pointwise_groups(graph_view g, op_table ops)
        : nodes_(g.nodes().data()), arguments_(g.arguments().data()), values_(g.values().data()), g_(g),
          rows_(ops.data()), streams_(g), group_of_(g.header().used.nodes), groups_(g.header().live_nodes + 1) {
        const std::int32_t* group_of = group_of_.data();
        for (auto at = g.last().index; at >= 0; at = nodes_[at].previous.index)
            if (group_of[at] == 0 && may_join(nodes_[at])) begin(at);
    }
    /// Calls f(members, count) for each loop of several calls: operands before their readers, in depth-first order from
    /// the last member, whose result is the loop's.
    constexpr void for_each(auto f) {
        for (auto k = count_; k > 0; --k) { // in program order of the roots
            const auto& made = groups_.data()[k];
            if (made.steps == 1) continue;
            std::int32_t members[device::max_fused_steps]{};
            std::int32_t count = 0;
            collect(made.root, k, members, count);
            f(static_cast<const std::int32_t*>(members), count);
        }
    }

private:
    struct group {
        std::int32_t root = 0, steps = 0, numbers = 0, reads = 0;
        std::int32_t read[device::max_fused_operands + device::max_pointwise_parameters]{}; // values
    };
    // Pointers, because constant evaluation is charged per call.
    const node* nodes_;
    const argument* arguments_;
    const value* values_;
    graph_view g_;
    const op_row* rows_;
    air::stream_map streams_;
    fixed_buffer<std::int32_t> group_of_; // by node; 0: none, or collected
    fixed_buffer<group> groups_;          // from 1 on
    std::int32_t count_ = 0;

    /// Begins a loop with the call's result, and adds all calls that can join.
    constexpr void begin(std::int32_t id) {
        auto& made = groups_.data()[++count_];
        made.root = id;
        count(nodes_[id], made.steps, made.numbers);
        read_operands(made, nodes_[id]);
        group_of_.data()[id] = count_;
        take_operands(made, nodes_[id]);
    }
    constexpr bool is_mask(const argument& a) const {
        return a.kind == argument_kind::node && g_.value_of(a).type.type == dtype::b8;
    }
    /// Whether n can be a step, possibly with comparisons of its dtype that only it reads.
    constexpr bool may_join(const node& n) const {
        if (n.values.count != 1) return false;
        const auto& made = values_[n.values.first].type;
        return is_elementwise_device_call_in(made.type, g_, rows_, n, [&](const argument& a) {
            const auto& mask = nodes_[a.bits];
            if (mask.use_count != 1 || mask.values.count != 1 || mask.constant != n.constant || !is_mask(a) ||
                !streams_.together(a.node(), a.owner))
                return false;
            auto like_made = values_[mask.values.first].type;
            like_made.type = made.type;
            return like_made == made &&
                   is_elementwise_device_call_in(made.type, g_, rows_, mask, [](const argument&) { return false; });
        });
    }
    /// Adds the number of steps and constants of a step, including its masks.
    constexpr void count(const node& n, std::int32_t& steps, std::int32_t& numbers) const {
        ++steps;
        numbers += numbers_of(arguments_, n);
        for (auto i = n.arguments.first; i < n.arguments.first + n.arguments.count; ++i)
            if (is_mask(arguments_[i])) count(nodes_[arguments_[i].bits], steps, numbers);
    }
    constexpr void take_operands(group& made, const node& n) {
        std::int32_t* group_of = group_of_.data();
        for (auto i = n.arguments.first; i < n.arguments.first + n.arguments.count; ++i) {
            const auto& a = arguments_[i];
            if (a.kind != argument_kind::node || group_of[a.bits] != 0) continue;
            const auto& operand = nodes_[a.bits];
            if (is_mask(a)) { // it joined together with n
                group_of[a.bits] = count_;
                take_operands(made, operand);
                continue;
            }
            bool is_alone = true; // only steps of this loop read it
            for (auto use = operand.first_use.index; is_alone && use >= 0; use = arguments_[use].next_use.index)
                is_alone = group_of[arguments_[use].owner.index] == count_;
            if (!is_alone || !may_join(operand) || !joins(made, a.node(), operand)) continue;
            group_of[a.bits] = count_;
            take_operands(made, operand);
        }
    }
    constexpr void collect(std::int32_t id, std::int32_t mine, std::int32_t* members, std::int32_t& count) {
        std::int32_t* group_of = group_of_.data();
        group_of[id] = 0;
        const auto& n = nodes_[id];
        for (auto i = n.arguments.first; i < n.arguments.first + n.arguments.count; ++i)
            if (const auto& a = arguments_[i]; a.kind == argument_kind::node && group_of[a.bits] == mine)
                collect(static_cast<std::int32_t>(a.bits), mine, members, count);
        members[count++] = id;
    }
    /// Makes the call a step, unless the loop would be too large.
    constexpr bool joins(group& made, node_id id, const node& n) {
        const auto& root = nodes_[made.root];
        if (n.constant != root.constant || !streams_.together(id, {made.root}) ||
            !(values_[n.values.first].type == values_[root.values.first].type))
            return false;
        auto steps = made.steps, numbers = made.numbers;
        count(n, steps, numbers);
        if (steps > device::max_fused_steps || numbers > device::fused_step_code::max_constants) return false;
        const auto before = made.reads;
        read_operands(made, n);
        if (made.reads - 1 > device::max_fused_operands) {
            made.reads = before;
            return false;
        }
        std::int32_t k = 0;
        while (made.read[k] != n.values.first) ++k;
        made.read[k] = made.read[--made.reads];
        made.steps = steps;
        made.numbers = numbers;
        return true;
    }
    constexpr void read_operands(group& made, const node& n) const {
        for (auto i = n.arguments.first; i < n.arguments.first + n.arguments.count; ++i) {
            const auto& a = arguments_[i];
            if (a.kind != argument_kind::node) continue;
            if (is_mask(a)) {
                read_operands(made, nodes_[a.bits]);
                continue;
            }
            const auto value = nodes_[a.bits].values.first + a.result;
            std::int32_t k = 0;
            while (k < made.reads && made.read[k] != value) ++k;
            if (k == made.reads) made.read[made.reads++] = value;
        }
    }
};

} // namespace detail

struct fuse_pointwise_pass {
    static constexpr std::string_view name = "fuse_pointwise";
    static constexpr toggle config::* option = &config::fuse_pointwise;

    constexpr void operator()(graph_editor& g, const config&) const {
        const auto fused = find_op(g.operators(), "npu.fused");
        const auto view = g.view();
        auto calls = g.rewriter();
        const auto ops = g.operators();
        detail::pointwise_groups groups(view, ops);
        fixed_buffer<std::int8_t> steps(view.header().used.nodes); // by node: its step + 1; 0: none, or of another loop
        std::int8_t* step_of = steps.data();
        groups.for_each([&](const std::int32_t* members, std::int32_t count) {
            const node_id root{members[count - 1]};
            pointwise_program made;
            for (std::int32_t k = 0; k < count; ++k) {
                made.add(view, ops, {members[k]}, [step_of](std::int32_t operand) { return step_of[operand] - 1; });
                step_of[members[k]] = static_cast<std::int8_t>(made.steps);
            }
            calls.become(root, fused, made.operands + 1);
            for (std::int32_t k = 0; k < made.operands; ++k)
                calls.set_operand(root, k, made.operand[k].node, made.operand[k].result);
            made.write(calls, root, made.operands, "program");
            for (auto k = count - 1; k-- > 0;) g.erase_node({members[k]});
            step_of[root.index] = 0; // later loops read it as an operand
        });
    }
};
inline constexpr fuse_pointwise_pass fuse_pointwise;

} // namespace ahead::pass
