// SPDX-License-Identifier: MIT
// A generic lambda has no parameters to give tensors for.
// expect: give every parameter of the lambda a type
// expect: <source>:11:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
inline constexpr auto net = trace([](auto x) { return x; });
#else
inline constexpr auto net = trace([](input<"x", f32<4>> x) { return outputs(x); });
#endif
