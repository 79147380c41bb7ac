// SPDX-License-Identifier: MIT
// A toolchain whose pass of the device graph is the pass's type, and no object of it.
// expect: a pass is a struct without data members that has: static constexpr std::string_view name
// expect: tools
#include <ahead/ahead.hpp>

using namespace ahead;

struct nothing {
    static constexpr std::string_view name = "nothing";
    constexpr void operator()(graph_editor&, const config&) const {}
};
struct tools : toolchain<> {
#ifdef REJECT
    using device_post_pass = nothing;
#else
    static constexpr nothing device_post_pass{};
#endif
};

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(relu(x)); });
static_assert(sizeof(compiled<net, tools>) > 0);
