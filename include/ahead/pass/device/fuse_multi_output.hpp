// SPDX-License-Identifier: MIT
// Fuses loops and pointwise calls that pass a value on into one loop with several results: a value that the next loop
// and also later calls read is computed in that loop and stored as a further result. t = sigmoid(x), returned with t *
// z, passes over memory once.
// Law: the steps compute what the calls would, in the same dtype, each once. A member has the type of the loop's
// result, is as constant, and is on its stream in its segment; it has no other reader before the loop. So no task is
// added, and no additional value is read from memory. Runs after fuse_epilogue and fuse_reductions, which save more.
#pragma once
#include <ahead/device/fused.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/pass/device/fusion_group.hpp>

namespace AHEAD_NAMESPACE::pass {

namespace detail {

class loop_joiner {
public:
    constexpr explicit loop_joiner(graph_editor& g)
        : g_(g), view_(g.view()), nodes_(view_.node_pool()), fused_(find_op<device::fused>(g.operators())),
          joined_(view_) {}

    /// From the last call to the first, because the call with the last result decides which calls may join.
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
    /// Whether it reads a loop that has other readers.
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
    /// Builds a loop with the call's result and all calls that can join; false if none joins.
    constexpr bool begin(node_id root) {
        joined_.begin();
        if (!take(root)) return false;
        for (std::int32_t k = 0; k < joined_.reads; ++k) {
            const node_id operand{joined_.read[k].value.node};
            if (is_loop(operand) && g_.type_of(operand) == g_.type_of(root) && joined_.may_join(operand) &&
                take(operand))
                k = -1; // earlier operands may now have only members as readers
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

    /// Whether a loop or pointwise call has several uses.
    static constexpr bool applies(graph_view g, op_table ops) {
        const auto fused = find_op<device::fused>(ops).index;
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
