// SPDX-License-Identifier: MIT
// Whether a device is possible, and whether a plan fits it. Called by compile/compiled.hpp and check_program.hpp for
// every program, so that a plan beyond a limit does not compile; by npu/ for the device of a context and for launches.
// Invariant: on an accepted device, neither the planner nor the cost model divides by zero.
#pragma once
#include <ahead/air/stream_map.hpp>
#include <ahead/core/diagnosis.hpp>
#include <ahead/ir/blame.hpp>
#include <ahead/plan/plan.hpp>

namespace AHEAD_NAMESPACE::plan {

/// Refuses (device_is_impossible) a unit without cores or clock, memory without bandwidth, levels that shrink or follow
/// an empty one, costs and limits below 0, and an alignment that is not a power of two or is below 64: the kernels rely
/// on both.
constexpr bool check_device(const machine::device& on, diagnosis& d) {
    d.name = on.name;
    const auto at_least = [&](std::int64_t number, std::int64_t least, std::string_view what) {
        return number >= least || refuse(d, fault::device_is_impossible, short_text(what) << " of at least " << least,
                                         short_text() << number);
    };
    const auto& cube = on.cube;
    const auto& vector = on.vector;
    bool ok = at_least(on.cores, 0, "cores") && at_least(cube.cores, 1, "cube cores") &&
              at_least(cube.clock_mhz, 1, "a cube clock") && at_least(cube.tile.m, 1, "a fractal m") &&
              at_least(cube.tile.k, 1, "a fractal k") && at_least(cube.tile.n, 1, "a fractal n") &&
              at_least(vector.cores, 1, "vector cores") && at_least(vector.clock_mhz, 1, "a vector clock") &&
              at_least(vector.lanes, 1, "vector lanes") && at_least(vector.permille, 1, "vector instructions") &&
              at_least(vector.latency, 0, "a vector latency") && at_least(vector.row_latency, 0, "a row latency") &&
              at_least(on.ai_cpu.cores, 1, "AI CPU cores") &&
              at_least(on.ai_cpu.elements_per_us, 1, "AI CPU elements") && at_least(on.streams, 1, "streams") &&
              at_least(on.events, 0, "events") && at_least(on.launch.host.count, 0, "a launch of the host") &&
              at_least(on.launch.graph.count, 0, "a graph's launch") &&
              at_least(on.launch.task.count, 0, "a task's launch") && at_least(on.launch.event.count, 0, "an event") &&
              at_least(on.max_stack_bytes, 0, "a stack") && at_least(on.least_gain_permille, 0, "a least gain") &&
              at_least(on.alignment, 64, "an alignment");
    std::int64_t before = 0;
    for (const auto& bracket : cube.brackets) {
        if (bracket.multiply_adds == 0) continue;
        ok = ok && at_least(bracket.permille, 1, "a bracket's share") &&
             at_least(bracket.multiply_adds, before + 1, "a larger bracket");
        before = bracket.multiply_adds;
    }
    std::int64_t smaller = 0;
    bool ended = false; // whether an empty level was seen
    for (const auto& level : on.memory) {
        if (!ok) break;
        if (level.bytes == 0) {
            ended = true;
            continue;
        }
        ok = !ended || refuse(d, fault::device_is_impossible, "memory levels one behind the other",
                              short_text(level.name) << " behind an empty one");
        if (!ok) break;
        ok = at_least(level.bytes, smaller + 1, "a larger memory level") &&
             at_least(level.bytes_per_us, 1, "a bandwidth");
        smaller = level.bytes;
    }
    ok = ok && at_least(smaller, 1, "a memory");
    if (ok && (on.alignment & (on.alignment - 1)) != 0)
        ok =
            refuse(d, fault::device_is_impossible, "an alignment that is a power of two", short_text() << on.alignment);
    if (ok) d.name = {};
    return ok;
}

/// Refuses (core_limit_is_out_of_range) a scope that limits its calls, or a graph that limits all calls, to more cores
/// than the device has.
constexpr bool check_core_limits(graph_view g, const machine::device& on, diagnosis& d) {
    const auto has = machine::cores_of(on);
    const auto has_as_many = [&](node_id at, std::string_view key, std::int32_t number, std::int32_t most) {
        return (number >= 0 && number <= most) ||
               refuse_at(d, g[at], fault::core_limit_is_out_of_range,
                         short_text(key) << " of at most " << most << ", as " << on.name << " has",
                         short_text("'") << number << "'");
    };
    const auto check_limit = [&](node_id at, const core_limit& asked) {
        return has_as_many(at, air::ai_cores_key, asked.ai_cores, has.ai_cores) &&
               has_as_many(at, air::vector_cores_key, asked.vector_cores, has.vector_cores);
    };
    if (!check_limit(g.last(), g.header().limit)) return false;
    if (!g.header().has_streams) return true;
    for (node_id id : g)
        if (air::stream_word_of(g[id]) == air::stream_word::scope_enter &&
            !check_limit(id, detail::limit_of_scope(g, g[id])))
            return false;
    return true;
}

/// Refuses a plan whose arena, states and constants do not fit the device's memory (device_memory_is_exceeded), and one
/// with more streams or events than the device has (device_streams_are_exceeded, device_events_are_exceeded).
constexpr bool check_limits(const plan_summary& sum, const machine::device& on, diagnosis& d) {
    const auto needed = sum.peak_bytes + sum.state_bytes + sum.constant_bytes;
    if (needed <= on.memory_bytes() && sum.streams <= on.streams && sum.events <= on.events) return true;
    d.name = on.name;
    if (sum.streams > on.streams)
        return refuse(d, fault::device_streams_are_exceeded, short_text("at most ") << on.streams << " streams",
                      short_text() << sum.streams);
    if (sum.events > on.events)
        return refuse(d, fault::device_events_are_exceeded, short_text("at most ") << on.events << " events",
                      short_text() << sum.events);
    return refuse(d, fault::device_memory_is_exceeded, short_text("at most ") << on.memory_bytes() << " bytes",
                  short_text() << needed << " bytes");
}

} // namespace ahead::plan
