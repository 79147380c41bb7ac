// SPDX-License-Identifier: MIT
// An exported program that updates a buffer in every run: weights are shared by sessions.
// fault: weight_is_written
// expect: in_operator<[^"]*"output"
// expect: in_tensor<[^"]*"bn.m"
// expect: an input of the run, or a tensor
// expect: found<[^"]*"the new value add"
#include <ahead/ahead.hpp>

using namespace ahead;

struct running_mean {
    static constexpr std::string_view text =
        R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, b_m: "f32[3]", x: "f32[3]"):
            add: "f32[3]" = torch.ops.aten.add.Tensor(b_m, x);  b_m = None
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(add, x);  x = None
            return (add, mul)

Graph signature:
    # inputs
    b_m: BUFFER target='bn.m' persistent=True
    x: USER_INPUT

    # outputs
)fx"
#ifdef REJECT
        "    add: BUFFER_MUTATION target='bn.m'\n"
#else
        "    add: USER_OUTPUT\n"
#endif
        "    mul: USER_OUTPUT\n\nRange constraints: {}\n";
};
static_assert(sizeof(compiled<fx<running_mean>>) > 0);
