// SPDX-License-Identifier: MIT
// A lambda that captures: only its type reaches the compiler, not what it holds.
// fault: lambda_has_captures
// expect: a lambda that begins with \[\]
// expect: <source>:12:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
inline constexpr auto net = trace([offset = 2](input<"x", f32<4>> x) { return outputs(x + offset); });
#else
inline constexpr auto net = trace([](input<"x", f32<4>> x) { return outputs(x + 2); });
#endif
