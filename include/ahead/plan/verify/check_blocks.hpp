// SPDX-License-Identifier: MIT
// The verifier of calls of blocks: the needs that a device call states for its blocks are those of their programs; of
// times, only that of npu.cond is checked. The programs have separate plans, which are verified as any plan is.
// Invariant: reads the calls, and does not depend on how they were made.
#pragma once
#include <ahead/core/fixed_buffer.hpp>
#include <ahead/device/block_needs.hpp>
#include <ahead/device/blocks/cond.hpp>
#include <ahead/device/blocks/prepare_block.hpp>
#include <ahead/device/blocks/scan.hpp>
#include <ahead/device/blocks/while_loop.hpp>
#include <ahead/ir/blame.hpp>

namespace AHEAD_NAMESPACE {

namespace detail {

class subgraph_verifier {
public:
    constexpr subgraph_verifier(graph_view g, array_view<const block_needs> blocks, diagnosis& d)
        : g_(g), blocks_(blocks), d_(d), runs_(static_cast<std::int64_t>(blocks.size())) {}
    constexpr bool run() {
        for (node_id id : g_) {
            at_ = id;
            if (g_[id].kind == node_kind::call && !verify_call(g_[id].target)) return false;
        }
        return true;
    }

private:
    graph_view g_;
    array_view<const block_needs> blocks_;
    diagnosis& d_;
    node_id at_;              // the call that is verified
    fixed_buffer<bool> runs_; // by block: whether a call runs it

    constexpr std::int64_t number(int parameter) const { return g_.argument_of(g_[at_], parameter).integer(); }
    constexpr bool broken(const short_text& expected, const short_text& found) {
        return refuse_at(d_, g_[at_], fault::plan_is_broken, expected, found);
    }
    constexpr bool is(std::string_view what, std::int64_t expected, std::int64_t found) {
        return found == expected || broken(short_text() << expected << " " << what, short_text() << found);
    }
    /// The block that the parameter names; null, with a refusal, if there is none.
    constexpr const block_needs* block_at(int parameter) {
        for (const auto& one : blocks_)
            if (one.block.index == number(parameter)) return &one;
        broken("a block of the graph", short_text("number ") << number(parameter));
        return nullptr;
    }
    /// Likewise for a block that the call runs; no other call may run it.
    constexpr const block_needs* runs(int parameter) {
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
    constexpr bool finds_constants(const block_needs& of, std::int32_t from) {
        const auto tensors = g_.argument_of(g_[at_], 0).children;
        if (of.constant_bytes == 0) return true;
        if (from > tensors.count) return broken("operands that end with constants of blocks", "too few");
        const auto& maker = g_[g_[tensors[tensors.count - from]].node()];
        return (maker.target == device::prepare_block::name &&
                g_.argument_of(maker, device::prepare_block::block).integer() == of.block.index) ||
               broken(short_text("what npu.prepare_block made of block ") << of.block.index, print(maker.name));
    }
    constexpr bool verify_call(std::string_view target) {
        if (same_name(target, device::prepare_block::name)) {
            using op = device::prepare_block;
            const auto* of = block_at(op::block);
            return of != nullptr && is("bytes", of->constant_bytes, number(op::bytes)) &&
                   is("scratch bytes", of->scratch_bytes, number(op::scratch));
        }
        if (same_name(target, device::cond::name)) {
            using op = device::cond;
            const auto *yes = runs(op::yes), *no = yes != nullptr ? runs(op::no) : nullptr;
            return no != nullptr && finds_all(*yes, *no) && is("bytes", larger(*yes, *no), number(op::arena)) &&
                   is("ticks", yes->makespan < no->makespan ? no->makespan.count : yes->makespan.count,
                      number(op::ticks));
        }
        if (same_name(target, device::while_loop::name)) {
            using op = device::while_loop;
            const auto *test = runs(op::test), *body = test != nullptr ? runs(op::body) : nullptr;
            return body != nullptr && finds_all(*test, *body) && is("bytes", larger(*test, *body), number(op::flag)) &&
                   is("bytes", number(op::flag) + 1, number(op::arena)) &&
                   (number(op::bound) > 0 || broken("a bound from 1", short_text() << number(op::bound)));
        }
        if (same_name(target, device::scan::name)) {
            using op = device::scan;
            const auto* of = runs(op::combine);
            return of != nullptr && finds_constants(*of, 1) && is("bytes", of->arena_bytes, number(op::arena));
        }
        return true;
    }
    constexpr bool finds_all(const block_needs& a, const block_needs& b) {
        const bool both = b.constant_bytes > 0;
        return finds_constants(b, 1) && finds_constants(a, both ? 2 : 1);
    }
    static constexpr std::int64_t larger(const block_needs& a, const block_needs& b) {
        return a.arena_bytes > b.arena_bytes ? a.arena_bytes : b.arena_bytes;
    }
};

} // namespace detail

/// Refuses (plan_is_broken) a device call that states other memory or other constants than its blocks' programs need,
/// that names a block that does not exist, or that runs a block that another call runs; also a wrong time of npu.cond,
/// and a bound of npu.while_loop below 1.
constexpr bool check_blocks(graph_view g, array_view<const block_needs> blocks, diagnosis& d) {
    return detail::subgraph_verifier(g, blocks, d).run();
}

} // namespace ahead
