// SPDX-License-Identifier: MIT
// A run is given memory for one of its two outputs.
// fault: output_count_differs
// expect: in_operator<[^"]*"run"
// expect: expected<[^"]*"2 memories, one per output"
// expect: found<[^"]*"1"
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) {
#ifdef REJECT
    return outputs(abs(x), add(x, 1));
#else
    return outputs(abs(x));
#endif
});

int main() {
    const auto weights = compiled<net>::prepare();
    compiled<net>::session run{weights};
    const std::array<float, 6> x{};
    std::array<float, 6> y{};
    run(into(y), x);
    return y[0] == 0 ? 0 : 1;
}
