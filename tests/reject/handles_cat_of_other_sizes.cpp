// SPDX-License-Identifier: MIT
// Tensors in a row must agree in the other dims.
// fault: shapes_do_not_broadcast
// expect: aten.cat.default
// expect: <source>:18:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t size = 4;
#else
constexpr std::int64_t size = 3;
#endif

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, input<"y", f32<2, size>> y) {
    return outputs(relu(cat(x, y)));
});
