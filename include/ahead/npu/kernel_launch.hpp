// SPDX-License-Identifier: MIT
// A launch as the thread that runs it sees it. Made by context_launch.hpp, run by stream_queue.hpp and graph_lanes.hpp.
// Invariant: a plain value; what it points to is there until it has run.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>

namespace AHEAD_NAMESPACE::npu {

using kernel_function = void (*)(const std::byte* const* externals, const std::byte* constants, std::byte* arena);

/// One launch: externals are the first elements of the tensors that it is given.
struct kernel_launch {
    kernel_function run = nullptr;
    const std::byte* const* externals = nullptr;
    const std::byte* constants = nullptr;
    std::byte* arena = nullptr;
    void operator()() const { run(externals, constants, arena); }
};

} // namespace ahead::npu
