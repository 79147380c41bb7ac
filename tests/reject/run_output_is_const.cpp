// SPDX-License-Identifier: MIT
// An output is to be written into an array that is const.
// fault: output_has_wrong_type
// expect: in_tensor<[^"]*"output 0"
// expect: expected<[^"]*"6 elements of f32 that may be wr
// expect: found<[^"]*"6 elements of f32 that are const"
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) { return outputs(abs(x)); });
#ifdef REJECT
using kept = const std::array<float, 6>;
#else
using kept = std::array<float, 6>;
#endif

int main() {
    const auto weights = compiled<net>::prepare();
    compiled<net>::session run{weights};
    const std::array<float, 6> x{};
    kept y{};
    return run.try_run(into(y), x).ok() && y[0] == 0 ? 0 : 1;
}
