// SPDX-License-Identifier: MIT
// A matrix product of a vector.
// fault: rank_is_wrong
// expect: aten.mm.default
// expect: rank 2
// expect: f32.3.
// expect: <source>:20:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
using left = f32<3>;
#else
using left = f32<2, 3>;
#endif

inline constexpr auto net = trace([](input<"x", left> x, input<"y", f32<3, 5>> y) {
    return outputs(relu(mm(x, y)));
});
