// SPDX-License-Identifier: MIT
// print(ExportedProgram) in the three spellings that PyTorch had for the signature.
#pragma once
#include <string_view>

namespace test {

inline constexpr std::string_view exported_printouts[] = {
    R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[3, 3]", b_m: "f32[3]", c_k: "f32[3]", x: "f32[3, 3]"):
            mm: "f32[3, 3]" = torch.ops.aten.mm.default(x, p_w);  x = p_w = None
            add: "f32[3]" = torch.ops.aten.add.Tensor(b_m, c_k);  b_m = c_k = None
            return (add, mm)

Graph signature: 
    # inputs
    p_w: PARAMETER target='fc.w'
    b_m: BUFFER target='bn.m' persistent=True
    c_k: CONSTANT_TENSOR target='k'
    x: USER_INPUT

    # outputs
    add: BUFFER_MUTATION target='bn.m'
    mm: USER_OUTPUT

Range constraints: {s0: VR[2, int_oo]}
)fx",
    R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_w: "f32[3]", x: "f32[3]"):
            add: "f32[3]" = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None
            return (add,)

Graph signature: ExportGraphSignature(input_specs=[InputSpec(kind=<InputKind.PARAMETER: 2>, arg=TensorArgument(name='p_w'), target='w', persistent=None), InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='x'), target=None, persistent=None)], output_specs=[OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, arg=TensorArgument(name='add'), target=None)])
Range constraints: {}
)fx",
    R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, arg0_1: f32[3], arg1_1: f32[3]):
            add: f32[3] = torch.ops.aten.add.Tensor(arg0_1, arg1_1);
            return (add,)

    Graph signature: ExportGraphSignature(
        parameters=['w'],
        buffers=[],
        user_inputs=['arg1_1'],
        user_outputs=['add'],
        inputs_to_parameters={'arg0_1': 'w'},
        inputs_to_buffers={},
        buffers_to_mutate={},
    )
    Range constraints: {}
    Equality constraints: []
)fx",
};

} // namespace test
