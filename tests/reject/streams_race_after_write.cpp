// SPDX-License-Identifier: MIT
// In reduce_overhead a part of a tensor is written on one stream, and all of it is read on another that waits for nothing.
// fault: streams_race
// expect: npu.exp.default
// expect: at_line<9>
// expect: may still wr
#include <ahead/ahead.hpp>

using namespace ahead;

struct source {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[2, 4]):
    a = torch.ops.aten.neg.default(x)
    r = torch.ops.air.record.default()
    e = torch.ops.air.scope_enter.default(['_user_stream_label'], ['one'])
    w = torch.ops.air.wait.default([r])
    s = torch.ops.aten.select.int(a, 0, 0)
    n = torch.ops.aten.neg_.default(s)
    u = torch.ops.air.scope_exit.default()
)fx"
#ifndef REJECT
                                             R"fx(    w_1 = torch.ops.air.wait.default([n])
)fx"
#endif
                                             R"fx(    y = torch.ops.aten.exp.default(a)
    return (y,)
)fx";
};
inline constexpr config tools_options{.mode = mode::reduce_overhead};
using tools = toolchain<>::with_options<tools_options>;
static_assert(sizeof(compiled<fx<source>, tools>) > 0);
int main() {}
