// u16, u32 and u64 are moved and converted, not computed with.
// SPDX-License-Identifier: MIT
// fault: dtype_is_unsupported
// expect: dtype_is_unsupported
// expect: aten.add.Tensor
// expect: at_line<3>
// expect: an operator that only moves
// expect: u16.2, 3
#include <ahead/ahead.hpp>

struct source {
    static constexpr std::string_view text =
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "u16[2, 3]"):
)fx"
#ifdef REJECT
        R"fx(        sum_1: "u16[2, 3]" = torch.ops.aten.add.Tensor(x, x);  x = None
)fx"
#else
        R"fx(        sum_1: "u16[4, 3]" = torch.ops.aten.cat.default([x, x]);  x = None
)fx"
#endif
        R"fx(        return (sum_1,)
)fx";
};
static_assert(sizeof(ahead::compiled<ahead::fx<source>>) > 0);
