// SPDX-License-Identifier: MIT
// A weight is given a value of sizes that are not its own.
// fault: shapes_do_not_broadcast
// expect: aten.copy.default
// expect: .3.
// expect: f32.4.
// expect: <source>:20:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

#ifdef REJECT
constexpr std::int64_t size = 4;
#else
constexpr std::int64_t size = 3;
#endif

inline constexpr auto net = trace([](param<"mean", f32<3>, input_role::buffer> mean, input<"y", f32<size>> y) {
    auto next = copy_(mean, y);
    return outputs(relu(next));
});
