// SPDX-License-Identifier: MIT
// What a context keeps of its streams and of a capture.
// Invariant: plain values. Called by interface.hpp.
#pragma once
#include <ahead/machine/shared_machine.hpp>
#include <ahead/npu/captured_graph.hpp>
#include <ahead/npu/context_options.hpp>
#include <ahead/npu/launch_order.hpp>
#include <ahead/npu/stream_queue.hpp>
#include <memory>
#include <thread>
#include <vector>

namespace AHEAD_NAMESPACE::npu::detail {

struct stream_state {
    explicit stream_state(std::int32_t stream) : eager(stream), captured(stream) {}
    launch_order eager, captured;
    bool is_captured = false;
    bool is_destroyed = false;
    bool ends_with_capture = false; // is to be destroyed when it is over
    std::int32_t priority = 0;
    std::uint64_t life = 0;              // how many streams had the place before this one
    std::unique_ptr<stream_queue> queue; // none: in order
};
/// What is launched eagerly takes its memory from a pool.
struct recording {
    std::int32_t pool = 0;
    std::int32_t stream = -1; // -1: all
};
/// A graph that a node runs, and when in the capture.
struct part_use {
    const captured_graph* graph = nullptr;
    moment when;
};
struct capture {
    captured_graph* into = nullptr;
    std::int32_t origin = 0;
    std::int32_t pool = 0;
    capture_mode mode = capture_mode::global;
    std::thread::id thread;
    std::uint64_t id = 0;
    std::int32_t segments = 0;           // that there were before
    machine::shared_machine machine{64};  // from the replay's begin
    std::vector<part_use> parts{};       // that nodes run, each use of one
    std::vector<machine::demand> takes{}; // of the launches
    std::vector<std::int32_t> made{};    // blocks that nodes write in every replay, and that are others' captures'

    /// Whether this thread may not read, write or reserve the device's memory from the host now.
    bool forbids_host_calls() const {
        return mode == capture_mode::global ||
               (mode == capture_mode::this_thread && thread == std::this_thread::get_id());
    }
};

} // namespace ahead::npu::detail
