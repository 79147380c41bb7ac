// SPDX-License-Identifier: MIT
// A graph with more streams than the device of its toolchain has.
// fault: device_streams_are_exceeded
// expect: device_streams_are_exceeded
// expect: a small part
// expect: at most 1 streams
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
inline constexpr int streams = 1;
#else
inline constexpr int streams = 2;
#endif
inline constexpr machine::device tools_device{.name = "a small part", .streams = streams};
using tools = toolchain<>::with_device<tools_device>;
using program = compiled<fx<source>, tools>;
static_assert(program::plan.streams == 2);
int main() {}
