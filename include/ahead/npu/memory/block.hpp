// SPDX-License-Identifier: MIT
// The parts of the device's memory: blocks, which tensors hold, in pools.
// Invariant: plain values. Called by block_list.hpp, block_memory.hpp.
#pragma once
#include <ahead/npu/accesses.hpp>

namespace AHEAD_NAMESPACE::npu {

/// The id of a pool, as in torch.npu: (n, 0) was made by a capture, (0, n) by graph_pool_handle(); (0, 0) is the pool
/// of eager launches.
struct mempool_id {
    std::uint64_t by_capture = 0;
    std::uint64_t by_user = 0;
    friend bool operator==(const mempool_id&, const mempool_id&) = default;
};

struct block {
    std::int64_t offset = 0; // bytes into the device's memory
    std::int64_t bytes = 0;
    std::int32_t behind = -1; // the next block by address; -1: none
    std::int32_t pool = -1;   // -1: in no pool
    std::int32_t segment = -1;
    std::int32_t holders = 0; // 0: free
    std::uint64_t graph = 0;  // the graph whose capture took it; 0: none
    bool has_value = false;
    std::uint64_t updates = 0; // of a host parameter: the number of values so far; 0: not one
    accesses uses;
    accesses in_capture; // uses in the current capture
};

struct pool_state {
    mempool_id id;
    std::int32_t users = 0;
    bool is_users = false; // made by graph_pool_handle(), and not released
    bool is_there = true;
    std::int64_t reserved = 0; // bytes of its segments
    std::int64_t held = 0;     // of these, bytes that are held
    std::uint64_t changes = 0; // incremented when a block is taken or dropped
    moment last_replay;        // of the graphs that use its memory
};

/// An output of a launch: its range in the launch's memory, and the block that holds it after the launch.
struct launch_output {
    std::int64_t begin = 0, end = 0; // bytes from the start of the launch's memory; at least one
    std::int32_t block = -1;
};

} // namespace ahead::npu
