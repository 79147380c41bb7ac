// SPDX-License-Identifier: MIT
// A GraphDef in place of FX text.
// fault: text_has_another_format
// expect: text_has_another_format
#include <ahead/core/require.hpp>
#include <ahead/frontend/fx/fx.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(node {
  name: "x"
  op: "Placeholder"
}
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
