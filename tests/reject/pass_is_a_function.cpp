// SPDX-License-Identifier: MIT
// A toolchain whose pass is a function.
// expect: a pass is a struct without data members that has: static constexpr std::string_view name
// expect: pass::named
#include <ahead/ahead.hpp>

using namespace ahead;

#ifdef REJECT
constexpr void nothing(graph_editor&, const config&) {}
#else
inline constexpr auto nothing = pass::named<"nothing">([](graph_editor&, const config&) {});
#endif
using tools = toolchain<>::with_pre_pass<nothing>;

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(relu(x)); });
static_assert(sizeof(compiled<net, tools>) > 0);
