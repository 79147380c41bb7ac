// SPDX-License-Identifier: MIT
// A function of the user's own that gives an argument by its place and by its name.
// fault: argument_is_given_twice
// expect: aten.sub.Tensor
// expect: other once
// expect: <source>:21:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

template <class A>
constexpr auto own(const handle<A>& x, call_site where = call_site::current()) {
#ifdef REJECT
    return call<aten::sub>(where, x, x, keyword<"other", handle<A>>{x});
#else
    return call<aten::sub>(where, x, keyword<"other", handle<A>>{x});
#endif
}

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) { return outputs(own(x)); });
