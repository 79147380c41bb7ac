// SPDX-License-Identifier: MIT
// The resources that the program of a block needs from the call that contains it. Found where blocks are compiled
// (compile/compiled_block.hpp), written into device calls by convert/control.hpp, verified by
// plan/verify/check_blocks.hpp.
#pragma once
#include <ahead/ir/node.hpp>
#include <ahead/machine/ticks.hpp>

namespace AHEAD_NAMESPACE::device {

/// Sizes in bytes, and the run time on the device that the block was planned for.
struct block_needs {
    block_id block; // of the ATen graph, after passes
    std::int64_t arena_bytes = 0, constant_bytes = 0, scratch_bytes = 0;
    machine::ticks makespan{};
};

/// How long a block takes in its call's task: its program's makespan, less the launch that it does not need.
constexpr machine::ticks time_in_task(machine::ticks makespan, machine::ticks launch) {
    return makespan < launch ? machine::ticks{} : makespan - launch;
}

} // namespace ahead::device
