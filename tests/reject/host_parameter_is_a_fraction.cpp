// SPDX-License-Identifier: MIT
// A run is given a fraction where the graph takes a number of the host's.
// fault: input_has_wrong_type
// expect: input_has_wrong_type
// expect: in_operator<[^"]*"run"
// expect: in_tensor<[^"]*"n"
// expect: expected<[^"]*"1 elements of i64"
// expect: found<[^"]*"a number"
#include <ahead/ahead.hpp>

using namespace ahead;

struct net {
    static constexpr char text[] = R"fx(def forward(self, n: "Sym(s1)", x: "f32[6]"):
    add: "f32[6]" = torch.ops.aten.add.Scalar(x, n)
    return (add,)
)fx";
    static constexpr symbol_value symbols[] = {host_symbol("s1")};
};
using program = compiled<fx<net>>;

float first(std::span<const float, 6> x) {
    const auto weights = program::prepare();
    program::session run{weights};
#ifdef REJECT
    const auto [y] = run(2.5, x);
#else
    const auto [y] = run(2, x);
#endif
    return y(0);
}
