// SPDX-License-Identifier: MIT
// A decomposition of the user's own, as a function, that does not say how many calls it makes: one error says what a decomposition has.
// expect: a decomposition has: using op
// expect: std::int32_t most_calls
// expect: my::twice_as_sum
#include <ahead/ahead.hpp>
#include <reject/own_operator.hpp>

using namespace ahead;

namespace my {
struct twice_as_sum {
    using op = own::twice;
#ifndef REJECT
    static constexpr std::int32_t most_calls = 1;
#endif
    static constexpr void decompose(decompose_context& c) { c.bind_result(c.call("aten.add.Tensor", {c.operand(0), c.operand(0)})); }
};
} // namespace my
struct operators : aten::registry::with<own::twice> {};
using tools = toolchain<>::with<my::twice_as_sum>;

inline constexpr auto net = trace<operators>([](input<"x", f32<3>> x) { return outputs(call<own::twice>(call_site::current(), x)); });
static_assert(sizeof(compiled<net, tools>) > 0);
