// SPDX-License-Identifier: MIT
// A sum over the bounded dim that runs along it: no kernel takes fewer places of that.
// fault: call_is_not_bounded
// expect: call_is_not_bounded
// expect: in_operator<[^"]*"npu.cumulate"
// expect: in_tensor<[^"]*"cumsum"
// expect: at_line<3>
// expect: expected<[^"]*"a bounded dim outside of what on
// expect: found<[^"]*"f32.8, 3."
// expect: <source>:
#include <ahead/dynamic/bounded/compiled_bounded.hpp>

using namespace ahead;

struct net {
    static constexpr char text[] =
#ifdef REJECT
        R"fx(def forward(self, x: "f32[s0, 3]"):
    relu: "f32[s0, 3]" = torch.ops.aten.relu.default(x)
    cumsum: "f32[s0, 3]" = torch.ops.aten.cumsum.default(relu, 0)
    return (cumsum,)
)fx";
#else
        R"fx(def forward(self, x: "f32[s0, 3]"):
    relu: "f32[s0, 3]" = torch.ops.aten.relu.default(x)
    cumsum: "f32[s0, 3]" = torch.ops.aten.cumsum.default(relu, 1)
    return (cumsum,)
)fx";
#endif
};
using program = compiled_bounded<net, bound<"s0", 8>>;

float first(std::span<const float> x) {
    const auto weights = program::prepare();
    program::session run{weights};
    const auto [y] = run(x);
    return y.data()[0];
}
