// SPDX-License-Identifier: MIT
// A session is asked for the value of a weight that its graph never writes.
// fault: state_is_unknown
// expect: in_operator<[^"]*"state"
// expect: expected<[^"]*"a weight that the graph writes"
// expect: found<[^"]*"scale"
// expect: <source>:
#include <ahead/ahead.hpp>

using namespace ahead;

struct counted {
    static constexpr std::string_view text = R"fx(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_scale: "f32[3]", b_counter: "f32[3]", x: "f32[3]"):
            mul: "f32[3]" = torch.ops.aten.mul.Tensor(x, p_scale);  x = p_scale = None
            add_: "f32[3]" = torch.ops.aten.add_.Tensor(b_counter, mul);  b_counter = None
            return (mul,)

Graph signature:
    # inputs
    p_scale: PARAMETER target='scale'
    b_counter: BUFFER target='counter' persistent=True
    x: USER_INPUT

    # outputs
    mul: USER_OUTPUT

Range constraints: {}
)fx";
};
using program = compiled<fx<counted>>;

float first(program::session& run) {
#ifdef REJECT
    return run.state<"scale">().data()[0];
#else
    return run.state<"counter">().data()[0];
#endif
}
