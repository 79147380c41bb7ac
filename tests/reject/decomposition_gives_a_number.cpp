// SPDX-License-Identifier: MIT
// A decomposition whose lambda gives no handle.
// expect: a decomposition has: using op
// expect: relu_as_number
#include <ahead/ahead.hpp>

using namespace ahead;

struct relu_as_number {
    using op = aten::relu;
#ifdef REJECT
    static constexpr auto decomposition = [](any<"self">) { return 0.0; };
#else
    static constexpr auto decomposition = [](any<"self"> x) { return x * 0.0; };
#endif
};
using tools = toolchain<>::with<relu_as_number>;

inline constexpr auto net = trace([](input<"x", f32<3>> x) { return outputs(relu(x)); });
static_assert(sizeof(compiled<net, tools>) > 0);
