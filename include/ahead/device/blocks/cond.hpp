// SPDX-License-Identifier: MIT
// npu.cond: runs one of two programs, selected by a predicate that the device reads.
#pragma once
#include <ahead/device/blocks/call.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.cond(Tensor[] tensors, int yes, int no, int arena, int ticks): tensors are the predicate (b8, one element), the
/// operands of both blocks, and the constants of the blocks that have some, in the order of the blocks. Writes the
/// results of `yes` if the predicate is true, else of `no`. Both run in the same `arena` bytes.
struct cond : detail::block_call<cond> {
    static constexpr std::string_view name = "npu.cond"sv;
    enum at : int { tensors, yes, no, arena, ticks };
    static constexpr parameter schema[] = {
        required("tensors", parameter_kind::tensor_list), required("yes", parameter_kind::integer),
        required("no", parameter_kind::integer), required("arena", parameter_kind::integer),
        required("ticks", parameter_kind::integer)};
    static constexpr int blocks[] = {yes, no};
    static constexpr bool states_needs(auto& call) {
        const block_needs *a = call.runs(yes), *b = a != nullptr ? call.runs(no) : nullptr;
        return b != nullptr && call.finds_constants(*a, *b) && call.is("bytes", detail::larger_arena(*a, *b), arena) &&
               call.is("ticks", (a->makespan < b->makespan ? b : a)->makespan.count, ticks);
    }
};

} // namespace ahead::device
