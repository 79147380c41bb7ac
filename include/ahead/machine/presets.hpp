// SPDX-License-Identifier: MIT
// Devices that exist, by the names of their parts, and `xeon_2core` and `zen5_2core`, processors that were measured. The
// numbers of parts are public; where no public number exists, the comment says "estimate". Multiply-adds and lanes are those of f16 products
// and f32 vectors; the model does not distinguish dtypes.
// Invariant: we measured nothing here on these parts, except for xeon_2core and zen5_2core.
#pragma once
#include <ahead/machine/xeon_2core.hpp>

namespace AHEAD_NAMESPACE::machine {

// Sources
// [910B2.ini] CANN's platform_config/Ascend910B2.ini, as quoted in public repositories: ai_core_cnt=24,
// cube_core_cnt=24, vector_core_cnt=48, ai_cpu_cnt=6, memory_size=68719476736, l2_size=201326592, cube_freq=1800,
// cube_m/n/k_size=16, vec_calc_size=128 (f16, 256 bytes), l0_a/b_size=65536, l0_c_size=131072, l1_size=524288,
// ub_size=196608, l2_rate=110 (bytes per clock and core)
// [catlass] github.com/hicann/catlass include/acot/arch/arch.hpp: the same buffers for Atlas A2
// [310P3.ini] CANN's platform_config/Ascend310P3.ini, likewise: 8 AI Cores, UB 256 KiB, L1 1 MiB, L0A and L0B 64 KiB,
// L0C 256 KiB, L2 16 MiB, 24 GB
// [300I Pro] e.huawei.com/cn/products/computing/ascend/atlas-300-ai: 24 GB LPDDR4X, 204.8 GB/s, 140 TOPS int8, 70
// TFLOPS f16
// [streams] hiascend.com, acl.rt.create_stream: 2048 streams on Atlas training and A2 training products, 1024 on Atlas
// inference products (310P)

/// Ascend 910B2, of the Atlas A2 training products.
inline constexpr device ascend_910b2{
    .name = "Ascend 910B2",
    .cube = {.cores = 24,
             .clock_mhz = 1800,
             .tile = {16, 16, 16},
             .brackets = {{{1 << 20, 300}, {1 << 26, 600}, {1 << 30, 800}}}},                // brackets: estimate
    .vector = {.cores = 48, .clock_mhz = 1800, .lanes = 64, .permille = 500, .latency = 16}, // last two: estimate
    .ai_cpu = {.cores = 6, .elements_per_us = 50},                                           // elements: estimate
    .memory = {{{"L2", 201'326'592, 110 * 24 * 1800, true, true},
                {"HBM", 68'719'476'736, 1'600'000}}}, // HBM: 1.6 TB/s as commonly published
    .buffers = {{{"L1", 524'288}, {"L0A", 65'536}, {"L0B", 65'536}, {"L0C", 131'072}, {"UB", 196'608}}},
    .launch = {.host = {5'000'000},
               .graph = {10'000'000},
               .task = {1'000'000},
               .event = {1'000'000}}, // estimate: 5 us per launch, 10 us per graph, 1 us between tasks or streams
    .alignment = 512,                 // estimate: the granularity of torch_npu's allocator
    .streams = 2048,
    .events = 65'536, // estimate
};

/// Ascend 310P3, as on an Atlas 300I Pro card.
inline constexpr device ascend_310p3{
    .name = "Ascend 310P3",
    .cube =
        {.cores = 8,
         .clock_mhz = 1080,
         .tile = {16, 16, 16},
         .brackets = {{{1 << 20, 300}, {1 << 26, 600}, {1 << 30, 800}}}}, // clock: from 70 TFLOPS; brackets: estimate
    .vector = {.cores = 8, .clock_mhz = 1080, .lanes = 64, .permille = 500, .latency = 16}, // last two: estimate
    .ai_cpu = {.cores = 1, .elements_per_us = 50},                                          // estimate
    .memory = {{{"L2", 16'777'216, 1'000'000}, {"LPDDR4X", 24'000'000'000, 204'800}}},      // L2's bandwidth: estimate
    .buffers = {{{"L1", 1'048'576}, {"L0A", 65'536}, {"L0B", 65'536}, {"L0C", 262'144}, {"UB", 262'144}}},
    .launch = {.host = {5'000'000}, .graph = {10'000'000}, .task = {1'000'000}, .event = {1'000'000}}, // estimate
    .alignment = 512,                                                                                  // estimate
    .streams = 1024,
    .events = 65'536, // estimate
};

/// An AMD EPYC of the family Zen 5 with AVX-512, two cores of a virtual machine, as ahead_bench_calibrate measured it on
/// one core, with g++ 12.2.0, -O2 -march=native: one of five runs, which differ by a tenth, and in whether two cores
/// share the bandwidth.
inline constexpr device zen5_2core{
    .name = "Zen 5, 2 cores",
    .cores = 2,
    .cube = {.cores = 1,
             .clock_mhz = 3546,
             .tile = {1, 2, 16},
             .brackets = {{{1024, 902},
                           {4096, 902},
                           {32768, 999},
                           {262144, 986},
                           {2097152, 991},
                           {16777216, 976},
                           {134217728, 942},
                           {1073741824, 889}}}},
    .vector = {.cores = 1, .clock_mhz = 3546, .lanes = 16, .permille = 1959, .latency = 3, .row_latency = 3},
    .ai_cpu = {.cores = 1, .elements_per_us = 77},
    .memory = {{{"L1", 49152, 497606, false},
                {"L2", 1048576, 162467, false},
                {"L3", 532676608, 94827, false},
                {"memory", 1099511627776, 45798, false}}},
    .launch = {.host = {2991}, .graph = {0}, .task = {2991}, .event = {500621}},
    .least_gain_permille = 100,
};

} // namespace ahead::machine
