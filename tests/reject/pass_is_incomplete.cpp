// SPDX-License-Identifier: MIT
// A pass of the user's own without a name: one error says what a pass has.
// expect: a pass is a struct without data members that has: static constexpr std::string_view name
// expect: my::nothing
#include <ahead/ahead.hpp>

using namespace ahead;

namespace my {
struct nothing {
#ifndef REJECT
    static constexpr std::string_view name = "nothing";
#endif
    constexpr void operator()(graph_editor&, const config&) const {}
};
} // namespace my
using tools = toolchain<>::with_post_pass<my::nothing{} | pass::eliminate_duplicates>;

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(relu(x)); });
static_assert(sizeof(compiled<net, tools>) > 0);
