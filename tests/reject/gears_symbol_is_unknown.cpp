// SPDX-License-Identifier: MIT
// Gears of a symbol that the text does not have: one error, though there are two gears.
// fault: symbol_is_unknown
// expect: symbol_is_unknown
// expect: expected<[^"]*"a symbol of the text, such as s0"
// expect: found<[^"]*"s1"
// expect: <source>:
#include <ahead/dynamic/gears/compiled_gears.hpp>

using namespace ahead;

struct net {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]"):
    relu: "f32[s0, 3]" = torch.ops.aten.relu.default(x)
    return (relu,)
)fx";
};
#ifdef REJECT
using programs = compiled_gears<net, gears<"s1", 1, 8>>;
#else
using programs = compiled_gears<net, gears<"s0", 1, 8>>;
#endif

float first(std::span<const float, 24> x) {
    const auto weights = programs::prepare();
    programs::session run{weights};
    run.visit({8}, [](auto gear) { static_assert(gear.values.size() == 1); });
    const auto [y] = run.at<8>()(x);
    return y.data()[0];
}
