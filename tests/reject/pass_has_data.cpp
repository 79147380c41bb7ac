// SPDX-License-Identifier: MIT
// A pass with a data member: passes are made anew where they run, so that it would have its default there.
// expect: a pass is a struct without data members
// expect: my::scale
#include <ahead/ahead.hpp>

using namespace ahead;

namespace my {
struct scale {
    static constexpr std::string_view name = "scale";
#ifdef REJECT
    std::int64_t by = 1;
#else
    static constexpr std::int64_t by = 3;
#endif
    constexpr void operator()(graph_editor& g, const config&) const {
        for (node_id n : g.find_nodes("aten.mul.Tensor")) {
            g.inserting_before(n);
            g.replace_all_uses_with(n, g.call("aten.mul.Tensor", {g.operand(n, 0), by}));
        }
    }
};
} // namespace my
#ifdef REJECT
using tools = toolchain<>::with_post_pass<my::scale{3}>;
#else
using tools = toolchain<>::with_post_pass<my::scale{}>;
#endif

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(mul(x, 2.0)); });
static_assert(sizeof(compiled<net, tools>) > 0);
