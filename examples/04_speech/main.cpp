// Streams speech through the silero voice detector, 512 new samples a frame, and draws the probability of speech over
// time. The detector is planned and written as C++ while this is built (ahead_add_model in CMakeLists.txt); its program
// is used as any compiled<net>.
//     04_speech <folder>     with silero_vad.safetensors, speech16k.npy (16 kHz) and, to compare, probabilities.npy
// Without a folder it only says what it needs.
#include "silero_vad_program.hpp"

#include <ahead/io/npy.hpp>
#include <ahead/io/safetensors.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>

using detector = silero_vad::program;

int main(int count, char** arguments) {
    if (count < 2) {
        std::printf("usage: 04_speech <folder with silero_vad.safetensors and speech16k.npy>\n"
                    "compiled: %d tasks, arena %lld B, constants %lld B\n",
                    detector::plan.run_tasks, static_cast<long long>(detector::plan.peak_bytes),
                    static_cast<long long>(detector::plan.constant_bytes));
        return 0;
    }
    const std::filesystem::path folder = arguments[1];
    const auto weights = detector::prepare(ahead::load_safetensors(folder / "silero_vad.safetensors"));
    const auto audio = ahead::load_npy(folder / "speech16k.npy");
    const auto samples = audio->as<std::int16_t>();
    constexpr std::size_t context = 64, fresh = 512;
    const auto frames = samples.size() / fresh;

    detector::session run{weights};
    std::array<float, context + fresh> window{};
    std::array<float, 128> h{}, c{}; // the state, carried from frame to frame
    std::vector<float> probabilities;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t frame = 0; frame < frames; ++frame) {
        for (std::size_t i = 0; i < fresh; ++i)
            window[context + i] = static_cast<float>(samples[frame * fresh + i]) / 32768.0f;
        auto [probability, next_h, next_c] = run(window, h, c);
        probabilities.push_back(probability(0, 0));
        h = next_h.copy();
        c = next_c.copy();
        std::copy(window.end() - context, window.end(), window.begin());
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;

    constexpr const char* bars[] = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                    "\u2585", "\u2586", "\u2587", "\u2588"};
    for (std::size_t line = 0; line < frames; line += 88) {
        std::printf("%5.1f s ", static_cast<double>(line * fresh) / 16000);
        for (std::size_t i = line; i < std::min(frames, line + 88); ++i)
            std::cout << bars[std::lround(probabilities[i] * 8)];
        std::cout << '\n';
    }
    std::printf("%zu frames of 32 ms, %.0f frames per second\n", frames, static_cast<double>(frames) / spent.count());

    if (!std::filesystem::exists(folder / "probabilities.npy")) return 0;
    const auto recorded = ahead::load_npy(folder / "probabilities.npy");
    float worst = 0;
    for (std::size_t i = 0; i < frames; ++i)
        worst = std::max(worst, std::abs(probabilities[i] - recorded->as<float>()[i]));
    std::printf("largest difference to PyTorch's %zu probabilities: %.2g\n", frames, static_cast<double>(worst));
    return worst <= 1e-5f ? 0 : 1;
}
