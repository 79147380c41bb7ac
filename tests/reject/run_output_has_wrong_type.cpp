// SPDX-License-Identifier: MIT
// An output is to be written into an array of other elements than it has.
// fault: output_has_wrong_type
// expect: in_operator<[^"]*"run"
// expect: in_tensor<[^"]*"output 1"
// expect: expected<[^"]*"6 elements of f32"
// expect: found<[^"]*"5 elements of f64"
// expect: <source>:26
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(abs(x), add(x, 1)); });
#ifdef REJECT
using kept = std::array<double, 5>;
#else
using kept = std::array<float, 6>;
#endif

int main() {
    const auto weights = compiled<net>::prepare();
    compiled<net>::session run{weights};
    const std::array<float, 6> x{};
    std::array<float, 6> first{};
    kept second{};
    run(into(first, second), x);
    return second[0] == 1 ? 0 : 1;
}
