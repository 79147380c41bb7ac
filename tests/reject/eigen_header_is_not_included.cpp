// SPDX-License-Identifier: MIT
// A call has the choice `eigen`, whose kernels are in a header of their own.
// fault: kernel_header_is_not_included
// expect: kernel_header_is_not_included
// expect: #include <ahead/eigen.hpp>
// expect: npu.matmul
#include <ahead/ahead.hpp>
#ifndef REJECT
#include <ahead/eigen.hpp>
#endif

inline constexpr auto net =
    ahead::trace([](ahead::input<"x", ahead::f32<4, 8>> x, ahead::param<"w", ahead::f32<8, 16>> w) {
        return ahead::outputs(mm(x, w));
    });
inline constexpr ahead::config on_eigen{.kernels = ahead::kernel_set::eigen};
static_assert(sizeof(ahead::compiled<net, ahead::toolchain<>::with_options<on_eigen>>) > 0);
