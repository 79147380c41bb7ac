// SPDX-License-Identifier: MIT
// In reduce_overhead the graph's own records and waits are all there are: sub reads what another stream computes, and waits for nothing.
// fault: streams_race
// expect: streams_race
// expect: sub.Tensor
// expect: an event between mm and it
// expect: reads what stream_1
#include <ahead/ahead.hpp>

using namespace ahead;

struct source {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    scope_enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['stream_1'])
    mm = torch.ops.aten.mm.default(x, x)
    abs_1 = torch.ops.aten.abs.default(mm)
    record = torch.ops.air.record.default()
    scope_exit = torch.ops.air.scope_exit.default()
)fx"
#ifndef REJECT
"    wait = torch.ops.air.wait.default([record])\n"
#endif
        R"fx(    sub = torch.ops.aten.sub.Tensor(x, mm)
    return (abs_1, sub)
)fx";
};
inline constexpr config tools_options{.mode = mode::reduce_overhead};
using tools = toolchain<>::with_options<tools_options>;
using program = compiled<fx<source>, tools>;
static_assert(program::plan.streams == 2);
int main() {}
