// SPDX-License-Identifier: MIT
// A bound of two sizes: these are gears.
// fault: bound_is_impossible
// expect: bound_is_impossible
// expect: in_tensor<[^"]*"s0"
// expect: expected<[^"]*"a bound from 3 on"
// expect: found<[^"]*"2"
// expect: <source>:
#include <ahead/dynamic/bounded/compiled_bounded.hpp>

using namespace ahead;

struct net {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]"):
    relu: "f32[s0, 3]" = torch.ops.aten.relu.default(x)
    return (relu,)
)fx";
};
#ifdef REJECT
using program = compiled_bounded<net, bound<"s0", 2>>;
#else
using program = compiled_bounded<net, bound<"s0", 3>>;
#endif

float first(std::span<const float> x) {
    const auto weights = program::prepare();
    program::session run{weights};
    const auto [y] = run(x);
    return y.data()[0];
}
