// SPDX-License-Identifier: MIT
// A constant of a form that prints no types, for which the user gives none.
// fault: input_type_is_missing
// expect: in_tensor<[^"]*"_tensor_constant0"
// expect: at_line<3>
#include <ahead/core/require.hpp>
#include <ahead/frontend/fx/fx.hpp>

struct source {
    static constexpr std::string_view text = R"fx(graph():
    %x : [num_users=1] = placeholder[target=x]
    %_tensor_constant0 : [num_users=1] = get_attr[target=_tensor_constant0]
    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, %_tensor_constant0), kwargs = {})
    return (mul,)
)fx";
    static constexpr ahead::fx_input inputs[] = {{.placeholder = "x", .type = "f32[2, 3]"},
#ifndef REJECT
                                                 {.placeholder = "_tensor_constant0", .type = "f32[3]"}
#endif
    };
};
static_assert(sizeof(ahead::require<ahead::frontend::fx_graph<source>>) > 0);
