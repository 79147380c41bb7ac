// SPDX-License-Identifier: MIT
// Split sizes that add up, one of them below 0.
// fault: size_is_negative
// expect: size_is_negative
// expect: at_line<3>
// expect: aten.split_with_sizes.default
#include <ahead/core/require.hpp>
#include <ahead/frontend/fx/fx.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[6]"):
        split_with_sizes = torch.ops.aten.split_with_sizes.default(x, [-1, 7]);  x = None
        getitem: "f32[7]" = split_with_sizes[1];  split_with_sizes = None
        return (getitem,)
)fx";
#else
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[6]"):
        split_with_sizes = torch.ops.aten.split_with_sizes.default(x, [0, 6]);  x = None
        getitem: "f32[6]" = split_with_sizes[1];  split_with_sizes = None
        return (getitem,)
)fx";
#endif
};
static_assert(sizeof(ahead::require<ahead::frontend::fx_graph<source>>) > 0);
