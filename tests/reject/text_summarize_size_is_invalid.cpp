// SPDX-License-Identifier: MIT
// A print that is to show no element at the ends of a dim.
// fault: summarize_size_is_invalid
// expect: in_operator<[^"]*"air.print.default"
// expect: at_line<3>
// expect: a positive number, or -1 for all
// expect: found<[^"]*"0"
#include <ahead/ahead.hpp>

using namespace ahead;

struct printing {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x : f32[3]):
    sin = torch.ops.aten.sin.default(x)
    print_1 = torch.ops.air.print.default([sin], 'sin {}', '{}', 0)
    return (sin,)
)fx";
#else
        R"fx(def forward(self, x : f32[3]):
    sin = torch.ops.aten.sin.default(x)
    print_1 = torch.ops.air.print.default([sin], 'sin {}', '{}', 1)
    return (sin,)
)fx";
#endif
};
static_assert(sizeof(compiled<fx<printing>>) > 0);
