// SPDX-License-Identifier: MIT
// The machine as data: what planning needs to know of it. One stream so far.
#pragma once
#include <cstdint>

namespace ahead::target {

struct device {
    std::int64_t alignment = 64; // bytes; every buffer starts at a multiple
    std::int32_t streams = 1;
    std::int64_t max_stack_bytes = 64 * 1024; // what a run or a prepare may take of the caller's stack
};
inline constexpr device npu{};

constexpr std::int64_t aligned(std::int64_t bytes, const device& on = npu) { return (bytes + on.alignment - 1) / on.alignment * on.alignment; }

} // namespace ahead::target
