// SPDX-License-Identifier: MIT
// A user's operator that nobody says how to run: no converter, no meaning.
// fault: operator_has_no_converter
// expect: operator_has_no_converter
// expect: at_line<3>
// expect: my.twice.default
#include <ahead/ahead.hpp>
#include <reject/own_operator.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        twice: "f32[2, 3]" = torch.ops.my.twice.default(x);  x = None
        return (twice,)
)fx";
#else
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(x);  x = None
        return (relu,)
)fx";
#endif
};
struct operators : ahead::aten::registry::with<own::twice> {};
static_assert(sizeof(ahead::compiled_graph<ahead::frontend::fx_graph<source, operators>>) > 0);
