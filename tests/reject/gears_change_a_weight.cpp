// SPDX-License-Identifier: MIT
// A weight whose type a symbol is in: weights are the same for all gears.
// fault: gears_are_impossible
// expect: gears_are_impossible
// expect: in_tensor<[^"]*"scale"
// expect: expected<[^"]*"weights of the same type in each"
// expect: found<[^"]*"f32.1, 3. and f32.8, 3."
// expect: <source>:
#include <ahead/dynamic/gears/compiled_gears.hpp>

using namespace ahead;

struct net {
    static constexpr char text[] =
#ifdef REJECT
        R"fx(def forward(self, p: "f32[s0, 3]", x: "f32[s0, 3]"):
    mul: "f32[s0, 3]" = torch.ops.aten.mul.Tensor(x, p)
    return (mul,)
)fx";
#else
        R"fx(def forward(self, p: "f32[1, 3]", x: "f32[s0, 3]"):
    mul: "f32[s0, 3]" = torch.ops.aten.mul.Tensor(x, p)
    return (mul,)
)fx";
#endif
    static constexpr fx_input inputs[] = {{"p", "scale"}};
};
using programs = compiled_gears<net, gears<"s0", 1, 8>>;
static_assert(sizeof(programs) > 0);
