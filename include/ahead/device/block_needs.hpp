// SPDX-License-Identifier: MIT
// What the program of a block asks of the call that holds it. Found where blocks are compiled
// (compile/compiled_block.hpp), written into device calls by convert/control.hpp, verified by
// plan/verify/check_blocks.hpp.
#pragma once
#include <ahead/ir/node.hpp>
#include <ahead/machine/ticks.hpp>

namespace AHEAD_NAMESPACE {

/// In bytes, and the time that it takes on the device that it was planned for.
struct block_needs {
    block_id block; // of the ATen graph, after passes
    std::int64_t arena_bytes = 0, constant_bytes = 0, scratch_bytes = 0;
    machine::ticks makespan{};
};

/// How long a block takes in its call's task: as long as its program, but nobody launches it.
constexpr machine::ticks time_in_task(machine::ticks makespan, machine::ticks launch) {
    return makespan < launch ? machine::ticks{} : makespan - launch;
}

} // namespace ahead
