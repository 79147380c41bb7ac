// SPDX-License-Identifier: MIT
// A type rule refuses at the line of the text.
// fault: matmul_inner_extents_differ
// expect: matmul_inner_extents_differ
// expect: matmul_inner_extents_differ
// expect: at_line<3>
// expect: aten.mm.default
#include <ahead/core/require.hpp>
#include <ahead/frontend/fx/fx.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        relu = torch.ops.aten.mm.default(x, x);  x = None
        return (relu,)
)fx";
#else
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(x);  x = None
        return (relu,)
)fx";
#endif
};
static_assert(sizeof(ahead::require<ahead::frontend::fx_graph<source>>) > 0);
