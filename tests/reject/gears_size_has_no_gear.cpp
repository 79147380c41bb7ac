// SPDX-License-Identifier: MIT
// A size between the gears.
// fault: size_has_no_gear
// expect: size_has_no_gear
// expect: in_operator<[^"]*"gears"
// expect: expected<[^"]*"one of s0 = 1; 8"
// expect: found<[^"]*"4"
// expect: <source>:
#include <ahead/dynamic/gears/compiled_gears.hpp>

using namespace ahead;

struct net {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]"):
    relu: "f32[s0, 3]" = torch.ops.aten.relu.default(x)
    return (relu,)
)fx";
};
using programs = compiled_gears<net, gears<"s0", 1, 8>>;

void choose(programs::session& run) {
#ifdef REJECT
    run.at<4>();
#else
    run.at<8>();
#endif
}
