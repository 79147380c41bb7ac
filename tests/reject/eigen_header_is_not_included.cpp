// SPDX-License-Identifier: MIT
// A call has the choice `eigen`, whose kernels are in a header of their own.
// expect: a call has the kernel choice `eigen`: #include <ahead/eigen.hpp>
#include <ahead/ahead.hpp>
#ifndef REJECT
#include <ahead/eigen.hpp>
#endif

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<4, 8>> x, param<"w", f32<8, 16>> w) { return outputs(mm(x, w)); });
inline constexpr config on_eigen{.kernels = kernel_set::eigen};
using program = compiled<net, toolchain<>::with_options<on_eigen>>;

int main() {
    const auto weights = program::prepare(ahead::weights{});
    program::session run{weights};
    static_cast<void>(run(std::array<float, 32>{}));
}
