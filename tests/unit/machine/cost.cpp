// The machine as data: presets, the laws of the cost model, and what operators say of their work.
// SPDX-License-Identifier: MIT
#include "harness.hpp"
#include "plain_device.hpp"

#include <ahead/ahead.hpp>
#include <ahead/machine/presets.hpp>

#include <chrono>
#include <random>

using namespace ahead;
using namespace std::chrono_literals;
using namespace test;
using machine::ticks;

namespace {

// ---- presets

constexpr const machine::device* presets[] = {&machine::npu, &machine::xeon_2core, &machine::zen5_2core, &machine::ascend_910b2, &machine::ascend_310p3};

constexpr bool can_be(const machine::device& on) {
    diagnosis d;
    return check_device(on, d) && d.ok();
}
static_assert(can_be(machine::npu) && can_be(machine::xeon_2core) && can_be(machine::zen5_2core) && can_be(machine::ascend_910b2) && can_be(machine::ascend_310p3));
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
constexpr auto reduced(device::dim_list kept, device::dim_list gone) { return device::work_of(device::reduce_key{.type = dtype::f32, .kind = device::reduction::mean, .kept = kept, .reduced = gone}); }
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

} // namespace

int main() {
    check(zeros_are_refused());
    check(more_is_never_less(11));
    return report();
}
