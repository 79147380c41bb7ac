// SPDX-License-Identifier: MIT
// A run is given one tensor and needs two.
// fault: input_count_differs
// expect: in_operator<[^"]*"run"
// expect: in_tensor<[^"]*"y"
// expect: expected<[^"]*"2 inputs"
// expect: found<[^"]*"1"
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, input<"y", f32<2, 3>> y) { return outputs(x + y); });

int main() {
    const auto weights = compiled<net>::prepare();
    compiled<net>::session run{weights};
    const std::array<float, 6> x{};
#ifdef REJECT
    const auto [sum] = run(x);
#else
    const auto [sum] = run(x, x);
#endif
    return sum(0, 0) == 0 ? 0 : 1;
}
