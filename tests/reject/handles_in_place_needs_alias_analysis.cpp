// SPDX-License-Identifier: MIT
// Handles are values: an operator that writes its operand is refused.
// fault: in_place_needs_alias_analysis
// expect: aten.relu_.default
// expect: the functional operator
// expect: <source>:22:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

template <class A>
constexpr auto own(const handle<A>& x, call_site where = call_site::current()) {
#ifdef REJECT
    return call<aten::in_place<aten::relu>>(where, x);
#else
    return call<aten::relu>(where, x);
#endif
}

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) {
    return outputs(relu(own(x)));
});
