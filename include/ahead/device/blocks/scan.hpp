// SPDX-License-Identifier: MIT
// npu.scan: a program for each slice of its operands, one after the other.
#pragma once
#include <ahead/device/blocks/call.hpp>

namespace AHEAD_NAMESPACE::device {

/// npu.scan(Tensor[] tensors, int carried, int sliced, int combine, int steps, int arena, int ticks): tensors are the
/// carry's begin, `carried` of them, `sliced` that are taken slice by slice along dim 0, what the block is given
/// besides, and its constants, if it has some. The first results begin as the carry's begin, and the block writes them
/// anew each step; the others take its further results, slice by slice.
struct scan : detail::block_call<scan> {
    static constexpr std::string_view name = "npu.scan"sv;
    enum at : int { tensors, carried, sliced, combine, steps, arena, ticks };
    static constexpr parameter schema[] = {
        required("tensors", parameter_kind::tensor_list), required("carried", parameter_kind::integer),
        required("sliced", parameter_kind::integer),      required("combine", parameter_kind::integer),
        required("steps", parameter_kind::integer),       required("arena", parameter_kind::integer),
        required("ticks", parameter_kind::integer)};
};

} // namespace ahead::device
