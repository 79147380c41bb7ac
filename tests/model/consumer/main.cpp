// Runs a model by its interface alone, with the weights that are part of the program: prints the sum of what it gives.
#include "mlp.hpp"
#include "mlp_weights.hpp"
#include <cstdio>

int main() {
    alignas(mlp::alignment) static std::byte arena[mlp::arena_bytes];
    static float x[mlp::inputs[0].bytes / sizeof(float)];
    for (float& v : x) v = 0.5f;
    const void* inputs[] = {x};
    if (!mlp::run(inputs, mlp::constants(), arena)) return 1;
    float sum = 0;
    for (std::size_t i = 0; i < mlp::outputs[0].bytes / sizeof(float); ++i) sum += reinterpret_cast<const float*>(arena + mlp::outputs[0].offset)[i];
    std::printf("%g\n", static_cast<double>(sum));
}
