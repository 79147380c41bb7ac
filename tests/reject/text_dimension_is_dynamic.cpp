// SPDX-License-Identifier: MIT
// A symbolic size.
// fault: dimension_is_dynamic
// expect: dimension_is_dynamic
// expect: f32.s0, 3
#include <ahead/core/require.hpp>
#include <ahead/frontend/fx/fx.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[s0, 3]"):
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(x);  x = None
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
