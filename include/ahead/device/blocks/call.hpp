// SPDX-License-Identifier: MIT
// The common part of the calls of blocks: npu.cond, npu.while_loop, npu.scan. Blocks are not part of the device graph:
// each is a separate program, identified here by its number in the ATen graph, and described by what it needs.
// Each has `blocks`, its parameters that identify blocks, and states_needs(call), whether its numbers are what its
// blocks need, which plan/verify/check_blocks.hpp calls.
// Invariant: result types are those of the ATen call, which the converter has set.
#pragma once
#include <ahead/device/block_needs.hpp>
#include <ahead/ir/infer.hpp>
#include <ahead/machine/work.hpp>

namespace AHEAD_NAMESPACE::device::detail {

constexpr std::int64_t larger_arena(const block_needs& a, const block_needs& b) {
    return a.arena_bytes > b.arena_bytes ? a.arena_bytes : b.arena_bytes;
}

/// Op has the parameters `arena`, the bytes that its blocks run in, and `ticks`, the longest time that they take.
template <class Op> struct block_call {
    static constexpr effects effect{};
    /// pre: typed
    static constexpr bool infer(infer_context& c) {
        const auto count = c.in()[c.id()].values.count;
        for (std::int32_t k = 0; k < count; ++k)
            if (!c.set(k, c.result_type(k))) return false;
        return true;
    }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return c.integer(Op::arena); }
    static constexpr machine::work work(const call_view& c) {
        machine::work out;
        out.held = {c.integer(Op::ticks)};
        return out;
    }
};

} // namespace ahead::device::detail
