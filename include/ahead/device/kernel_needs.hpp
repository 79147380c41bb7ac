// SPDX-License-Identifier: MIT
// The memory that the kernel of one call needs: the contract between an operator and the planner. needs_of derives it
// from the operator without looking at a kernel. plan/make_plan.hpp satisfies it, plan/check.hpp proves that,
// print/ prints the outcome.
#pragma once
#include <ahead/ir/call.hpp>

namespace AHEAD_NAMESPACE::device {

/// The needs of one node's kernel that the planner has to meet.
struct kernel_needs {
    bool is_task = false;            // views and placeholders are not
    std::int64_t workspace = 0;      // bytes
    std::uint16_t may_overwrite = 0; // bit i: result 0 may take the memory of argument i
    bool each_may_overwrite = false; // each result of the argument's type may, not result 0 alone
    bool has_key = false;            // calls of the same types and attributes have the same kernel
    bool on_ai_cpu = false;          // it has no kernel: the AI CPU reads the operator's meaning
    bool joins = false;              // npu.concat whose operands may be written into their slices of its result
};

/// The needs of one call of Op, a device operator.
template <class Op> constexpr kernel_needs needs_of(const call_view& call) {
    kernel_needs out;
    if constexpr (requires { Op::key(call); }) {
        out.is_task = out.has_key = true;
        if constexpr (requires { Op::workspace(Op::key(call)); }) out.workspace = Op::workspace(Op::key(call));
    } else if constexpr (requires { Op::scratch_bytes(call); }) {
        out.is_task = true;
        out.workspace = Op::scratch_bytes(call);
    }
    if constexpr (requires { Op::may_overwrite(call, 0); }) {
        constexpr int count = std::size(Op::schema) < 16 ? static_cast<int>(std::size(Op::schema)) : 16;
        for (int i = 0; i < count; ++i)
            if (Op::may_overwrite(call, i))
                out.may_overwrite = static_cast<std::uint16_t>(out.may_overwrite | (1u << i));
    }
    if constexpr (requires { Op::on_ai_cpu; }) out.on_ai_cpu = Op::on_ai_cpu;
    if constexpr (requires { Op::each_may_overwrite; }) out.each_may_overwrite = Op::each_may_overwrite;
    if constexpr (requires { Op::joins(call); }) out.joins = Op::joins(call);
    return out;
}

} // namespace ahead::device
