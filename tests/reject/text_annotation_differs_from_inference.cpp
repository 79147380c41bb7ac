// SPDX-License-Identifier: MIT
// A printed type that the operator does not give.
// fault: annotation_differs_from_inference
// expect: annotation_differs_from_inference
// expect: at_line<3>
// expect: 2 in dim 0: f32.2, 3
// expect: 3 in dim 0: f32.3, 2
#include <ahead/core/require.hpp>
#include <ahead/frontend/fx/fx.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        relu: "f32[3, 2]" = torch.ops.aten.relu.default(x);  x = None
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
