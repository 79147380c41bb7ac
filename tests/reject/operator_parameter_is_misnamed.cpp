// SPDX-License-Identifier: MIT
// An operator of the user's own whose names for its parameters are not in its schema's order: start would read end.
// expect: an operator may name its parameters: enum at : int
// expect: my::op
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

namespace my {
struct op {
    static constexpr std::string_view name = "my.op.default";
#ifdef REJECT
    enum at : int { self, end, start };
#else
    enum at : int { self, start, end };
#endif
    static constexpr parameter schema[] = {required("self", parameter_kind::tensor), required("start", parameter_kind::integer),
                                           required("end", parameter_kind::integer)};
    static constexpr bool infer(infer_context& c) { return c.result(tensor_of(c.tensor(at::self).type, {c.integer(at::end) - c.integer(at::start)})); }
};
} // namespace my
struct registry : aten::registry::with<my::op> {};

inline constexpr auto net = trace<registry>([](input<"x", f32<9>> x) { return outputs(relu(call<my::op>(call_site::current(), x, 2, 5))); });
