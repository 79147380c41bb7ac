// SPDX-License-Identifier: MIT
// The machine that ahead was last calibrated on. Written by ahead_bench_calibrate, not by hand; run it and put its output here for yours.
// Intel(R) Xeon(R) Processor, one core, 12.2.0, -O2 -march=native.
#pragma once
#include <ahead/target/device.hpp>

namespace ahead::target {

inline constexpr device this_machine{
    .name = "this machine",
    .cube = {.cores = 1, .clock_mhz = 3593, .tile = {1, 2, 16}, .brackets = {{{1024, 936}, {4096, 647}, {32768, 800}, {262144, 789}, {2097152, 789}, {16777216, 796}, {134217728, 741}, {1073741824, 693}}}},
    .vector = {.cores = 1, .clock_mhz = 3593, .lanes = 16, .permille = 1426, .latency = 3},
    .ai_cpu = {.cores = 1, .elements_per_us = 78},
    .memory = {{{"L1", 49152, 339216}, {"L2", 2097152, 156810}, {"L3", 503316480, 30119}, {"memory", std::int64_t{1} << 40, 28737}}},
    .launch = {.host = {0}, .graph = {0}, .task = {0}},
};

} // namespace ahead::target
