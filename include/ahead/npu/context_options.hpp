// SPDX-License-Identifier: MIT
// The options of a context, and the statistics of its pools.
// Invariant: plain values. Called by context/.
#pragma once
#include <ahead/npu/device_words.hpp>
#include <ahead/npu/memory/block_memory.hpp>
#include <ahead/plan/limits.hpp>

namespace AHEAD_NAMESPACE::npu {

enum class execution : std::uint8_t { in_order, threads };

/// Whose calls that read, write or reserve the device's memory from the host are refused while a graph is captured:
/// those of any thread, of the capturing thread, or of none. A call that would have to wait for the capture itself is
/// always refused.
enum class capture_mode : std::uint8_t { global, this_thread, relaxed };

/// The range of stream priorities: a lower number is a higher priority; 0 is the default.
struct priority_range {
    std::int32_t highest = 0, lowest = 0;
};
inline constexpr priority_range stream_priorities{-7, 0};

struct context_options {
    std::int64_t memory_bytes = std::int64_t{64} << 20;
    execution run = execution::in_order;
    machine::device device =
        machine::npu; // its times make the simulated clock; it limits the streams, events and bytes of memory
    std::int32_t rank_id = 0; // which of several processes with a device each this is; printed texts name it
    std::int32_t cores = 0;   // on threads: how many launches and replays run at once, those on streams with the
                              // highest priority first; 0: the system schedules the streams' threads
};

namespace detail {
/// Throws option_is_out_of_range, option_has_no_effect, device_is_impossible, device_memory_is_exceeded.
inline const context_options& checked(const context_options& options) {
    if (options.memory_bytes < 0)
        refuse_call(fault::option_is_out_of_range, "context", "memory_bytes", "0 or more",
                    short_text() << options.memory_bytes);
    if (options.rank_id < 0)
        refuse_call(fault::option_is_out_of_range, "context", "rank_id", "0 or more", short_text() << options.rank_id);
    if (options.cores < 0)
        refuse_call(fault::option_is_out_of_range, "context", "cores", "0 or more", short_text() << options.cores);
    if (options.cores > 0 && options.run != execution::threads)
        refuse_call(fault::option_has_no_effect, "context", "cores", "execution::threads", "execution::in_order");
    if (diagnosis d; !check_device(options.device, d))
        refuse_call(d.what, "context", short_text() << d.name.view(), d.expected, d.found);
    if (options.memory_bytes > options.device.memory_bytes())
        refuse_call(fault::device_memory_is_exceeded, "context", short_text() << options.device.name,
                    short_text("at most ") << options.device.memory_bytes() << " bytes",
                    short_text() << options.memory_bytes << " bytes");
    return options;
}
} // namespace detail

/// Bytes of one pool: in its segments, and held by tensors.
struct pool_statistics {
    mempool_id id;
    std::int32_t users = 0;
    std::int64_t reserved_bytes = 0;
    std::int64_t held_bytes = 0;
    friend bool operator==(const pool_statistics&, const pool_statistics&) = default;
};

} // namespace ahead::npu
