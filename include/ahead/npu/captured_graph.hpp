// SPDX-License-Identifier: MIT
// What a capture has recorded: launches with the addresses that they are given, in an order in which they may run, and
// the memory that they use. Graphs in it are nodes (nodes/graph_node.hpp), which are launches as others are.
// Invariant: the tensors that it was given are held as long as it lives, or given anew with every replay, so no replay
// sees an address of something else.
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

/// A launch as a list of them shows it; times from the replay's begin.
struct captured_step {
    short_text name;
    std::int32_t stream = 0;
    machine::ticks start, end;
    std::int32_t priority = 0; // the stream's
};

/// A tensor that the capture did not make.
struct given_tensor {
    std::int32_t block = -1;
    const std::byte* address = nullptr;
    bool is_written = false;
    bool is_read = false;        // by the first launch that uses it: replays need its value
    std::vector<std::size_t> at; // of `externals`, those that are its address
    bool is_states = false;      // which no other tensor takes the place of
    std::uint64_t seen = 0;      // of a host parameter: which of its values the last replay read
    bool is_parts = false;       // a graph within this one uses it, where it was captured with it
};

struct byte_range {
    std::int64_t begin = 0, end = 0; // into the device's memory
};

struct captured_graph {
    std::uint64_t id = 0;
    mempool_id pool;
    std::int32_t pool_row = -1;
    bool is_complete = false;

    std::vector<runtime::kernel_launch> launches;
    std::vector<const std::byte*> externals; // of all launches, one after the other
    std::vector<const std::byte*> next;      // those of the replay to come, where each is given them
    std::vector<std::size_t> first;          // where those of a launch begin, and their end
    std::vector<captured_step> steps;
    std::vector<captured_call> calls;
    std::unique_ptr<stream_executor> lanes; // none: in order, on the thread that replays
    std::vector<given_tensor> given;
    std::vector<byte_range> own;                    // what it took of the pool
    std::vector<std::int32_t> kept;                 // the blocks of these that somebody held when the capture ended
    std::vector<std::unique_ptr<graph_node>> nodes; // in the order of their steps
    std::vector<graph_part> parts;                  // all graphs in them, and in theirs, each once
    machine::ticks makespan;
    machine::demand takes; // the work of all launches

    std::uint64_t pool_changes = 0; // of the pool when nobody else's tensor was found in `own`
    moment last_replay;

    /// Where each launch finds its externals; after the last one was recorded, and whenever they moved.
    void link() {
        for (std::size_t i = 0; i < launches.size(); ++i) launches[i].given.externals = externals.data() + first[i];
    }
    /// One replay, on this thread; on those of the lanes as well where it has some. rows: where its launches are timed,
    /// if anybody looks.
    void run(trace_row* rows = nullptr) const {
        if (lanes) return lanes->run(rows);
        for (const auto& k : launches) {
            const timed_row timed(rows ? rows++ : nullptr);
            k();
        }
    }
    /// Whether a capture's number is this one's or that of a graph in it.
    bool is_whole_of(std::uint64_t capture) const {
        bool found = capture == id;
        for (const auto& p : parts) found = found || p.graph->id == capture;
        return found;
    }
    /// The node that a step is; null: a kernel's launch.
    const graph_node* node_at(std::size_t step) const {
        for (const auto& n : nodes)
            if (n->step == step) return n.get();
        return nullptr;
    }
    void clear() { *this = captured_graph{}; }
};

} // namespace ahead::npu
