// Timelines: when each task of a program runs on a device, launched as a whole or task by task, on one stream and on
// several.
// SPDX-License-Identifier: MIT
#include "../machine/plain_device.hpp"
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/machine/presets.hpp>
#include <ahead/print/print_timeline.hpp>

#include <chrono>
#include <cstdio>

using namespace ahead;
using namespace std::chrono_literals;
using namespace test;
using machine::ticks;

namespace {

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
    plan.syncs = {ahead::plan::sync{sync_kind::record, 0, 1, 2}, ahead::plan::sync{sync_kind::wait, 0, 0, 2}};
    lay_out(plan.view(), each, {.host = {0}, .graph = {100}, .task = {0}, .event = {3}}, launching::once, rows.data());
    return rows[2].start == ticks{123} && rows[2].stream == 0 && makespan_of(rows) == ticks{128};
}
static_assert(streams_wait_for_events());

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
    check(launches_are_paid_once_each());
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
