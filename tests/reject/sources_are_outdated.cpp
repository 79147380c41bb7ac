// SPDX-License-Identifier: MIT
// Sources that were planned with other options than their toolchain says now.
// fault: sources_are_outdated
// expect: sources_are_outdated
// expect: mlp
// expect: options.streams = 2
// expect: options.streams = 1
#include <ahead/ahead.hpp>
#include <ahead/aot/manifest.hpp>

#ifdef REJECT
inline constexpr ahead::config options{.streams = 2};
#else
inline constexpr ahead::config options{};
#endif
using tools = ahead::toolchain<>::with_options<options>;

namespace mlp {
inline constexpr ahead::aot::said planned_options[] = {
    {"mode", "max_autotune"}, {"streams", 1}, {"cores", 1}, {"aicore_num", 0}, {"vectorcore_num", 0}, {"effort", 5000},           {"loop_bound", 0},
    {"remove_noop_ops", 1}, {"recompose", 1}, {"fold_batch_norm", 1}, {"decompose", 1},         {"eliminate_dead_code", 1},
    {"eliminate_duplicates", 1}, {"fuse_attention", 1}, {"fold_transposes", 1}, {"fuse_activation", 1}, {"fuse_pointwise", 1}, {"fuse_quantized", 1}, {"fuse_residual", 1},
    {"fuse_reductions", 1},         {"remove_cat_ops", 1},
};
inline constexpr ahead::aot::said planned_device[] = {
    {"name", "npu"},
    {"cores", 0},
    {"cube.cores", 1},
    {"cube.clock_mhz", 1000},
    {"cube.tile.m", 16},
    {"cube.tile.k", 16},
    {"cube.tile.n", 16},
    {"vector.cores", 1},
    {"vector.clock_mhz", 1000},
    {"vector.lanes", 64},
    {"vector.permille", 1000},
    {"vector.latency", 4},
    {"vector.row_latency", 0},
    {"ai_cpu.cores", 1},
    {"ai_cpu.elements_per_us", 50},
    {"memory[0].name", "memory"},
    {"memory[0].bytes", 1099511627776},
    {"memory[0].bytes_per_us", 1000000},
    {"memory[0].is_shared", 1},
    {"memory[0].is_of_cores", 0},
    {"launch.host", 5000000},
    {"launch.graph", 10000000},
    {"launch.task", 1000000},
    {"launch.event", 0},
    {"alignment", 64},
    {"streams", 1024},
    {"events", 65536},
    {"least_gain_permille", 0},
    {"max_stack_bytes", 65536},
};
inline constexpr ahead::aot::manifest manifest{
    .program = "mlp",
    .version = "0.1.0",
    .format = 2,
    .toolchain = "tools",
    .options = planned_options,
    .device = planned_device,
};
static_assert(sizeof(ahead::require<ahead::aot::made_by<manifest>>) > 0);
static_assert(sizeof(ahead::require<ahead::aot::made_for<manifest, tools>>) > 0);
} // namespace mlp
int main() {}
