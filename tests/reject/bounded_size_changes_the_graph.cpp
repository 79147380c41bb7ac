// SPDX-License-Identifier: MIT
// Sizes that grow in steps: half of the symbol, rounded down.
// fault: size_changes_the_graph
// expect: size_changes_the_graph
// expect: in_operator<[^"]*"aten.slice.Tensor"
// expect: in_tensor<[^"]*"half"
// expect: at_line<4>
// expect: <source>:
#include <ahead/dynamic/bounded/compiled_bounded.hpp>

using namespace ahead;

struct net {
    static constexpr char text[] =
#ifdef REJECT
        R"fx(def forward(self, x: "f32[s0, 3]"):
    sym_size_int: "Sym(s0)" = torch.ops.aten.sym_size.int(x, 0)
    floordiv: "Sym((s0//2))" = sym_size_int // 2
    half: "f32[(s0//2), 3]" = torch.ops.aten.slice.Tensor(x, 0, 0, floordiv)
    relu: "f32[(s0//2), 3]" = torch.ops.aten.relu.default(half)
    return (relu,)
)fx";
#else
        R"fx(def forward(self, x: "f32[s0, 3]"):
    relu: "f32[s0, 3]" = torch.ops.aten.relu.default(x)
    return (relu,)
)fx";
#endif
};
using program = compiled_bounded<net, bound<"s0", 9>>;
static_assert(sizeof(program) > 0);
