// SPDX-License-Identifier: MIT
// What follows a refused call, and whoever uses the trace, adds nothing.
// fault: matmul_inner_extents_differ
// expect: aten.mm.default
// expect: 4 rows|3 rows
// expect: <source>:19:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t rows = 4;
#else
constexpr std::int64_t rows = 3;
#endif

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x, input<"y", f32<rows, 3>> y) {
    auto m = mm(x, y);
    auto n = relu(m) * 2 + x;
    auto k = cat<1>(view<9, 1>(n), softmax<1>(view<9, 1>(m)));
    return outputs(k, max_pool2d<kernel<2, 2>>(unsqueeze<0>(m)), x);
});
static_assert(decltype(net)::view().header().live_nodes > 0);
static_assert(decltype(net)::error.ok());
