// SPDX-License-Identifier: MIT
// The memory of one execution, and a launch as the thread that runs it sees it. Made by context/launches.hpp, run by
// stream_queue.hpp and stream_executor.hpp (plan_threads.hpp).
// Invariant: a plain value; what it points to is there until it has run.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>

namespace AHEAD_NAMESPACE::runtime {

/// Where the regions of one execution begin.
struct region_bases {
    const std::byte* const* externals; // the inputs of a run and its states, the parameters of a prepare
    const std::byte* constants;
    std::byte* arena; // scratch while preparing
};

using kernel_function = void (*)(const std::byte* const* externals, const std::byte* constants, std::byte* arena);
struct plan_streams;

/// One launch: externals are the first elements of the tensors that it is given.
struct kernel_launch {
    kernel_function run = nullptr;
    region_bases given{};
    const plan_streams* streams = nullptr; // of its plan, for who has threads for them; none: it has one
    /// All of it, on this thread.
    void operator()() const { run(given.externals, given.constants, given.arena); }
};

} // namespace ahead::runtime
