// LeNet as part of a program, weights and all: the build read the graph, planned it, wrote it as C++ and prepared the
// weights (ahead_add_model in CMakeLists.txt). What stands here includes standard C++ alone, reads no weight file,
// takes nothing from the heap, and has its first answer microseconds after main is entered.
//     09_built_in [images.npy]    the 28 x 28 pixels, one byte each, of handwritten digits; 02_digits' unless it is said
#include "digits.hpp"
#include "digits_weights.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>

static_assert(digits::arena_bytes <= 32 * 1024, "the plan is a constant, too: it fits the first cache");
static_assert(digits::inputs[0].bytes == 28 * 28 * sizeof(float) && digits::outputs[0].bytes == 10 * sizeof(float));

namespace {

alignas(digits::alignment) std::byte arena[digits::arena_bytes];
std::array<float, 28 * 28> image{};

/// The digit that the model reads in `image`.
long read_digit() {
    const void* inputs[] = {image.data()};
    if (!digits::run(inputs, digits::constants(), arena)) return -1; // no input of this model is refused
    std::array<float, 10> scores;
    std::memcpy(scores.data(), arena + digits::outputs[0].offset, sizeof scores);
    return std::max_element(scores.begin(), scores.end()) - scores.begin();
}

} // namespace

int main(int count, char** arguments) {
    const auto start = std::chrono::steady_clock::now();
    read_digit();
    const std::chrono::duration<double, std::micro> first = std::chrono::steady_clock::now() - start;

    const char* path = count > 1 ? arguments[1] : "../02_digits/images.npy";
    std::FILE* file = std::fopen(path, "rb");
    if (file == nullptr || std::fseek(file, 128, SEEK_SET) != 0) { // behind the header of .npy
        std::fprintf(stderr, "'%s' cannot be read\n", path);
        return 1;
    }
    std::array<unsigned char, 28 * 28> pixels;
    for (int i = 0; i < 10 && std::fread(pixels.data(), 1, pixels.size(), file) == pixels.size(); ++i) {
        std::transform(pixels.begin(), pixels.end(), image.begin(), [](int pixel) { return float(pixel) / 255; });
        std::printf("%ld ", read_digit());
    }
    std::fclose(file);
    std::printf("\n%zu tasks, arena %zu B, constants %zu B, first answer %.0f us after main began\n", digits::run_tasks,
                digits::arena_bytes, digits::constant_bytes, first.count());
}
