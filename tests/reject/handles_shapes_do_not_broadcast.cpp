// SPDX-License-Identifier: MIT
// Sizes that are neither equal nor 1.
// fault: shapes_do_not_broadcast
// expect: aten.add.Tensor
// expect: .2, 3.
// expect: f32.4.
// expect: <source>:20:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t size = 4;
#else
constexpr std::int64_t size = 3;
#endif

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, input<"y", f32<size>> y) {
    return outputs(relu(x + y));
});
