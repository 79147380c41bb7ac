// Reads handwritten digits with LeNet. The graph is the text of print(torch.export.export(model, args)), compiled by
// the C++ compiler; the weights come from a .safetensors file. Reads 100 images of this folder, or those of the folder
// given; exit code 1 if a prediction differs from PyTorch's.
#include <ahead/ahead.hpp>
#include <ahead/print/plan_table.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>

struct lenet {
    static constexpr char text[] =
#include "digits.fx"
        ;
};
using digits = ahead::compiled<ahead::fx<lenet>>;
static_assert(digits::plan.peak_bytes <= 40'000);

template <class Scores> int best(const Scores& scores) {
    return static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

/// Draws digits side by side, two rows of pixels per line of text.
void draw(std::span<const std::uint8_t> pixels, std::size_t first, std::size_t count) {
    constexpr const char* shades[] = {" ", "\u2591", "\u2592", "\u2593", "\u2588"};
    for (std::size_t row = 4; row < 24; row += 2) {
        for (std::size_t image = first; image < first + count; ++image) {
            for (std::size_t column = 4; column < 24; ++column) {
                const auto at = image * 784 + row * 28 + column;
                std::cout << shades[(pixels[at] + pixels[at + 28]) * 4 / 511];
            }
            std::cout << "  ";
        }
        std::cout << '\n';
    }
}

int main(int argument_count, char** arguments) {
    const std::filesystem::path folder = argument_count > 1 ? arguments[1] : ".";
    const auto images = ahead::load_npy(folder / "images.npy");
    const auto labels = ahead::load_npy(folder / "labels.npy");
    const auto expected = ahead::load_npy(folder / "logits.npy");
    const auto pixels = images->as<std::uint8_t>();
    const auto count = pixels.size() / 784;

    const auto weights = digits::prepare(ahead::load_safetensors(folder / "digits.safetensors"));
    digits::session run{weights};

    std::vector<std::array<float, 784>> inputs(count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t p = 0; p < 784; ++p) inputs[i][p] = static_cast<float>(pixels[i * 784 + p]) / 255.0f;

    std::vector<int> predictions(count);
    int right = 0, same = 0;
    for (std::size_t i = 0; i < count; ++i) {
        auto [logits] = run(inputs[i]);
        predictions[i] = best(logits);
        right += predictions[i] == static_cast<int>(labels->as<std::uint8_t>()[i]);
        same += predictions[i] == best(expected->as<float>().subspan(i * 10, 10));
    }
    const auto start = std::chrono::steady_clock::now();
    constexpr int rounds = 20;
    for (int round = 0; round < rounds; ++round)
        for (const auto& input : inputs) run(input);
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;

    draw(pixels, 0, 5);
    for (std::size_t i = 0; i < 5; ++i)
        std::printf("label %d, read %d%8s", static_cast<int>(labels->as<std::uint8_t>()[i]), predictions[i], "");
    std::cout << "\n\n" << ahead::plan_table(digits::lowered_graph(), digits::plan_view()) << '\n';
    std::printf("digits: %d/%zu correct, %d/%zu as PyTorch, arena %lld B, %.1f us per image\n", right, count, same,
                count, static_cast<long long>(digits::plan.peak_bytes),
                spent.count() / (rounds * static_cast<double>(count)));
    return same == static_cast<int>(count) ? 0 : 1;
}
