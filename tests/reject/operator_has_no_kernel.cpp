// SPDX-License-Identifier: MIT
// A user's converter that speaks of a device operator nobody has registered.
// fault: operator_has_no_kernel
// expect: operator_has_no_kernel
// expect: at_line<3>
// expect: aten.relu.default
// expect: npu.rectify
#include <ahead/ahead.hpp>

struct relu_by_hand {
    using op = ahead::aten::relu;
    static constexpr bool convert(ahead::convert_context& c) {
#ifdef REJECT
        const auto x = c.operand(0);
        return c.bind_result(c.create("npu.rectify", {&x, 1}));
#else
        return c.bind_result(c.create<ahead::device::pointwise<ahead::aten::relu>>({c.operand(0)}));
#endif
    }
};
struct source {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(x);  x = None
        return (relu,)
)fx";
};
using tools = ahead::toolchain<>::with<relu_by_hand>;
static_assert(sizeof(ahead::compiled_graph<ahead::frontend::fx_graph<source>, tools>) > 0);
