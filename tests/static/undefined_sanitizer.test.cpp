// SPDX-License-Identifier: MIT
// A program of either door compiles with -fsanitize=undefined, which this file is compiled with: g++ 12 then takes no comparison of an address with null,
// and no look through a pointer to a static constant, for a constant expression.
#include <ahead/ahead.hpp>
#include <ahead/compile/inspect_fx.hpp>

using namespace ahead;
using namespace ahead::rooms;

namespace {

inline constexpr auto net = trace([](input<"x", f32<4, 8>> x, input<"i", i64<4>> i, param<"e", f32<10, 8>> e) {
    const auto y = relu(add(x, call<aten::embedding>(call_site::current(), e, i)));
    return outputs(cat<0>(y, x), softmax<1>(y));
});
static_assert(compiled<net>::plan.run_tasks > 0);

struct source {
    static constexpr std::string_view text = R"fx(def forward(self, x: "f32[1, 3, 8, 8]", w: "f32[4, 3, 3, 3]"):
    convolution: "f32[1, 4, 6, 6]" = torch.ops.aten.convolution.default(x, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    relu: "f32[1, 4, 6, 6]" = torch.ops.aten.relu.default(convolution)
    view: "f32[1, 144]" = torch.ops.aten.view.default(relu, [1, 144])
    return (view,)
)fx";
};
inline constexpr config two_streams_options{.streams = 2};
using two_streams = toolchain<>::with_options<two_streams_options>;
static_assert(compiled<fx<source>, two_streams>::plan.run_tasks > 0);

// The same at run time, with all operators there are.
[[maybe_unused]] constexpr auto inspect = &inspect_fx<>;

} // namespace
