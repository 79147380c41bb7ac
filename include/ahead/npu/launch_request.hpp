// SPDX-License-Identifier: MIT
// What is launched on a stream: a kernel, what it is given, and what it takes on the simulated clock.
// Invariant: a request holds nothing; all that it points to outlives the call that is given it. Called by launch.hpp,
// context/.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <ahead/machine/cost.hpp>
#include <ahead/npu/memory/block.hpp>
#include <ahead/runtime/launch/kernel_launch.hpp>
#include <span>

namespace AHEAD_NAMESPACE::npu {

/// What a launch reads and writes besides the memory that it gets.
struct operand {
    std::int32_t block = -1; // of the context's memory
    const std::byte* address = nullptr;
    bool is_written = false;
    bool is_changed = false; // written, and read before
    bool is_states = false;  // what a program writes of its weights, and no tensor of the caller's
};

/// What is kept of a launch's memory.
struct launch_outputs {
    std::span<launch_output> all;
    std::byte* memory = nullptr; // of the launch, from its begin on
};

/// A launch: a kernel, and what it is given.
struct launch_request {
    short_text name;
    runtime::kernel_function run = nullptr;
    const runtime::plan_streams* streams = nullptr; // the same on threads, where its plan has several
    const std::byte* constants = nullptr;
    std::int64_t arena_bytes = 0;
    std::span<const operand> operands;
    machine::demand takes; // on the device that it was planned for; of a kernel that was not planned, on any
    const machine::device* planned_for = nullptr;
    machine::demand (*takes_on)(const machine::device& other) =
        nullptr;                       // on another. Throws where its plan does not fit there
    std::int32_t launches = 1;         // that the host makes for it
    launch_outputs* outputs = nullptr; // where it keeps these of its memory, and not all of it
};

} // namespace ahead::npu
