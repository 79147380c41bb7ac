// SPDX-License-Identifier: MIT
// A refused trace is one error: what its program is asked for, with as many outputs as the lambda returns, adds none.
// fault: matmul_inner_extents_differ
// expect: aten.mm.default
// expect: <source>:17:
#include <ahead/ahead.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t rows = 4;
#else
constexpr std::int64_t rows = 3;
#endif

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x, input<"y", f32<rows, 3>> y) {
    auto m = mm(x, y);
    return outputs(m, add(x, m));
});
using program = compiled<net>;

int main() {
    const auto weights = program::prepare();
    program::session run{weights};
    const std::array<float, 9> x{};
    const std::array<float, 3 * rows> y{};
    std::array<float, 9> own{};
    run(into(own, std::array<float, 9>{}), x, y);
    const auto [m, sum] = run(x, y);
    return m(1, 2) < 0 || sum.copy()[0] < 0;
}
