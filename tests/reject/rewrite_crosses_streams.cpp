// SPDX-License-Identifier: MIT
// A user's pass that moves a call out of the scope it is in.
// fault: rewrite_crosses_streams
// expect: rewrite_crosses_streams
// expect: aten.abs.default
// expect: a call that stays on one
// expect: on default, in the pass earlier
#include <ahead/ahead.hpp>

using namespace ahead;

struct source {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2]):
    a = torch.ops.aten.neg.default(x)
    enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['one'])
    b = torch.ops.aten.exp.default(a)
    c = torch.ops.aten.abs.default(a)
    leave = torch.ops.air.scope_exit.default()
    return (b, c)
)fx";
};
struct earlier {
    static constexpr std::string_view name = "earlier";
    constexpr void operator()(graph_editor& g, const config&) const {
#ifdef REJECT
        const auto to = g.find_node("air.scope_enter.default");
#else
        const auto to = g.find_node("aten.exp.default");
#endif
        g.move_before(g.find_node("aten.abs.default"), to);
    }
};
using tools = toolchain<>::with_post_pass<earlier{}>;
static_assert(sizeof(compiled<fx<source>, tools>) > 0);
