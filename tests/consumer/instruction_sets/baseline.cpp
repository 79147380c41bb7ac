// Built for any x86-64: loads the weights once, runs the model, and on a machine that can lets the other translation unit run it with the same weights.
#include "work.hpp"

#include <cmath>
#include <cstdio>

float fast(ahead::shared_weights weights, std::span<const float, 432> picture);

int main() {
    std::vector<float> filters(135), picture(432);
    for (std::size_t i = 0; i < filters.size(); ++i) filters[i] = static_cast<float>(i % 11) / 8 - 0.5f;
    for (std::size_t i = 0; i < picture.size(); ++i) picture[i] = static_cast<float>(i % 7) / 4 - 0.75f;
    ahead::weights weights;
    weights.add("filters", ahead::dtype::f32, {5, 3, 3, 3}, std::as_bytes(std::span(filters)));
    const std::span<const float, 432> seen(picture.data(), 432);

    const float here = result_of(weights, seen);
    if (!std::isfinite(here)) return 1;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2")) return 0;
    const float there = fast(weights.shared(), seen);
    std::printf("baseline %.8g, fast %.8g\n", static_cast<double>(here), static_cast<double>(there));
    return std::fabs(here - there) <= 1e-4f * std::fabs(here) ? 0 : 1;
}
