// SPDX-License-Identifier: MIT
// A graph in C++ whose scope has no end.
// fault: scope_is_not_left
// expect: in_operator<[^"]*"air.scope_enter.default"
// expect: at_line<12>
// expect: a scope_exit behind it
#include <ahead/ahead.hpp>

using namespace ahead;

inline constexpr auto net = trace([](input<"x", f32<2>> x) {
    scope_enter<"one">(x);
    auto y = abs(x);
#ifndef REJECT
    scope_exit(x);
#endif
    return outputs(y);
});
static_assert(sizeof(compiled<net>) > 0);
