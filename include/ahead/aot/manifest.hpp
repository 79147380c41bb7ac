// SPDX-License-Identifier: MIT
// The manifest of a written program: the version of ahead that wrote it, and the options and the device that it was
// planned for. generate/ writes one next to each program, whose sources check it (written_program.hpp, NAME_tasks.hpp,
// NAME_interface.cpp); so does the CMakeLists.txt of an exported one.
// Invariant: sources that this ahead, or the toolchain in its current form, would have written differently do not
// compile, and the error names the first number that differs. Every number is recorded, so that a change of a default
// is detected, too.
#pragma once
#include <ahead/core/array_view.hpp>
#include <ahead/core/enumerator_name.hpp>
#include <ahead/core/require.hpp>
#include <ahead/device/choices.hpp>
#include <ahead/machine/device.hpp>
#include <ahead/pass/config.hpp>
#include <ahead/version.hpp>

namespace AHEAD_NAMESPACE::aot {

/// The version of the sources that generate/ writes and of the layout of prepared weights. It increases whenever
/// sources or constants written before would be interpreted differently.
inline constexpr int format = 2;

/// {"cube.clock_mhz", 1800}, {"name", "npu"}
struct said {
    std::string_view name;
    std::int64_t number = 0;
    std::string_view text{};

    constexpr said(std::string_view what, std::int64_t n) : name(what), number(n) {}
    constexpr said(std::string_view what, std::string_view t) : name(what), text(t) {}
    friend constexpr bool operator==(const said&, const said&) = default;
    friend constexpr short_text print(const said& row) {
        auto out = short_text(row.name) << " = ";
        return row.text.empty() ? out << row.number : out << row.text;
    }
};

struct manifest {
    std::string_view program, version;
    int format;
    std::string_view toolchain;
    array_view<const said> options, device;
};

constexpr short_text ahead_version() {
    return short_text() << version_major << "." << version_minor << "." << version_patch;
}

/// Calls f(said) for each option, in a fixed order. Options that do not apply to a mode are recorded as off.
constexpr void for_each_said(const config& options, auto f) {
    f(said{"mode", options.mode == mode::max_autotune ? "max_autotune" : "reduce_overhead"});
    f(said{"streams", options.streams});
    f(said{"cores", options.cores});
    f(said{"aicore_num", options.aicore_num});
    f(said{"vectorcore_num", options.vectorcore_num});
    f(said{"effort", static_cast<std::int64_t>(options.effort)});
    f(said{"loop_bound", options.loop_bound});
    if (options.kernels != kernel_set::tuned) f(said{"kernels", static_cast<std::int64_t>(options.kernels)});
    if (!options.choices.empty()) f(said{"choices", std::int64_t{device::hash_of(options.choices)}});
    for (const auto& row : pass::option_table) f(said{row.name, options.is_on(row.option)});
}
constexpr void for_each_said(const machine::device& on, auto f) {
    const auto row = [&](std::string_view list, std::size_t i, std::string_view member, auto v) {
        const auto name = short_text(list) << "[" << i << "]." << member;
        f(said{name.view(), v});
    };
    f(said{"name", on.name});
    f(said{"cores", on.cores});
    f(said{"cube.cores", on.cube.cores});
    f(said{"cube.clock_mhz", on.cube.clock_mhz});
    f(said{"cube.tile.m", on.cube.tile.m});
    f(said{"cube.tile.k", on.cube.tile.k});
    f(said{"cube.tile.n", on.cube.tile.n});
    for (std::size_t i = 0; i < on.cube.brackets.size(); ++i) {
        const auto& [adds, permille] = on.cube.brackets[i];
        if (adds == 0) continue;
        row("cube.brackets", i, "multiply_adds", adds);
        row("cube.brackets", i, "permille", permille);
    }
    f(said{"vector.cores", on.vector.cores});
    f(said{"vector.clock_mhz", on.vector.clock_mhz});
    f(said{"vector.lanes", on.vector.lanes});
    f(said{"vector.permille", on.vector.permille});
    f(said{"vector.latency", on.vector.latency});
    f(said{"vector.row_latency", on.vector.row_latency});
    f(said{"ai_cpu.cores", on.ai_cpu.cores});
    f(said{"ai_cpu.elements_per_us", on.ai_cpu.elements_per_us});
    for (std::size_t i = 0; i < on.memory.size(); ++i) {
        const auto& level = on.memory[i];
        if (level.bytes == 0) continue;
        row("memory", i, "name", level.name);
        row("memory", i, "bytes", level.bytes);
        row("memory", i, "bytes_per_us", level.bytes_per_us);
        row("memory", i, "is_shared", level.is_shared);
        row("memory", i, "is_of_cores", level.is_of_cores);
    }
    for (std::size_t i = 0; i < on.buffers.size(); ++i) {
        if (on.buffers[i].bytes == 0) continue;
        row("buffers", i, "name", on.buffers[i].name);
        row("buffers", i, "bytes", on.buffers[i].bytes);
    }
    f(said{"launch.host", on.launch.host.count});
    f(said{"launch.graph", on.launch.graph.count});
    f(said{"launch.task", on.launch.task.count});
    f(said{"launch.event", on.launch.event.count});
    f(said{"alignment", on.alignment});
    f(said{"streams", on.streams});
    f(said{"events", on.events});
    f(said{"least_gain_permille", on.least_gain_permille});
    f(said{"max_stack_bytes", on.max_stack_bytes});
}

/// Whether this version of ahead wrote the sources.
constexpr diagnosis check_version(const manifest& of) {
    diagnosis d;
    d.name = of.program;
    const auto here = ahead_version();
    if (of.version != here.view())
        refuse(d, fault::sources_are_outdated, short_text("written by ahead ") << here.view(),
               short_text("by ahead ") << of.version);
    if (of.format != format)
        refuse(d, fault::sources_are_outdated, short_text("written in format ") << format,
               short_text("in format ") << of.format);
    return d;
}
/// Whether a toolchain has the options and the device that the sources were planned with.
constexpr diagnosis check_tools(const manifest& of, const config& options, const machine::device& device) {
    diagnosis d;
    d.name = of.program;
    const auto compare = [&](std::string_view what, array_view<const said> all, const auto& now) {
        std::size_t next = 0;
        const auto spelled = [&](const said& row) { return short_text(what) << print(row).view(); };
        for_each_said(now, [&](const said& row) {
            if (d.ok() && (next == all.size() || !(all[next] == row)))
                refuse(d, fault::sources_are_outdated, spelled(row),
                       next == all.size() ? short_text("nothing") : spelled(all[next]));
            ++next;
        });
        if (d.ok() && next < all.size()) refuse(d, fault::sources_are_outdated, "nothing", spelled(all[next]));
    };
    compare("options.", of.options, options);
    compare("device.", of.device, device);
    return d;
}

/// The check of a program's sources that `require` evaluates.
template <const manifest& Of> struct made_by {
    static constexpr diagnosis error = check_version(Of);
};
/// The same check for a toolchain; a different version of ahead is reported once, by made_by.
template <const manifest& Of, class Tools> struct made_for {
    static constexpr diagnosis error =
        check_version(Of).ok() ? check_tools(Of, Tools::options, Tools::device) : diagnosis{};
};

} // namespace ahead::aot
