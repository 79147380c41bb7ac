// SPDX-License-Identifier: MIT
// A loop: how long a run takes is known beforehand, so it is said how many rounds it may go.
// fault: loop_has_no_bound
// expect: loop_has_no_bound
// expect: higher_order.while_loop
// expect: at_line<5>
// expect: expected<[^"]*"a toolchain with
#include <ahead/ahead.hpp>

struct counting {
    static constexpr std::string_view text = R"fx(class GraphModule(torch.nn.Module):
    def forward(self, n: "i64[]"):
        while_loop_cond_graph_0 = self.while_loop_cond_graph_0
        while_loop_body_graph_0 = self.while_loop_body_graph_0
        while_loop = torch.ops.higher_order.while_loop(while_loop_cond_graph_0, while_loop_body_graph_0, (n,), ());  while_loop_cond_graph_0 = while_loop_body_graph_0 = n = None
        getitem: "i64[]" = while_loop[0];  while_loop = None
        return (getitem,)

    class while_loop_cond_graph_0(torch.nn.Module):
        def forward(self, n: "i64[]"):
            gt: "b8[]" = torch.ops.aten.gt.Scalar(n, 0);  n = None
            return gt

    class while_loop_body_graph_0(torch.nn.Module):
        def forward(self, n: "i64[]"):
            sub: "i64[]" = torch.ops.aten.sub.Tensor(n, 1);  n = None
            return (sub,)
)fx";
};
inline constexpr ahead::config bounded_options{.loop_bound = 8};
using bounded = ahead::toolchain<>::with_options<bounded_options>;
static_assert(ahead::compiled<ahead::fx<counting>, bounded>::plan.run_tasks == 1);
#ifdef REJECT
static_assert(sizeof(ahead::compiled<ahead::fx<counting>>) > 0);
#endif
