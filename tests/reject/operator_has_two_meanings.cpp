// SPDX-License-Identifier: MIT
// A pointwise operator of the user's own that has an evaluate, too: nobody knows which of the two it means.
// expect: an operator has one meaning at most
// expect: my::op
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

namespace my {
struct op : aten::unary<promotion::keep> {
    static constexpr std::string_view name = "my.op.default";
    template <class T> static constexpr T meaning(T x) { return x + x; }
#ifdef REJECT
    static constexpr void evaluate(auto& c) { c.output(0, 0.f).put({0}, 1); }
#endif
};
} // namespace my
struct registry : aten::registry::with<my::op> {};

inline constexpr auto net = trace<registry>([](input<"x", f32<3>> x) { return outputs(relu(call<my::op>(call_site::current(), x))); });
