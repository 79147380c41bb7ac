// SPDX-License-Identifier: MIT
// The signature names an input that the graph does not have.
// fault: signature_is_inconsistent
// expect: signature_is_inconsistent
// expect: p_v
#include <ahead/core/require.hpp>
#include <ahead/frontend/fx/fx.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[2, 3]", x: "f32[2, 3]"):
            add: "f32[2, 3]" = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None
            return (add,)
            
Graph signature: 
    # inputs
    p_v: PARAMETER target='w'
    x: USER_INPUT
    
    # outputs
    add: USER_OUTPUT
    
Range constraints: {}
)fx";
#else
        R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[2, 3]", x: "f32[2, 3]"):
            add: "f32[2, 3]" = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None
            return (add,)
            
Graph signature: 
    # inputs
    p_w: PARAMETER target='w'
    x: USER_INPUT
    
    # outputs
    add: USER_OUTPUT
    
Range constraints: {}
)fx";
#endif
};
static_assert(sizeof(ahead::require<ahead::frontend::fx_graph<source>>) > 0);
