// SPDX-License-Identifier: MIT
// An ATen operator nobody registered, in a text of a file: its name and what the line says.
// fault: operator_is_unknown
// expect: operator_is_unknown
// expect: at_line<3>
// expect: aten.no_such_operator
// expect: relu.txt
// expect: torch.ops.at
// expect: en.no_such_operator.default[(]x[)]
#include <ahead/core/require.hpp>
#include <ahead/frontend/fx/fx.hpp>

struct source {
    static constexpr char text[] =
#ifdef REJECT
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        relu: "f32[2, 3]" = torch.ops.aten.no_such_operator.default(x);  x = None
        return (relu,)
)fx" "\0" "relu.txt";
#else
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(x);  x = None
        return (relu,)
)fx" "\0" "relu.txt";
#endif
};
static_assert(sizeof(ahead::require<ahead::frontend::fx_graph<source>>) > 0);
