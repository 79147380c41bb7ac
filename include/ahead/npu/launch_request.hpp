// SPDX-License-Identifier: MIT
// A request to launch on a stream: a kernel, its arguments, and its demand on the simulated clock.
// Invariant: a request owns nothing; everything that it points to outlives the call that receives it. Called by
// launch.hpp, context/.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <ahead/machine/cost.hpp>
#include <ahead/npu/memory/block.hpp>
#include <ahead/runtime/launch/kernel_launch.hpp>
#include <span>

namespace AHEAD_NAMESPACE::npu {

/// A tensor that a launch reads or writes, in addition to the memory that it allocates.
struct operand {
    std::int32_t block = -1; // a block of the context's memory
    const std::byte* address = nullptr;
    bool is_written = false;
    bool is_changed = false; // written, and read before that
    bool is_states = false;  // a program's states, not a tensor of the caller
};

/// The parts of a launch's memory that are kept.
struct launch_outputs {
    std::span<launch_output> all;
    std::byte* memory = nullptr; // start of the launch's memory
};

/// A launch: a kernel, and its arguments.
struct launch_request {
    short_text name;
    runtime::kernel_function run = nullptr;
    const runtime::plan_streams* streams = nullptr; // the same on threads, if its plan has several streams
    const std::byte* constants = nullptr;
    std::int64_t arena_bytes = 0;
    std::span<const operand> operands;
    machine::demand takes; // on the device of its plan; on any, if it was not planned
    const machine::device* planned_for = nullptr;
    machine::demand (*takes_on)(const machine::device& other) =
        nullptr;                       // on another device. Throws if the plan does not fit it
    std::int32_t launches = 1;         // number of launches that the host makes for it
    launch_outputs* outputs = nullptr; // if set, only these parts of its memory are kept
};

} // namespace ahead::npu
