// SPDX-License-Identifier: MIT
// A word that the operator does not list, in a text.
// fault: argument_has_wrong_kind
// expect: aten.div.Tensor_mode
// expect: at_line<2>
// expect: rounding_mode: None, trunc or fl
// expect: ceil
#include <ahead/core/require.hpp>
#include <ahead/frontend/fx/fx.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x: "f32[2, 3]", y: "f32[2, 3]"):
    div = torch.ops.aten.div.Tensor_mode(x, y, rounding_mode = 'ceil')
    return (div,)
)fx";
#else
        R"fx(def forward(self, x: "f32[2, 3]", y: "f32[2, 3]"):
    div = torch.ops.aten.div.Tensor_mode(x, y, rounding_mode = 'floor')
    return (div,)
)fx";
#endif
};
static_assert(sizeof(ahead::require<ahead::frontend::fx_graph<source>>) > 0);
