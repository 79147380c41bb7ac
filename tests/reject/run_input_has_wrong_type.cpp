// SPDX-License-Identifier: MIT
// A run is given an array of other elements than its input has.
// fault: input_has_wrong_type
// expect: in_operator<[^"]*"run"
// expect: in_tensor<[^"]*"y"
// expect: expected<[^"]*"6 elements of f32"
// expect: found<[^"]*"5 elements of f64"
// expect: <source>:24
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, input<"y", f32<2, 3>> y) { return outputs(x + y); });
#ifdef REJECT
using given = std::array<double, 5>;
#else
using given = std::array<float, 6>;
#endif

int main() {
    const auto weights = compiled<net>::prepare();
    compiled<net>::session run{weights};
    const std::array<float, 6> x{};
    const auto [sum] = run(x, given{});
    return sum(0, 0) == 0 ? 0 : 1;
}
