// A graph in C++: typed handles, checked and compiled by the C++ compiler. Prints its result and what the compiler
// knows of it.
#include <ahead/ahead.hpp>

#include <iostream>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) {
    auto m = mm(x, permute<1, 0>(x));
    return outputs(add(abs(m), 1), sub(x, m));
});
using hello = compiled<net>;
static_assert(hello::plan.run_tasks == 3 && hello::plan.peak_bytes <= 256);

int main() {
    const auto weights = hello::prepare();
    hello::session run{weights};
    auto [a, b] = run(std::array<float, 9>{1, 2, 3, 4, 5, 6, 7, 8, 9});
    for (int i = 0; i < 3; ++i) std::cout << a(i, 0) << ' ' << a(i, 1) << ' ' << a(i, 2) << '\n';
    std::cout << "arena " << hello::plan.peak_bytes << " B, " << hello::plan.run_tasks << " tasks\n";
    return a(0, 0) == 15 && b(0, 0) == -13 ? 0 : 1;
}
