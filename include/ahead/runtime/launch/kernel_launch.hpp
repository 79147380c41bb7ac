// SPDX-License-Identifier: MIT
// The memory of one execution, and a launch in the form that its executing thread takes. Made by context/launches.hpp,
// run by stream_queue.hpp and stream_executor.hpp (plan_threads.hpp).
// Invariant: a plain value; everything that it points to lives until the launch has run.
#pragma once
#include <ahead/core/build.hpp>
#include <cstddef>

namespace AHEAD_NAMESPACE::runtime {

/// The base addresses of the regions of one execution.
struct region_bases {
    const std::byte* const* externals; // for a run: its inputs and its states; for prepare: its parameters
    const std::byte* constants;
    std::byte* arena; // scratch while preparing
};

using kernel_function = void (*)(const std::byte* const* externals, const std::byte* constants, std::byte* arena);
struct plan_streams;

/// One launch: externals point to the first elements of the tensors passed to it.
struct kernel_launch {
    kernel_function run = nullptr;
    region_bases given{};
    const plan_streams* streams = nullptr; // of its plan, for executors with threads for them; null: one stream
    /// Runs the whole launch on this thread.
    void operator()() const { run(given.externals, given.constants, given.arena); }
};

} // namespace ahead::runtime
