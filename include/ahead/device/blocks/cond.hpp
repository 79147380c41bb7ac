// SPDX-License-Identifier: MIT
// npu.cond: one of two programs, by a predicate that the device reads.
#pragma once
#include <ahead/device/blocks/call.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.cond(Tensor[] tensors, int yes, int no, int arena, int ticks): tensors are the predicate, b8 of one element,
/// what both blocks are given, and the constants of those that have some, in the order of the blocks. Writes the
/// results of `yes` where the predicate is true, else of `no`. Both run in the same `arena` bytes.
struct cond : detail::block_call<cond> {
    static constexpr std::string_view name = "npu.cond"sv;
    enum at : int { tensors, yes, no, arena, ticks };
    static constexpr parameter schema[] = {
        required("tensors", parameter_kind::tensor_list), required("yes", parameter_kind::integer),
        required("no", parameter_kind::integer), required("arena", parameter_kind::integer),
        required("ticks", parameter_kind::integer)};
};

} // namespace ahead::device
