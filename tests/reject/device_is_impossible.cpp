// SPDX-License-Identifier: MIT
// A toolchain for a device that cannot be.
// fault: device_is_impossible
// expect: device_is_impossible
// expect: a part of mine
// expect: an alignment that is a power of
// expect: 96
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<1024>> x, param<"w", f32<1024>> w) { return outputs(add(relu(x), w)); });

inline constexpr machine::device tools_device{
        .name = "a part of mine",
#ifdef REJECT
        .alignment = 96,
#else
        .alignment = 128,
#endif
    };
using tools = toolchain<>::with_device<tools_device>;
using program = compiled<net, tools>;
static_assert(program::plan.makespan > machine::ticks{} || !program::accepted); // no second error where there is no plan
int main() {}
