// SPDX-License-Identifier: MIT
// A scope that is left and was never entered.
// fault: scope_is_not_entered
// expect: in_operator<[^"]*"air.scope_exit.default"
// expect: at_line<3>
// expect: a scope_enter above it
// expect: none that is open
#include <ahead/ahead.hpp>

using namespace ahead;

struct scoped {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x : f32[3]):
    neg = torch.ops.aten.neg.default(x)
    scope_exit = torch.ops.air.scope_exit.default()
    return (neg,)
)fx";
#else
        R"fx(def forward(self, x : f32[3]):
    scope_enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['one'])
    neg = torch.ops.aten.neg.default(x)
    scope_exit = torch.ops.air.scope_exit.default()
    return (neg,)
)fx";
#endif
};
static_assert(sizeof(compiled<fx<scoped>>) > 0);
