// SPDX-License-Identifier: MIT
// A run of a bounded program is given doubles.
// fault: input_has_wrong_type
// expect: input_has_wrong_type
// expect: in_tensor<[^"]*"x"
// expect: expected<[^"]*"elements of f32.s0, 3."
// expect: found<[^"]*"elements of f64"
// expect: <source>:
#include <ahead/dynamic/bounded/compiled_bounded.hpp>

using namespace ahead;

struct net {
    static constexpr char text[] = R"fx(def forward(self, x: "f32[s0, 3]"):
    relu: "f32[s0, 3]" = torch.ops.aten.relu.default(x)
    return (relu,)
)fx";
};
using program = compiled_bounded<net, bound<"s0", 8>>;
#ifdef REJECT
using given_number = double;
#else
using given_number = float;
#endif

float first(std::span<const given_number> x) {
    const auto weights = program::prepare();
    program::session run{weights};
    const auto [y] = run(x);
    return y(0, 0);
}
