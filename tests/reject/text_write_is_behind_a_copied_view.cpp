// What PyTorch gives as a view under another dtype is a copy: a write that the view would see is refused.
// SPDX-License-Identifier: MIT
// fault: in_place_needs_alias_analysis
// expect: in_place_needs_alias_analysis
// expect: aten.mul_.Tensor
// expect: at_line<4>
// expect: a write above real, imag, conj, 
#include <ahead/ahead.hpp>

struct source {
    static constexpr std::string_view text =
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "c64[2, 3]"):
)fx"
#ifdef REJECT
        R"fx(        y: "f32[2, 3, 2]" = torch.ops.aten.view_as_real.default(x)
        z: "c64[2, 3]" = torch.ops.aten.mul_.Tensor(x, 2)
)fx"
#else
        R"fx(        z: "c64[2, 3]" = torch.ops.aten.mul_.Tensor(x, 2)
        y: "f32[2, 3, 2]" = torch.ops.aten.view_as_real.default(x)
)fx"
#endif
        R"fx(        return (y, z)
)fx";
};
static_assert(sizeof(ahead::compiled<ahead::fx<source>>) > 0);
