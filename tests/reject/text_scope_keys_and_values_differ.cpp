// SPDX-License-Identifier: MIT
// A scope with two keys and one value.
// fault: scope_keys_and_values_differ
// expect: in_operator<[^"]*"air.scope_enter.default"
// expect: at_line<2>
// expect: 2 values, one per key
// expect: found<[^"]*"1"
#include <ahead/ahead.hpp>
#include <ahead/machine/presets.hpp>

using namespace ahead;

struct scoped {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x : f32[3]):
    scope_enter = torch.ops.air.scope_enter.default(['_op_aicore_num', '_op_vectorcore_num'], ['12'])
    neg = torch.ops.aten.neg.default(x)
    scope_exit = torch.ops.air.scope_exit.default()
    return (neg,)
)fx";
#else
        R"fx(def forward(self, x : f32[3]):
    scope_enter = torch.ops.air.scope_enter.default(['_op_aicore_num', '_op_vectorcore_num'], ['12', '24'])
    neg = torch.ops.aten.neg.default(x)
    scope_exit = torch.ops.air.scope_exit.default()
    return (neg,)
)fx";
#endif
};
using on_910b2 = toolchain<>::with_device<machine::ascend_910b2>;
static_assert(sizeof(compiled<fx<scoped>, on_910b2>) > 0);
