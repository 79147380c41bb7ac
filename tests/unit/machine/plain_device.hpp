// A device whose numbers are easy to compute with: shared by the tests of the cost model.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/machine/device.hpp>

namespace test {

using namespace ahead;
using namespace ahead::rooms;

inline constexpr machine::device plain{
    .name = "plain",
    .cube = {.cores = 2, .clock_mhz = 1000, .tile = {4, 4, 4}, .brackets = {{{1024, 500}, {1 << 20, 1000}}}},
    .vector = {.cores = 1, .clock_mhz = 1000, .lanes = 8, .permille = 2000, .latency = 3},
    .ai_cpu = {.cores = 1, .elements_per_us = 100},
    .memory = {{{"near", 1024, 4000}, {"far", 1 << 20, 1000}}},
    .launch = {.host = {7'000}, .graph = {20'000}, .task = {1'000}},
    .alignment = 128,
};

} // namespace test
