// SPDX-License-Identifier: MIT
// A printed type whose strides reach further than any memory.
// fault: tensor_is_too_large
// expect: tensor_is_too_large
// expect: at_line<2>
// expect: f32.33..576460752303423488.cpu
#include <ahead/core/require.hpp>
#include <ahead/frontend/fx/fx.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[33][576460752303423488]cpu"):
        relu = torch.ops.aten.relu.default(x);  x = None
        return (relu,)
)fx";
#else
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[33][2]cpu"):
        relu = torch.ops.aten.relu.default(x);  x = None
        return (relu,)
)fx";
#endif
};
static_assert(sizeof(ahead::require<ahead::frontend::fx_graph<source>>) > 0);
