// One program compiled for several levels of x86-64 (ahead_add_model(... ISA ...)): each that the processor has gives what PyTorch gave, with the weights that
// were prepared while building; states go from one to another; a kernel's refusal comes through, and so does that of a processor which has none.
//     model_instruction_sets          on this machine
//     model_instruction_sets <n>      on a processor of x86-64-v<n>, as an emulator makes one
// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include "digits.hpp"
#include "digits_program.hpp"
#include "digits_weights.hpp"
#include "rare_program.hpp"

#include <ahead/ahead.hpp>
#include <ahead/io/npy.hpp>
#include <ahead/npu/launch.hpp>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace ahead;
using namespace test;

namespace {

constexpr digits::instruction_set all[] = {digits::instruction_set::x86_64_v1, digits::instruction_set::x86_64_v2, digits::instruction_set::x86_64_v3,
                                           digits::instruction_set::x86_64_v4};

std::size_t images_count = 100; // fewer where they are emulated

bool is_close(float seen, float wanted) { return std::abs(seen - wanted) <= 1e-5f + 1e-4f * std::abs(wanted); }

// By the interface alone and as a program of ahead's: the logits that PyTorch gave for a hundred digits.
void digits_like_pytorch() {
    const auto images = load_npy("../examples/02_digits/images.npy");
    const auto recorded = load_npy("../examples/02_digits/logits.npy");
    const auto pixels = images->as<std::uint8_t>();
    const auto wanted = recorded->as<float>();
    check_equal(pixels.size(), 78'400u);
    const auto built = prepared_weights<digits::program>::see({digits::constants(), digits::constant_bytes});
    digits::program::session run{built};
    alignas(digits::alignment) static std::byte arena[digits::arena_bytes];
    for (std::size_t i = 0; i < images_count; ++i) {
        std::array<float, 784> image{};
        for (std::size_t p = 0; p < 784; ++p) image[p] = static_cast<float>(pixels[i * 784 + p]) / 255.0f;
        const void* inputs[] = {image.data()};
        check(digits::run(inputs, digits::constants(), arena));
        std::array<float, 10> scores;
        std::memcpy(scores.data(), arena + digits::outputs[0].offset, sizeof scores);
        const auto [logits] = run(image);
        bool close = true;
        for (std::size_t k = 0; k < 10; ++k) close = close && is_close(scores[k], wanted[i * 10 + k]) && logits.data()[k] == scores[k];
        check(close);
    }
}

const std::array<float, 4> counter{1, 2, 3, 4};
weights rare_weights() {
    weights given;
    given.add("state.counter", dtype::f32, {4}, std::as_bytes(std::span(counter)));
    return given;
}
const std::array<float, 12> rows{5, 1, 4, 2, 8, 3, 0, 7, 6, 9, 11, 10};

// Every level that the processor has, the highest first, as the program begins.
void levels(int processor) {
    check_equal(static_cast<int>(digits::chosen()), processor);
    digits_like_pytorch();
    check(!digits::has(digits::instruction_set::none) && !digits::use(digits::instruction_set::none));
    for (const auto set : all) {
        check_equal(digits::has(set), static_cast<int>(set) <= processor);
        const auto before = digits::chosen();
        check_equal(digits::use(set), digits::has(set));
        check_equal(static_cast<int>(digits::chosen()), static_cast<int>(digits::has(set) ? set : before));
        if (digits::has(set)) digits_like_pytorch();
    }

    // A program of v2 and v3: on two levels, with one set of states, and on the device.
    check_equal(static_cast<int>(rare::chosen()), std::min(processor, 3));
    const auto prepared = rare::program::prepare(rare_weights());
    rare::program::session run{prepared};
    const std::array<std::int64_t, 2> good{0, 3}, bad{1, 4};
    for (const auto set : {rare::instruction_set::x86_64_v2, rare::instruction_set::x86_64_v3}) {
        if (!rare::use(set)) continue;
        const auto [values, order, now] = run(rows, good);
        check(values(0, 0) == 5 && values(1, 2) == 10 && order(0, 0) == 0 && order(1, 0) == 1);
    }
    const auto counted = run.state<"state.counter">()(3);
    check_equal(counted, rare::has(rare::instruction_set::x86_64_v3) ? 22.0f : 13.0f);
    check_throws<error>([&] { static_cast<void>(run(rows, bad)); }, "line 6: aten.index.Tensor");
    npu::context npu;
    npu::states<rare::program> counts(npu, prepared);
    npu.default_stream().launch(counts, npu.to_device<f32<4, 3>>(rows), npu.to_device<i64<2>>(good));
    check_equal(counts.state<"state.counter">().copy()[3], 13.0f);
}

// What the processor has no tasks for is refused by name, and nothing has changed. Of digits it has v1.
void no_level() {
    check_equal(static_cast<int>(digits::chosen()), 1);
    digits_like_pytorch();
    check(rare::chosen() == rare::instruction_set::none && !rare::use(rare::instruction_set::x86_64_v2));
    const std::string_view sentence = "a processor of x86-64-v2, v3";
    check(rare::program::plan.prepare_tasks > 0);
    check_throws<error>([] { rare::program::prepare(rare_weights()); }, sentence);
    const auto why = rare::program::try_prepare(rare_weights());
    check(!why && why.why().what == fault::processor_is_too_old);

    // With constants that another machine has prepared.
    alignas(rare::alignment) static std::byte constants[rare::constant_bytes], arena[rare::arena_bytes];
    const auto seen = prepared_weights<rare::program>::see(constants);
    rare::program::session run{seen};
    const auto before = run.state<"state.counter">().copy();
    const std::array<std::int64_t, 2> places{0, 3};
    check_throws<error>([&] { static_cast<void>(run(rows, places)); }, sentence);
    check(run.state<"state.counter">().copy() == before);
    const void* inputs[] = {rows.data(), places.data()};
    check(!rare::run(inputs, constants, arena));
}

} // namespace

int main(int count, char** arguments) {
    const int processor = count > 1 ? std::atoi(arguments[1]) : aot::processor_level();
    if (count > 1) images_count = 3;
    if (processor == 1) no_level();
    else levels(processor);
    return report();
}
