// SPDX-License-Identifier: MIT
// npu_wait_tensor where streams are the user's own.
// fault: mode_has_no_wait_tensor
// expect: in_operator<[^"]*"air.wait_tensor.default"
// expect: at_line<3>
// expect: record and wait, or tagged event
// expect: npu_wait_tensor
#include <ahead/ahead.hpp>

using namespace ahead;

struct scoped {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x : f32[3]):
    abs_1 = torch.ops.aten.abs.default(x)
    both = torch.ops.air.wait_tensor.default(x, abs_1)
    neg = torch.ops.aten.neg.default(both)
    return (neg,)
)fx";
#else
        R"fx(def forward(self, x : f32[3]):
    abs_1 = torch.ops.aten.abs.default(x)
    wait = torch.ops.air.wait.default([abs_1])
    neg = torch.ops.aten.neg.default(x)
    return (neg,)
)fx";
#endif
};
inline constexpr config tools_options{.mode = mode::reduce_overhead};
using tools = toolchain<>::with_options<tools_options>;
static_assert(sizeof(compiled<fx<scoped>, tools>) > 0);
