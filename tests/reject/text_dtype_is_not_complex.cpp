// Complex numbers are moved, and computed with by the operators that say so.
// SPDX-License-Identifier: MIT
// fault: dtype_is_unsupported
// expect: dtype_is_unsupported
// expect: aten.erf.default
// expect: at_line<3>
// expect: an operator that takes complex n
// expect: c64.2, 3
#include <ahead/ahead.hpp>

struct source {
    static constexpr std::string_view text =
        R"fx(class GraphModule(torch.nn.Module):
    def forward(self, x: "c64[2, 3]"):
)fx"
#ifdef REJECT
        R"fx(        y: "c64[2, 3]" = torch.ops.aten.erf.default(x);  x = None
)fx"
#else
        R"fx(        y: "c64[2, 3]" = torch.ops.aten.mul.Tensor(x, x);  x = None
)fx"
#endif
        R"fx(        return (y,)
)fx";
};
static_assert(sizeof(ahead::compiled<ahead::fx<source>>) > 0);
