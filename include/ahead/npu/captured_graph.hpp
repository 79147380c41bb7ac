// SPDX-License-Identifier: MIT
// The recording of a capture: launches with the addresses that they use, in a valid execution order, and the memory
// that they use. Graphs in it are nodes (nodes/graph_node.hpp), which are launches like all others.
// Invariant: the tensors that it was given are held as long as it lives, or passed again to every replay, so a replay
// never uses an address that belongs to another tensor.
// Made by context.hpp for graph.hpp, run by stream_queue.hpp or context/replays.hpp.
#pragma once
#include <ahead/core/fixed_string.hpp>
#include <ahead/machine/cost.hpp>
#include <ahead/npu/memory/block_memory.hpp>
#include <ahead/npu/nodes/graph_node.hpp>
#include <ahead/npu/stream_executor.hpp>
#include <memory>
#include <vector>

namespace AHEAD_NAMESPACE::npu {

/// A launch as listings show it; times are relative to the start of the replay.
struct captured_step {
    short_text name;
    std::int32_t stream = 0;
    machine::ticks start, end;
    std::int32_t priority = 0; // the stream's
};

/// A tensor that the capture used but did not create.
struct given_tensor {
    std::int32_t block = -1;
    const std::byte* address = nullptr;
    bool is_written = false;
    bool is_read = false;        // the first launch that uses it reads it: replays need its value
    std::vector<std::size_t> at; // indices of `externals` that hold its address
    bool is_states = false;      // program states; no other tensor may replace it
    std::uint64_t seen = 0;      // of a host parameter: number of the value last replayed with
    bool is_parts = false;       // a nested graph uses it, at the address it was captured with
};

struct byte_range {
    std::int64_t begin = 0, end = 0; // byte offsets into the device's memory
};

struct captured_graph {
    std::uint64_t id = 0;
    mempool_id pool;
    std::int32_t pool_row = -1;
    bool is_complete = false;

    std::vector<runtime::kernel_launch> launches;
    std::vector<const std::byte*> externals; // of all launches, concatenated
    std::vector<const std::byte*> next;      // those of the next replay, if replays are given tensors
    std::vector<std::size_t> first;          // index of each launch's first external, and the end
    std::vector<captured_step> steps;
    std::vector<captured_call> calls;
    std::unique_ptr<stream_executor> lanes; // null: launches run in order, on the thread that replays
    std::vector<given_tensor> given;
    std::vector<byte_range> own;                    // the ranges of the pool that it allocated
    std::vector<std::int32_t> kept;                 // the blocks in these that were held when the capture ended
    std::vector<std::unique_ptr<graph_node>> nodes; // in the order of their steps
    std::vector<graph_part> parts;                  // all graphs nested in the nodes, at any depth, each once
    machine::ticks makespan;
    machine::demand takes; // the work of all launches

    std::uint64_t pool_changes = 0; // the pool's counter when `own` last held no tensor of others
    moment last_replay;

    /// Points each launch to its externals; needed after the last one is recorded, and whenever they move.
    void link() {
        for (std::size_t i = 0; i < launches.size(); ++i) launches[i].given.externals = externals.data() + first[i];
    }
    /// Runs one replay on this thread, and on those of the lanes if it has any. rows: the trace rows of its launches,
    /// or null.
    void run(trace_row* rows = nullptr) const {
        if (lanes) return lanes->run(rows);
        for (const auto& k : launches) {
            const timed_row timed(rows ? rows++ : nullptr);
            k();
        }
    }
    /// Whether `capture` is the number of this graph's capture, or of that of a graph nested in it.
    bool is_whole_of(std::uint64_t capture) const {
        bool found = capture == id;
        for (const auto& p : parts) found = found || p.graph->id == capture;
        return found;
    }
    /// The node of a step; null if the step is a kernel launch.
    const graph_node* node_at(std::size_t step) const {
        for (const auto& n : nodes)
            if (n->step == step) return n.get();
        return nullptr;
    }
    void clear() { *this = captured_graph{}; }
};

} // namespace ahead::npu
