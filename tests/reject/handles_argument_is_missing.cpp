// SPDX-License-Identifier: MIT
// A function of the user's own that gives too few arguments.
// fault: argument_is_missing
// expect: aten.mm.default
// expect: mat2
// expect: <source>:22:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

template <class A>
constexpr auto own(const handle<A>& x, call_site where = call_site::current()) {
#ifdef REJECT
    return call<aten::mm>(where, x);
#else
    return call<aten::mm>(where, x, x);
#endif
}

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) {
    return outputs(relu(own(x)));
});
