// SPDX-License-Identifier: MIT
// The machine as data: the parameters that planning and the cost model need. presets.hpp names real machines; a
// toolchain names the one that it compiles for:
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

/// The product that one core computes in one clock: m x k by k x n. Products are rounded up to whole fractals.
struct fractal {
    std::int32_t m = 16, k = 16, n = 16;
    friend constexpr bool operator==(const fractal&, const fractal&) = default;
};

/// The part of a product between the bracket before and `multiply_adds` runs at `permille` of the cube unit's peak.
struct product_bracket {
    std::int64_t multiply_adds = 0; // 0: unused entry
    std::int32_t permille = 1000;
    friend constexpr bool operator==(const product_bracket&, const product_bracket&) = default;
};

struct cube_unit {
    std::int32_t cores = 1;
    std::int32_t clock_mhz = 1000;
    fractal tile;
    std::array<product_bracket, 8> brackets{}; // ascending; the part beyond the last one runs at its rate
    friend constexpr bool operator==(const cube_unit&, const cube_unit&) = default;
};

struct vector_unit {
    std::int32_t cores = 1;
    std::int32_t clock_mhz = 1000;
    std::int32_t lanes = 64;      // f32 elements per instruction
    std::int32_t permille = 1000; // instructions per thousand clocks of one core
    std::int32_t latency = 4;     // clocks until the next instruction can use a result
    std::int32_t row_latency = 0; // additional clocks where the rest of a row waits for the result and no other row is
                                  // computed in the meantime: in npu.fused_rows
    friend constexpr bool operator==(const vector_unit&, const vector_unit&) = default;
};

/// Runs operators by their meaning, one element after another.
struct ai_cpu_unit {
    std::int32_t cores = 1;
    std::int64_t elements_per_us = 50; // that a meaning visits, per core
    friend constexpr bool operator==(const ai_cpu_unit&, const ai_cpu_unit&) = default;
};

struct memory_level {
    std::string_view name;
    std::int64_t bytes = 0; // of all cores together; 0: unused entry
    std::int64_t bytes_per_us = 1;
    bool is_shared = true;    // by all streams; false: each of the device's `cores` has one
    bool is_of_cores = false; // its bandwidth is the sum of what all AI cores and their vector cores draw: a task that
                              // has some of them gets that share of it
    friend constexpr bool operator==(const memory_level&, const memory_level&) = default;
};

/// Memory of one core, between the memory levels and the core's units.
struct buffer {
    std::string_view name;
    std::int64_t bytes = 0;
    friend constexpr bool operator==(const buffer&, const buffer&) = default;
};

struct launch_cost {
    ticks host;    // host time for one task that the host launches individually
    ticks graph;   // from the launch of a whole graph until its first task begins
    ticks task;    // between two tasks on the device
    ticks event{}; // from the end of a task until a task that waits for it on another stream begins
    friend constexpr bool operator==(const launch_cost&, const launch_cost&) = default;
};

struct device {
    std::string_view name = "npu";
    std::int32_t cores = 0; // 0: the tasks of all streams share the units. Else the number of cores: each has these
                            // units, and a task has one core to itself
    cube_unit cube;
    vector_unit vector;
    ai_cpu_unit ai_cpu;
    std::array<memory_level, 4> memory{
        {{"memory", std::int64_t{1} << 40, 1'000'000}}}; // from the fastest to the largest
    std::array<buffer, 5> buffers{}; // of one core: L1, L0A, L0B, L0C, UB; the cost model does not use them
    launch_cost launch{{5'000'000}, {10'000'000}, {1'000'000}};
    std::int64_t alignment = 64; // bytes, a power of two, at least 64; every buffer starts at a multiple
    std::int32_t streams = 1024; // the most that a plan may use
    std::int32_t events = 65'536;
    std::int32_t least_gain_permille =
        0; // a graph is spread over streams only where that saves at least this many thousandths of its time
    std::int64_t max_stack_bytes = 64 * 1024; // the most of the caller's stack that a run or a prepare may use

    /// The device's memory: its last level.
    constexpr std::int64_t memory_bytes() const {
        std::int64_t bytes = 0;
        for (const auto& level : memory)
            if (level.bytes > 0) bytes = level.bytes;
        return bytes;
    }
    friend constexpr bool operator==(const device&, const device&) = default;
};

/// The device that a program is planned for unless its toolchain names one: round numbers, no limits but these.
inline constexpr device npu{};

/// The number of cores that a task may have parts on: all cores if each has units of its own, else 1.
constexpr std::int32_t offered_cores(const device& on) { return on.cores > 0 ? on.cores : 1; }

/// The numbers that a core_limit limits: AI cores and vector cores of the whole device, for all streams together.
constexpr core_limit cores_of(const device& on) {
    return {offered_cores(on) * on.cube.cores, offered_cores(on) * on.vector.cores};
}
/// The number of the device's cores that a task within the limit may have parts on; at least 1.
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
