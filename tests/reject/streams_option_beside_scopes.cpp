// SPDX-License-Identifier: MIT
// A graph that says itself what is on which stream is not spread over others.
// fault: option_has_no_effect
// expect: option_has_no_effect
// expect: streams
// expect: left out
#include <ahead/ahead.hpp>

using namespace ahead;

struct source {
    static constexpr std::string_view text = R"fx(def forward(self, x : f32[3, 3]):
    scope_enter = torch.ops.air.scope_enter.default(['_user_stream_label'], ['stream_1'])
    mm = torch.ops.aten.mm.default(x, x)
    scope_exit = torch.ops.air.scope_exit.default()
    return (mm,)
)fx";
};
#ifdef REJECT
inline constexpr config options{.streams = 2};
#else
inline constexpr config options{};
#endif
using tools = toolchain<>::with_options<options>;
using program = compiled<fx<source>, tools>;
static_assert(program::plan.streams == 2);
int main() {}
