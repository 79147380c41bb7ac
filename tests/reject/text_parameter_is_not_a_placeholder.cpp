// SPDX-License-Identifier: MIT
// The user names a placeholder that the text does not have.
// fault: parameter_is_not_a_placeholder
// expect: parameter_is_not_a_placeholder
// expect: arg9_1
#include <ahead/core/require.hpp>
#include <ahead/frontend/fx/fx.hpp>

struct source {
    static constexpr std::string_view text = R"fx(graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return (relu,)
)fx";
    static constexpr ahead::fx_input inputs[] = {
        {.placeholder =
#ifdef REJECT
             "arg9_1",
#else
             "x",
#endif
         .type = "f32[2, 3]"}};
};
static_assert(sizeof(ahead::require<ahead::frontend::fx_graph<source>>) > 0);
