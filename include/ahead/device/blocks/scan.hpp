// SPDX-License-Identifier: MIT
// npu.scan: runs a program for each slice of its operands, one after the other.
#pragma once
#include <ahead/device/blocks/call.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.scan(Tensor[] tensors, int carried, int sliced, int combine, int steps, int arena, int ticks): tensors are the
/// `carried` initial values of the carry, `sliced` tensors that are read slice by slice along dim 0, the block's other
/// operands, and its constants, if it has some. The first results start as the initial carry, and the block overwrites
/// them in each step; the others collect its further results, slice by slice.
struct scan : detail::block_call<scan> {
    static constexpr std::string_view name = "npu.scan"sv;
    enum at : int { tensors, carried, sliced, combine, steps, arena, ticks };
    static constexpr parameter schema[] = {
        required("tensors", parameter_kind::tensor_list), required("carried", parameter_kind::integer),
        required("sliced", parameter_kind::integer),      required("combine", parameter_kind::integer),
        required("steps", parameter_kind::integer),       required("arena", parameter_kind::integer),
        required("ticks", parameter_kind::integer)};
    static constexpr int blocks[] = {combine};
    static constexpr bool states_needs(auto& call) {
        const block_needs* of = call.runs(combine);
        return of != nullptr && call.finds_constants(*of, 1) && call.is("bytes", of->arena_bytes, arena);
    }
};

} // namespace ahead::device
