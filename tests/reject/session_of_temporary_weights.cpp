// SPDX-License-Identifier: MIT
// A session is given prepared weights that are gone when the line ends.
// expect: deleted (function|constructor of) [^ ]*session
// expect: <source>:15
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(x + 1); });
using program = compiled<net>;

int main() {
    const std::array<float, 3> x{};
#ifdef REJECT
    program::session run{program::prepare()};
#else
    const auto weights = program::prepare();
    program::session run{weights};
#endif
    const auto [y] = run(x);
    return y(0) == 0 ? 0 : 1;
}
