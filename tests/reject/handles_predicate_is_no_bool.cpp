// SPDX-License-Identifier: MIT
// A branch by a tensor that is not one bool.
// fault: dtype_is_unsupported
// expect: dtype_is_unsupported
// expect: in_operator<[^"]*"higher_order.cond"
// expect: expected<[^"]*"a bool to go by"
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<3>> x, input<"p", b8<>> p) {
#ifdef REJECT
    auto [y] = cond(x, [](auto a) { return outputs(sin(a)); }, [](auto a) { return outputs(cos(a)); }, tensors(x));
#else
    auto [y] = cond(p, [](auto a) { return outputs(sin(a)); }, [](auto a) { return outputs(cos(a)); }, tensors(x));
#endif
    return outputs(add(y, 1), logical_not(p));
});
using program = compiled<net>;
static_assert(sizeof(program) > 0);
