// SPDX-License-Identifier: MIT
// A permutation that names a dim twice.
// fault: dimension_is_repeated
// expect: aten.permute.default
// expect: each dim once
// expect: <source>:19:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t first = 0;
#else
constexpr std::int64_t first = 1;
#endif

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) {
    return outputs(relu(permute<first, 0>(x)));
});
