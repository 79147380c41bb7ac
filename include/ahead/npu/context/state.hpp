// SPDX-License-Identifier: MIT
// The state that a context keeps for its streams and for a capture.
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
    bool ends_with_capture = false; // is destroyed at the end of the capture
    std::int32_t priority = 0;
    std::uint64_t life = 0;              // number of earlier streams in this slot
    std::unique_ptr<stream_queue> queue; // null: in order
};
/// Eager launches take their memory from a pool.
struct recording {
    std::int32_t pool = 0;
    std::int32_t stream = -1; // -1: all streams
};
/// A graph that a node runs, and its position in the capture.
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
    std::int32_t segments = 0;           // number before the capture
    machine::shared_machine machine{64};  // time 0 is the start of the replay
    std::vector<part_use> parts{};       // run by nodes, once per use
    std::vector<machine::demand> takes{}; // of the launches
    std::vector<std::int32_t> made{};    // blocks of other captures that nodes write in every replay

    /// Whether this thread may not read, write or reserve the device's memory from the host now.
    bool forbids_host_calls() const {
        return mode == capture_mode::global ||
               (mode == capture_mode::this_thread && thread == std::this_thread::get_id());
    }
};

} // namespace ahead::npu::detail
