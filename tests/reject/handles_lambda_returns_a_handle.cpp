// SPDX-License-Identifier: MIT
// A lambda that forgets outputs(...).
// expect: the lambda returns outputs\(\.\.\.\)
// expect: <source>:10:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<4>> x) {
#ifdef REJECT
    return relu(x);
#else
    return outputs(relu(x));
#endif
});
