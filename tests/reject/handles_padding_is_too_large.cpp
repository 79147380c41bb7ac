// SPDX-License-Identifier: MIT
// A reflection of more elements than there are.
// fault: padding_is_too_large
// expect: aten.reflection_pad1d.default
// expect: less than 3
// expect: <source>:19:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t left = 3;
#else
constexpr std::int64_t left = 2;
#endif

inline constexpr auto net = trace([](input<"x", f32<2, 3>> x) {
    return outputs(relu(reflection_pad1d<left, 0>(x)));
});
