// SPDX-License-Identifier: MIT
// A super kernel that is to be one launch, with a call on the AI CPU in it.
// fault: super_kernel_is_apart
// expect: in_operator<[^"]*"aten.histc.default"
// expect: at_line<4>
// expect: one launch of kernels
// expect: found<[^"]*"a task that runs on the AI CPU"
#include <ahead/ahead.hpp>

using namespace ahead;

struct scoped {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x : f32[3]):
    scope_enter = torch.ops.air.scope_enter.default(['_super_kernel_scope', '_super_kernel_options'], ['sp1', 'strict-scope-check=abort'])
    neg = torch.ops.aten.neg.default(x)
    histc = torch.ops.aten.histc.default(neg)
    scope_exit = torch.ops.air.scope_exit.default()
    return (histc,)
)fx";
#else
        R"fx(def forward(self, x : f32[3]):
    scope_enter = torch.ops.air.scope_enter.default(['_super_kernel_scope', '_super_kernel_options'], ['sp1', 'strict-scope-check=abort'])
    neg = torch.ops.aten.neg.default(x)
    scope_exit = torch.ops.air.scope_exit.default()
    return (neg,)
)fx";
#endif
};
static_assert(sizeof(compiled<fx<scoped>>) > 0);
