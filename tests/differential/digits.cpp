// SPDX-License-Identifier: MIT
// A differential run of a whole model, with the weights that it was trained to: every task of prepare and of the run agrees with the reference.
#include "harness.hpp"

#include <ahead/ahead.hpp>
#include <ahead/differential/compare_with_reference.hpp>
#include <ahead/print/print_differential.hpp>

using namespace ahead;
using namespace test;

namespace {

struct lenet {
    static constexpr std::string_view text =
#include "digits.fx"
        ;
};
inline constexpr config two_streams_options{.streams = 2};
using two_streams = toolchain<>::with_options<two_streams_options>;
template <class Program>
void agrees() {
    const auto stored = load_safetensors("../examples/02_digits/digits.safetensors");
    const auto images = load_npy("../examples/02_digits/images.npy");
    differential_run<Program> compare(stored);
    for (std::size_t image = 0; image < 3; ++image) {
        std::array<float, 784> pixels{};
        for (std::size_t i = 0; i < pixels.size(); ++i)
            pixels[i] = static_cast<float>(images->as<std::uint8_t>()[784 * image + i]) / 255.0f;
        const auto report = compare(pixels);
        std::string text;
        print_differential(report, text);
        check(report.ok() && report.tasks == Program::plan.prepare_tasks + Program::plan.run_tasks && report.compared >= 7 &&
                  report.max_difference < 1e-4,
              text);
    }
    check(compare.on_random_inputs(1).ok());
}

} // namespace

int main() {
    agrees<compiled<fx<lenet>>>();
    agrees<compiled<fx<lenet>, two_streams>>();
    return report();
}
