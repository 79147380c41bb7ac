// SPDX-License-Identifier: MIT
// What the device's memory is made of: blocks, which tensors hold, in pools.
// Invariant: plain values. Called by block_list.hpp, block_memory.hpp.
#pragma once
#include <ahead/npu/accesses.hpp>

namespace AHEAD_NAMESPACE::npu {

/// A pool's name, as torch.npu has it: (n, 0) was made by a capture, (0, n) by graph_pool_handle(); (0, 0) is the pool
/// of what is launched eagerly.
struct mempool_id {
    std::uint64_t by_capture = 0;
    std::uint64_t by_user = 0;
    friend bool operator==(const mempool_id&, const mempool_id&) = default;
};

struct block {
    std::int64_t offset = 0; // bytes into the device's memory
    std::int64_t bytes = 0;
    std::int32_t behind = -1; // the next one by address; -1: none
    std::int32_t pool = -1;   // -1: no pool's
    std::int32_t segment = -1;
    std::int32_t holders = 0; // 0: free
    std::uint64_t graph = 0;  // whose capture took it; 0: none's
    bool has_value = false;
    std::uint64_t updates = 0; // of a host parameter: the values that it had so far; 0: it is none
    accesses uses;
    accesses in_capture; // uses that are being captured
};

struct pool_state {
    mempool_id id;
    std::int32_t users = 0;
    bool is_users = false; // of graph_pool_handle(), and not released
    bool is_there = true;
    std::int64_t reserved = 0; // bytes of its segments
    std::int64_t held = 0;     // bytes of them that somebody holds
    std::uint64_t changes = 0; // grows with every block that is taken or dropped
    moment last_replay;        // of the graphs whose memory it is
};

/// An output of a launch: where it lies in the launch's memory, and the block that holds it when the launch is over.
struct launch_output {
    std::int64_t begin = 0, end = 0; // bytes from the begin of the launch's memory; one at least
    std::int32_t block = -1;
};

} // namespace ahead::npu
