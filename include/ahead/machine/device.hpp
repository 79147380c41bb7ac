// SPDX-License-Identifier: MIT
// The machine as data: what planning and the cost model need to know of it. presets.hpp names real ones; a toolchain
// names the one it compiles for:
//     using my_tools = toolchain<>::with_device<ascend_910b2>;
// Invariant: a device is a constant; everything that is computed from it is deterministic.
#pragma once
#include <ahead/ir/core_limit.hpp>
#include <ahead/machine/ticks.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace AHEAD_NAMESPACE::machine {

/// What one clock of one core multiplies: m x k by k x n. Products are rounded up to whole fractals.
struct fractal {
    std::int32_t m = 16, k = 16, n = 16;
    friend constexpr bool operator==(const fractal&, const fractal&) = default;
};

/// The part of a product up to so many multiply-adds runs at so many thousandths of the cube unit's peak.
struct product_bracket {
    std::int64_t multiply_adds = 0; // 0: no such bracket
    std::int32_t permille = 1000;
    friend constexpr bool operator==(const product_bracket&, const product_bracket&) = default;
};

struct cube_unit {
    std::int32_t cores = 1;
    std::int32_t clock_mhz = 1000;
    fractal tile;
    std::array<product_bracket, 8> brackets{}; // ascending; what is beyond the last runs as fast as it
    friend constexpr bool operator==(const cube_unit&, const cube_unit&) = default;
};

struct vector_unit {
    std::int32_t cores = 1;
    std::int32_t clock_mhz = 1000;
    std::int32_t lanes = 64;      // f32 elements of one instruction
    std::int32_t permille = 1000; // instructions in a thousand clocks of one core
    std::int32_t latency = 4;     // clocks until the next instruction can use a result
    std::int32_t row_latency = 0; // as many more where the rest of a row waits for that, and no other row is computed
                                  // meanwhile: in npu.fused_rows
    friend constexpr bool operator==(const vector_unit&, const vector_unit&) = default;
};

/// Runs operators by their meaning, one element after the other.
struct ai_cpu_unit {
    std::int32_t cores = 1;
    std::int64_t elements_per_us = 50; // that a meaning visits, of one core
    friend constexpr bool operator==(const ai_cpu_unit&, const ai_cpu_unit&) = default;
};

struct memory_level {
    std::string_view name;
    std::int64_t bytes = 0; // of all cores together; 0: no such level
    std::int64_t bytes_per_us = 1;
    bool is_shared = true;    // by all streams; false: each of the device's `cores` has one
    bool is_of_cores = false; // its bandwidth is what all AI cores and their vector cores draw together: a task that
                              // has some of them draws as much less
    friend constexpr bool operator==(const memory_level&, const memory_level&) = default;
};

/// A core's own memory between the levels and its units.
struct buffer {
    std::string_view name;
    std::int64_t bytes = 0;
    friend constexpr bool operator==(const buffer&, const buffer&) = default;
};

struct launch_cost {
    ticks host;    // what the host spends on one task that it launches by itself
    ticks graph;   // from the launch of a whole graph until its first task begins
    ticks task;    // between two tasks on the device
    ticks event{}; // from the end of a task until one that waits for it on another stream begins
    friend constexpr bool operator==(const launch_cost&, const launch_cost&) = default;
};

struct device {
    std::string_view name = "npu";
    std::int32_t cores = 0; // 0: the tasks of all streams share the units. Else so many cores have such units each, and
                            // a task has one of them for itself
    cube_unit cube;
    vector_unit vector;
    ai_cpu_unit ai_cpu;
    std::array<memory_level, 4> memory{
        {{"memory", std::int64_t{1} << 40, 1'000'000}}}; // from the fastest to the largest
    std::array<buffer, 5> buffers{}; // of one core: L1, L0A, L0B, L0C, UB; said, and asked by no cost
    launch_cost launch{{5'000'000}, {10'000'000}, {1'000'000}};
    std::int64_t alignment = 64; // bytes; every buffer starts at a multiple: a power of two, at least 64
    std::int32_t streams = 1024; // that a plan may use
    std::int32_t events = 65'536;
    std::int32_t least_gain_permille =
        0; // a graph is spread over streams only where that saves at least so many thousandths of its time
    std::int64_t max_stack_bytes = 64 * 1024; // what a run or a prepare may take of the caller's stack

    /// The device's memory: its last level.
    constexpr std::int64_t memory_bytes() const {
        std::int64_t bytes = 0;
        for (const auto& level : memory)
            if (level.bytes > 0) bytes = level.bytes;
        return bytes;
    }
    friend constexpr bool operator==(const device&, const device&) = default;
};

/// What a program is planned for unless its toolchain names a device: round numbers, no limits but these.
inline constexpr device npu{};

/// How many cores a task may have parts on: where each has units of its own, all of them.
constexpr std::int32_t offered_cores(const device& on) { return on.cores > 0 ? on.cores : 1; }

/// What a limit of cores counts, of all streams together.
constexpr core_limit cores_of(const device& on) {
    return {offered_cores(on) * on.cube.cores, offered_cores(on) * on.vector.cores};
}
/// On how many of the device's own cores a task may have parts that has no more AI cores and vector cores than that.
constexpr std::int32_t cores_within(const core_limit& limit, const device& on) {
    auto out = offered_cores(on);
    if (limit.ai_cores > 0) out = std::min(out, limit.ai_cores / on.cube.cores);
    if (limit.vector_cores > 0) out = std::min(out, limit.vector_cores / on.vector.cores);
    return out < 1 ? 1 : out;
}

constexpr std::int64_t aligned(std::int64_t bytes, const device& on = npu) {
    return (bytes + on.alignment - 1) / on.alignment * on.alignment;
}

} // namespace ahead::machine
