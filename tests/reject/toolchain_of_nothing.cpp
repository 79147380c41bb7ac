// SPDX-License-Identifier: MIT
// A struct that a toolchain has no use for.
// expect: toolchain::with takes converters
// expect: my::nothing
#include <ahead/ahead.hpp>

using namespace ahead;

namespace my {
struct nothing {};
} // namespace my
#ifdef REJECT
using tools = toolchain<>::with<my::nothing>;
#else
using tools = toolchain<>;
#endif

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(relu(x)); });
static_assert(sizeof(compiled<net, tools>) > 0);
