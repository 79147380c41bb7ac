// SPDX-License-Identifier: MIT
// A tensor that has a place more than the symbol says: no part of what is planned at the bound.
// fault: call_is_not_bounded
// expect: call_is_not_bounded
// expect: in_operator<[^"]*"npu.concat"
// expect: in_tensor<[^"]*"cat"
// expect: at_line<2>
// expect: expected<[^"]*"sizes in proportion to the symbo
// expect: found<[^"]*"f32.9, 3."
// expect: <source>:
#include <ahead/dynamic/bounded/compiled_bounded.hpp>

using namespace ahead;

struct net {
    static constexpr char text[] =
#ifdef REJECT
        R"fx(def forward(self, x: "f32[s0, 3]", y: "f32[1, 3]"):
    cat: "f32[s0 + 1, 3]" = torch.ops.aten.cat.default([x, y])
    return (cat,)
)fx";
#else
        R"fx(def forward(self, x: "f32[s0, 3]", y: "f32[1, 3]"):
    cat: "f32[s0, 6]" = torch.ops.aten.cat.default([x, x], 1)
    return (cat, y)
)fx";
#endif
};
using program = compiled_bounded<net, bound<"s0", 8>>;
static_assert(sizeof(program) > 0);
