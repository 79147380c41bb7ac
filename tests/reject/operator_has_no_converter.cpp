// SPDX-License-Identifier: MIT
// An operator that the device cannot do yet.
// fault: operator_has_no_converter
// expect: operator_has_no_converter
// expect: at_line<3>
// expect: aten.flip.default
#include <ahead/ahead.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        flip: "f32[2, 3]" = torch.ops.aten.flip.default(x, [0]);  x = None
        return (flip,)
)fx";
#else
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(x);  x = None
        return (relu,)
)fx";
#endif
};
static_assert(sizeof(ahead::compiled<ahead::fx<source>>) > 0);
