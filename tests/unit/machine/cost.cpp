// The machine as data and the time that programs take on it: presets, the laws of the cost model, what operators say of their work, timelines.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "timed.hpp"

#include <ahead/ahead.hpp>
#include <ahead/machine/presets.hpp>
#include <ahead/print/print_timeline.hpp>

#include <chrono>
#include <cstdio>
#include <random>

using namespace ahead;
using namespace std::chrono_literals;
using namespace test;
using machine::ticks;

namespace {

// ---- presets

constexpr const machine::device* presets[] = {&machine::npu, &machine::xeon_2core, &machine::ascend_910b2, &machine::ascend_310p3};

constexpr bool can_be(const machine::device& on) {
    diagnosis d;
    return check_device(on, d) && d.ok();
}
static_assert(can_be(machine::npu) && can_be(machine::xeon_2core) && can_be(machine::ascend_910b2) && can_be(machine::ascend_310p3));
static_assert(machine::ascend_910b2.memory_bytes() == std::int64_t{64} << 30);
static_assert(machine::peak_rate(machine::ascend_910b2.cube) == 24 * 1800 * 4096); // 354 TFLOPS
static_assert(machine::peak_rate(machine::ascend_310p3.cube) / 1000 == 8 * 1080 * 4096 / 1000);

// Every number that may not be zero is looked at.
bool zeros_are_refused() {
    const auto refused = [](auto change) {
        auto on = machine::ascend_910b2;
        change(on);
        diagnosis d;
        return !check_device(on, d) && d.what == fault::device_is_impossible && d.name.view() == "Ascend 910B2";
    };
    return refused([](auto& d) { d.cube.cores = 0; }) && refused([](auto& d) { d.cube.clock_mhz = 0; }) &&
           refused([](auto& d) { d.cube.tile.m = 0; }) && refused([](auto& d) { d.cube.tile.k = 0; }) &&
           refused([](auto& d) { d.cube.tile.n = 0; }) && refused([](auto& d) { d.cube.brackets[1].permille = 0; }) &&
           refused([](auto& d) { d.vector.cores = 0; }) && refused([](auto& d) { d.vector.clock_mhz = 0; }) &&
           refused([](auto& d) { d.vector.lanes = 0; }) && refused([](auto& d) { d.vector.permille = 0; }) &&
           refused([](auto& d) { d.vector.latency = -1; }) && refused([](auto& d) { d.vector.row_latency = -1; }) && refused([](auto& d) { d.ai_cpu.elements_per_us = 0; }) &&
           refused([](auto& d) { d.memory[0].bytes_per_us = 0; }) && refused([](auto& d) { d.memory[1].bytes = 1000; }) &&
           refused([](auto& d) { d.memory = {}; }) && refused([](auto& d) { d.streams = 0; }) &&
           refused([](auto& d) { d.launch.event.count = -1; }) && refused([](auto& d) { d.least_gain_permille = -1; }) &&
           refused([](auto& d) { d.cores = -1; }) && refused([](auto& d) { d.ai_cpu.cores = 0; }) && refused([](auto& d) { d.alignment = 32; }) && refused([](auto& d) { d.alignment = 96; }) &&
           refused([](auto& d) { d.events = -1; }) && refused([](auto& d) { d.launch.host.count = -1; }) &&
           refused([](auto& d) { d.cube.brackets[0].multiply_adds = -1; }) && refused([](auto& d) { d.cube.brackets[1].multiply_adds = 1 << 20; }) && refused([](auto& d) { d.launch.graph.count = -1; }) && refused([](auto& d) { d.launch.task.count = -1; }) &&
           refused([](auto& d) { d.max_stack_bytes = -1; }) && refused([](auto& d) { d.memory[3] = d.memory[1]; d.memory[1].bytes = 0; });
}

// ---- work

// The elements of all windows, without a look at each: as many as there are one by one, and of sizes that no evaluation goes through.
constexpr bool windows_are_counted() {
    using axis = device::average_pool2d_key::axis;
    const auto holds = [](const axis& a) {
        std::int64_t count = 0;
        for (std::int64_t i = 0; i < a.out; ++i) count += device::window_at(a, i).last - device::window_at(a, i).first;
        return count == device::elements_of_windows(a);
    };
    for (std::int64_t in = 1; in <= 7; ++in) {
        for (std::int64_t out = 1; out <= 9; ++out)
            if (!holds({in, out, 0, 1, 0})) return false;
        for (std::int64_t kernel = 1; kernel <= in + 2; ++kernel)
            for (std::int64_t stride = 1; stride <= 4; ++stride)
                for (std::int64_t padding = 0; padding <= kernel / 2; ++padding) {
                    if (in + 2 * padding < kernel) continue;
                    const auto whole = (in + 2 * padding - kernel) / stride + 1;
                    const auto more = whole * stride < in + padding && (in + 2 * padding - kernel) % stride != 0; // ceil_mode
                    if (!holds({in, whole, kernel, stride, padding}) || (more && !holds({in, whole + 1, kernel, stride, padding}))) return false;
                }
    }
    return true;
}
static_assert(windows_are_counted());
constexpr std::int64_t giga = 1 << 30;
static_assert(device::elements_of_windows({2 * giga, giga, 2, 2, 0}) == 2 * giga && device::elements_of_windows({2 * giga, giga, 0, 1, 0}) == 2 * giga);

// ---- ticks

static_assert(ticks{40'000'000} == 40us && ticks{39'999'999} < 40us && ticks{40'000'001} > 40us && ticks{1'000} == 1ns &&
              ticks{1'000'000'000} == 1ms);
static_assert(machine::time_of(0, 3).count == 0 && machine::time_of(3, 3).count == 1'000'000 && machine::time_of(1, 3).count == 333'334);
static_assert(machine::time_of(std::int64_t{1} << 50, 1'000'000).count == (std::int64_t{1} << 50)); // no overflow on the way

// ---- the model

using machine::time_of;
using machine::work;

constexpr machine::device plain{
    .name = "plain",
    .cube = {.cores = 2, .clock_mhz = 1000, .tile = {4, 4, 4}, .brackets = {{{1024, 500}, {1 << 20, 1000}}}},
    .vector = {.cores = 1, .clock_mhz = 1000, .lanes = 8, .permille = 2000, .latency = 3},
    .ai_cpu = {.cores = 1, .elements_per_us = 100},
    .memory = {{{"near", 1024, 4000}, {"far", 1 << 20, 1000}}},
    .launch = {.host = {7'000}, .graph = {20'000}, .task = {1'000}},
    .alignment = 128,
};
static_assert(can_be(plain));
constexpr machine::footprint small{512, 512}, large{512, 2048};

// One fractal of 64 multiply-adds needs a clock of one core; two cores share; the first 1024 run at half speed.
static_assert(time_of(work{}, plain, small).count == 1'000);
static_assert(time_of(machine::products{1, 8, 4, 4}, plain.cube).count == 2'000);
static_assert(time_of(machine::products{1, 5, 1, 1}, plain.cube) ==
              time_of(machine::products{1, 8, 4, 4}, plain.cube)); // rounded up to fractals
constexpr ticks three_fractals = {4'000};                         // as four
static_assert(time_of(machine::products{1, 9, 4, 4}, plain.cube) == three_fractals &&
              time_of(machine::products{1, 4, 9, 4}, plain.cube) == three_fractals);
static_assert(time_of(machine::products{1, 4, 4, 9}, plain.cube) == three_fractals);
static_assert(time_of(machine::products{3, 8, 4, 4}, plain.cube).count == 6'000);
static_assert(time_of(machine::products{1, 16, 16, 8}, plain.cube).count == 16'000 + 8'000); // 2048: 1024 at half speed, 1024 at full
// Rows are rounded up to vectors, two instructions a clock; waiting is added.
static_assert(time_of(machine::vector_rows{4, 9, 3, 0}, plain.vector).count == 12'000);
static_assert(time_of(machine::vector_rows{4, 9, 3, 5}, plain.vector).count == 12'000 + 60'000);
static_assert(time_of(work{.vector = {4, 9, 3, 0}, .after = {1, 8, 6, 0}}, plain, small).count == 1'000 + 12'000 + 3'000);
// What the rest of a row waits for counts once more, as long as the device says.
constexpr auto with_row_latency = [] {
    auto on = plain;
    on.vector.row_latency = 2;
    return on;
}();
static_assert(time_of(work{.vector = {4, 9, 3, 0}, .row_waits = 5}, plain, small).count == 1'000 + 12'000);
static_assert(time_of(work{.vector = {4, 9, 3, 0}, .row_waits = 5}, with_row_latency, small).count == 1'000 + 12'000 + 40'000);
// Arithmetic or memory, whichever is longer; constants lie where everything fits, the arena where it fits.
static_assert(time_of(work{.vector = {1, 8, 2}, .moved_bytes = 4000}, plain, small).count == 1'000 + 1'000'000);
static_assert(time_of(work{.constant_bytes = 1000}, plain, small).count == 1'000 + 250'000);
static_assert(time_of(work{.constant_bytes = 1000}, plain, large).count == 1'000 + 1'000'000);
static_assert(time_of(work{.ai_cpu_elements = 50}, plain, small).count == 1'000 + 500'000);

// Law: more work never costs less, on any preset.
bool more_is_never_less(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto upto = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
    for (int round = 0; round < 4000; ++round) {
        const auto& on = *presets[static_cast<std::size_t>(round) % std::size(presets)];
        const work less{.cube = {upto(3), upto(300), upto(300), upto(300)},
                        .vector = {upto(50), upto(400), upto(30), upto(40)},
                        .after = {upto(2), upto(400), upto(30), 0},
                        .scalar_steps = upto(1000),
                        .ai_cpu_elements = upto(1000),
                        .constant_bytes = upto(1 << 20),
                        .moved_bytes = upto(1 << 20)};
        auto more = less;
        std::int64_t* const parts[] = {&more.cube.count,   &more.cube.m,        &more.cube.k,          &more.cube.n,
                                       &more.vector.count, &more.vector.length, &more.vector.steps,    &more.vector.waits,
                                       &more.after.length, &more.scalar_steps,  &more.ai_cpu_elements, &more.constant_bytes,
                                       &more.moved_bytes,  &more.row_waits};
        *parts[static_cast<std::size_t>(upto(13))] += upto(100);
        const machine::footprint used{upto(1 << 22), upto(1 << 23)};
        const machine::footprint wider{used.arena + upto(1 << 22), used.all + upto(1 << 23)};
        const auto cost = time_of(less, on, used);
        if (cost < on.launch.task || time_of(more, on, used) < cost || time_of(less, on, wider) < cost) return false;
    }
    return true;
}

// ---- what operators say of their work

// A reduction takes dims that lie as one for one, as its kernel does: 7 x 9 is a row of 63. Columns that do not lie side by side go one by one.
constexpr auto reduced(device::dim_list kept, device::dim_list gone) { return device::work_of(device::reduce_key{dtype::f32, device::reduction::mean, kept, gone}); }
static_assert(reduced({2, {2, 3}, {189, 63}}, {2, {7, 9}, {9, 1}}).vector.length == 63 && reduced({2, {2, 3}, {189, 63}}, {2, {7, 9}, {9, 1}}).vector.waits == device::waits_of_sum(63));
static_assert(reduced({2, {4, 3}, {3, 1}}, {1, {5}, {12}}).vector.count == 5 && reduced({2, {4, 3}, {3, 1}}, {1, {5}, {12}}).vector.length == 12);
static_assert(reduced({1, {12}, {2}}, {1, {5}, {24}}).scalar_steps == 2 * 5 * 12);
static_assert(device::work_of(device::contiguous_matmul(dtype::f32, 3, 80, 20, true, true)).cube.multiply_adds() == 3 * 80 * 20);
static_assert(device::work_of(device::contiguous_matmul(dtype::f32, 3, 3, 20, true, true)).cube.n == 20); // dot products run along k
// A convolution is the products of its pixels; padding that no tap meets is not multiplied.
constexpr device::convolution_key same_3x3{
    .in_channels = 16, .in_h = 8, .in_w = 32, .out_channels = 16, .kernel_h = 3, .kernel_w = 3, .pad_h = 1, .pad_w = 1};
static_assert(device::work_of(same_3x3).cube.multiply_adds() == 16 * 16 * 16 * 16 * 9);
// Winograd's has 36 multiplications for the 144 of a tile of 4x4 pixels, of whole tiles.
constexpr device::convolution_key tiled_3x3{
    .batch = 2, .in_channels = 32, .in_h = 13, .in_w = 16, .out_channels = 24, .kernel_h = 3, .kernel_w = 3, .pad_h = 1, .pad_w = 1};
static_assert(device::work_of(tiled_3x3).cube.multiply_adds() == 2 * 36 * (4 * 4) * 32 * 24);
static_assert(device::work_of(tiled_3x3).vector.element_steps() > 0 && device::work_of(tiled_3x3).scalar_steps == 0);
constexpr device::convolution_key tiny{
    .in_channels = 64, .in_h = 2, .in_w = 2, .out_channels = 32, .kernel_h = 3, .kernel_w = 3, .pad_h = 1, .pad_w = 1};
static_assert(device::work_of(tiny).cube.multiply_adds() == 16 * 64 * 32);

// What is said to run in vectors does, and the other way round.
template <std::size_t... I>
consteval bool vectors_are_told(std::index_sequence<I...>) {
    const bool same[] = {machine::steps_of<aten::pointwise_ops::at<I>>().in_vectors ==
                         kernels::vector_form<aten::pointwise_ops::at<I>>::exists...};
    for (bool one : same)
        if (!one) return false;
    return true;
}
static_assert(vectors_are_told(std::make_index_sequence<aten::pointwise_ops::size>{}));

struct dear : aten::unary<promotion::to_real> {
    static constexpr std::string_view name = "mine.dear.default";
    static constexpr machine::steps steps{77, true};
    template <class T>
    static constexpr T meaning(T x) {
        return x;
    }
};
static_assert(dear::name == "mine.dear.default" && machine::steps_of<dear>().count == 77 &&
              machine::steps_of<aten::tanh>().count > 10 * machine::steps_of<aten::add>().count);

// ---- timelines

using on_plain = toolchain<>::with_device<plain>;
inline constexpr auto net = trace([](input<"x", f32<4, 8>> x, param<"w", f32<16, 8>> w) {
    const auto y = linear(x, w);
    return outputs(tanh(y), permute<1, 0>(y) * 2);
});
using program = compiled<net, on_plain>;
constexpr auto timeline = program::plan.timeline;
static_assert(program::plan.run_tasks == 3 && timeline.size() == 3);
static_assert(program::plan.makespan == timeline[2].end && program::plan.makespan < 1us && program::plan.makespan > 80ns);
static_assert(timeline[0].start == plain.launch.graph && timeline[1].start == timeline[0].end && timeline[2].start == timeline[1].end);
static_assert(program::plan.peak_bytes % 128 == 0 && program::plan.constant_bytes % 128 == 0); // the device's alignment
inline constexpr auto narrow = trace([](input<"x", f32<5>> x, param<"w", f32<5>> w) {
    const auto y = mm(reshape<5, 1>(tanh(x)), reshape<1, 5>(sigmoid(x) * w));
    return outputs(y, softmax<0>(x));
});
using narrow_program = compiled<narrow, on_plain>;
static_assert(narrow_program::plan.peak_bytes % 128 == 0 && narrow_program::plan.constant_bytes == 128 &&
              compiled<narrow>::plan.constant_bytes == 64);

// What follows a product is part of its task, and of its work.
inline constexpr auto activated = trace([](input<"x", f32<4, 8>> x, param<"w", f32<16, 8>> w) { return outputs(tanh(linear(x, w))); });
using activated_program = compiled<activated>;
constexpr auto& one_task = ahead::detail::task_work<activated_program>;
static_assert(one_task.size() == 1 && one_task[0].cube.multiply_adds() == 4 * 16 * 8);
static_assert(one_task[0].after.element_steps() == 4 * 16 * machine::steps_of<aten::tanh>().count);

// A device operator may state its work; what does not is taken for a step per element of its results.
struct outspoken {
    static constexpr int key(const call_view&) { return 0; }
    static constexpr machine::work work(const call_view& c) { return {.scalar_steps = 3 * element_count(c.result_type())}; }
};
struct silent {
    static constexpr int key(const call_view&) { return 0; }
};
constexpr bool operators_may_speak() {
    const auto g = narrow_program::lowered_graph();
    const auto id = narrow_program::plan_view().tasks[static_cast<std::size_t>(narrow_program::plan.prepare_tasks)].node;
    bound_arguments bound;
    diagnosis d;
    bind_arguments(g, id, narrow_program::device_registry::table[static_cast<std::size_t>(g[id].op.index)], bound, d);
    const call_view call(g, id, bound, d);
    const auto loud = device::work_of_call<outspoken>(call, nullptr), quiet = device::work_of_call<silent>(call, nullptr);
    return loud.scalar_steps == 15 && loud.vector.count == 0 && quiet.scalar_steps == 0 && quiet.vector.element_steps() == 5;
}
static_assert(operators_may_speak());

// On another device: its launch, its speed; and the one that the host launches task by task.
static_assert(timing<program, machine::ascend_910b2>::timeline[0].start == 10us);
static_assert(eager_timing<program, machine::ascend_910b2>::timeline[0].start == 5us);
static_assert(eager_timing<program, machine::ascend_910b2>::makespan >= 3 * machine::ascend_910b2.launch.host);

// Law: no row overlaps another, the makespan is no less than any end, every task is there once and in order.
constexpr bool is_sound(array_view<const timeline_row> rows, ticks makespan, std::int32_t first) {
    ticks now;
    bool met = rows.empty();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].task != first + static_cast<std::int32_t>(i) || rows[i].start < now || rows[i].end < rows[i].start ||
            makespan < rows[i].end)
            return false;
        now = rows[i].end;
        met = met || rows[i].end == makespan;
    }
    return met;
}
static_assert(is_sound(timeline, program::plan.makespan, program::plan.prepare_tasks));

// Law: launched task by task, the host's launch is paid once per task; hidden only behind tasks that are longer.
constexpr bool launches_are_paid_once_each() {
    std::array<machine::demand, 5> none{}, longer{};
    for (auto& t : longer) t.alone = {10'000};
    std::array<timeline_row, 5> rows{};
    plan_storage<capacity{5, 0, 5}> plan;
    lay_out(plan.view(), none, plain.launch, launching::each, rows.data());
    if (makespan_of(rows) != 5 * plain.launch.host) return false;
    lay_out(plan.view(), longer, plain.launch, launching::each, rows.data());
    if (makespan_of(rows) != plain.launch.host + 5 * longer[0].alone) return false;
    lay_out(plan.view(), longer, plain.launch, launching::once, rows.data());
    return makespan_of(rows) == plain.launch.graph + 5 * longer[0].alone && makespan_of({}) == ticks{};
}
static_assert(launches_are_paid_once_each());

// Law: streams run side by side, but for events: what waits begins when the event's stream has come so far, and the device's time for that has passed.
constexpr bool streams_wait_for_events() {
    const std::array<machine::demand, 3> each{{{ticks{10}}, {ticks{20}}, {ticks{5}}}};
    std::array<timeline_row, 3> rows{};
    plan_storage<capacity{3, 0, 3}, 2> plan;
    plan.summary.streams = 2;
    plan.tasks[1].stream = 1;
    lay_out(plan.view(), each, {.host = {0}, .graph = {100}, .task = {0}, .event = {3}}, launching::once, rows.data());
    if (rows[1].start != ticks{100} || makespan_of(rows) != ticks{120}) return false;
    plan.summary.events = 1;
    plan.summary.syncs = 2;
    plan.syncs = {ahead::sync{sync_kind::record, 0, 1, 2}, ahead::sync{sync_kind::wait, 0, 0, 2}};
    lay_out(plan.view(), each, {.host = {0}, .graph = {100}, .task = {0}, .event = {3}}, launching::once, rows.data());
    return rows[2].start == ticks{123} && rows[2].stream == 0 && makespan_of(rows) == ticks{128};
}
static_assert(streams_wait_for_events());

// Law: tasks of several streams share each unit. Two that each take 8 tenths of one last as long as their work at its peak; two that take a half, or another
// unit each, as long as one; of a third that half is left to, the rest comes when there is room again.
constexpr machine::demand using_unit(machine::unit u, std::int64_t alone, std::int64_t busy) {
    machine::demand out{ticks{alone}};
    out.of(u) = ticks{busy};
    return out;
}
constexpr bool streams_share_units() {
    using machine::unit;
    machine::shared_machine crowded(3), roomy(5);
    const auto first = crowded.run({}, using_unit(unit::cube, 1000, 800)), second = crowded.run({}, using_unit(unit::cube, 1000, 800));
    if (first != ticks{1000} || second != ticks{1750}) return false; // a quarter of it beside the first
    if (roomy.run({}, using_unit(unit::vector, 100, 50)) != ticks{100} || roomy.run({}, using_unit(unit::vector, 100, 50)) != ticks{100}) return false;
    if (roomy.run({}, using_unit(unit::memory, 70, 70)) != ticks{70} || roomy.run({60}, using_unit(unit::memory, 20, 20)) != ticks{90}) return false;
    roomy.forget_before({95});
    return roomy.run({95}, using_unit(unit::vector, 10, 10)) == ticks{110} && roomy.run({95}, {}) == ticks{95};
}
static_assert(streams_share_units());

/// Law: also of a machine that remembers few tasks, and forgets what is over.
bool work_is_never_done_early(std::int64_t remembered) {
    std::mt19937 random(3);
    for (unsigned round = 0; round < 50; ++round) {
        machine::shared_machine machine(remembered);
        std::array<ticks, 4> idle{};
        std::array<ticks, machine::units> work{};
        ticks end;
        for (const auto& task : random_demands(random, 300, 1 + round * 40)) {
            auto& mine = idle[random() % 4];
            const auto first = *std::min_element(idle.begin(), idle.end());
            if (machine.is_full()) machine.forget_before(first);
            const auto start = mine;
            mine = machine.run(start, task);
            if (mine - start < task.alone) return false;
            end = std::max(end, mine);
            for (int u = 0; u < machine::units; ++u) work[static_cast<std::size_t>(u)] += task.at_peak[u];
        }
        for (const auto busy : work)
            if (end < busy) return false;
    }
    return true;
}

// A machine of cores: each stream's tasks have one for themselves, and the memory behind them all is shared.
static_assert([] {
    auto on = machine::xeon_2core;
    on.cores = 2;
    const machine::work product{.cube = {1, 256, 256, 256}, .moved_bytes = 1000};
    const auto task = machine::demand_of(product, on, {1000, 1000}), far = machine::demand_of(product, on, {1 << 30, 1 << 30});
    machine::shared_machine machine(3);
    return machine.run({}, task) == task.alone && machine.run({}, task) == task.alone && machine.run({}, task) > task.alone &&
           task.of(machine::unit::memory) == ticks{} && far.of(machine::unit::memory) == machine::time_of(1000, 28496);
}());

// Two chains of two products each: whatever the streams, the cube unit has four of them to do.
template <int Streams> inline constexpr config big_tools_options{.streams = Streams};
template <int Streams> using big_tools = toolchain<>::with_device<machine::ascend_910b2>::with_options<big_tools_options<Streams>>;
inline constexpr auto big_chains = trace([](input<"x", f32<2048, 2048>> x, input<"y", f32<2048, 2048>> y) { return outputs(mm(mm(x, x), x), mm(mm(y, y), y)); });
template <class Program> constexpr bool is_lawful() {
    return keeps_to_the_machine(Program::plan_view(), ahead::detail::task_demands<Program, Program::device>, Program::device.launch, launching::once, Program::plan.timeline);
}
using big_one = compiled<big_chains, big_tools<1>>;
using big_two = compiled<big_chains, big_tools<2>>;
constexpr auto four_products = machine::time_of(std::int64_t{4} << 33, machine::peak_rate(machine::ascend_910b2.cube));
static_assert(four_products > 194'100ns && four_products < 194'200ns);
static_assert(big_two::plan.streams == 2 && big_two::plan.makespan >= 194'200ns && big_two::plan.makespan < big_one::plan.makespan);
static_assert(is_lawful<big_one>() && is_lawful<big_two>());

constexpr std::string_view picture = R"(makespan 0.887 us
stream 0 |.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbccccccccc|
stream	start	end	op
0	0.020	0.629	npu.matmul
0	0.629	0.758	npu.tanh.default
0	0.758	0.887	npu.mul.Tensor
)";
template <class Program>
constexpr auto printed() {
    text_buffer<2000> out;
    print_timeline<Program>(out);
    return out;
}
constexpr auto made = printed<program>();
static_assert(made.view() == picture);

} // namespace

int main() {
    check(zeros_are_refused());
    check(more_is_never_less(11));
    check(launches_are_paid_once_each());
    check(streams_share_units());
    for (const std::int64_t remembered : {1, 3, 20, 300}) check(work_is_never_done_early(remembered));
    check(operators_may_speak());
    check_equal(made.view(), picture);
    std::string text;
    print_timeline<program>(text);
    check_equal(text, picture);

    // The same ticks at run time as at compile time.
    const auto used = ahead::detail::footprint_of(program::plan_view());
    ticks now = plain.launch.graph;
    std::size_t i = 0;
    for (const auto& w : ahead::detail::make_task_work<program>()) {
        now += time_of(w, on_plain::device, used);
        check(timeline[i++].end == now);
    }
    // A program for a device with wider alignment asks for memory that is aligned so, and runs.
    ahead::weights weights;
    std::vector<float> w(128, 0.5f), x(32, 0.25f);
    weights.add("w", dtype::f32, {16, 8}, std::as_bytes(std::span(w)));
    const auto prepared = program::prepare(weights);
    check(reinterpret_cast<std::uintptr_t>(prepared.constants()) % 128 == 0);
    alignas(128) static std::byte memory[program::session::bytes + 64];
    {
        program::session run{prepared, {memory, program::session::bytes}};
        const auto [y, z] = run(x);
        check(z.storage().data()[0] == 2.f && z.storage().data()[63] == 2.f && y.storage().data()[0] > 0.76f);
    }
    check_throws<error>(
        [&] {
            program::session run(prepared, {memory + 64, program::session::bytes});
        },
        "a multiple of 128, found 64 bytes past one");
    std::printf("two chains of two 2048^3 products on ascend_910b2: the cube unit's share %.3f us, makespan %.3f us on two streams, %.3f us on one\n",
                four_products.microseconds(), big_two::plan.makespan.microseconds(), big_one::plan.makespan.microseconds());
    return report();
}
