// SPDX-License-Identifier: MIT
// What the kernel of one call asks of memory: the contract between an operator and whoever plans for it.
// program/plan_stages.hpp reads it off the operators; plan/make_plan.hpp keeps to it, plan/check.hpp proves that it
// did, io/ prints what came of it.
#pragma once
#include <ahead/core/build.hpp>
#include <cstdint>

namespace AHEAD_NAMESPACE {

/// What the kernel of one node asks of the planner.
struct kernel_needs {
    bool is_task = false;            // views and placeholders are not
    std::int64_t workspace = 0;      // bytes
    std::uint16_t may_overwrite = 0; // bit i: result 0 may take the memory of argument i
    bool each_may_overwrite = false; // each result of the argument's type may, not result 0 alone
    bool has_key = false;            // calls of the same types and attributes have the same kernel
    bool joins = false;              // npu.concat whose operands may be written into its result, one behind the other
};

} // namespace ahead
