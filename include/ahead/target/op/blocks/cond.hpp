// SPDX-License-Identifier: MIT
// npu.cond: one of two programs, by a predicate that the device reads.
#pragma once
#include <ahead/target/op/blocks/call.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.cond(Tensor[] tensors, int yes, int no, int arena, int ticks): tensors are the predicate, b8 of one element, what
/// both blocks are given, and the constants of those that have some, in the order of the blocks. Writes the results of
/// `yes` where the predicate is true, else of `no`. Both run in the same `arena` bytes.
struct cond {
    static constexpr std::string_view name = "npu.cond";
    enum at : int { tensors, yes, no, arena, ticks };
    static constexpr parameter schema[] = {
        required("tensors", parameter_kind::tensor_list), required("yes", parameter_kind::integer),
        required("no", parameter_kind::integer), required("arena", parameter_kind::integer),
        required("ticks", parameter_kind::integer)};
    static constexpr effects effect{};
    static constexpr bool infer(infer_context& c) { return detail::keep_results(c); }
    static constexpr std::int64_t scratch_bytes(const call_view& c) { return c.integer(at::arena); }
    static constexpr target::work work(const call_view& c) { return detail::work_of_blocks(c.integer(at::ticks)); }
};

} // namespace ahead::device
