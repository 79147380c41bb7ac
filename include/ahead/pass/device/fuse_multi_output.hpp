// SPDX-License-Identifier: MIT
// Loops and pointwise calls that hand a value on as one loop with several results: what the next loop reads, and others
// behind it as well, is computed there and kept besides. t = sigmoid(x), returned with t * z, passes over memory once.
// Law: the steps compute what the calls would, in the same dtype, and none twice. What joins has the type of the loop's
// result, is as constant, and on its stream in its segment; nobody reads it before the loop. So no task is added, and
// no value is read from memory that was read before. It runs behind fuse_epilogue and fuse_reductions, which do better.
#pragma once
#include <ahead/device/fused.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/device/fusion_group.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

class loop_joiner {
public:
    constexpr explicit loop_joiner(graph_editor& g)
        : g_(g), view_(g.view()), nodes_(view_.node_pool()), fused_(find_op(g.operators(), device::fused::name)),
          joined_(view_) {}

    /// From the last call to the first, since what gives the last result decides who may join.
    constexpr void run() {
        for (auto at = view_.last(); at.exists() && g_.ok(); at = nodes_[at.index].previous) {
            if (may_begin(at) && begin(at)) write();
            joined_.pass_by(at);
        }
    }

private:
    graph_editor& g_;
    graph_view view_;
    const node* nodes_;
    op_id fused_;
    fusion_group joined_;

    constexpr bool is_loop(node_id id) const {
        const auto& n = nodes_[id.index];
        return n.op.index >= 0 && n.values.count == 1 &&
               (n.op.index == fused_.index || is_elementwise_device_call(view_, g_.operators().data(), n));
    }
    /// Whether it reads a loop that others read, too.
    constexpr bool may_begin(node_id id) const {
        const auto& n = nodes_[id.index];
        const argument* arguments = view_.argument_pool();
        bool reads_shared = false;
        for (auto i = n.arguments.first; i < n.arguments.first + n.arguments.count; ++i)
            reads_shared = reads_shared || (arguments[i].kind == argument_kind::node &&
                                            nodes_[arguments[i].bits].use_count > 1 && is_loop(arguments[i].node()));
        return reads_shared && is_loop(id);
    }
    constexpr pointwise_program program_of(node_id id) const {
        pointwise_program out;
        out.read_call(view_, g_.operators(), id, fused_);
        return out;
    }
    constexpr bool take(node_id id) {
        return joined_.take(id, program_of(id),
                            [this](const pointwise_operand& value, bool&) { return joined_.find(value, false); });
    }
    /// A loop that gives the call's result, with all that it can take; false where there is nothing.
    constexpr bool begin(node_id root) {
        joined_.begin();
        if (!take(root)) return false;
        for (std::int32_t k = 0; k < joined_.reads; ++k) {
            const node_id operand{joined_.read[k].value.node};
            if (is_loop(operand) && g_.type_of(operand) == g_.type_of(root) && joined_.may_join(operand) &&
                take(operand))
                k = -1; // what was read before it may be read by members alone by now
        }
        return joined_.members > 1;
    }
    constexpr void write() {
        joined_.become(
            g_, fused_, 0, [this](node_id id) { return program_of(id); },
            [this](node_id, const pointwise_operand& value) { return joined_.find(value, false); },
            [](node_id, std::int32_t) {});
    }
};

} // namespace detail

struct fuse_multi_output_pass {
    static constexpr std::string_view name = "fuse_multi_output";
    static constexpr toggle config::* option = &config::fuse_pointwise;

    /// Whether a loop or pointwise call is read more than once.
    static constexpr bool applies(graph_view g, op_table ops) {
        const auto fused = find_op(ops, device::fused::name).index;
        const node* nodes = g.node_pool();
        const op_row* rows = ops.data();
        for (auto at = g.first().index; at >= 0; at = nodes[at].next.index)
            if (const auto& n = nodes[at]; n.use_count > 1 && n.op.index >= 0 &&
                                           (n.op.index == fused || rows[n.op.index].effect.is_elementwise_device_op))
                return true;
        return false;
    }
    constexpr void operator()(graph_editor& g, const config&) const { detail::loop_joiner(g).run(); }
};
inline constexpr fuse_multi_output_pass fuse_multi_output;

} // namespace ahead::pass
