// SPDX-License-Identifier: MIT
// A scope that is entered and never left.
// fault: scope_is_not_left
// expect: in_operator<[^"]*"air.scope_enter.default"
// expect: at_line<2>
// expect: a scope_exit behind it
// expect: found<[^"]*"none"
#include <ahead/ahead.hpp>

using namespace ahead;

struct scoped {
    static constexpr std::string_view text =
#ifdef REJECT
        R"fx(def forward(self, x : f32[3]):
    scope_enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['one'])
    neg = torch.ops.aten.neg.default(x)
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
