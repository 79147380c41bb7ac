// SPDX-License-Identifier: MIT
// A user's pass that enters a scope and forgets to leave it.
// fault: scope_is_not_left
// expect: in_operator<[^"]*"air.scope_enter.default"
// expect: a scope_exit behind it
// expect: in the pass own_stream
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2>> x) { return outputs(abs(relu(x))); });

struct own_stream {
    static constexpr std::string_view name = "own_stream";
    constexpr void operator()(graph_editor& g, const config&) const {
        const auto found = g.find_node("aten.relu.default");
        g.inserting_before(found);
        g.call("air.scope_enter.default", {strings({"_user_stream_label"}), strings({"one"})});
#ifndef REJECT
        g.inserting_after(found);
        g.call("air.scope_exit.default", {});
#endif
    }
};
using tools = toolchain<>::with_post_pass<own_stream{}>;
static_assert(sizeof(compiled<net, tools>) > 0);
