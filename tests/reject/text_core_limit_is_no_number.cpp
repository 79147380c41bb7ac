// SPDX-License-Identifier: MIT
// A limit of cores that is no number.
// fault: core_limit_is_out_of_range
// expect: in_operator<[^"]*"air.scope_enter.default"
// expect: at_line<2>
// expect: _op_aicore_num of at least 1
// expect: found<[^"]*".?'all.?'"
#include <ahead/ahead.hpp>
#include <ahead/machine/presets.hpp>

using namespace ahead;

struct limited {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x : f32[3]):
    scope_enter = torch.ops.air.scope_enter.default(['_op_aicore_num'], ['all'])
    neg = torch.ops.aten.neg.default(x)
    scope_exit = torch.ops.air.scope_exit.default()
    return (neg,)
)fx";
#else
        R"fx(def forward(self, x : f32[3]):
    scope_enter = torch.ops.air.scope_enter.default(['_op_aicore_num', '_op_vectorcore_num'], ['24', '48'])
    neg = torch.ops.aten.neg.default(x)
    scope_exit = torch.ops.air.scope_exit.default()
    return (neg,)
)fx";
#endif
};
using on_910b2 = toolchain<>::with_device<machine::ascend_910b2>;
static_assert(sizeof(compiled<fx<limited>, on_910b2>) > 0);
