// SPDX-License-Identifier: MIT
// An in-place operator on a constant that the exporter lifted out of the code: constants are no state.
// fault: constant_is_written
// expect: in_operator<[^"]*"aten.add_.Tensor"
// expect: in_tensor<[^"]*"add_"
// expect: an input, a parameter, a buffer
// expect: found<[^"]*"c_k"
#include <ahead/ahead.hpp>

using namespace ahead;

struct running_mean {
    static constexpr std::string_view text =
        R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, c_k: "f32[3]", x: "f32[3]"):
            add_: "f32[3]" = torch.ops.aten.add_.Tensor(c_k, x);  c_k = x = None
            return (add_,)

Graph signature:
    # inputs
)fx"
#ifdef REJECT
        "    c_k: CONSTANT_TENSOR target='k'\n"
#else
        "    c_k: BUFFER target='k' persistent=True\n"
#endif
        "    x: USER_INPUT\n\n    # outputs\n    add_: USER_OUTPUT\n\nRange constraints: {}\n";
};
static_assert(sizeof(compiled<fx<running_mean>>) > 0);
