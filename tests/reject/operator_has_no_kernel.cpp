// SPDX-License-Identifier: MIT
// A case of an operator that no kernel does.
// fault: operator_has_no_kernel
// expect: operator_has_no_kernel
// expect: at_line<3>
// expect: aten.addmm.default
#include <ahead/ahead.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, b: "f32[2]", x: "f32[2, 2]"):
        addmm: "f32[2, 2]" = torch.ops.aten.addmm.default(b, x, x, alpha = 2);  x = b = None
        return (addmm,)
)fx";
#else
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, b: "f32[2]", x: "f32[2, 2]"):
        addmm: "f32[2, 2]" = torch.ops.aten.addmm.default(b, x, x);  x = b = None
        return (addmm,)
)fx";
#endif
};
static_assert(sizeof(ahead::compiled<ahead::fx<source>>) > 0);
