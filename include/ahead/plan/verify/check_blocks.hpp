// SPDX-License-Identifier: MIT
// The verifier of calls of blocks: the needs that a device call states for its blocks are those of their programs; of
// times, only that of npu.cond is checked. The programs have separate plans, which are verified as any plan is.
// Invariant: reads the calls, and does not depend on how they were made.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/device/block_needs.hpp>
#include <ahead/device/blocks/block_ops.hpp>
#include <ahead/ir/blame.hpp>

namespace AHEAD_NAMESPACE::detail {

class subgraph_verifier {
public:
    constexpr subgraph_verifier(graph_view g, array_view<const device::block_needs> blocks, diagnosis& d)
        : g_(g), blocks_(blocks), d_(d), runs_(static_cast<std::int64_t>(blocks.size())) {}
    constexpr bool run() {
        for (node_id id : g_) {
            at_ = id;
            bool ok = true;
            device::with_block_op(g_[id], [&]<class Op>() { ok = Op::states_needs(*this); });
            if (!ok) return false;
        }
        return true;
    }

    // For device operators: their rules on the call that is verified.

    constexpr std::int64_t number(int parameter) const { return g_.argument_of(g_[at_], parameter).integer(); }
    constexpr bool broken(const short_text& expected, const short_text& found) {
        return refuse_at(d_, g_[at_], fault::plan_is_broken, expected, found);
    }
    /// Whether the parameter is this number of `what`.
    constexpr bool is(std::string_view what, std::int64_t expected, int parameter) {
        const auto found = number(parameter);
        return found == expected || broken(short_text() << expected << " " << what, short_text() << found);
    }
    /// The block that the parameter names; null, with a refusal, if there is none.
    constexpr const device::block_needs* block_at(int parameter) {
        for (const auto& one : blocks_)
            if (one.block.index == number(parameter)) return &one;
        broken("a block of the graph", short_text("number ") << number(parameter));
        return nullptr;
    }
    /// Likewise for a block that the call runs; no other call may run it.
    constexpr const device::block_needs* runs(int parameter) {
        const auto* of = block_at(parameter);
        if (of == nullptr) return of;
        auto& is_run = runs_[of - blocks_.data()];
        if (is_run) {
            broken("a block that no other call runs", short_text("number ") << number(parameter));
            return nullptr;
        }
        is_run = true;
        return of;
    }
    /// Whether the block's constants, if it has any, are operand `from`, counted from the end.
    constexpr bool finds_constants(const device::block_needs& of, std::int32_t from) {
        const auto tensors = g_.argument_of(g_[at_], 0).children;
        if (of.constant_bytes == 0) return true;
        if (from > tensors.count) return broken("operands that end with constants of blocks", "too few");
        const auto& maker = g_[g_[tensors[tensors.count - from]].node()];
        return (is_call_of<device::prepare_block>(maker) &&
                g_.argument_of(maker, device::prepare_block::block).integer() == of.block.index) ||
               broken(short_text("what npu.prepare_block made of block ") << of.block.index, print(maker.name));
    }
    /// Likewise for two blocks: the constants of b are last.
    constexpr bool finds_constants(const device::block_needs& a, const device::block_needs& b) {
        return finds_constants(b, 1) && finds_constants(a, b.constant_bytes > 0 ? 2 : 1);
    }

private:
    graph_view g_;
    array_view<const device::block_needs> blocks_;
    diagnosis& d_;
    node_id at_;              // the call that is verified
    fixed_buffer<bool> runs_; // by block: whether a call runs it
};

} // namespace ahead::detail
namespace AHEAD_NAMESPACE::plan {

/// Refuses (plan_is_broken) a device call that states other memory or other constants than its blocks' programs need,
/// that names a block that does not exist, or that runs a block that another call runs; also a wrong time of npu.cond,
/// and a bound of npu.while_loop below 1.
constexpr bool check_blocks(graph_view g, array_view<const device::block_needs> blocks, diagnosis& d) {
    return detail::subgraph_verifier(g, blocks, d).run();
}

} // namespace ahead::plan
