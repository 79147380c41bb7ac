// SPDX-License-Identifier: MIT
// A function of the user's own that gives an argument the schema does not have.
// fault: argument_is_unknown
// expect: aten.relu.default
// expect: slope
// expect: <source>:22:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

template <class A>
constexpr auto own(const handle<A>& x, call_site where = call_site::current()) {
#ifdef REJECT
    return call<aten::relu>(where, x, keyword<"slope", double>{0.1});
#else
    return call<aten::leaky_relu>(where, x, keyword<"negative_slope", double>{0.1});
#endif
}

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) {
    return outputs(relu(own(x)));
});
