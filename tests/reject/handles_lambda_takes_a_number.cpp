// SPDX-License-Identifier: MIT
// A parameter that is no tensor.
// expect: parameters are input
// expect: <source>:11:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
inline constexpr auto net = trace([](input<"x", f32<4>> x, int n) { return outputs(x + n); });
#else
inline constexpr auto net = trace([](input<"x", f32<4>> x) { return outputs(x + 1); });
#endif
