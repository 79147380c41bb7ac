// SPDX-License-Identifier: MIT
// An operator of the user's own without a type rule: one error says what an operator struct has.
// expect: an operator struct has
// expect: my::op
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

namespace my {
struct op {
    static constexpr std::string_view name = "my.op.default";
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor)};
#ifndef REJECT
    static constexpr bool infer(infer_context& c) { return c.result(c.tensor(0)); }
#endif
};
} // namespace my
struct registry : aten::registry::with<my::op> {};

inline constexpr auto net = trace<registry>([](input<"x", f32<3>> x) { return outputs(relu(call<my::op>(call_site::current(), x))); });
