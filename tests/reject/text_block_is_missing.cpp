// SPDX-License-Identifier: MIT
// A branch whose body the text does not show.
// fault: block_is_missing
// expect: block_is_missing
// expect: higher_order.cond
// expect: at_line<4>
// expect: class true_graph_0
#include <ahead/core/require.hpp>
#include <ahead/frontend/fx/fx.hpp>

struct source {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x: "f32[3]", p: "b8[]"):
    true_graph_0 = self.true_graph_0
    false_graph_0 = self.false_graph_0
    cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [x])
    getitem = cond[0]
    return (getitem,)
)fx";
#else
        R"fx(def forward(self, x: "f32[3]", p: "b8[]"):
    true_graph_0 = self.true_graph_0
    false_graph_0 = self.false_graph_0
    cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, [x])
    getitem = cond[0]
    return (getitem,)

class true_graph_0(torch.nn.Module):
    def forward(self, x):
        return (x,)

class false_graph_0(torch.nn.Module):
    def forward(self, x):
        neg = torch.ops.aten.neg.default(x)
        return (neg,)
)fx";
#endif
};
static_assert(sizeof(ahead::require<ahead::frontend::fx_graph<source>>) > 0);
