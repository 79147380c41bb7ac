// SPDX-License-Identifier: MIT
// The cost model: work -> ticks on a device. A roofline: a task takes the longer of its arithmetic time and its memory
// time, plus the delay between two tasks. Tasks of other streams may use the share of each unit that the task leaves
// idle (shared_machine.hpp). A task that is limited to some cores takes as long as on a device with only those cores,
// and leaves the other cores idle for its whole duration. Called by compile/timing.hpp for every task. Laws:
// deterministic, integers only, the same at compile time and at run time; more work never costs less; no unit is busy
// for longer than its task takes.
#pragma once
#include <ahead/machine/device.hpp>
#include <ahead/machine/work.hpp>
#include <utility>

namespace AHEAD_NAMESPACE::machine {

namespace detail {

constexpr std::int64_t pieces(std::int64_t count, std::int64_t of) { return (count + of - 1) / of; }
constexpr std::int64_t at_least_one(std::int64_t rate) { return rate > 0 ? rate : 1; }

} // namespace detail

/// Multiply-adds per microsecond of all cores together, at peak.
constexpr std::int64_t peak_rate(const cube_unit& cube) {
    return std::int64_t{cube.cores} * cube.clock_mhz * cube.tile.m * cube.tile.k * cube.tile.n;
}

/// One product after another, each rounded up to whole fractals that the cores share.
constexpr ticks time_of(const products& p, const cube_unit& cube) {
    if (p.multiply_adds() == 0) return {};
    const auto& tile = cube.tile;
    const auto fractals = detail::pieces(p.m, tile.m) * detail::pieces(p.k, tile.k) * detail::pieces(p.n, tile.n);
    const auto volume = std::int64_t{tile.m} * tile.k * tile.n;
    const auto each = detail::pieces(fractals, cube.cores) * cube.cores * volume;
    const auto peak = peak_rate(cube);
    ticks one;
    std::int64_t done = 0;
    std::int64_t rate = peak;
    for (const auto& bracket : cube.brackets) {
        if (bracket.multiply_adds == 0 || done == each) break;
        rate = detail::at_least_one(peak * bracket.permille / 1000);
        const auto until = each < bracket.multiply_adds ? each : bracket.multiply_adds;
        if (until <= done) continue;
        one += time_of(until - done, rate);
        done = until;
    }
    if (done < each) one += time_of(each - done, rate);
    return p.count * one;
}

/// Instructions per microsecond of all cores together.
constexpr std::int64_t instruction_rate(const vector_unit& vector) {
    return detail::at_least_one(std::int64_t{vector.cores} * vector.clock_mhz * vector.permille / 1000);
}

/// Rows, each rounded up to whole vectors, plus the latency of instructions that wait for a result of their own row.
constexpr ticks time_of(const vector_rows& v, const vector_unit& vector) {
    const auto busy = time_of(v.count * detail::pieces(v.length, vector.lanes) * v.steps, instruction_rate(vector));
    const auto waiting = time_of(detail::pieces(v.count, vector.cores) * v.waits * vector.latency, vector.clock_mhz);
    return busy + waiting;
}

/// The memory level that holds `footprint` bytes that are used repeatedly: the first one that is large enough, or
/// the last.
constexpr memory_level level_of(const device& on, std::int64_t footprint) {
    memory_level found;
    for (const auto& level : on.memory) {
        if (level.bytes == 0) break;
        found = level;
        if (footprint <= level.bytes) break;
    }
    return found;
}
/// Bytes per microsecond of that level.
constexpr std::int64_t bandwidth(const device& on, std::int64_t footprint) {
    return level_of(on, footprint).bytes_per_us;
}

/// The bytes that a program uses again in every run.
struct footprint {
    std::int64_t arena = 0;
    std::int64_t all = 0; // arena, constants, inputs and outputs
};

/// The device as seen by a task that is limited to `to`: fewer cores in each unit. The bandwidth of a memory level
/// that is_of_cores shrinks to the task's share of the cores: the larger of its shares of the two units.
constexpr device narrowed(device on, const core_limit& to) {
    std::int64_t share = 0, whole = 1; // the larger of the task's shares of the two units
    const auto narrow = [&](std::int32_t& cores, std::int32_t most) {
        const std::int64_t all = cores;
        if (most > 0 && most < all) cores = most;
        if (share * all < cores * whole) {
            share = cores;
            whole = all;
        }
    };
    narrow(on.cube.cores, to.ai_cores);
    narrow(on.vector.cores, to.vector_cores);
    for (auto& level : on.memory)
        if (level.is_of_cores)
            level.bytes_per_us =
                detail::at_least_one(level.bytes_per_us / whole * share + level.bytes_per_us % whole * share / whole);
    return on;
}

/// The duration of one task, including the delay after the task before it. Within a task the units take turns.
constexpr ticks time_of(const work& w, const device& on, const footprint& used) {
    if (w.limit != core_limit{}) {
        auto on_all = w;
        on_all.limit = {};
        return time_of(on_all, narrowed(on, w.limit), used);
    }
    auto busy = time_of(w.cube, on.cube) + time_of(w.vector, on.vector) + time_of(w.after, on.vector) +
                time_of(w.scalar_steps, instruction_rate(on.vector));
    busy += time_of(detail::pieces(w.vector.count, on.vector.cores) * w.row_waits * on.vector.row_latency,
                    on.vector.clock_mhz);
    busy += time_of(w.ai_cpu_elements, detail::at_least_one(on.ai_cpu.elements_per_us));
    const auto moving =
        time_of(w.constant_bytes, bandwidth(on, used.all)) + time_of(w.moved_bytes, bandwidth(on, used.arena));
    return (w.continues ? ticks{} : on.launch.task) + w.held + (busy < moving ? moving : busy);
}

/// The resources that the tasks of several streams share.
enum class unit : std::uint8_t { cube, vector, ai_cpu, memory, core };
inline constexpr int units = 5;

/// The demand of one task on a device.
struct demand {
    ticks alone;            // from its begin to its end if no other stream runs anything
    ticks at_peak[units]{}; // by unit: for how much of that time the unit is busy, at its peak rate
    bool continues = false; // it is not launched by itself: it continues the launch of the task before it
    constexpr ticks& of(unit u) { return at_peak[static_cast<int>(u)]; }
    constexpr ticks of(unit u) const { return at_peak[static_cast<int>(u)]; }
    /// Adds another task's demand on the units, to be met within the duration of this task.
    constexpr void add_work(const demand& other) {
        for (int u = 0; u < units; ++u) at_peak[u] += other.at_peak[u];
    }
};

namespace detail {
/// Limits the busy time of a unit with `cores` cores, of which the task has `limit`, to that share of its duration.
constexpr void keep_within(std::int32_t limit, std::int32_t cores, ticks alone, ticks& busy) {
    if (limit <= 0 || limit >= cores) return;
    const auto most = alone.count / cores * limit + alone.count % cores * limit / cores;
    if (most < busy.count) busy.count = most;
}
} // namespace detail

/// Products run below the cube unit's peak, rows wait for their own results, and an AI CPU operator runs on one core:
/// the capacity that is idle then is available to other tasks.
constexpr demand demand_of(const work& w, const device& on, const footprint& used) {
    demand out{time_of(w, on, used)};
    out.continues = w.continues;
    for (const auto& [bytes, level] :
         {std::pair{w.constant_bytes, level_of(on, used.all)}, {w.moved_bytes, level_of(on, used.arena)}})
        if (level.is_shared) out.of(unit::memory) += time_of(bytes, level.bytes_per_us);
    if (on.cores > 0) {
        out.of(unit::core) = {out.alone.count / on.cores};
        return out;
    }
    const auto& tile = on.cube.tile;
    const auto fractals =
        detail::pieces(w.cube.m, tile.m) * detail::pieces(w.cube.k, tile.k) * detail::pieces(w.cube.n, tile.n);
    out.of(unit::cube) = time_of(w.cube.count * fractals * tile.m * tile.k * tile.n, peak_rate(on.cube));
    const auto instructions = [&](const vector_rows& v) {
        return v.count * detail::pieces(v.length, on.vector.lanes) * v.steps;
    };
    out.of(unit::vector) =
        time_of(instructions(w.vector) + instructions(w.after) + w.scalar_steps, instruction_rate(on.vector));
    out.of(unit::ai_cpu) =
        time_of(w.ai_cpu_elements, on.ai_cpu.cores * detail::at_least_one(on.ai_cpu.elements_per_us));
    out.of(unit::cube) += w.held; // as if its blocks kept both units busy
    out.of(unit::vector) += w.held;
    for (auto& busy : out.at_peak)
        if (out.alone < busy) busy = out.alone; // a bracket may be above the peak
    detail::keep_within(w.limit.ai_cores, on.cube.cores, out.alone, out.of(unit::cube));
    detail::keep_within(w.limit.vector_cores, on.vector.cores, out.alone, out.of(unit::vector));
    return out;
}

} // namespace ahead::machine
