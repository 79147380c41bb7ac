// SPDX-License-Identifier: MIT
// A function of the user's own that gives a number where the schema says a list.
// fault: argument_has_wrong_kind
// expect: aten.permute.default
// expect: dims: int\[\]
// expect: float
// expect: <source>:23:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

template <class A>
constexpr auto own(const handle<A>& x, call_site where = call_site::current()) {
#ifdef REJECT
    return call<aten::permute>(where, x, 1.5);
#else
    return call<aten::permute>(where, x, ints<1, 0>{});
#endif
}

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) {
    return outputs(relu(own(x)));
});
