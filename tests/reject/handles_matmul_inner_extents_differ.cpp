// SPDX-License-Identifier: MIT
// The columns of the left operand are not the rows of the right one.
// fault: matmul_inner_extents_differ
// expect: aten.mm.default
// expect: f32.2, 3.
// expect: f32.4, 5.
// expect: <source>:20:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t rows = 4;
#else
constexpr std::int64_t rows = 3;
#endif

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x, input<"y", f32<rows, 5>> y) {
    return outputs(relu(mm(x, y)));
});
