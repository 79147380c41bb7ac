// SPDX-License-Identifier: MIT
// An x86-64 machine as ahead_bench_calibrate measured it: Intel(R) Xeon(R) Processor with AVX-512, two cores; measured
// on one core, with g++ 12.2.0, -O2 -march=native. The same program measures other machines.
#pragma once
#include <ahead/machine/device.hpp>

namespace AHEAD_NAMESPACE::machine {

inline constexpr device xeon_2core{
    .name = "Xeon, 2 cores",
    .cores = 2,
    .cube = {.cores = 1,
             .clock_mhz = 3592,
             .tile = {1, 2, 16},
             .brackets = {{{1024, 872},
                           {4096, 654},
                           {32768, 782},
                           {262144, 789},
                           {2097152, 789},
                           {16777216, 795},
                           {134217728, 757},
                           {1073741824, 685}}}},
    .vector = {.cores = 1, .clock_mhz = 3592, .lanes = 16, .permille = 1435, .latency = 3, .row_latency = 3},
    .ai_cpu = {.cores = 1, .elements_per_us = 60},
    .memory = {{{"L1", 49152, 341203, false},
                {"L2", 2097152, 156678, false},
                {"L3", 503316480, 29777, false},
                {"memory", 1099511627776, 28496}}},
    .launch = {.host = {0}, .graph = {0}, .task = {0}, .event = {346748}},
    .least_gain_permille = 100,
};

} // namespace ahead::machine
