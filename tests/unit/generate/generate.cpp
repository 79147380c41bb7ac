// What a generator says of itself: which phase lasts, to who waits, and which number another ahead or another toolchain says otherwise.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "rendered.hpp"
#include "scratch_folder.hpp"

#include <ahead/aot/manifest.hpp>
#include <ahead/core/error.hpp>
#include <ahead/generate/progress.hpp>
#include <ahead/machine/presets.hpp>

#include <vector>

using namespace ahead;
using namespace ahead::rooms;
using test::check;
using test::check_equal;

namespace {

void phases() {
    using namespace std::chrono_literals;
    const test::scratch_folder folder;
    const auto path = folder.path / "said";
    std::FILE* out = std::fopen(path.string().c_str(), "w");
    {
        generate::progress quick("m.txt", 1h, out);
        for (const auto phase : {"read", "plan", "write"}) quick.enter(phase);
    }
    check_equal(test::content(path), ""); // who does not wait is told nothing
    {
        generate::progress slow("m.txt", 1ms, out);
        slow.enter("read");
        slow.enter("passes");
        for (int i = 0; i < 10'000 && test::content(path).empty(); ++i) std::this_thread::sleep_for(1ms);
        const auto first = test::content(path);
        check(first.ends_with("m.txt: passes ...\n"), first); // the phase that it is late in
        for (const auto phase : {"passes", "plan", "plan", "write"}) slow.enter(phase);
        check_equal(test::content(path), first + "m.txt: plan ...\nm.txt: write ...\n");
    }
    std::fclose(out);
}

/// The rows of a toolchain, as sources hold them.
struct rows {
    std::vector<std::string> names;
    std::vector<aot::said> all;
    explicit rows(const auto& of) {
        aot::for_each_said(of, [&](const aot::said& row) { names.emplace_back(row.name); });
        std::size_t i = 0;
        aot::for_each_said(of, [&](aot::said row) {
            row.name = names[i++];
            all.push_back(row);
        });
    }
};
std::string says(const aot::manifest& of, const config& options, const machine::device& device) {
    auto d = aot::check_version(of);
    if (d.ok()) d = aot::check_tools(of, options, device);
    return d.ok() ? "" : test::sentence(d);
}
void manifests() {
    const rows options(config{}), device(machine::ascend_910b2);
    const auto version = aot::ahead_version();
    aot::manifest of{
        "net", version.view(), aot::format, "tools", {options.all.data(), options.all.size()}, {device.all.data(), device.all.size()}};
    const auto& on = machine::ascend_910b2;
    check_equal(says(of, {}, on), "");
    check_equal(says(of, {.fuse_reductions = true}, on), ""); // as it is anyway
    check_equal(says(of, {.fuse_reductions = false}, on),
                "'net': sources are outdated: expected options.fuse_reductions = 0, found options.fuse_reductions = 1");
    check_equal(says(of, {.vectorcore_num = 7}, on),
                "'net': sources are outdated: expected options.vectorcore_num = 7, found options.vectorcore_num = 0");
    check_equal(says(of, {.effort = effort::brisk}, on),
                "'net': sources are outdated: expected options.effort = 1000000, found options.effort = 5000");
    check_equal(says(of, {.mode = mode::reduce_overhead}, on),
                "'net': sources are outdated: expected options.mode = reduce_overhead, found options.mode = max_autotune");

    // Each number of a device is seen.
    const auto seen = [&](auto edit, std::string_view what) {
        auto other = on;
        edit(other);
        const auto text = says(of, {}, other);
        check(text.find("expected device." + std::string(what) + " = ") != text.npos, text);
    };
    seen([](auto& d) { d.name = "x"; }, "name");
    seen([](auto& d) { ++d.cores; }, "cores");
    seen([](auto& d) { ++d.cube.cores; }, "cube.cores");
    seen([](auto& d) { ++d.cube.clock_mhz; }, "cube.clock_mhz");
    seen([](auto& d) { ++d.cube.tile.m; }, "cube.tile.m");
    seen([](auto& d) { ++d.cube.tile.k; }, "cube.tile.k");
    seen([](auto& d) { ++d.cube.tile.n; }, "cube.tile.n");
    seen([](auto& d) { d.cube.brackets[7] = {1, 500}; }, "cube.brackets[7].multiply_adds");
    seen([](auto& d) { ++d.vector.cores; }, "vector.cores");
    seen([](auto& d) { ++d.vector.clock_mhz; }, "vector.clock_mhz");
    seen([](auto& d) { ++d.vector.lanes; }, "vector.lanes");
    seen([](auto& d) { ++d.vector.permille; }, "vector.permille");
    seen([](auto& d) { ++d.vector.latency; }, "vector.latency");
    seen([](auto& d) { ++d.vector.row_latency; }, "vector.row_latency");
    seen([](auto& d) { ++d.ai_cpu.cores; }, "ai_cpu.cores");
    seen([](auto& d) { ++d.ai_cpu.elements_per_us; }, "ai_cpu.elements_per_us");
    seen([](auto& d) { d.memory[0].name = "x"; }, "memory[0].name");
    seen([](auto& d) { ++d.memory[0].bytes; }, "memory[0].bytes");
    seen([](auto& d) { ++d.memory[1].bytes_per_us; }, "memory[1].bytes_per_us");
    seen([](auto& d) { d.memory[0].is_shared = !d.memory[0].is_shared; }, "memory[0].is_shared");
    seen([](auto& d) { d.memory[0].is_of_cores = !d.memory[0].is_of_cores; }, "memory[0].is_of_cores");
    seen([](auto& d) { d.memory[3] = {"x", 1, 1}; }, "memory[3].name");
    seen([](auto& d) { d.buffers[0].name = "x"; }, "buffers[0].name");
    seen([](auto& d) { ++d.buffers[0].bytes; }, "buffers[0].bytes");
    seen([](auto& d) { ++d.launch.host.count; }, "launch.host");
    seen([](auto& d) { ++d.launch.graph.count; }, "launch.graph");
    seen([](auto& d) { ++d.launch.task.count; }, "launch.task");
    seen([](auto& d) { ++d.launch.event.count; }, "launch.event");
    seen([](auto& d) { d.alignment *= 2; }, "alignment");
    seen([](auto& d) { ++d.streams; }, "streams");
    seen([](auto& d) { ++d.events; }, "events");
    seen([](auto& d) { ++d.least_gain_permille; }, "least_gain_permille");
    seen([](auto& d) { ++d.max_stack_bytes; }, "max_stack_bytes");

    // One more than the toolchain says, and one less; another ahead before everything else.
    of.options = {options.all.data(), options.all.size() - 1};
    check_equal(says(of, {}, on), "'net': sources are outdated: expected options.remove_cat_ops = 1, found nothing");
    auto more = options.all;
    more.emplace_back("fuse_all", 1);
    of.options = {more.data(), more.size()};
    check_equal(says(of, {}, on), "'net': sources are outdated: expected nothing, found options.fuse_all = 1");
    of.version = "0.0.9";
    check_equal(says(of, {}, on),
                "'net': sources are outdated: expected written by ahead " + std::string(version.view()) + ", found by ahead 0.0.9");
    of.version = version.view();
    of.format = 77;
    check_equal(says(of, {}, on),
                "'net': sources are outdated: expected written in format " + std::to_string(aot::format) + ", found in format 77");
}

} // namespace

int main() {
    phases();
    manifests();
    return test::report();
}
