// SPDX-License-Identifier: MIT
// A number minus bools.
// fault: dtype_is_unsupported
// expect: aten.rsub.Scalar
// expect: numbers; use logical_not
// expect: <source>:22:
#include <ahead/frontend/handles/functions.hpp>
#include <ahead/frontend/handles/trace.hpp>

using namespace ahead;

template <class A>
constexpr auto own(const handle<A>& x) {
#ifdef REJECT
    return 1 - gt(x, 0);
#else
    return 1 - x;
#endif
}

inline constexpr auto net = trace([](input<"x", f32<3, 3>> x) {
    return outputs(relu(own(x)));
});
