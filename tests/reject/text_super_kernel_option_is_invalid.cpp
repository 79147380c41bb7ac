// SPDX-License-Identifier: MIT
// An option of a super kernel that is none.
// fault: super_kernel_option_is_invalid
// expect: in_operator<[^"]*"air.scope_enter.default"
// expect: at_line<2>
// expect: an option of super kernels
// expect: found<[^"]*"strict_scope_check=abort"
#include <ahead/ahead.hpp>

using namespace ahead;

struct scoped {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x : f32[3]):
    scope_enter = torch.ops.air.scope_enter.default(['_super_kernel_scope', '_super_kernel_options'], ['sp1', 'strict_scope_check=abort'])
    neg = torch.ops.aten.neg.default(x)
    scope_exit = torch.ops.air.scope_exit.default()
    return (neg,)
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
