// SPDX-License-Identifier: MIT
// A number that the host is to give at each run is the size of a view.
// fault: host_parameter_is_fixed
// expect: host_parameter_is_fixed
// expect: in_operator<[^"]*"aten.view.default"
// expect: in_tensor<[^"]*"view"
// expect: at_line<2>
// expect: expected<[^"]*"a use that can be updated: arith
// expect: found<[^"]*"s1"
// expect: <source>:
#include <ahead/ahead.hpp>

using namespace ahead;

struct net {
    static constexpr char text[] = R"fx(def forward(self, n: "Sym(s1)", x: "f32[6]"):
    view: "f32[2, 3]" = torch.ops.aten.view.default(x, [n, 3])
    return (view,)
)fx";
#ifdef REJECT
    static constexpr symbol_value symbols[] = {host_symbol("s1")};
#else
    static constexpr symbol_value symbols[] = {{"s1", 2}};
#endif
};
using program = compiled<fx<net>>;

float first(std::span<const float, 6> x) {
    const auto weights = program::prepare();
    program::session run{weights};
    const auto [y] = run(x);
    return y(0, 0);
}
