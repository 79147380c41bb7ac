// SPDX-License-Identifier: MIT
// A plan that needs more memory than the device of its toolchain has.
// fault: device_memory_is_exceeded
// expect: device_memory_is_exceeded
// expect: a small part
// expect: at most 4096 bytes
// expect: 8192 bytes
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<1024>> x, param<"w", f32<1024>> w) { return outputs(add(relu(x), w)); });

#ifdef REJECT
inline constexpr std::int64_t room = 4096;
#else
inline constexpr std::int64_t room = 65'536;
#endif
inline constexpr machine::device tools_device{.name = "a small part", .memory = {{{"memory", room, 1000}}}};
using tools = toolchain<>::with_device<tools_device>;
using program = compiled<net, tools>;
static_assert(program::plan.makespan > machine::ticks{} || !program::accepted); // no second error where there is no plan
int main() {}
